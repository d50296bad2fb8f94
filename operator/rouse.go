package operator

import (
	"time"

	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/operator/pacing"
	"github.com/takt-dev/takt/operator/view"
)

// asks are the lines of the controllers that others than their watches ask to look at something.
type asks struct{ reporter, reader, resizer pacing.Requests }

// rouse asks for what stands still though it is to be looked at, should an event have been missed: Resizes that have not
// gone on for as long as usually lies between two plans, and jobs that run and are not read.
func (p *planner) rouse(sc *scene) {
	for _, r := range sc.underWay {
		if sc.at.Sub(lastMoved(r)) > p.settings.Planning.Every.Duration {
			p.asks.resizer.Add(client.ObjectKeyFromObject(r), 0)
		}
	}
	for _, all := range [][]*view.Subject{sc.subjects, sc.held, sc.stuck} {
		for _, s := range all {
			if len(s.Running()) > 0 && s.Known.Unread(sc.at) {
				p.asks.reader.Add(client.ObjectKeyFromObject(s.ElasticJob), 0)
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
