package gang

import (
	"testing"
	"time"
)

// reserved is a gang of three of which two hold their nodes, and wait for the third.
func reserved(t *testing.T) (*desk, []Pod) {
	d, pods := planned(t)
	for _, uid := range []UID{"u2", "u3"} {
		if _, until, outcome := d.Reserved(uid, d.plan, d.now); outcome != Incomplete || until.IsZero() {
			t.Fatalf("%s: outcome %v, until %v", uid, outcome, until)
		}
	}
	d.Take()
	return d, pods
}

// holds checks that nothing is kept for anybody.
func (d *desk) holdsNothing(what string) {
	d.t.Helper()
	for uid, node := range map[UID]string{"u2": "a", "u3": "a", "u4": "b"} {
		if d.Keeps(uid, node) {
			d.t.Errorf("%s: %s is still kept for %s", what, node, uid)
		}
	}
	if _, _, outcome := d.Reserved("u4", d.plan, d.now); outcome != Void {
		d.t.Errorf("%s: the third comes by a plan that is no more: %v", what, outcome)
	}
}

// A pod that is preempted while it waits takes its gang with it: all let go of their nodes, and are tried again a
// moment later, also where its own node was all that they could have.
func TestAPodThatIsPreemptedWhileItWaitsTakesItsGangWithIt(t *testing.T) {
	d, pods := reserved(t)
	d.Failed("u3", d.plan, "preempted", d.now) // it goes back to the queue
	d.want("one is preempted", Effects{Reject: []UID{"u2", "u3"}, Forget: []UID{"u2", "u3", "u4"}})
	d.holdsNothing("preempted")
	d.Failed("u2", d.plan, "rejected", d.now) // what is rejected tells so as well, and that is no news
	d.want("the others let go", Effects{})
	d.admits("it was only just called off", pods)
	d.after(d.limits.Retry)
	d.want("it is tried again", Effects{Wake: []UID{"u2"}})
	if turn, _ := d.Turn("u2", d.now); len(turn.Try) != 3 || len(turn.Most) > 0 {
		t.Errorf("it is tried as %+v: nothing is known of the node but that somebody else was more urgent", turn)
	}
}

// One that is deleted for it is waited for, and holds nothing meanwhile; the gang is tried once another has come.
func TestAPodThatIsDeletedWhileItWaitsTakesItsGangWithIt(t *testing.T) {
	for name, goes := range map[string]func(*desk, Pod){
		"it is told to go": func(d *desk, p Pod) { p.Leaving = true; d.saw(p) },
		"it has gone":      func(d *desk, p Pod) { d.Gone(p.UID, d.now) },
	} {
		d, pods := reserved(t)
		goes(d, pods[1])
		if e := d.Take(); len(e.Reject) != 2 || len(e.Forget) != 3 || len(e.Wake) > 0 {
			t.Errorf("%s: %+v is to be done", name, e)
		}
		d.holdsNothing(name)
		d.Gone("u3", d.now)
		d.after(time.Hour)
		if e := d.Take(); len(e.Wake) > 0 {
			t.Errorf("%s: %v are woken while the gang is not complete", name, e.Wake)
		}
		another := pods[1]
		another.UID = "u9"
		d.record(Record{Urgency: d.records[resnet].Urgency, Pods: 5})
		d.saw(another)
		if e := d.Take(); len(e.Wake) == 0 {
			t.Errorf("%s: another has come, and nobody is woken", name)
		}
	}
}

// Once all have their nodes and are being bound, one that is preempted is placed anew, by itself, and the others stay.
func TestAPodThatIsPreemptedWhileItIsBoundIsPlacedAnew(t *testing.T) {
	d, pods := reserved(t)
	if _, _, outcome := d.Reserved("u4", d.plan, d.now); outcome != Complete {
		t.Fatalf("all are there: %v", outcome)
	}
	d.Take()
	d.Failed("u3", d.plan, "preempted", d.now)
	if e := d.Take(); len(e.Reject) > 0 {
		t.Errorf("%v are rejected, which are being bound", e.Reject)
	}
	for _, i := range []int{0, 2} {
		pods[i].Node = "a"
		d.saw(pods[i])
	}
	if d.Keeps("u3", "a") {
		t.Error("its node is still kept for it")
	}
	d.Take()
	d.after(d.limits.Retry)
	d.want("it is tried again", Effects{Wake: []UID{"u3"}})
	if turn, _ := d.Turn("u3", d.now); len(turn.Try) != 1 || turn.Bound != 2 {
		t.Errorf("it is tried as %+v", turn)
	}
}
