package learn

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/takt-dev/takt/api/v1alpha1"
)

// What the API allows.
const (
	mostSpeeds   = 512
	mostRestarts = 96
	mostRuns     = 32
)

// usable is the condition of a profile that is False when something is wrong with it, and absent when
// nothing is. It goes by itself a day after the last complaint.
const (
	usable      = "Usable"
	unitsDiffer = "UnitsDiffer"
	garbled     = "Garbled"
	remembered  = 24 * time.Hour
)

// mergeRecord is a stored profile and what one run has measured. Of each key the newest stays, and of
// too many the newest. It is the same in whatever order runs come, and however often: predictor.Merge
// for the form that is stored, in which a measurement has a spread and restarts a kind.
func mergeRecord(stored v1alpha1.TrainingProfileStatus, rec Record, now time.Time) v1alpha1.TrainingProfileStatus {
	merged := *stored.DeepCopy()
	_, _, wrong := FromStatus(&stored)
	merged.Speeds = slices.DeleteFunc(merged.Speeds, func(s v1alpha1.MeasuredSpeed) bool {
		_, err := readSpeed(&s)
		return err != nil
	})
	merged.Restarts = slices.DeleteFunc(merged.Restarts, func(r v1alpha1.MeasuredRestart) bool {
		_, err := readRestart(&r)
		return err != nil
	})
	merged.Runs = slices.DeleteFunc(merged.Runs, func(r v1alpha1.MeasuredRun) bool {
		_, err := readWhole(&r)
		return err != nil
	})
	seen := slices.ContainsFunc(merged.Speeds, func(s v1alpha1.MeasuredSpeed) bool { return s.Run == rec.Run }) ||
		slices.ContainsFunc(merged.Restarts, func(r v1alpha1.MeasuredRestart) bool { return r.Run == rec.Run }) ||
		slices.ContainsFunc(merged.Runs, func(r v1alpha1.MeasuredRun) bool { return r.Run == rec.Run })

	speeds := rec.Speeds
	differ := len(merged.Speeds) > 0 && len(speeds) > 0 && merged.Unit != rec.Unit
	switch {
	case differ:
		speeds = nil
	case len(speeds) > 0:
		merged.Unit = rec.Unit
	}
	if !seen && len(speeds)+len(rec.Restarts)+len(rec.Runs) > 0 {
		merged.Jobs++
	}
	merged.Speeds = newest(slices.Concat(merged.Speeds, speeds), speedKey, newerSpeed(now), mostSpeeds)
	merged.Restarts = newest(slices.Concat(merged.Restarts, rec.Restarts), restartKey, newerRestart(now), mostRestarts)
	merged.Runs = newest(slices.Concat(merged.Runs, rec.Runs), runKey, newerRun(now), mostRuns)
	merged.UpdatedAt = latest(merged, now)

	switch {
	case differ:
		complain(&merged, unitsDiffer,
			fmt.Sprintf("The profile counts %s, and the run %s counts %s: its speeds are not stored. "+
				"Give jobs that count differently different profiles.", merged.Unit, rec.Run, rec.Unit), now)
	case wrong != nil:
		complain(&merged, garbled, "Something in this status made no sense and was taken out: "+sentence(wrong), now)
	default:
		if c := meta.FindStatusCondition(merged.Conditions, usable); c != nil &&
			now.Sub(c.LastTransitionTime.Time) > remembered {
			meta.RemoveStatusCondition(&merged.Conditions, usable)
		}
	}
	return merged
}

func complain(p *v1alpha1.TrainingProfileStatus, reason, message string, now time.Time) {
	meta.SetStatusCondition(&p.Conditions, metav1.Condition{
		Type: usable, Status: metav1.ConditionFalse, Reason: reason, Message: message,
		LastTransitionTime: metav1.NewTime(now),
	})
}

// newest keeps of records with the same key the newest, and of those the newest most, in the order of
// their keys.
func newest[T any](records []T, key, newer func(a, b T) int, most int) []T {
	slices.SortStableFunc(records, func(a, b T) int { return cmp.Or(key(a, b), newer(a, b)) })
	records = slices.CompactFunc(records, func(a, b T) bool { return key(a, b) == 0 })
	if len(records) > most {
		slices.SortFunc(records, func(a, b T) int { return cmp.Or(newer(a, b), key(a, b)) })
		records = records[:most]
		slices.SortFunc(records, key)
	}
	return records
}

func speedKey(a, b v1alpha1.MeasuredSpeed) int {
	return cmp.Or(cmp.Compare(a.Run, b.Run), cmp.Compare(a.GPU, b.GPU),
		cmp.Compare(a.Workers, b.Workers), cmp.Compare(a.Nodes, b.Nodes))
}

func newerSpeed(now time.Time) func(a, b v1alpha1.MeasuredSpeed) int {
	newer := newerAt(now)
	return func(a, b v1alpha1.MeasuredSpeed) int {
		return cmp.Or(newer(a.UpdatedAt, b.UpdatedAt), cmp.Compare(b.Count, a.Count))
	}
}

func restartKey(a, b v1alpha1.MeasuredRestart) int {
	return cmp.Or(cmp.Compare(a.Run, b.Run), cmp.Compare(a.Kind, b.Kind))
}

func newerRestart(now time.Time) func(a, b v1alpha1.MeasuredRestart) int {
	newer := newerAt(now)
	return func(a, b v1alpha1.MeasuredRestart) int {
		return cmp.Or(newer(a.UpdatedAt, b.UpdatedAt), cmp.Compare(b.Count, a.Count))
	}
}

func runKey(a, b v1alpha1.MeasuredRun) int { return cmp.Compare(a.Run, b.Run) }

func newerRun(now time.Time) func(a, b v1alpha1.MeasuredRun) int {
	newer := newerAt(now)
	return func(a, b v1alpha1.MeasuredRun) int { return newer(a.UpdatedAt, b.UpdatedAt) }
}

func timeOf(t v1alpha1.Time) time.Time {
	at, _ := t.Time() // records whose time cannot be read are left out before
	return at
}

// latest is when something in the profile was last measured.
func latest(p v1alpha1.TrainingProfileStatus, now time.Time) v1alpha1.Time {
	var all []v1alpha1.Time
	for _, s := range p.Speeds {
		all = append(all, s.UpdatedAt)
	}
	for _, r := range p.Restarts {
		all = append(all, r.UpdatedAt)
	}
	for _, r := range p.Runs {
		all = append(all, r.UpdatedAt)
	}
	if len(all) == 0 {
		return p.UpdatedAt
	}
	return v1alpha1.NewTime(timeOf(slices.MinFunc(all, newerAt(now))))
}
