package told

import (
	"fmt"
	"slices"

	"github.com/takt-dev/takt/api/v1alpha1"
)

// Awaits says of those that the job starts after which have succeeded; nothing of a job that waits for none.
func (j Job) Awaits() []string {
	awaited := j.Awaited()
	if len(awaited) == 0 || j.hasBegun() {
		return nil
	}
	var said []string
	for _, p := range j.Status.After {
		if at, err := p.SucceededAt.Time(); err == nil {
			said = append(said, fmt.Sprintf("%s has succeeded, %s.", p.Name, From(j.Now, at)))
		}
	}
	for _, name := range awaited {
		said = append(said, fmt.Sprintf("%s has not succeeded yet: takt why %[1]s tells how it stands.", name))
	}
	return said
}

// hasBegun says that a job has had workers, or is about to, by the record of its Resizes, as the operator reckons it.
func (j Job) hasBegun() bool {
	return slices.ContainsFunc(j.Resizes, func(r v1alpha1.Resize) bool {
		end := r.Ending()
		return end == nil || r.Spec.From > 0 || end.Type == v1alpha1.ConditionSucceeded && r.Spec.To > 0
	})
}
