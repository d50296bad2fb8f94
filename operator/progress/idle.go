package progress

import (
	"fmt"
	"time"
)

// IdleRule says when GPUs count as idle: used less than BelowPercent for a time of For.
type IdleRule struct {
	BelowPercent float64
	For          time.Duration
}

// Idleness is since when the GPUs of a job have been idle, as far as readings tell. The zero value
// knows of no reading. It is a value: Fed gives a new one.
type Idleness struct {
	since, last time.Time
	peak        float64 // the most that was used since
}

// Fed is the idleness after one more reading. A reading that does not tell of GPUs, or is not newer
// than the last, changes nothing. After a gap longer than the rule's time it begins anew: what nobody
// has seen was not idle.
func (i Idleness) Fed(u Usage, rule IdleRule) Idleness {
	if u.GPUPercent == nil || !u.At.After(i.last) {
		return i
	}
	if *u.GPUPercent >= rule.BelowPercent {
		return Idleness{last: u.At}
	}
	if i.since.IsZero() || u.At.Sub(i.last) > rule.For {
		return Idleness{since: u.At, last: u.At, peak: *u.GPUPercent}
	}
	return Idleness{since: i.since, last: u.At, peak: max(i.peak, *u.GPUPercent)}
}

// Idle judges whether a job holds GPUs without using them, and says so in a sentence.
func (i Idleness) Idle(gpus int, rule IdleRule) (bool, string) {
	if gpus == 0 || i.since.IsZero() || i.last.Sub(i.since) < rule.For {
		return false, ""
	}
	held := fmt.Sprintf("%d GPUs", gpus)
	if gpus == 1 {
		held = "a GPU"
	}
	return true, fmt.Sprintf("It holds %s and hardly uses what it holds: at most %.0f %% since %s, and less than %g %% counts as idle. "+
		"See what it waits for, such as its data; or stop it.",
		held, i.peak, i.since.UTC().Format("2006-01-02 15:04 MST"), rule.BelowPercent)
}
