package gang

import (
	"maps"
	"slices"
	"testing"
	"time"
)

// stopped is a job of four that is stopped to be started anew with two: its pods are told to go, one after the other.
func stopped(t *testing.T) (*desk, []Pod) {
	d := open(t)
	d.Recorded(resnet.at(2), Record{Pods: 4, Over: true}, d.now)
	var pods []Pod
	for i, node := range []string{"a", "a", "b", "b"} {
		p := pod(i, 0, 4)
		p.Change, p.Declared.Epoch, p.Node = resnet.at(2), 2, node
		pods = append(pods, p)
	}
	d.saw(pods...)
	d.record(Record{Pods: 4, Kept: 2, Leaving: 2})
	d.Take()
	return d, pods
}

// keeps checks whose nodes are kept.
func (d *desk) keeps(what string, want ...UID) {
	d.t.Helper()
	if got := d.left(); !slices.Equal(got, want) {
		d.t.Errorf("%s: the nodes of %v are kept, want %v", what, got, want)
	}
}

// left are the pods whose nodes are kept.
func (d *desk) left() []UID {
	if v := d.vacated[resnet.job()]; v != nil {
		return slices.Sorted(maps.Keys(v.nodes))
	}
	return nil
}

// goes has pods go.
func (d *desk) goes(pods ...Pod) {
	for _, p := range pods {
		p.Leaving = true
		d.saw(p)
		d.Gone(p.UID, d.now)
	}
}

// What a job leaves that is stopped and started anew is kept for it, as far as it is to have it back: until its new
// pods are planned for.
func TestWhatAJobLeavesIsKeptUntilItIsBack(t *testing.T) {
	d, pods := stopped(t)
	d.keeps("nobody has gone")
	leaves := pods[0]
	leaves.Leaving = true
	d.saw(leaves)
	d.keeps("one is about to go", "u0")
	d.goes(pods...)
	d.keeps("all have gone, and two are to come back", "u0", "u1")
	d.Take()
	back := []Pod{pod(0, 0, 2), pod(1, 0, 2)}
	back[0].UID, back[1].UID = "v0", "v1"
	d.saw(back...)
	d.want("they are back", Effects{Wake: []UID{"v0"}})
	if _, is := d.Turn("v0", d.now); !is || d.Planned("v0", map[UID]string{"v0": "a", "v1": "a"}, nil, d.now) == 0 {
		t.Fatal("they cannot be planned for")
	}
	d.keeps("they are planned for")
	d.want("others may have the rest", Effects{Freed: true})
}

// Nothing is kept for longer than pods wait for a Resize, from when the last of a job has gone; nor once its Resize
// is over, nor on a node that is gone, nor of a job that is stopped for good.
func TestWhatAJobLeavesIsNotKeptForEver(t *testing.T) {
	d, pods := stopped(t)
	d.goes(pods[:3]...)
	d.Take()
	d.after(time.Hour / 4)
	d.keeps("one takes its time to end", "u0", "u1")
	d.goes(pods[3])
	d.after(d.limits.Orphan - time.Second)
	d.keeps("the operator takes its time", "u0", "u1")
	d.after(time.Second)
	d.keeps("nobody has come")
	if !d.Take().Freed {
		t.Error("those that wait are not told")
	}

	for name, ends := range map[string]func(*desk){
		"it has ended":   func(d *desk) { d.record(Record{Pods: 4, Kept: 2, Over: true}) },
		"it was deleted": func(d *desk) { d.Erased(resnet, d.now) },
		"it is abandoned": func(d *desk) {
			d.record(Record{Pods: 4, Kept: 2, Until: d.now})
		},
	} {
		d, pods := stopped(t)
		d.goes(pods...)
		d.Take()
		if ends(d); !d.Take().Freed {
			t.Errorf("%s: those that wait are not told", name)
		}
		d.keeps(name)
	}

	d, pods = stopped(t)
	d.goes(pods...)
	d.NodeGone("a", d.now)
	d.keeps("its node is gone")

	d, pods = stopped(t)
	d.record(Record{Pods: 4})
	d.goes(pods...)
	d.keeps("it is stopped for good")
}

// A pod that comes alone in the place of one that is lost meanwhile takes one place, that on its own node before any.
func TestWhoReplacesOneTakesOnePlace(t *testing.T) {
	d, pods := stopped(t)
	d.record(Record{Pods: 4, Kept: 4})
	d.goes(pods[1:3]...)
	d.keeps("two are lost", "u1", "u2")
	for _, c := range []struct {
		uid  UID
		node string
		left []UID
	}{{"v2", "b", []UID{"u1"}}, {"v1", "c", nil}} {
		p := pods[1]
		p.UID, p.Node = c.uid, ""
		d.saw(p)
		if _, is := d.Turn(c.uid, d.now); !is || d.Planned(c.uid, map[UID]string{c.uid: c.node}, nil, d.now) == 0 {
			t.Fatalf("%s cannot be planned for", c.uid)
		}
		d.keeps(string(c.uid)+" is planned for", c.left...)
	}
}

// Whoever makes pods that call themselves those of a job keeps no more nodes by that than the job ever had.
func TestForgedPodsKeepNoMoreThanTheJobHad(t *testing.T) {
	d, pods := stopped(t)
	for i := range 100 {
		p := pods[0]
		p.UID, p.Node = UID(rune('A'+i)), "c"
		d.goes(p)
	}
	if n := len(d.left()); n > 4 {
		t.Errorf("%d nodes are kept", n)
	}
}
