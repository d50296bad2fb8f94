package planning

import (
	"math"
	"time"

	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/takt-dev/takt/elastic"
	"github.com/takt-dev/takt/elastic/coretime"
	"github.com/takt-dev/takt/operator/view"
)

// The planner sleeps while nothing happens. All that a plan depends on either wakes it, or comes at a moment that the
// plan before it knows of.
//
// What wakes it (listen, watchKind, and whoever calls Kick): nodes, pods and what their schedulers say of them, quotas,
// queues, namespaces, autoscalers, ElasticJobs, training jobs, Resizes that end or are deleted, profiles that are
// shared, kinds of jobs that come to be served, and readings that tell anything new or are not to be relied on any
// more: those of jobs that go on as they are taken to wake it together, once in the usual time between two plans. Of
// pods without GPUs it is woken by the end of one that was in the way of some worker.
//
// What comes at a moment (moment): what the core says itself, such as reservations that begin and pauses that are over;
// deadlines that pass; promises that a job which stands still is about to miss; resizes that failed and may be tried
// again; GPUs that are awaited for too long, and pods that leave for too long; jobs that wait for their refusal to
// pass; words on why workers do not come to nodes that have room for them; pods outside Takt that begin to count, or do
// not use what was made free for them; what shared profiles had that was not read yet; statuses of queues that were
// written only just now; and what has failed and is to be tried again.
//
// A plan that nothing has called for finds nothing, then. Should something have been missed all the same, one is made
// after twice as long each time, and every longestRest; or as often as ever while a resize is under way: askForOverdue.
const longestRest = time.Hour

const (
	// restsFor is how many times as long as a plan takes nothing is planned, as long as nothing happens; up to patientFor
	// times the usual time between two plans.
	restsFor   = 100
	patientFor = 10
)

// sleep is how the planner sleeps.
type sleep struct {
	due  time.Time     // when the last plan wanted the next one at the latest
	lull time.Duration // between two plans that nothing calls for, at present
	// again says that something has failed, and is to be tried again.
	again bool
	// At is when the last plan was made, and of what it has decided about each job.
	At time.Time
	of map[string]decided
}

// decided is what tells of a decision about a job whether it is another.
type decided struct {
	workers        elastic.Workers
	verdict        elastic.Verdict
	promised       bool
	expected, late elastic.Seconds
	// slides says that the job is expected to end as much later as time has passed: it stands still.
	slides bool
}

func decidedBy(o *elastic.Outcome) decided {
	d := decided{workers: o.Workers, verdict: o.Verdict, promised: o.Promised}
	if o.ExpectedEnd != nil {
		d.expected = *o.ExpectedEnd
	}
	if o.LateEnd != nil {
		d.late = *o.LateEnd
	}
	return d
}

// since says whether a decision is another than one before it, or moves: what is left of a job that goes on as it is
// taken to becomes more certain by the time alone. One that stands still ends later with the time, and no otherwise.
func (d decided) since(was decided, passed elastic.Seconds) bool {
	moves := func(from, to elastic.Seconds) bool {
		stands, slides := math.Abs(float64(to-from)), math.Abs(float64(to-from-passed))
		return min(stands, slides) > unmoved*float64(passed)
	}
	return was.workers != d.workers || was.verdict != d.verdict || was.promised != d.promised ||
		moves(was.expected, d.expected) || moves(was.late, d.late)
}

// unmoved is by which part of the time that has passed an estimate may move that is taken for one that does not.
const unmoved = 0.02

// rest is how long to wait for something to happen.
func (p *Planner) rest() time.Duration {
	every := p.Settings.Planning.Every.Duration
	if p.Sleep.again {
		return every
	}
	return max(min(max(every, restsFor*p.took), every*patientFor), p.Sleep.lull)
}

// setLull takes what was decided. Where nothing has called for the plan, it has found nothing, and nothing is under
// way, the next one may be made later.
func (p *Planner) setLull(sc *Scene, d elastic.Decision) {
	s := &p.Sleep
	passed, called, found := coretime.Seconds(sc.At)-coretime.Seconds(s.At), sc.At.Before(s.due), len(d.Jobs) != len(s.of)
	of := make(map[string]decided, len(d.Jobs))
	for i := range d.Jobs {
		is := decidedBy(&d.Jobs[i])
		was, known := s.of[d.Jobs[i].Name]
		is.slides = !known || is.expected-was.expected > passed/2
		found = found || !known || is.since(was, passed)
		of[d.Jobs[i].Name] = is
	}
	every := p.Settings.Planning.Every.Duration
	if s.lull = min(max(2*s.lull, every), longestRest); called || found || len(sc.underWay) > 0 {
		s.lull = every
	}
	s.At, s.of = sc.At, of
}

// until remembers when the next plan is due, which is after some time.
func (p *Planner) until(sc *Scene, next time.Duration) time.Duration {
	p.Sleep.due = sc.At.Add(next)
	return next
}

// tryAgain has what has failed tried again with the next plan, soon. That somebody else was first is no failure, but
// what they did may be nothing that wakes the planner.
func (p *Planner) tryAgain(err error) {
	if err != nil {
		p.Sleep.again = true
	}
}

// soonest is the first of some moments after one.
type soonest struct{ after, at time.Time }

func (s *soonest) meet(at time.Time) {
	if at.After(s.after) && (s.at.IsZero() || at.Before(s.at)) {
		s.at = at
	}
}

// moment is how long it takes until the first of the moments that nothing else tells of.
func (p *Planner) moment(sc *Scene, d elastic.Decision) time.Duration {
	first := soonest{after: sc.At}
	first.meet(sc.later.at)
	for _, all := range [][]*view.Subject{sc.Subjects, sc.Held, sc.stuck} {
		for _, s := range all {
			p.momentsOf(s, &first)
		}
	}
	for i, s := range sc.Subjects {
		if at, dated := s.Deadline(); dated && (d.Jobs[i].Workers == 0 || p.Sleep.of[d.Jobs[i].Name].slides) {
			first.meet(sc.At.Add(p.slack(sc, &d.Jobs[i], at)))
		}
	}
	first.meet(p.room.Next(p.Settings.Outsiders.UsedWithin.Duration))
	if first.at.IsZero() {
		return p.rest()
	}
	return first.at.Sub(sc.At)
}

// momentsOf are those of one job.
func (p *Planner) momentsOf(s *view.Subject, first *soonest) {
	if at, dated := s.Deadline(); dated {
		first.meet(at)
	}
	first.meet(p.notGrownUntil(s))
	if s.Known == nil || s.Object == nil {
		return
	}
	if since := s.Known.AwaitsSince(first.after); since.Before(first.after) {
		first.meet(since.Add(p.Limits.DrainWithin))
	}
	for _, w := range s.Pods {
		if gone := w.Pod.DeletionTimestamp; gone != nil {
			first.meet(gone.Add(p.Limits.StopWithin))
		}
	}
	if s.ElasticJob.Spec.Profile != "" {
		first.meet(p.Shared.DueOf(client.ObjectKey{Namespace: s.ElasticJob.Namespace,
			Name: s.ElasticJob.Spec.Profile}, s.Known))
	}
}

// slack is how long a job that stands still may do so until one more of its estimates ends after its deadline, or there
// is less hope that another size would do; zero if nobody can tell.
func (p *Planner) slack(sc *Scene, o *elastic.Outcome, deadline time.Time) time.Duration {
	next := soonest{after: sc.At}
	pass := func(at time.Time) { next.meet(at.Add(time.Second)) } // at the moment itself nothing has changed yet
	for _, end := range []*elastic.Seconds{o.EarlyEnd, o.ExpectedEnd, o.LateEnd} {
		if end != nil {
			pass(sc.At.Add(deadline.Sub(coretime.Time(*end))))
		}
	}
	if o.Hopes != nil {
		pass(coretime.Time(*o.Hopes))
	}
	if next.at.IsZero() {
		return 0
	}
	return max(next.at.Sub(sc.At), p.Settings.Planning.Every.Duration)
}
