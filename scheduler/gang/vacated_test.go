package gang

import (
	"maps"
	"slices"
	"testing"
	"time"

	"github.com/takt-dev/takt/scheduler/order"
)

// stopped is a job of four that is stopped to be started anew with two: its pods are told to go, one after the other.
func stopped(t *testing.T) (*desk, []Pod) {
	d := open(t)
	d.Recorded(resnet.at(2), Record{Pods: 4, Over: true}, d.now)
	var pods []Pod
	for i, node := range []string{"a", "a", "b", "b"} {
		p := pod(i, 0, 4)
		p.Change, p.Declared.Epoch, p.Node, p.Runs = resnet.at(2), 2, node, true
		pods = append(pods, p)
	}
	d.saw(pods...)
	d.record(Record{Pods: 4, Kept: 2, Leaving: 2, Anew: true})
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
// pods have their nodes, whatever becomes of the first plans for them, and however long they wait.
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
	d.after(time.Hour)
	d.keeps("they find no room for long", "u0", "u1")
	for range 2 {
		if _, is := d.Turn("v0", d.now); !is {
			t.Fatal("they cannot be tried")
		}
		d.plan = d.Planned("v0", map[UID]string{"v0": "a", "v1": "a"}, nil, d.now)
		d.keeps("they are planned for", "u0", "u1")
		d.Failed("v0", d.plan, "somebody was faster", d.now)
		d.after(d.limits.RetryMost)
	}
	for i := range back {
		d.keeps("not all have their nodes", "u0", "u1")
		back[i].Node, back[i].Runs = "a", true
		d.saw(back[i])
	}
	d.keeps("all have")
}

// Where a job has a leader no more is kept than it is to have back; and where its pods are told to go before their
// Resize is known, it is kept all the same.
func TestWhatIsKeptIsWhatAJobIsToHaveBack(t *testing.T) {
	d, pods := stopped(t)
	leader := pods[3]
	leader.UID, leader.Leader = "u9", true
	d.saw(leader)
	d.goes(append(pods, leader)...)
	d.keeps("a leader and three workers go, and two come back", "u0", "u1")

	d, pods = stopped(t)
	d.Erased(resnet, d.now)
	for i := range pods {
		pods[i].Leaving = true
	}
	d.saw(pods...)
	d.keeps("nobody knows why they go")
	d.record(Record{Pods: 4, Kept: 2, Leaving: 2, Anew: true})
	d.keeps("it is said", "u0", "u1")
}

// Nothing is kept for longer than pods wait for a Resize, from when the last of those has gone that are to come back;
// nor once the Resize is over or abandoned, nor on a node that is gone, nor of a job that is stopped for good, or that
// changes its size while it trains.
func TestWhatAJobLeavesIsNotKeptForEver(t *testing.T) {
	d, pods := stopped(t)
	leaves := pods[1]
	leaves.Leaving = true
	d.saw(leaves)
	d.goes(pods[0], pods[2], pods[3])
	d.after(time.Hour / 4)
	d.keeps("one takes its time to end", "u0", "u1")
	d.goes(pods[1])
	d.after(d.limits.Orphan - time.Second)
	d.keeps("the operator takes its time", "u0", "u1")
	d.after(time.Second)
	d.keeps("nobody has come")

	for name, ends := range map[string]func(*desk){
		"it has ended":   func(d *desk) { d.record(Record{Pods: 4, Kept: 2, Over: true}) },
		"it was deleted": func(d *desk) { d.Erased(resnet, d.now) },
		"nobody carries it out": func(d *desk) {
			d.record(Record{Pods: 4, Kept: 2, Anew: true, Until: d.now.Add(time.Second)})
			d.after(time.Second)
		},
		"its node is gone": func(d *desk) { d.NodeGone("a", d.now) },
	} {
		d, pods := stopped(t)
		d.goes(pods...)
		ends(d)
		d.keeps(name)
	}
	for name, r := range map[string]Record{
		"it is stopped for good":   {Pods: 4},
		"it changes while it runs": {Pods: 4, Kept: 2},
	} {
		d, pods := stopped(t)
		d.record(r)
		d.goes(pods...)
		d.keeps(name)
	}
}

// Whoever makes pods that call themselves those of a job keeps no more nodes by that than the job is to have back, and
// none where they have never run.
func TestForgedPodsKeepNoMoreThanTheJobHad(t *testing.T) {
	d, pods := stopped(t)
	for i := range 100 {
		p := pods[0]
		p.UID, p.Node, p.Runs = UID(rune('A'+i)), "c", i%2 == 0
		d.goes(p)
	}
	d.keeps("a hundred have gone", "A", "C")
}

// A gang that has claimed a node has to wait until a job has it back that is only started anew.
func TestAClaimIsNotInTheWayOfAJobThatIsStartedAnew(t *testing.T) {
	d, pods := stopped(t)
	other := pod(0, 0, 1)
	other.UID, other.Change.Job = "o0", "other"
	d.saw(other)
	d.Recorded(other.Change, Record{Pods: 1, Urgency: order.Urgency{Since: noon}}, d.now)
	d.after(d.limits.Starving)
	if _, may := d.Short("o0", d.now); !may {
		t.Fatal("it may not claim anything")
	}
	d.Claim("o0", map[UID]string{"o0": "a"}, d.now)
	d.goes(pods[0])
	if node := d.Kept("o0"); node != "" {
		t.Errorf("it still claims %s", node)
	}
}
