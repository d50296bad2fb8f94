package gang

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/takt-dev/takt/scheduler/order"
)

var noon = time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)

// desk is a book with a clock.
type desk struct {
	*Book
	t    *testing.T
	now  time.Time
	plan int // the last that was made
}

func open(t *testing.T) *desk { return &desk{Book: NewBook(DefaultLimits()), t: t, now: noon} }

var resnet = Change{"team", "resnet", 3}

// pod is a new pod of a growth of resnet from one size to another.
func pod(index, from, to int) Pod {
	return Pod{
		UID: UID(fmt.Sprintf("u%d", index)), Name: fmt.Sprintf("resnet-worker-%d", index), Change: resnet, Index: index,
		Declared: Declared{Epoch: 3, Stage: "Forward", First: from, Pods: to - from}, Made: noon,
	}
}

func (d *desk) saw(pods ...Pod) {
	for _, p := range pods {
		d.Saw(p, d.now)
	}
}

func (d *desk) record(r Record) {
	if r.Urgency.Since.IsZero() {
		r.Urgency.Since = noon
	}
	d.Recorded(resnet, r, d.now)
}

func (d *desk) after(span time.Duration) {
	d.now = d.now.Add(span)
	d.Tick(d.now)
}

// want checks what is to be done.
func (d *desk) want(what string, effects Effects) {
	d.t.Helper()
	got := d.Take()
	got.Why = ""
	if diff := cmp.Diff(effects, got); diff != "" {
		d.t.Errorf("%s, -want +got:\n%s", what, diff)
	}
}

// admits checks which of some pods may stand in the queue.
func (d *desk) admits(what string, pods []Pod, want ...UID) {
	d.t.Helper()
	var got []UID
	for _, p := range pods {
		if admitted, why := d.Admit(p.UID, d.now); admitted {
			got = append(got, p.UID)
		} else if why == "" {
			d.t.Errorf("%s: %s is held back, and nobody says why", what, p.UID)
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		d.t.Errorf("%s: admitted, -want +got:\n%s", what, diff)
	}
}

// complete is a gang of three that has been proposed, with what was to be done so far taken.
func complete(t *testing.T) (*desk, []Pod) {
	d := open(t)
	pods := []Pod{pod(2, 2, 5), pod(3, 2, 5), pod(4, 2, 5)}
	d.record(Record{})
	d.saw(pods...)
	d.want("the gang is complete", Effects{Wake: []UID{"u2"}})
	return d, pods
}

// planned is one that has been planned for nodes a, a and b.
func planned(t *testing.T) (*desk, []Pod) {
	d, pods := complete(t)
	d.plan = d.Planned("u2", map[UID]string{"u2": "a", "u3": "a", "u4": "b"}, nil, d.now)
	return d, pods
}

func TestOnePodSpeaksForAllOnceTheGangIsComplete(t *testing.T) {
	d := open(t)
	pods := []Pod{pod(2, 2, 5), pod(3, 2, 5), pod(4, 2, 5)}
	d.saw(pods[0], pods[1])
	d.admits("there is no Resize", pods[:2])
	d.record(Record{})
	d.admits("one pod is missing", pods[:2])
	d.want("nobody is woken yet", Effects{})
	d.saw(pods[2])
	d.want("the first speaks", Effects{Wake: []UID{"u2"}})
	d.admits("complete", pods, "u2")
	turn, ours := d.Turn("u2", d.now)
	if !ours || len(turn.Try) != 3 || turn.Bound != 0 || !turn.Told {
		t.Errorf("its turn is %+v", turn)
	}
	if turn, _ := d.Turn("u3", d.now); turn.Why == "" || turn.Try != nil {
		t.Errorf("the turn of another is %+v", turn)
	}
	if !d.Speaks("u2") || d.Speaks("u3") {
		t.Error("another speaks as well")
	}
	d.Gone("u2", d.now)
	d.admits("incomplete again", pods[1:])
	replaced := pod(2, 2, 5)
	replaced.UID = "v2"
	d.saw(replaced)
	d.admits("complete again", []Pod{replaced, pods[1], pods[2]}, "v2")
}

func TestAllAreBoundOrNone(t *testing.T) {
	d, pods := planned(t)
	d.admits("a plan admits all", pods, "u2", "u3", "u4")
	for uid, node := range map[UID]string{"u2": "a", "u3": "a", "u4": "b"} {
		if turn, _ := d.Turn(uid, d.now); turn.Node != node || turn.Plan != d.plan {
			t.Errorf("the turn of %s is %+v", uid, turn)
		}
	}
	if _, until, outcome := d.Reserved("u2", d.plan, d.now); outcome != Incomplete ||
		!until.Equal(noon.Add(30*time.Second)) {
		t.Errorf("the first: %v until %v", outcome, until)
	}
	d.want("the others come", Effects{Wake: []UID{"u3", "u4"}})
	if _, _, outcome := d.Reserved("u3", d.plan, d.now); outcome != Incomplete {
		t.Errorf("the second: %v", outcome)
	}
	allow, _, outcome := d.Reserved("u4", d.plan, d.now)
	slices.Sort(allow)
	if outcome != Complete || !slices.Equal(allow, []UID{"u2", "u3"}) {
		t.Errorf("the last: %v, %v", outcome, allow)
	}
	where := map[string]int{"a": 2, "b": 1}
	d.want("all have a node", Effects{Placed: []Placed{{Change: resnet, Nodes: where, Since: noon, Told: true}}})
	for i, node := range []string{"a", "a", "b"} {
		pods[i].Node = node
		d.saw(pods[i])
	}
	d.want("all are bound", Effects{
		Placed: []Placed{{Change: resnet, Bound: true, Nodes: where, Since: noon, Told: true}},
	})
	if d.Waiting() != 0 {
		t.Error("it still waits")
	}
	turn, _ := d.Turn("u2", d.now)
	if len(turn.Try) > 0 || turn.Node != "" {
		t.Errorf("a bound pod has the turn %+v", turn)
	}
}

// Whatever happens to one of them happens to all, and they try again later.
func TestNothingIsKeptWhenOneFails(t *testing.T) {
	for name, happens := range map[string]func(*desk, []Pod){
		"another was faster":         func(d *desk, _ []Pod) { d.Failed("u4", d.plan, "why", d.now) },
		"one that holds lets go":     func(d *desk, _ []Pod) { d.Failed("u2", d.plan, "why", d.now) },
		"one is deleted":             func(d *desk, _ []Pod) { d.Gone("u4", d.now) },
		"one is being deleted":       func(d *desk, p []Pod) { p[1].Leaving = true; d.saw(p[1]) },
		"a node is gone":             func(d *desk, _ []Pod) { d.NodeGone("b", d.now) },
		"time is up":                 func(d *desk, _ []Pod) { d.after(30 * time.Second) },
		"the resize turns round":     func(d *desk, _ []Pod) { d.record(Record{TurnedRound: true}) },
		"it settles for fewer":       func(d *desk, _ []Pod) { d.record(Record{Fewer: 1}) },
		"it is over":                 func(d *desk, _ []Pod) { d.record(Record{Over: true}) },
		"its record is gone":         func(d *desk, _ []Pod) { d.Erased(resnet, d.now) },
		"somebody gates one of them": func(d *desk, p []Pod) { p[1].Gated = true; d.saw(p[1]) },
	} {
		t.Run(name, func(t *testing.T) {
			d, pods := planned(t)
			d.Reserved("u2", d.plan, d.now)
			d.Reserved("u3", d.plan, d.now)
			d.Take()
			happens(d, pods)
			got := d.Take()
			if want := []UID{"u2", "u3"}; !slices.Equal(got.Reject, want) || got.Why == "" {
				t.Errorf("they let go: %v (%s), want %v", got.Reject, got.Why, want)
			}
			if want := []UID{"u2", "u3", "u4"}; !slices.Equal(got.Forget, want) {
				t.Errorf("nodes are forgotten for %v, want %v", got.Forget, want)
			}
			if _, _, outcome := d.Reserved("u3", d.plan, d.now); outcome != Void {
				t.Errorf("a pod that comes late is %v", outcome)
			}
			d.Failed("u3", d.plan, "it is told that it has failed, too", d.now)
			if again := d.Take(); again.Reject != nil || again.Forget != nil {
				t.Errorf("once more: %+v", again)
			}
		})
	}
}

func TestAGangWhosePlanFailsTriesAgainAfterAWhile(t *testing.T) {
	d, pods := complete(t)
	for _, wait := range []time.Duration{100, 200, 400, 800, 1600, 3200, 6400, 10000, 10000} {
		wait *= time.Millisecond
		d.plan = d.Planned("u2", map[UID]string{"u2": "a", "u3": "a", "u4": "b"}, nil, d.now)
		d.Failed("u3", d.plan, "why", d.now)
		d.Take()
		d.after(wait - time.Millisecond)
		d.admits("too early", pods)
		d.want("too early", Effects{})
		d.after(time.Millisecond)
		d.want("in time", Effects{Wake: []UID{"u2"}})
		d.admits("in time", pods, "u2")
	}
}

// Those that are being bound cannot be stopped any more. One that could not be is planned for anew, alone.
func TestOneThatCannotBeBoundIsPlannedForAgain(t *testing.T) {
	d, pods := planned(t)
	for _, p := range pods {
		d.Reserved(p.UID, d.plan, d.now)
	}
	d.Take()
	d.Failed("u3", d.plan, "the API server has refused it", d.now)
	d.want("nobody lets go", Effects{})
	pods[0].Node = "a"
	d.saw(pods[0])
	d.admits("the third is still being bound", pods[1:], "u4")
	pods[2].Node = "b"
	d.saw(pods[2])
	d.after(100 * time.Millisecond)
	d.want("it is its turn", Effects{Wake: []UID{"u3"}})
	turn, _ := d.Turn("u3", d.now)
	if len(turn.Try) != 1 || turn.Bound != 2 || turn.Kin["a"] != 1 || turn.Kin["b"] != 1 {
		t.Errorf("its turn is %+v", turn)
	}
}

func TestAnOlderStateOfAPodThatComesLateIsNotBelieved(t *testing.T) {
	d, pods := planned(t)
	for _, p := range pods {
		d.Reserved(p.UID, d.plan, d.now)
	}
	for i := range pods {
		was := pods[i]
		pods[i].Node = "a"
		d.saw(pods[i], was)
	}
	if d.Waiting() != 0 {
		t.Error("a bound pod waits")
	}
}

func TestWhatComesLateOfAnEarlierPlanSaysNothingOfTheNext(t *testing.T) {
	d, _ := planned(t)
	d.Reserved("u2", d.plan, d.now)
	first := d.plan
	d.Failed("u4", first, "somebody was faster", d.now)
	d.after(100 * time.Millisecond)
	d.plan = d.Planned("u2", map[UID]string{"u2": "a", "u3": "a", "u4": "b"}, nil, d.now)
	d.Take()
	d.Failed("u2", first, "it was rejected", d.now)
	if _, _, outcome := d.Reserved("u2", first, d.now); outcome != Void {
		t.Errorf("a node that was reserved by an earlier plan is %v", outcome)
	}
	d.want("the plan stands", Effects{})
	if !d.Keeps("u3", "a") || d.Keeps("u3", "b") {
		t.Error("it keeps other nodes than it says")
	}
	d.now = d.now.Add(30 * time.Second)
	if _, _, outcome := d.Reserved("u2", d.plan, d.now); outcome != Void {
		t.Errorf("when its time is up, a plan is %v", outcome)
	}
}

func TestOneComesAfterTheOtherWhereThatMatters(t *testing.T) {
	d, _ := complete(t)
	d.plan = d.Planned("u2", map[UID]string{"u2": "a", "u3": "b", "u4": "a"}, []UID{"u2", "u4", "u3"}, d.now)
	for _, c := range []struct{ reserved, next UID }{{"u2", "u4"}, {"u4", "u3"}} {
		if _, _, outcome := d.Reserved(c.reserved, d.plan, d.now); outcome != Incomplete {
			t.Errorf("%s is %v", c.reserved, outcome)
		}
		d.want("the next comes", Effects{Wake: []UID{c.next}})
	}
	if _, _, outcome := d.Reserved("u3", d.plan, d.now); outcome != Complete {
		t.Errorf("the last is %v", outcome)
	}
}

func TestTheSpeakerWaitsWhereAnotherHasToComeFirst(t *testing.T) {
	d, pods := complete(t)
	d.plan = d.Planned("u2", map[UID]string{"u2": "a", "u3": "b", "u4": "a"}, []UID{"u3", "u4", "u2"}, d.now)
	d.want("the first comes", Effects{Wake: []UID{"u3"}})
	d.Failed("u2", 0, "it was not its turn", d.now)
	d.admits("the plan stands", pods, "u2", "u3", "u4")
	for _, c := range []struct{ reserved, next UID }{{"u3", "u4"}, {"u4", "u2"}} {
		d.Reserved(c.reserved, d.plan, d.now)
		d.want("the next comes", Effects{Wake: []UID{c.next}})
	}
	if _, _, outcome := d.Reserved("u2", d.plan, d.now); outcome != Complete {
		t.Errorf("the speaker, as the last, is %v", outcome)
	}
}

func TestANodeThatHasRefusedAPodIsNotBelievedToTakeAsManyAgain(t *testing.T) {
	d, _ := planned(t)
	most := func(what string, want map[string]int) {
		t.Helper()
		turn, _ := d.Turn("u2", d.now)
		if diff := cmp.Diff(want, turn.Most); diff != "" {
			t.Errorf("%s, -want +got:\n%s", what, diff)
		}
	}
	fail := func(refused UID) {
		d.Reserved("u2", d.plan, d.now)
		d.Failed(refused, d.plan, "the node did not take it", d.now)
		d.after(time.Minute)
	}
	fail("u3")
	most("one had node a", map[string]int{"a": 1})
	d.plan = d.Planned("u2", map[UID]string{"u2": "c", "u3": "b", "u4": "b"}, nil, d.now)
	fail("u4")
	most("and none had node b", map[string]int{"a": 1, "b": 0})
	d.Take()
	d.Short("u2", d.now)
	d.after(d.limits.RetryMost)
	d.want("when it does not fit, it is tried again after a while", Effects{Wake: []UID{"u2"}})
	most("and afresh", nil)
	d.plan = d.Planned("u2", map[UID]string{"u2": "a", "u3": "a", "u4": "b"}, nil, d.now)
	fail("u2")
	most("one that has lost its node says nothing of others", nil)
}

func TestANodeThatGoesWhilePodsAreBoundVoidsNothing(t *testing.T) {
	d, pods := planned(t)
	for _, p := range pods {
		d.Reserved(p.UID, d.plan, d.now)
	}
	d.Take()
	d.NodeGone("a", d.now)
	d.want("the others are bound all the same", Effects{})
}

func TestAPlanIsNotMadeForAGangThatHasChangedMeanwhile(t *testing.T) {
	d, _ := complete(t)
	d.Turn("u2", d.now)
	d.Gone("u4", d.now)
	if d.Planned("u2", map[UID]string{"u2": "a", "u3": "a", "u4": "b"}, nil, d.now) != 0 {
		t.Error("it is planned for")
	}
}

// Somebody gives a pod to another job, and then it goes.
func TestAPodThatChangesItsJob(t *testing.T) {
	d, pods := complete(t)
	other := pods[1]
	other.Change.Job = "other"
	d.saw(other)
	d.admits("one is missing", pods[:1])
	d.Gone(other.UID, d.now)
	d.record(Record{TurnedRound: true})
	d.record(Record{})
	again := pods[1]
	again.UID = "v3"
	d.saw(again)
	if turn, _ := d.Turn("u2", d.now); len(turn.Try) != 3 {
		t.Errorf("the turn is %+v", turn)
	}
}

func TestItIsToldOnceThatThereIsNoResize(t *testing.T) {
	d := open(t)
	d.saw(pod(2, 2, 5), pod(3, 2, 5))
	d.after(4 * time.Second)
	d.want("it may be late", Effects{})
	d.after(time.Second)
	d.want("it is missed", Effects{Unknown: []UID{"u2"}})
	d.after(time.Second)
	d.want("once", Effects{})

	d, _ = complete(t)
	d.after(time.Hour)
	if e := d.Take(); len(e.Unknown) > 0 {
		t.Errorf("it is there: %v", e.Unknown)
	}
}

// A Job runs whose template nobody can change: it was started with four workers, and has two by now. Those that come
// for a growth have a template that says nothing of it.
func TestPodsOfAnOldTemplateWaitUntilTheyAreMarked(t *testing.T) {
	late := func(index int) Pod {
		p := pod(index, 0, 4)
		p.Late = true
		return p
	}
	marked := func(index int, from, to int) Pod {
		p := late(index)
		p.Change.Epoch = 5
		p.Declared = Declared{Epoch: 5, Stage: "Forward", First: from, Pods: to - from}
		return p
	}
	grows := func(d *desk, r Record) {
		r.Urgency.Since = noon
		d.Recorded(Change{"team", "resnet", 5}, r, d.now)
	}
	for name, c := range map[string]struct {
		index, from, to int
		over, admitted  bool
	}{
		"one that comes":                             {2, 2, 4, false, false},
		"one above all that it was started with":     {4, 2, 6, false, false},
		"one in place of one that is lost":           {1, 2, 4, false, true},
		"one that goes":                              {3, 4, 2, false, false},
		"one in place of one that is lost, later on": {2, 2, 4, true, true},
		"one that a start brings about":              {2, 0, 4, false, true},
	} {
		d := open(t)
		d.record(Record{Pods: 4, Over: true})
		grows(d, Record{Pods: max(c.from, c.to), Kept: min(c.from, c.to), Over: c.over})
		d.saw(late(c.index))
		if admitted, why := d.Admit(late(c.index).UID, d.now); admitted != c.admitted {
			t.Errorf("%s: it may be placed: %v, want %v; %s", name, admitted, c.admitted, why)
		}
	}

	d := open(t)
	d.record(Record{Pods: 4, Over: true})
	d.saw(late(2)) // it is there before its Resize is known
	d.Take()
	grows(d, Record{Kept: 2, Pods: 4})
	d.saw(late(3))
	d.admits("none of them is marked", []Pod{late(2), late(3)})
	d.saw(marked(2, 2, 4))
	d.admits("one is", []Pod{late(2), late(3)})
	d.saw(marked(3, 2, 4))
	d.admits("both are: one speaks for them", []Pod{late(2), late(3)}, "u2")
	if turn, _ := d.Turn("u2", d.now); len(turn.Try) != 2 {
		t.Errorf("They are not one gang: %+v", turn)
	}

	d = open(t)
	d.record(Record{Pods: 4, Over: true})
	grows(d, Record{Kept: 2, Pods: 4})
	d.saw(late(2), late(3))
	if !d.Unmarked("u2") {
		t.Error("It is not said that it is not marked")
	}
	d.after(d.limits.Orphan)
	d.admits("nobody marks them", []Pod{late(2), late(3)}, "u2")
}

func TestAnOrphanIsNotTriedAgainAndAgain(t *testing.T) {
	d := open(t)
	d.saw(pod(2, 2, 5), pod(3, 2, 5))
	d.after(time.Minute)
	d.want("once", Effects{Wake: []UID{"u2"}, Unknown: []UID{"u2"}})
	for range 10 {
		d.after(time.Second)
	}
	d.want("not again", Effects{})
	changed := pod(3, 2, 5)
	changed.Generation++
	d.saw(changed)
	d.want("unless it changes", Effects{Wake: []UID{"u2"}})
}

func TestAfterSettlingForFewerTheLowestIndicesAreTheGang(t *testing.T) {
	d, pods := complete(t)
	d.record(Record{Fewer: 2})
	d.want("it may be tried", Effects{Wake: []UID{"u2"}})
	d.admits("one is wanted", pods, "u2")
	if turn, _ := d.Turn("u2", d.now); len(turn.Try) != 1 {
		t.Errorf("its turn is %+v", turn)
	}
	d.Gone("u4", d.now)
	d.Gone("u3", d.now)
	d.admits("the others are gone", pods[:1], "u2")
}

func TestPodsOfNoGangArePlacedOneByOne(t *testing.T) {
	d := open(t)
	d.record(Record{})
	replaced := pod(1, 2, 5) // a worker that trained before the growth
	elder := pod(9, 0, 0)
	elder.Declared = Declared{Epoch: 2, Stage: "Forward", Pods: 20}
	bare := pod(8, 0, 0)
	bare.Declared = Declared{}
	leader := pod(0, 2, 5)
	leader.UID, leader.Leader = "leader", true
	d.saw(replaced, elder, bare, leader)
	d.admits("each for itself", []Pod{replaced, elder, bare, leader}, "u1", "u9", "u8", "leader")
	if turn, _ := d.Turn("u1", d.now); turn.Told || len(turn.Try) != 1 {
		t.Errorf("the turn of one that replaces another is %+v", turn)
	}
	d.plan = d.Planned("u1", map[UID]string{"u1": "a"}, nil, d.now)
	if allow, _, outcome := d.Reserved("u1", d.plan, d.now); outcome != Complete || len(allow) > 0 {
		t.Errorf("it waits for others: %v, %v", outcome, allow)
	}

	d, pods := complete(t)
	d.record(Record{Over: true})
	d.admits("the resize is over", pods, "u2", "u3", "u4")
	if admitted, _ := d.Admit("of somebody else", d.now); !admitted {
		t.Error("the pod of another is held back")
	}
	if _, ours := d.Turn("of somebody else", d.now); ours {
		t.Error("the pod of another is ours")
	}
}

// While workers leave, training-operator makes those anew that are gone sooner than one of a higher index.
func TestNobodyComesBackWhoIsToldToLeave(t *testing.T) {
	d := open(t)
	stays, stray := pod(1, 0, 0), pod(2, 0, 0)
	for _, p := range []*Pod{&stays, &stray} {
		p.Declared = Declared{Epoch: 2, Stage: "Forward", Pods: 4} // of the growth before
	}
	shrinks := Record{Pods: 4, Kept: 2, Leaving: 2}
	d.record(shrinks)
	d.saw(stays, stray)
	d.want("one that stays is lost, and comes again", Effects{Wake: []UID{"u1"}})
	d.admits("the other is to leave", []Pod{stays, stray}, "u1")
	if turn, _ := d.Turn("u2", d.now); turn.Try != nil {
		t.Errorf("its turn is %+v", turn)
	}
	shrinks.TurnedRound = true
	d.record(shrinks)
	d.want("it is taken back", Effects{Wake: []UID{"u1", "u2"}})
	d.admits("both are to be there", []Pod{stays, stray}, "u1", "u2")
	shrinks.TurnedRound, shrinks.Over = false, true
	d.record(shrinks)
	d.admits("the Resize is over", []Pod{stays, stray}, "u1", "u2")

	d = open(t)
	d.saw(stray)
	d.want("its Resize has not been seen", Effects{Wake: []UID{"u2"}})
	d.plan = d.Planned("u2", map[UID]string{"u2": "a"}, nil, d.now)
	shrinks.Over = false
	d.record(shrinks)
	d.want("it is seen before the pod has its node", Effects{Forget: []UID{"u2"}})
	d.Gone("u2", d.now)
	d.want("it is deleted", Effects{})
}

func TestTheLeaderOfAJobIsPartOfItsStart(t *testing.T) {
	d := open(t)
	d.record(Record{})
	leader := pod(0, 0, 3)
	leader.UID, leader.Leader = "leader", true
	pods := []Pod{leader, pod(0, 0, 3), pod(1, 0, 3)}
	d.saw(pods[1], pods[2])
	d.admits("without it", pods[1:])
	d.saw(leader)
	d.admits("with it", pods, "leader")
}

func TestPodsAreNotHeldForAResizeThatNeverComes(t *testing.T) {
	d := open(t)
	pods := []Pod{pod(2, 2, 5), pod(3, 2, 5)}
	d.saw(pods...)
	d.after(59 * time.Second)
	d.admits("it may come", pods)
	d.Take()
	d.after(time.Second)
	d.want("it does not come", Effects{Wake: []UID{"u2"}})
	if turn, _ := d.Turn("u2", d.now); len(turn.Try) != 2 {
		t.Errorf("its turn is %+v", turn)
	}

	d, pods = complete(t)
	d.after(time.Hour)
	d.Erased(resnet, d.now)
	d.admits("it was deleted just now", pods)
	d.after(time.Minute)
	d.admits("a minute ago", pods, "u2")
}

// A scheduler that was killed while it bound a gang leaves a part of it.
func TestAGangThatWasBegunIsKnown(t *testing.T) {
	d := open(t)
	d.record(Record{})
	begun := func(what string, want bool) {
		t.Helper()
		if u, _, _ := d.Urgency("u1"); u.Begun != want {
			t.Errorf("%s: it was begun: %v, want %v", what, u.Begun, want)
		}
	}
	first, second := pod(0, 0, 2), pod(1, 0, 2)
	d.saw(first, second)
	begun("none has a node", false)
	first.Node = "a"
	d.saw(first)
	begun("one has a node", true)
	second.Node = "a"
	d.saw(second)
	begun("both have", false)
}

// The operator makes room for a job that grows; and it trains meanwhile.
func TestAGrowthClaimsNothing(t *testing.T) {
	d := open(t)
	d.record(Record{})
	d.saw(pod(4, 4, 2), pod(5, 4, 2))
	d.after(DefaultLimits().Starving)
	if _, may := d.Short("u4", d.now); may {
		t.Error("it may claim nodes")
	}
}

func TestOnlyOneGangAtATimeHasAClaim(t *testing.T) {
	d := open(t)
	limit := DefaultLimits().Starving
	other := func(i int) Pod {
		p := pod(i, 0, 2)
		p.UID, p.Change.Job = UID(fmt.Sprintf("o%d", i)), "other"
		return p
	}
	may := func(what string, speaker UID, want bool) {
		t.Helper()
		if _, may := d.Short(speaker, d.now); may != want {
			t.Errorf("%s: it may claim nodes: %v, want %v", what, may, want)
		}
	}
	d.record(Record{})
	d.Recorded(other(0).Change, Record{Urgency: order.Urgency{Since: noon}}, d.now)
	d.saw(pod(0, 0, 2), pod(1, 0, 2), other(0), other(1))
	may("it has just come", "u0", false)
	d.after(limit)
	may("it starves", "u0", true)
	d.Claim("u0", map[UID]string{"u0": "a", "u1": "a"}, d.now)
	may("it has its nodes", "u0", false)
	may("the other has to wait", "o0", false)
	if keep, _ := d.Short("u0", d.now); keep["u1"] != "a" || d.Kept("u0") != "a" || d.Kept("o0") != "" {
		t.Errorf("kept are %v", keep)
	}
	d.Take()
	d.Turn("u0", d.now)
	d.want("they are free for itself", Effects{Forget: []UID{"u0", "u1"}})
	d.after(limit)
	d.want("its time is over", Effects{Forget: []UID{"u0", "u1"}, Wake: []UID{"u0"}, Freed: true})
	may("once more", "u0", false)
	may("it is the other's turn", "o0", true)
	d.Claim("o0", map[UID]string{"o0": "a", "o1": "b"}, d.now)
	d.Gone("o0", d.now)
	d.want("it is gone", Effects{Forget: []UID{"o0", "o1"}, Freed: true})
	d.after(limit)
	d.Take()
	may("after the other", "u0", true)
	for what, ends := range map[string]func(){
		"a node is gone":  func() { d.NodeGone("b", d.now) },
		"it has a plan":   func() { d.plan = d.Planned("u0", map[UID]string{"u0": "c", "u1": "c"}, nil, d.now) },
		"it turns round":  func() { d.record(Record{TurnedRound: true}) },
		"a pod is leaves": func() { p := pod(1, 0, 2); p.Leaving = true; d.saw(p) },
	} {
		d := d
		fresh := open(t)
		fresh.record(Record{})
		fresh.saw(pod(0, 0, 2), pod(1, 0, 2))
		*d.Book = *fresh.Book
		d.Claim("u0", map[UID]string{"u0": "a", "u1": "b"}, d.now)
		d.Take()
		ends()
		if got := d.Take().Forget; !slices.Equal(got, []UID{"u0", "u1"}) || d.Kept("u0") != "" {
			t.Errorf("%s: forgotten are %v, and for u0 %q is kept", what, got, d.Kept("u0"))
		}
	}
}

func TestUrgencyIsThatOfTheResize(t *testing.T) {
	d, _ := complete(t)
	urgent := order.Urgency{Since: noon.Add(-time.Hour), StartBy: noon, Priority: 3}
	d.record(Record{Urgency: urgent})
	if got, change, known := d.Urgency("u3"); !known || got != urgent || change != resnet {
		t.Errorf("it is %+v", got)
	}
	if _, _, known := d.Urgency("other"); known {
		t.Error("a stranger has an urgency")
	}
	late := pod(0, 0, 1)
	late.UID, late.Change.Epoch = "late", 9
	d.saw(late)
	if got, _, known := d.Urgency("late"); known {
		t.Errorf("without a record it is %+v", got)
	}
}

func TestWhyIsASentence(t *testing.T) {
	d, pods := complete(t)
	d.record(Record{TurnedRound: true})
	if _, why := d.Admit("u2", d.now); !strings.Contains(why, "Resize resnet-3 is being rolled back") {
		t.Errorf("it says %q", why)
	}
	d.record(Record{})
	d.Gone("u4", d.now)
	if _, why := d.Admit("u2", d.now); !strings.Contains(why, "pods of its gang that are there: 2 of 3") {
		t.Errorf("it says %q", why)
	}
	d.saw(pods[2])
	d.Admit("u2", d.now)
	if _, why := d.Admit("u4", d.now); !strings.Contains(why, "resnet-worker-2 stands in the queue for all") {
		t.Errorf("it says %q", why)
	}
}

// The job was let go of, and somebody has given it more workers than its template speaks of.
func TestOrphansAreAllPlacedHoweverManyThereAre(t *testing.T) {
	d := open(t)
	pods := []Pod{pod(0, 0, 2), pod(1, 0, 2), pod(2, 0, 2), pod(3, 0, 2)}
	d.saw(pods...)
	d.after(time.Minute)
	if turn, _ := d.Turn("u0", d.now); len(turn.Try) != 4 {
		t.Errorf("the turn is of %d pods: %+v", len(turn.Try), turn)
	}
}

// The operator is gone, and has left its Resize behind.
func TestAnAbandonedResizeHoldsNobodyForEver(t *testing.T) {
	for name, left := range map[string]Record{"lacks a pod": {}, "was rolling back": {TurnedRound: true}} {
		d := open(t)
		left.Until = d.now.Add(10 * time.Minute)
		d.record(left)
		pods := []Pod{pod(2, 2, 5), pod(3, 2, 5)}
		d.saw(pods...)
		d.after(10*time.Minute - time.Second)
		d.admits(name, pods)
		d.Take()
		d.after(time.Second) // and from now on for as long as a Resize is waited for that is not there
		d.admits(name, pods)
		d.after(DefaultLimits().Orphan)
		d.want(name, Effects{Wake: []UID{"u2"}, Unknown: []UID{"u2"}})
		if turn, _ := d.Turn("u2", d.now); len(turn.Try) != 2 {
			t.Errorf("%s: the turn is of %d pods: %+v", name, len(turn.Try), turn)
		}
		left.Until = d.now.Add(10 * time.Minute)
		d.record(left)
		d.admits("somebody goes on with it", pods)
	}
}
