package told

import (
	"time"

	"k8s.io/apimachinery/pkg/api/meta"

	"github.com/takt-dev/takt/api/v1alpha1"
)

// Ended is when the job has ended, if it has.
func (j Job) Ended() (time.Time, bool) {
	at, over := j.Status.Ended()
	if eta, err := j.Status.Prediction.ETA.Time(); err == nil && !eta.After(j.Now) &&
		meta.IsStatusConditionTrue(j.Status.Conditions, v1alpha1.ConditionSucceeded) {
		return eta, true
	}
	return at, over
}

// Step is a size from a moment on.
type Step struct {
	At      time.Time
	Workers int32
}

// Steps are the sizes that the job has had. A resize counts from when it had come about.
func (j Job) Steps() []Step {
	running := j.Status.Workers.Running
	if len(j.Resizes) == 0 {
		return []Step{{j.CreationTimestamp.Time, running}}
	}
	steps := []Step{{j.CreationTimestamp.Time, j.Resizes[0].Spec.From}}
	for i := range j.Resizes {
		r := &j.Resizes[i]
		end := r.Ending()
		if end == nil || end.Type != v1alpha1.ConditionSucceeded {
			continue
		}
		to := r.Spec.To
		if r.Status.Asked != nil {
			to = *r.Status.Asked
		}
		since := end
		if in := meta.FindStatusCondition(r.Status.Conditions, v1alpha1.ConditionCommitted); in != nil {
			since = in // from then on the workers were there; it ended once they were seen to train
		}
		steps = append(steps, Step{since.LastTransitionTime.Time, to})
	}
	if last := steps[len(steps)-1]; last.Workers != running {
		if _, ended := j.Ended(); !ended {
			steps = append(steps, Step{j.Now, running})
		}
	}
	return steps
}

// SizeAt is the size at a moment.
func SizeAt(steps []Step, t time.Time) int32 {
	size := int32(0)
	for _, s := range steps {
		if !s.At.After(t) {
			size = s.Workers
		}
	}
	return size
}

// Moment is one that matters in the life of a job.
type Moment struct {
	At   time.Time
	Name string // such as came, now or deadline
}

// Moments are what was, what is expected, and the deadline.
func (j Job) Moments() []Moment {
	all := []Moment{{j.CreationTimestamp.Time, "came"}}
	if end, ended := j.Ended(); ended {
		all = append(all, Moment{end, "ended"})
	} else {
		all = append(all, Moment{j.Now, "now"})
		if eta, err := j.Status.Prediction.ETA.Time(); err == nil && eta.After(j.Now) {
			all = append(all, Moment{eta, "expected"})
		}
		if latest, err := j.Status.Prediction.Latest.Time(); err == nil && latest.After(j.Now) {
			all = append(all, Moment{latest, "at worst"})
		}
	}
	if deadline, err := j.Status.Deadline.Time(); err == nil {
		all = append(all, Moment{deadline, "deadline"})
	}
	return all
}

// Pauses is for how long nothing was trained in all of its resizes.
func (j Job) Pauses() (sum time.Duration) {
	for _, r := range j.Resizes {
		if pause, err := r.Status.Cost.Pause.Duration(); err == nil {
			sum += pause
		}
	}
	return sum
}
