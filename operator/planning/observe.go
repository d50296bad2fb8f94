package planning

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/elastic"
	"github.com/takt-dev/takt/elastic/begin"
	"github.com/takt-dev/takt/elastic/resize"
	"github.com/takt-dev/takt/operator/cached"
	"github.com/takt-dev/takt/operator/capacity"
	"github.com/takt-dev/takt/operator/coretime"
	"github.com/takt-dev/takt/operator/kind/known"
	"github.com/takt-dev/takt/operator/learn"
	"github.com/takt-dev/takt/operator/memory"
	"github.com/takt-dev/takt/operator/progress"
	"github.com/takt-dev/takt/operator/view"
	"github.com/takt-dev/takt/predictor"
	"github.com/takt-dev/takt/shares"
)

// Scene is everything that one plan is made from.
type Scene struct {
	At       time.Time
	Snapshot elastic.Snapshot
	Subjects []*view.Subject // those of the snapshot's jobs, in the same order
	Held     []*view.Subject // those whose size stays: they are no part of the snapshot
	stuck    []*view.Subject // those that could not run, whatever is decided
	Supply   *capacity.Supply
	queues   []*v1alpha1.TrainingQueue
	largest  map[string]elastic.GPUs // by pool: what its largest node has
	all      map[types.UID]bool      // the jobs of all ElasticJobs, planned for or not
	underWay []*v1alpha1.Resize      // of all of them
	budgets  map[string]*capacity.Budget
	caps     map[*view.Subject]quotaCap // of those that a quota keeps from being larger
	costs    map[string]*costOf         // by queue; nil without prices
	alone    []string                   // the queue of each job that is left alone
	// abandoned are jobs that are left alone, and that nobody but Takt keeps from running.
	abandoned []abandoned
	news      []types.NamespacedName // ElasticJobs whose status is not up to what was seen of them
	chained   bool                   // some wait for others to succeed
	later     soonest                // when what was seen is another without anything happening
}

// abandoned is a job that is left alone, and why.
type abandoned struct {
	*view.Subject
	refused *view.Refusal
}

// Observe looks at the whole cluster.
func (p *Planner) Observe(ctx context.Context) (*Scene, error) {
	now := p.Now()
	sc := &Scene{At: now, all: map[types.UID]bool{}, caps: map[*view.Subject]quotaCap{}, later: soonest{after: now}}
	var ejs v1alpha1.ElasticJobList
	if err := p.Client.List(ctx, &ejs); err != nil {
		return nil, fmt.Errorf("listing ElasticJobs: %w", err)
	}
	sc.costs = p.costs(ejs.Items)
	// Once for all jobs: the Resizes that the last plan has made are to be seen.
	if err := p.Client.List(ctx, &v1alpha1.ResizeList{}, client.MatchingFields{cached.ByElasticJob: ""}); err != nil {
		return nil, fmt.Errorf("listing Resizes: %w", err)
	}
	ours, held := map[types.UID]*view.Subject{}, map[types.UID]*view.Subject{}
	for i := range ejs.Items {
		ej := &ejs.Items[i]
		if ej.DeletionTimestamp != nil {
			continue
		}
		s, err := p.View.Look(ctx, ej)
		if err != nil {
			return nil, err
		}
		if active := s.Active(); active != nil {
			sc.underWay = append(sc.underWay, active)
		}
		if s.Object != nil {
			sc.all[s.Job.UID] = true
		}
		if s.NewlySucceeded() { // before it is gone
			sc.news = append(sc.news, client.ObjectKeyFromObject(ej))
		}
		refused, err := p.View.Refuse(ctx, s)
		if err != nil {
			return nil, err
		}
		if refused != nil && p.abandons(s, refused) {
			sc.abandoned = append(sc.abandoned, abandoned{s, refused})
		}
		if refused != nil || s.SuspendedByUser() {
			if refused.LeavesAlone() && s.Job.State == resize.JobGoesOn {
				sc.alone = append(sc.alone, ej.Spec.Queue)
			}
			if s.Object != nil && refused != nil && s.Job.StoppedByTakt() {
				sc.later.meet(p.refusedUntil(s))
			}
			if !p.Outspoken(s, refused) {
				sc.news = append(sc.news, client.ObjectKeyFromObject(ej))
			}
			if s.Known != nil && s.Taken == nil {
				s.Known.Undecide()
				s.Known.Withhold(memory.Hindrance{}, now)
			}
			continue
		}
		s.Known.Accepted()
		p.Shelf.Inherit(ctx, s)
		if s.Scaled() || s.Held() && s.Size() > 0 && s.Active() == nil {
			sc.Held = append(sc.Held, s)
			held[s.Job.UID] = s
			continue
		}
		sc.Subjects = append(sc.Subjects, s)
		ours[s.Job.UID] = s
	}
	if err := p.observeSupply(ctx, sc, ours, held); err != nil {
		return nil, err
	}
	sc.Snapshot = elastic.Snapshot{
		Now: coretime.Seconds(now), Settings: p.Settings.Planner(),
		Nodes:  sc.Supply.Nodes,
		Queues: shares.Of(sc.queues, sc.Supply.Nodes),
	}
	if err := p.observeBudgets(ctx, sc); err != nil {
		return nil, err
	}
	sc.chained = slices.ContainsFunc(sc.Subjects, func(s *view.Subject) bool { return len(s.Awaits()) > 0 })
	planned := sc.Subjects[:0]
	for _, s := range sc.Subjects {
		if job, ok := p.plannable(ctx, s, sc); ok {
			planned = append(planned, s)
			sc.Snapshot.Jobs = append(sc.Snapshot.Jobs, job)
		} else {
			s.Known.Undecide()
			sc.stuck = append(sc.stuck, s)
		}
	}
	sc.Subjects = planned
	sc.Snapshot.Demands = demands(p.Settings.Outsiders, sc.Supply, sc.Snapshot.Queues, sc.Snapshot.Jobs)
	return sc, nil
}

func (p *Planner) observeSupply(ctx context.Context, sc *Scene, ours, held map[types.UID]*view.Subject) error {
	var nodes corev1.NodeList
	if err := p.Client.List(ctx, &nodes, client.MatchingLabels(p.Settings.NodeSelector)); err != nil {
		return fmt.Errorf("listing nodes: %w", err)
	}
	var pods corev1.PodList
	if err := p.Client.List(ctx, &pods); err != nil {
		return fmt.Errorf("listing pods: %w", err)
	}
	cluster := capacity.Cluster{Now: sc.At, Idle: p.outsiders.isIdle, Ours: func(pod *corev1.Pod) bool {
		// Of a job whose size stays, the GPUs that it has are nobody else's; for those that it waits for, nobody
		// gives way.
		// A pod of a job that does not train, such as an evaluator, has the GPUs that it has, and its job does not give way
		// to it.
		waits := pod.Spec.NodeName == ""
		return trainsFor(ours, pod) || waits && (trainsFor(held, pod) || belongsTo(ours, pod))
	}, Replaced: func(pod *corev1.Pod) bool { return trainsFor(held, pod) }}
	for i := range nodes.Items {
		cluster.Nodes = append(cluster.Nodes, &nodes.Items[i])
		if until, returning := capacity.Returning(&nodes.Items[i], sc.At); returning { // and not for ever
			sc.later.meet(until)
		}
	}
	for i := range pods.Items {
		cluster.Pods = append(cluster.Pods, &pods.Items[i])
		if since, lacks := p.GPUs.LacksSince(&pods.Items[i]); lacks {
			sc.later.meet(since.Add(p.GPUs.After))
		}
		if gone := pods.Items[i].DeletionTimestamp; gone != nil { // its GPUs count as coming, and not for ever
			sc.later.meet(gone.Add(-p.GPUs.LeaveWithin))
			sc.later.meet(gone.Add(p.GPUs.LeaveWithin))
		}
	}
	sc.Supply = capacity.Read(cluster, p.GPUs)
	for _, s := range sc.Subjects {
		borrow(s, sc.Supply, p.GPUs)
	}
	p.noteOutsiders(sc, cluster)
	sc.largest = map[string]elastic.GPUs{}
	for _, node := range sc.Supply.Nodes {
		sc.largest[node.Pool] = max(sc.largest[node.Pool], node.GPUs)
	}
	var queues v1alpha1.TrainingQueueList
	if err := p.Client.List(ctx, &queues); err != nil {
		return fmt.Errorf("listing TrainingQueues: %w", err)
	}
	for i := range queues.Items {
		if usable, err := p.usable(ctx, &queues.Items[i]); err != nil {
			return err
		} else if usable {
			sc.queues = append(sc.queues, &queues.Items[i])
		}
	}
	if !slices.ContainsFunc(queues.Items,
		func(q v1alpha1.TrainingQueue) bool { return q.Name == shares.Default().Name }) {
		sc.queues = append(sc.queues, shares.Default())
	}
	return nil
}

func (p *Planner) observeBudgets(ctx context.Context, sc *Scene) (err error) {
	sc.budgets = map[string]*capacity.Budget{}
	for _, s := range slices.Concat(sc.Subjects, sc.Held) {
		if in := s.ElasticJob.Namespace; sc.budgets[in] == nil {
			if sc.budgets[in], err = p.budget(ctx, in); err != nil {
				return err
			}
		}
	}
	return nil
}

// trainsFor says whether a pod is a worker of one of these jobs, by the UIDs of the jobs. It asks the
// pod and not what was listed of the job before: a worker made in between would count as one of
// others, and its own job would yield to it. One in whose place another has come is no worker any more: what it holds
// is not its job's, whoever has made it.
func trainsFor(jobs map[types.UID]*view.Subject, pod *corev1.Pod) bool {
	if !belongsTo(jobs, pod) {
		return false
	}
	_, owner, _ := known.OwnerOf(pod)
	s := jobs[owner.UID]
	_, trains := s.Kind.Index(pod, s.Job.Fixed)
	return trains && !s.Replaced(pod)
}

// belongsTo says whether a pod is one of these jobs', which are of its own namespace.
func belongsTo(jobs map[types.UID]*view.Subject, pod *corev1.Pod) bool {
	_, owner, ours := known.OwnerOf(pod)
	return ours && jobs[owner.UID] != nil && jobs[owner.UID].ElasticJob.Namespace == pod.Namespace
}

// plannable is a job as the planner sees it; false for one that no node could ever run.
func (p *Planner) plannable(ctx context.Context, s *view.Subject, sc *Scene) (elastic.Job, bool) {
	worker := s.Job.Worker
	if s.Job.Suspended {
		worker = s.Job.Unpinned()
	}
	fits := sc.Supply.Fits(worker)
	job := elastic.Job{
		Name: s.ElasticJob.Namespace + "/" + s.ElasticJob.Name, Queue: s.ElasticJob.Spec.Queue,
		Submitted:     coretime.Seconds(s.ElasticJob.CreationTimestamp.Time),
		OnlyPromised:  s.OnlyPromised(),
		GPUsPerWorker: capacity.GPUs(&s.Job.Worker.Spec, p.GPUs),
		Workers:       elastic.Workers(s.Size()),
		Written:       elastic.Workers(s.Job.Written),
		Tried:         s.Tried(), Uninterruptible: s.ElasticJob.Spec.Interruptible != nil &&
			!*s.ElasticJob.Spec.Interruptible,
	}
	if wait, err := s.Class.MaxWait.Duration(); err == nil {
		job.MaxWait = elastic.Seconds(wait.Seconds())
		since, until := turnOf(s, wait)
		// it could not start, and is tried later
		if job.WaitsSince = coretime.Seconds(since); job.Workers == 0 && p.isHeld(s, sc.At) {
			job.WaitsSince = coretime.Seconds(sc.At)
		}
		if !until.IsZero() {
			job.TurnUntil = coretime.Seconds(until)
		}
	}
	if priority := s.ElasticJob.Spec.Priority; priority != nil {
		job.Priority = int(*priority)
	}
	if at, ok := s.Deadline(); ok && at.After(sc.At) {
		moment := coretime.Seconds(at)
		job.Deadline, job.Promised = &moment, s.IsPromised(at) || s.Known.HasPromised(at)
	}
	if blocked := s.Blocked(); blocked != nil {
		p.withhold(s, memory.Hindrance{Reason: blocked.Reason, Message: blocked.Sentence}, sc.At)
		return job, false
	}
	for _, before := range s.Awaits() {
		job.After = append(job.After, s.ElasticJob.Namespace+"/"+before.Name)
	}
	if strings.HasPrefix(s.Known.HinderedBy().Reason, memory.ReasonPredecessor) {
		p.withhold(s, memory.Hindrance{}, sc.At)
	}
	if hindrance, left := p.unplaced(s, fits, sc); left {
		p.withhold(s, hindrance, sc.At)
		return job, false
	}
	pool, ok := homeOf(s, sc.Supply)
	if !ok {
		if len(fits) == 0 {
			p.withhold(s, memory.Hindrance{Reason: memory.ReasonNoNode,
				Message: fmt.Sprintf("No node that Takt may use can run its workers: each takes %s, "+
					"on a node that matches its nodeSelector, affinity and tolerations.",
					elastic.CountGPUs(job.GPUsPerWorker))}, sc.At)
			return job, false
		}
		pool = plannedIn(s, fits)
	}
	job.Pool = pool
	least, most := s.Sizes()
	anywhere := most
	most = max(min(most, room(fits, pool)), least, min(most, s.Size()))
	if r := s.Active(); r != nil {
		job.Workers = elastic.Workers(r.Spec.To)
		if reached(r, v1alpha1.ConditionRollingBack) {
			job.Workers = elastic.Workers(r.Spec.From)
		}
	} else {
		job.On = nodesOf(s, sc.Supply, pool)
		// What it cannot have is left to others, unless that is promised: until it may be tried again, nobody else is
		// promised it.
		if job.Workers > 0 && (p.isHeld(s, sc.At) || p.hasWrittenOff(ctx, s)) {
			most = max(min(most, max(s.Size(), promisedTo(s, &job))), least)
		}
	}
	delete(sc.caps, s)
	if limit := capped(s, sc, job.Workers); limit.why != "" {
		if limit.most < elastic.Workers(least) && job.Workers == 0 {
			p.withhold(s, memory.Hindrance{Reason: memory.ReasonQuota,
				Message: fmt.Sprintf("It cannot start: %s.", limit.why)}, sc.At)
			return job, false
		}
		if limit.most < elastic.Workers(most) {
			sc.caps[s] = limit
			most = max(resize.Workers(limit.most), least)
			anywhere = most
		}
	}
	job.Awaits = p.awaits(s, job.Workers, elastic.Workers(most), sc.At)
	// it may be planned for others
	if d := s.Known.LastPlanned(); d != nil && d.Pool == pool && (job.Deadline != nil || sc.chained) {
		job.Reserved = d.Reserved
	}
	options := p.FillOptions(ctx, s, sc.At)
	if !ok && s.Size() == 0 {
		job.Elsewhere = elsewhere(s, sc, fits, job, least, anywhere, options)
	}
	shapes := sc.shapes(pool, &job, s.Candidates(least, most, resize.Workers(job.Workers)),
		options.Kind == v1alpha1.RestartCold)
	s.Known.Run.Fill(&job, shapes, options)
	s.Known.PlannedWith(shapes, sc.perNode(pool, job.GPUsPerWorker))
	if r := s.Active(); r != nil && !goesOn(r) {
		job.Changes = changes(r, s.Known.Run.Progress().ResumedAt, job.BusyUntil)
		job.BusyUntil = elastic.BusyUntil(coretime.Seconds(r.CreationTimestamp.Time), sc.Snapshot.Now, job.Pause)
	}
	return job, true
}

// promisedTo is the most that a job is to have for its promise; 0 if it has none.
func promisedTo(s *view.Subject, job *elastic.Job) (most resize.Workers) {
	if d := s.Known.LastPlanned(); d != nil && d.Pool == job.Pool && job.Promised {
		for _, span := range d.Reserved {
			most = max(most, resize.Workers(span.Workers))
		}
	}
	return most
}

// awaits is what a job waits for that was decided for it, as long as it may still have that.
func (p *Planner) awaits(s *view.Subject, has, most elastic.Workers, now time.Time) *elastic.Awaited {
	if s.Active() != nil {
		return nil
	}
	if a := s.Known.Awaits(has, now, p.Limits.DrainWithin); a != nil && a.Workers <= most {
		return a
	}
	return nil
}

// capped is the size that the quotas of its namespace allow a job, and never less than it has or is
// about to have.
func capped(s *view.Subject, sc *Scene, has elastic.Workers) quotaCap {
	left, limited, why := sc.budgets[s.ElasticJob.Namespace].Left(s.Job.Worker)
	if !limited {
		return quotaCap{}
	}
	return quotaCap{max(has, elastic.Workers(s.Size())+left), why}
}

// selector keeps the workers of a job in a pool, beside what it asks for itself.
func (sc *Scene) selector(s *view.Subject, pool string) map[string]v1alpha1.LabelValue {
	for _, fit := range sc.Supply.Fits(s.Job.Unpinned()) {
		if fit.Pool == pool && len(fit.Selector) > 0 {
			selector := map[string]v1alpha1.LabelValue{}
			for key, value := range fit.Selector {
				selector[key] = v1alpha1.LabelValue(value)
			}
			return selector
		}
	}
	return nil
}

// shapes are the sizes of a job as it runs with them in a pool: workers that it keeps stay where they are. If it is
// cold, all of another size begin anew, on as few nodes as may be.
func (sc *Scene) shapes(pool string, job *elastic.Job, sizes []resize.Workers, cold bool) []predictor.Shape {
	var shapes []predictor.Shape
	perNode := sc.perNode(pool, job.GPUsPerWorker)
	for _, size := range sizes {
		shape := view.Packed(int(size), perNode, view.GPUName(pool))
		if stays := !cold || int(size) == len(job.On); pool == job.Pool && stays {
			shape.Nodes = max(shape.Nodes, distinct(job.On[:min(int(size), len(job.On))]))
		}
		shapes = append(shapes, shape)
	}
	return shapes
}

// distinct is how many nodes are named.
func distinct(nodes []string) int {
	names := map[string]bool{}
	for _, name := range nodes {
		names[name] = true
	}
	return len(names)
}

// perNode is how many workers the largest node of a pool has room for.
func (sc *Scene) perNode(pool string, each elastic.GPUs) int {
	return max(int(sc.largest[pool])/max(int(each), 1), 1)
}

// HeldUntil is until when a job is not grown, because growing it has failed, or was taken back more than once; zero if
// nothing keeps it. Refused says that the job may not be changed, whichever way.
func (p *Planner) HeldUntil(s *view.Subject) (until time.Time, refused bool) {
	at, refused := begin.NotBefore(past(s), p.retry())
	if at == 0 {
		return time.Time{}, refused
	}
	return coretime.Time(at), refused
}

// isHeld says that a job is not grown at a moment.
func (p *Planner) isHeld(s *view.Subject, at time.Time) bool {
	until, _ := p.HeldUntil(s)
	return at.Before(until)
}

// retry is how long is waited after a resize that has failed.
func (p *Planner) retry() elastic.Seconds {
	return elastic.Seconds(p.Settings.Resizes.RetryAfter.Seconds())
}

// FillOptions are what a run is to know of its job beside its readings.
func (p *Planner) FillOptions(ctx context.Context, s *view.Subject, now time.Time) learn.FillOptions {
	options := learn.FillOptions{
		Now: now, StaleAfter: p.Settings.Progress.StaleAfter.Duration,
		AssumedPause: p.Settings.Planning.AssumedPause.Duration,
		DoneShare:    float64(s.ElasticJob.Status.Progress.PartsPerMillion) / 1e6, Began: s.Began(),
	}
	if at, err := s.ElasticJob.Status.Progress.LastCheckpointAt.Time(); err == nil {
		options.SavedAt = at
	}
	switch {
	case s.Size() == 0:
		options.Kind = v1alpha1.RestartStart
	case s.Mode() == resize.Cold:
		options.Kind = v1alpha1.RestartCold
	default:
		options.Kind = v1alpha1.RestartLive
	}
	if took, err := s.ElasticJob.Spec.Expected.Duration.Duration(); err == nil &&
		s.ElasticJob.Spec.Expected.Workers != nil {
		options.Expected = learn.Expected{Took: took, Workers: int(*s.ElasticJob.Spec.Expected.Workers)}
	}
	if total, err := s.ElasticJob.Spec.Progress.Total.Float(); err == nil {
		options.Total = total
	}
	// What is written on a job tells how much there is to do before it runs.
	if from := s.ElasticJob.Spec.Progress.Source; from != "" && from != v1alpha1.ProgressAnnotation {
		return options
	}
	if sample, err := (progress.Annotation{}).Read(ctx,
		progress.Target{Annotations: s.Job.Annotations, Spec: s.ElasticJob.Spec.Progress}); err == nil {
		options.Total, options.Unit = sample.Total, sample.Unit
		// What was written beforehand does not undo what another source has told since.
		if known := s.ElasticJob.Status.Progress; known.PartsPerMillion == 0 ||
			known.Source == string(v1alpha1.ProgressAnnotation) {
			options.DoneShare = sample.Done / sample.Total
		}
	}
	return options
}
