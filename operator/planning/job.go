package planning

import (
	"context"
	"slices"
	"time"

	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/elastic"
	"github.com/takt-dev/takt/elastic/begin"
	"github.com/takt-dev/takt/elastic/coretime"
	"github.com/takt-dev/takt/elastic/resize"
	"github.com/takt-dev/takt/elastic/starting"
	"github.com/takt-dev/takt/operator/capacity"
	"github.com/takt-dev/takt/operator/view"
)

// inSnapshot is a job as the core is to see it; false for one that cannot run, whatever is decided, and is told why.
func (p *Planner) inSnapshot(ctx context.Context, s *view.Subject, sc *Scene) (elastic.Job, bool) {
	job := p.asWritten(s, sc)
	as := placedAs(s)
	job.Site = sc.Supply.SiteOf(as)
	if held := sc.Supply.HeldWithoutGPUs(as); len(held) > 0 {
		sc.heldFor[client.ObjectKeyFromObject(s.ElasticJob)] = held
	}
	home, hasHome := homeOf(s, sc.Supply, p.GPUs)
	fits, stranded := sc.fitsOf(s, hasHome)
	if !stranded.IsZero() {
		job.Stranded = new(coretime.Seconds(stranded))
	}
	idle := p.idle(ctx, s, sc, fits, hasHome, stranded)
	idle.Promised = job.Promised && idle.RoomSince != nil
	if p.setsAside(s, sc, idle) {
		return job, false
	}
	if job.Pool = home; !hasHome {
		job.Pool = plannedIn(s, fits)
	}
	p.asItRuns(s, sc, fits, &job)
	may := mayHave(s, sc, &job, fits)
	if p.startsWhereThereIsRoom(s, sc) {
		may.most = max(min(may.most, resize.Workers(p.freeFor(s, fits))), may.least)
		may.anywhere = may.most
	}
	if limit, capped := sc.caps[s]; capped && job.Workers == 0 {
		idle.Quota = &elastic.Allowance{Most: limit.most, Least: elastic.Workers(may.least)}
		if p.setsAside(s, sc, idle) {
			return job, false
		}
	}
	if s.Active() == nil {
		job.Awaits = s.Known.Awaits(job.Workers, sc.At)
	}
	// it may be planned for others
	if d := s.Known.LastPlanned(); d != nil && d.Pool == job.Pool && (job.Deadline != nil || sc.chained) {
		job.Reserved = d.Reserved
	}
	options := p.fillOptions(ctx, s, sc.At)
	if !hasHome && s.Size() == 0 {
		job.Elsewhere = elsewhere(s, sc, fits, job, may.least, may.anywhere, options)
	}
	if s.Active() == nil {
		before := past(s)
		job.Ungrown, job.Guarded = p.ungrown(ctx, s, before, sc.At), p.guarded(s, before, sc.At)
	}
	sizes := may.sizes(s, &job)
	if job.OnItsOwn { // nobody gives it another
		sizes = []resize.Workers{s.Size()}
	}
	if s.Ends() { // fewer workers may be left than it may have
		sizes, job.Awaits = []resize.Workers{resize.Workers(job.Workers)}, nil
	}
	on := standOn(s, sc.Supply, job.Pool, p.GPUs)
	if starts(s.Active()) { // it is planned as it was when that was decided, until it trains
		on = nil
	}
	shapes := sc.shapes(job.Pool, &job, on, sizes, options.Kind == v1alpha1.RestartCold)
	s.Known.Run.Fill(&job, shapes, options)
	if !s.Ends() { // what is kept of it is how fast it is at each size that it could have
		s.Known.PlannedWith(shapes, sc.perNode(job.Pool, &job))
	}
	if r := s.Active(); r != nil && !staysAsItWas(s, r) {
		fillUnderWay(&job, r, underWay(s, r), sc.Snapshot.Now)
	}
	return job, true
}

// asWritten is a job as far as people have written it, on itself or on its queue.
func (p *Planner) asWritten(s *view.Subject, sc *Scene) elastic.Job {
	spec := &s.ElasticJob.Spec
	job := elastic.Job{
		Name: nameOf(s), Queue: spec.Queue,
		Submitted:       coretime.Seconds(s.ElasticJob.CreationTimestamp.Time),
		OnlyPromised:    s.OnlyPromised(),
		GPUsPerWorker:   s.GPUsPerWorker(p.GPUs),
		Leaders:         s.Leaders(p.GPUs),
		Workers:         elastic.Workers(s.Left()),
		Written:         elastic.Workers(s.Job.Written),
		Tried:           s.Tried(),
		Uninterruptible: !s.Interruptible() && !s.Known.Lent() || s.Ends(),
		Lent:            !s.Interruptible() && s.Known.Lent() && !s.Ends(),
	}
	if spec.Priority != nil {
		job.Priority = int(*spec.Priority)
	}
	for _, before := range s.Awaits() {
		job.After = append(job.After, s.ElasticJob.Namespace+"/"+before.Name)
	}
	if wait, err := s.Class.MaxWait.Duration(); err == nil {
		job.MaxWait = elastic.Seconds(wait.Seconds())
		job.WaitsSince, job.TurnUntil = turnOf(s, wait)
	}
	if at, ok := s.Deadline(); ok && at.After(sc.At) {
		moment := coretime.Seconds(at)
		job.Deadline, job.Promised = &moment, s.IsPromised(at) || s.Known.HasPromised(at)
	}
	return job
}

// asItRuns fills in how many workers a job has, or is about to have, and where they are.
func (p *Planner) asItRuns(s *view.Subject, sc *Scene, fits []capacity.Fit, job *elastic.Job) {
	r := s.Active()
	switch {
	case r == nil:
		job.Leave = onLeaving(s, sc.leaving)
		job.Unstarted = unstarted(s, sc.At)
	case underWay(s, r).GoesBack, staysAsItWas(s, r):
		job.Workers = elastic.Workers(r.Spec.From)
	default:
		job.Workers = elastic.Workers(r.Spec.To)
	}
	job.On = nodesOf(s, sc.Supply, job)
	if r == nil && job.Uninterruptible && !s.Ends() && job.Workers > 0 && !s.Held() && !s.Scaled() {
		p.ownSize(s, sc, fits, job)
	}
}

// ownSize asks the core how much of a job that is never stopped again others leave to it.
func (p *Planner) ownSize(s *view.Subject, sc *Scene, fits []capacity.Fit, job *elastic.Job) {
	own := starting.Own{Size: int(job.Using(job.Workers)), Holds: int(s.Using(p.GPUs)), Had: s.Known.Held(),
		Within: p.Limits.PlaceWithin}
	for _, fit := range fits {
		if fit.Pool == job.Pool {
			own.Room = int(fit.Room)
		}
	}
	for _, w := range s.Pods {
		own.Made = latest(own.Made, w.Pod.CreationTimestamp.Time)
	}
	workers, yetToStart, until := own.Keeps(sc.At)
	if !until.IsZero() {
		sc.later.meet(until)
	}
	if workers < own.Size {
		job.Workers, job.On, job.Leave, job.OnItsOwn = elastic.Workers(workers), nil, nil, yetToStart
		if workers > 0 {
			job.Workers += job.Leaders
		}
	}
}

// onLeaving are the workers of a job whose nodes are about to go, by their indices, where it is resized as it trains.
func onLeaving(s *view.Subject, leaving map[string]bool) (indices []int) {
	if s.Mode() != resize.Live || s.Ends() {
		return nil
	}
	for _, w := range s.Pods {
		if leaving[w.Pod.Spec.NodeName] && w.Pod.DeletionTimestamp == nil && !view.HasEnded(w.Pod) &&
			resize.Workers(w.Index) < s.Size() {
			indices = append(indices, int(w.Index))
		}
	}
	return indices
}

// sizeRange is which sizes a job may have: in the pool that it is planned in, and up to which in any other.
type sizeRange struct{ least, most, anywhere resize.Workers }

// sizes are those of the range to plan with. What a job is promised is among them while it is not grown.
func (may sizeRange) sizes(s *view.Subject, job *elastic.Job) []resize.Workers {
	sizes := s.Candidates(may.least, may.most, resize.Workers(job.Workers))
	if job.Ungrown == nil || !job.Promised || s.Chosen() {
		return sizes
	}
	for _, span := range job.Reserved {
		size := resize.Workers(span.Workers)
		if at, found := slices.BinarySearch(sizes, size); !found && may.least <= size && size <= may.most {
			sizes = slices.Insert(sizes, at, size)
		}
	}
	return sizes
}

// mayHave is which sizes a job may have. What keeps it from larger ones is noted.
func mayHave(s *view.Subject, sc *Scene, job *elastic.Job, fits []capacity.Fit) sizeRange {
	least, most := s.Sizes()
	fit := room(fits, job.Pool) + resize.Workers(job.Leaders)
	may := sizeRange{least: least, most: max(min(most, fit), least, min(most, s.Size())), anywhere: most}
	if limit := capped(s, sc, job); limit.why != "" && limit.most < elastic.Workers(may.most) {
		sc.caps[s] = limit
		may.most = max(resize.Workers(limit.most), least)
		may.anywhere = may.most
	}
	return may
}

// ungrown is what is seen of a job that keeps it from being given more workers; nil if nothing is.
func (p *Planner) ungrown(ctx context.Context, s *view.Subject, before []begin.Past, now time.Time) *elastic.Ungrown {
	u := elastic.Ungrown{Stuck: p.hasWrittenOff(ctx, s) || s.CannotRun(now)}
	if until := p.notGrownAfter(s, before); !until.IsZero() {
		u.Until = coretime.Seconds(until)
	}
	if u == (elastic.Ungrown{}) {
		return nil
	}
	if last := s.Past; len(last) > 0 && last[len(last)-1].Spec.Reason == v1alpha1.ReasonSpareCapacity {
		u.Spare = elastic.Workers(last[len(last)-1].Spec.To)
	}
	return &u
}
