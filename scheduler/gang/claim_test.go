package gang

import (
	"testing"
	"time"

	"github.com/takt-dev/takt/scheduler/order"
)

// A job whose pods are made anew, or whose Resize is given up and followed by another, may claim nodes once more. All
// that together lasts no longer than one claim: nobody keeps nodes for ever by starting over.
func TestAllClaimsOfAJobLastAsLongAsOne(t *testing.T) {
	limit := DefaultLimits().Starving
	for name, begins := range map[string]func(d *desk, round int) UID{
		"its pods are made anew": func(d *desk, round int) UID {
			first := pod(0, 0, 2)
			for _, uid := range []UID{"u0", "v0"} {
				d.Gone(uid, d.now)
			}
			first.UID = []UID{"u0", "v0"}[round%2]
			d.saw(first)
			return first.UID
		},
		"another Resize follows": func(d *desk, _ int) UID {
			d.record(Record{Over: true})
			for i := range 2 {
				d.Gone(pod(i, 0, 2).UID, d.now)
			}
			d.Erased(resnet, d.now)
			d.record(Record{Urgency: order.Urgency{Since: noon.Add(-limit)}})
			d.saw(pod(0, 0, 2), pod(1, 0, 2))
			return "u0"
		},
	} {
		d := open(t)
		d.record(Record{Urgency: order.Urgency{Since: noon.Add(-limit)}})
		d.saw(pod(0, 0, 2), pod(1, 0, 2))
		claims, last := 0, time.Duration(0)
		for round := range 40 { // a minute each
			speaker := begins(d, round)
			if _, may := d.Short(speaker, d.now); may {
				d.Claim(speaker, map[UID]string{speaker: "a", "u1": "b"}, d.now)
				claims++
			}
			if d.Kept(speaker) != "" && d.now.Before(noon.Add(2*limit)) {
				last = d.now.Sub(noon)
			}
			d.after(time.Minute)
		}
		if claims < 2 {
			t.Errorf("%s: it has claimed nodes %d times, so nothing was tried", name, claims)
		}
		if last >= limit {
			t.Errorf("%s: nodes are still kept for it after %v, want %v at most before it rests for as long", name, last, limit)
		}
	}
}
