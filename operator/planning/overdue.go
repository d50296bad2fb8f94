package planning

import (
	"time"

	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/operator/view"
)

// askForOverdue asks for what stands still though it is to be looked at, should an event have been missed: Resizes that
// have not gone on for as long as usually lies between two plans, and jobs that run and are not read.
func (p *Planner) askForOverdue(sc *Scene) {
	for _, r := range sc.underWay {
		if sc.At.Sub(lastMoved(r)) > p.Settings.Planning.Every.Duration {
			p.StepOn(client.ObjectKeyFromObject(r))
		}
	}
	for _, all := range [][]*view.Subject{sc.Subjects, sc.Held, sc.stuck} {
		for _, s := range all {
			if len(s.Running()) > 0 && s.Known.Unread(sc.At) {
				p.ReadOn(client.ObjectKeyFromObject(s.ElasticJob))
			}
		}
	}
}

// lastMoved is when a Resize has last gone on, or was made.
func lastMoved(r *v1alpha1.Resize) time.Time {
	last := r.CreationTimestamp.Time
	for _, c := range r.Status.Conditions {
		if c.LastTransitionTime.After(last) {
			last = c.LastTransitionTime.Time
		}
	}
	return last
}
