package progress

import (
	"fmt"
	"time"

	"github.com/takt-dev/takt/elastic"
)

// IdleRule says when GPUs count as idle: used less than BelowPercent for a time of For. Where nobody
// tells how busy they are, it is the CPUs that their workers ask for: hardly any training leaves those
// alone.
type IdleRule struct {
	BelowPercent float64
	For          time.Duration
}

// Idleness is since when the GPUs of a job have been idle, as far as readings tell. The zero value
// knows of no reading. It is a value: Fed gives a new one.
type Idleness struct {
	since, last time.Time
	peak        float64 // the most that was used since
	cpus        bool    // the readings tell of CPUs
}

// Fed is the idleness after one more reading. One that tells nothing, or is not newer than the last,
// changes nothing; nor does one of CPUs where the last told of GPUs. After a gap longer than the rule's
// time it begins anew: what nobody has seen was not idle.
func (i Idleness) Fed(u Usage, rule IdleRule) Idleness {
	used, cpus := u.GPUPercent, false
	if used == nil {
		used, cpus = u.CPUPercent, true
	}
	gap := u.At.Sub(i.last) > rule.For
	switch {
	case used == nil || !u.At.After(i.last) || cpus && !i.cpus && !i.last.IsZero() && !gap:
		return i
	case *used >= rule.BelowPercent:
		return Idleness{last: u.At, cpus: cpus}
	case i.since.IsZero() || gap || cpus != i.cpus:
		return Idleness{since: u.At, last: u.At, peak: *used, cpus: cpus}
	}
	return Idleness{since: i.since, last: u.At, peak: max(i.peak, *used), cpus: cpus}
}

// Passed says that nobody has seen for long how busy the job is: it may have missed one reading.
func (i Idleness) Passed(now time.Time, rule IdleRule) bool { return now.Sub(i.last) > 2*rule.For }

// Idle judges whether a job holds GPUs without using them, and says so in a sentence.
func (i Idleness) Idle(gpus int, rule IdleRule) (bool, string) {
	if gpus == 0 || i.since.IsZero() || i.last.Sub(i.since) < rule.For {
		return false, ""
	}
	held := elastic.CountOf(gpus, "GPU")
	if gpus == 1 {
		held = "a GPU"
	}
	uses := " and hardly uses what it holds"
	if i.cpus {
		uses = ", and hardly uses even the CPUs that it asks for"
	}
	return true, fmt.Sprintf("It holds %s%s: at most %.0f %% since %s, and less than %g %% counts as idle. "+
		"See what it waits for, such as its data; or stop it.",
		held, uses, i.peak, i.since.UTC().Format("2006-01-02 15:04 MST"), rule.BelowPercent)
}
