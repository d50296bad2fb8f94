package view

import (
	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/elastic/resize"
)

// Record is a Resize as the core knows it.
func Record(r *v1alpha1.Resize) resize.Record {
	rec := resize.Record{
		Epoch: resize.Epoch(r.Spec.Epoch), CreatedAt: r.CreationTimestamp.Time,
		From: resize.Workers(r.Spec.From), To: resize.Workers(r.Spec.To),
		Mode: resize.Mode(r.Spec.Mode), Why: string(r.Spec.Reason),
		Placement: resize.Placement{Fits: resize.Workers(r.Status.Placement.Fits), Message: r.Status.Placement.Message},
	}
	if r.Spec.Acceptable != nil {
		rec.Acceptable = resize.Workers(*r.Spec.Acceptable)
	}
	for _, size := range r.Spec.Sizes {
		rec.Sizes = append(rec.Sizes, resize.Workers(size))
	}
	if at, err := r.Status.Placement.ObservedAt.Time(); err == nil {
		rec.Placement.At = at
	}
	for _, c := range r.Status.Conditions {
		rec.Conditions = append(rec.Conditions, resize.Condition{
			Type: resize.ConditionType(c.Type), At: c.LastTransitionTime.Time,
			Reason: resize.Reason(c.Reason), Message: c.Message,
		})
	}
	return rec
}
