package memory

import (
	"testing"
	"time"

	"github.com/takt-dev/takt/operator/progress"
)

// Whoever serves how busy GPUs are may go. Then nobody is told for ever to stop a job for what was seen of it once.
func TestWhatWasSeenOfUseIsForgotten(t *testing.T) {
	var job Job
	rule := progress.IdleRule{BelowPercent: 5, For: 30 * time.Minute}
	used := 1.0
	at := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	for range 4 {
		at = at.Add(10 * time.Minute)
		job.SawUse(progress.Usage{GPUPercent: &used, At: at}, rule, 4)
	}
	if job.Idleness() == "" {
		t.Fatal("it does not use its GPUs, and nobody says so")
	}
	if job.SawNoUse(at.Add(rule.For), rule) || job.Idleness() == "" {
		t.Error("one reading that fails changes what is told")
	}
	if !job.SawNoUse(at.Add(3*rule.For), rule) || job.Idleness() != "" {
		t.Errorf("after long it is told still: %s", job.Idleness())
	}
}
