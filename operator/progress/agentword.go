package progress

import (
	"context"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/takt-dev/takt/agent/contract"
)

// Word is what the agent of a pod says of itself. What it does not tell is zero.
type Word struct {
	// Waits says that it waits at the start barrier.
	Waits bool
	// Read is the newest request for a checkpoint that it has read.
	Read contract.Request
	// Drains says that it has read that its worker is to leave.
	Drains bool
	// CanSave says that it knows whom to ask for a checkpoint.
	CanSave bool
	// Answered is the newest request for one that was handed to the training, and Declined that could not be.
	Answered, Declined contract.Request
	// SavedAt is when the training last saved its state, by our clock.
	SavedAt time.Time
	// AsideRead is the newest request to step aside that it has read, AsideOver the newest that is over, and AsideTook how
	// long that took.
	AsideRead, AsideOver contract.Request
	AsideTook            time.Duration
}

// Ask asks the agent of a pod, which need not be of a job that tells its progress so.
func (a *Agent) Ask(ctx context.Context, pod *corev1.Pod) (Word, error) {
	all, ahead, err := a.of(ctx, pod, contract.MetricWaiting, contract.MetricDraining, contract.MetricSavePossible,
		contract.MetricSaveRead, contract.MetricSaveAnswered, contract.MetricSaveDeclined, contract.MetricSavedAt,
		contract.MetricAsideRead, contract.MetricAsideOver, contract.MetricAsideTook)
	if err != nil {
		return Word{}, err
	}
	w, err := all.word()
	if !w.SavedAt.IsZero() {
		w.SavedAt = w.SavedAt.Add(-ahead)
	}
	return w, err
}

func (s series) word() (w Word, err error) {
	value := func(name string) float64 {
		metric, wrong := s.furthest(name)
		if wrong != nil && err == nil {
			err = wrong
		}
		return metric.GetUntyped().GetValue()
	}
	w.Waits, w.Read = value(contract.MetricWaiting) > 0, contract.Request(value(contract.MetricSaveRead))
	w.Drains, w.CanSave = value(contract.MetricDraining) > 0, value(contract.MetricSavePossible) > 0
	w.Answered, w.Declined = contract.Request(value(contract.MetricSaveAnswered)),
		contract.Request(value(contract.MetricSaveDeclined))
	w.AsideRead, w.AsideOver = contract.Request(value(contract.MetricAsideRead)),
		contract.Request(value(contract.MetricAsideOver))
	w.AsideTook = seconds(value(contract.MetricAsideTook))
	saved, wrong := s.moment(contract.MetricSavedAt)
	if err == nil {
		err = wrong
	}
	w.SavedAt = saved
	return w, err
}

// seconds are as many; none that are negative, not a number, or longer than anything takes.
func seconds(n float64) time.Duration {
	if !(n > 0 && n < time.Hour.Seconds()) {
		return 0
	}
	return time.Duration(n * float64(time.Second))
}
