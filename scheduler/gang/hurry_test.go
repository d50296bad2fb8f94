package gang

import (
	"testing"
	"time"

	"github.com/takt-dev/takt/scheduler/order"
)

// Anybody may make pods that call themselves a gang. They are placed in the end, and hurry nobody.
func TestNobodyIsHurriedWithoutAResizeThatSaysSo(t *testing.T) {
	hurried := order.Urgency{Since: noon.Add(-time.Hour), StartBy: noon, Priority: 9}
	bound := func(p Pod) Pod { p.Node = "a"; return p }
	of := func(owner UID, p Pod) Pod { p.Owner = owner; return p }
	gone := func(p Pod) Pod { p.Leaving = true; return p }
	over := &Record{Pods: 2, Over: true, Urgency: hurried}
	lost := bound(of("job", pod(7, 0, 2))) // that had a node, and is gone
	lost.UID = "lost"
	for name, c := range map[string]struct {
		record *Record
		pods   []Pod
		want   order.Urgency // of the second pod
		claims bool
	}{
		"a Resize under way": {
			&Record{Pods: 3, Urgency: hurried}, []Pod{pod(0, 0, 3), pod(1, 0, 3), pod(2, 0, 3)}, hurried, true,
		},
		"some of its pods are bound": {
			&Record{Pods: 2, Urgency: hurried}, []Pod{bound(pod(0, 0, 2)), pod(1, 0, 2)}, begun(hurried), true,
		},
		"more pods than it says": {&Record{Pods: 2, Urgency: hurried},
			[]Pod{bound(pod(0, 0, 9)), pod(1, 0, 9), pod(2, 0, 9)}, order.Urgency{}, false},
		"in place of one that is lost": {
			over, []Pod{lost, of("job", bound(pod(0, 0, 2))), gone(lost), of("job", pod(1, 0, 2))}, hurried, false,
		},
		"in place of none": {
			over, []Pod{of("job", bound(pod(0, 0, 2))), of("job", pod(1, 0, 2))}, order.Urgency{}, false,
		},
		"in place of one of another owner": {over, []Pod{lost, of("other", bound(pod(0, 0, 2))), gone(lost),
			of("job", pod(1, 0, 2))},
			order.Urgency{}, false},
		"of another owner": {
			over, []Pod{of("job", bound(pod(0, 0, 2))), of("other", pod(1, 0, 2))}, order.Urgency{}, false,
		},
		"of no owner": {over, []Pod{bound(pod(0, 0, 2)), pod(1, 0, 2)}, order.Urgency{}, false},
		"when all of a job are gone": {
			over, []Pod{of("job", pod(0, 0, 2)), of("job", pod(1, 0, 2))}, order.Urgency{}, false,
		},
		"when the last of a job goes": {
			over, []Pod{of("job", gone(bound(pod(0, 0, 2)))), of("job", pod(1, 0, 2))}, order.Urgency{}, false,
		},
		"beside all of a job": {over, []Pod{of("job", bound(pod(0, 0, 2))), of("job", pod(1, 0, 2)),
			of("job", bound(pod(2, 0, 2)))},
			order.Urgency{}, false},
		"no Resize":                   {nil, []Pod{pod(0, 0, 2), pod(1, 0, 2)}, order.Urgency{}, false},
		"no Resize, and one is bound": {nil, []Pod{bound(pod(0, 0, 2)), pod(1, 0, 2)}, order.Urgency{}, false},
	} {
		d := open(t)
		if c.record != nil {
			d.record(*c.record)
		}
		d.saw(c.pods...)
		d.after(2 * DefaultLimits().Starving)
		if got, _, _ := d.Urgency("u1"); got != c.want {
			t.Errorf("%s: it is hurried like %+v, want %+v", name, got, c.want)
		}
		if _, may := d.Short("u1", d.now); may != c.claims {
			t.Errorf("%s: it may claim nodes: %v, want %v", name, may, c.claims)
		}
	}
}

// Whoever has a node keeps it when somebody changes the labels of its pod: that makes room for nobody who is hurried.
func TestAPodThatHasANodeIsWhatItCameAs(t *testing.T) {
	hurried := order.Urgency{Since: noon.Add(-time.Hour), StartBy: noon, Priority: 9}
	of := func(p Pod) Pod { p.Owner = "job"; return p }
	for name, over := range map[string]bool{"under way": false, "ended": true} {
		for what, change := range map[string]func(*Pod){
			"another job":   func(p *Pod) { p.Change.Job = "other" },
			"another epoch": func(p *Pod) { p.Change.Epoch++ },
			"another owner": func(p *Pod) { p.Owner = "else" },
		} {
			d := open(t)
			d.record(Record{Pods: 2, Over: over, Urgency: hurried})
			for i := range 2 {
				there := of(pod(i, 0, 2))
				there.Node = "a"
				d.saw(there)
			}
			renamed := of(pod(0, 0, 2))
			change(&renamed)
			d.saw(renamed, of(pod(2, 0, 3)))
			if got, _, _ := d.Urgency("u2"); got != (order.Urgency{}) {
				t.Errorf("%s: a third pod of two is hurried like %+v, as one of them says that it is of %s", name, got, what)
			}
		}
	}
}

func begun(u order.Urgency) order.Urgency {
	u.Begun = true
	return u
}
