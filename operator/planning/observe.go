package planning

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/elastic"
	"github.com/takt-dev/takt/elastic/coretime"
	"github.com/takt-dev/takt/elastic/resize"
	"github.com/takt-dev/takt/elastic/yield"
	"github.com/takt-dev/takt/operator/cached"
	"github.com/takt-dev/takt/operator/capacity"
	"github.com/takt-dev/takt/operator/memory"
	"github.com/takt-dev/takt/operator/view"
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
	vacant   vacancies               // of the snapshot's jobs, but for those that start
	unused   func() vacancies        // of all of them, which is rarely asked for; nil if none starts
	leaving  map[string]bool         // nodes of which there is notice that they go
	all      map[types.UID]bool      // the jobs of all ElasticJobs, planned for or not
	underWay []*v1alpha1.Resize      // of all of them
	budgets  map[string]*capacity.Budget
	others   yield.Seen // jobs of which others have settled something
	// elsewhere names a node that Takt does not hand out, of those that are on such nodes alone.
	elsewhere map[*view.Subject]string
	// noReturn names a node of those that could not start on any node again.
	noReturn map[*view.Subject]string
	caps     map[*view.Subject]quotaCap // of those that a quota keeps from being larger
	costs    map[string]*costOf         // by queue; nil without prices
	alone    []string                   // the queue of each job that is left alone
	// abandoned are jobs that are left alone, and that nobody but Takt keeps from running.
	abandoned []abandoned
	// reapplied are jobs that were submitted suspended, and that somebody has suspended again, maybe without meaning it.
	reapplied []*view.Subject
	news      []types.NamespacedName // ElasticJobs whose status is not up to what was seen of them
	chained   bool                   // some wait for others to succeed
	// heldFor are, by ElasticJob, the nodes on which pods without GPUs are in the way of its workers.
	heldFor map[types.NamespacedName][]string
	// guaranteed is what queues are guaranteed, with what jobs have whose size stays: that is keptBy, by queue and pool.
	guaranteed []elastic.Queue
	keptBy     map[string]map[string]elastic.GPUs

	later soonest // when what was seen is another without anything happening
}

// now is when it was looked at, as the core counts time.
func (sc *Scene) now() elastic.Seconds { return coretime.Seconds(sc.At) }

// nameOf is how the core knows a job.
func nameOf(s *view.Subject) string { return s.ElasticJob.Namespace + "/" + s.ElasticJob.Name }

// abandoned is a job that is left alone, and why.
type abandoned struct {
	*view.Subject
	refused *view.Refusal
}

// Observe looks at the whole cluster.
func (p *Planner) Observe(ctx context.Context) (*Scene, error) {
	now := p.Now()
	sc := &Scene{At: now, all: map[types.UID]bool{}, caps: map[*view.Subject]quotaCap{},
		elsewhere: map[*view.Subject]string{}, noReturn: map[*view.Subject]string{},
		heldFor: map[types.NamespacedName][]string{}, later: soonest{after: now},
		others: yield.Seen{Sizes: map[string]yield.Size{}, Refused: map[string]yield.Refused{}}}
	if err := p.observeJobs(ctx, sc); err != nil {
		return nil, err
	}
	if err := p.observeSupply(ctx, sc); err != nil {
		return nil, err
	}
	if err := p.observeQueues(ctx, sc); err != nil {
		return nil, err
	}
	if err := p.observeBudgets(ctx, sc); err != nil {
		return nil, err
	}
	sc.Snapshot = elastic.Snapshot{
		Now: coretime.Seconds(now), Settings: p.Settings.Planner(p.Limits),
		Nodes:  sc.Supply.Nodes,
		Queues: p.sharesOf(sc),
	}
	nodes, all := slices.Clone(sc.Supply.Nodes), slices.Clone(sc.Subjects)
	others := slices.DeleteFunc(slices.Clone(all), func(s *view.Subject) bool { return starts(s.Active()) })
	sc.vacant = vacanciesOf(nodes, others, p.GPUs)
	if len(others) < len(all) {
		sc.unused = sync.OnceValue(func() vacancies { return vacanciesOf(nodes, all, p.GPUs) })
	}
	p.takeIntoSnapshot(ctx, sc)
	sc.Snapshot.Sites = sc.Supply.Sites()
	sc.Supply.Rooms(sc.Snapshot.Nodes)
	for i, s := range sc.Subjects {
		sc.Snapshot.Jobs[i].Takes = sc.Supply.Takes(placedAs(s))
	}
	sc.Snapshot.Demands = demands(p.Settings.Outsiders, sc.Supply, sc.Snapshot)
	return sc, nil
}

// observeJobs looks at all jobs, one by one.
func (p *Planner) observeJobs(ctx context.Context, sc *Scene) error {
	var ejs v1alpha1.ElasticJobList
	if err := p.Client.List(ctx, &ejs); err != nil {
		return fmt.Errorf("listing ElasticJobs: %w", err)
	}
	sc.costs = p.costs(ejs.Items)
	// Once for all jobs: the Resizes that the last plan has made are to be seen.
	if err := p.Client.List(ctx, &v1alpha1.ResizeList{}, client.MatchingFields{cached.ByElasticJob: ""}); err != nil {
		return fmt.Errorf("listing Resizes: %w", err)
	}
	for i := range ejs.Items {
		if ejs.Items[i].DeletionTimestamp != nil {
			continue
		}
		if err := p.observeJob(ctx, sc, &ejs.Items[i]); err != nil {
			return err
		}
	}
	sc.chained = slices.ContainsFunc(sc.Subjects, func(s *view.Subject) bool { return len(s.Awaits()) > 0 })
	return nil
}

// observeJob finds out whether a job is planned for, keeps the size that it has, or is left alone.
func (p *Planner) observeJob(ctx context.Context, sc *Scene, ej *v1alpha1.ElasticJob) error {
	s, err := p.View.Look(ctx, ej)
	if err != nil {
		return err
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
	if s.Known != nil {
		s.Known.Hold(int(s.Using(p.GPUs)), s.Size())
		s.Known.SeeInterruptible(s.Interruptible(), s.Size() > 0 || s.Active() != nil)
	}
	refused, err := p.View.Refuse(ctx, s)
	if err != nil {
		return err
	}
	if refused != nil || s.SuspendedByUser() {
		p.passOver(sc, s, refused)
		return nil
	}
	s.Known.Accepted()
	p.Shelf.Inherit(ctx, s)
	on, err := p.onOtherNodes(ctx, s)
	if err != nil {
		return err
	}
	if on != "" {
		sc.elsewhere[s] = on
	}
	stays := s.Held() && s.Size() > 0 && (s.Active() == nil || staysAsItWas(s, s.Active()))
	if s.Scaled() || stays || on != "" {
		sc.Held = append(sc.Held, s)
	} else {
		sc.Subjects = append(sc.Subjects, s)
	}
	return nil
}

// passOver notes what there is to do about a job that is no part of the plan: it is refused, or its owner has stopped
// it.
func (p *Planner) passOver(sc *Scene, s *view.Subject, refused *view.Refusal) {
	if refused != nil && p.mayAbandon(s) {
		seen := p.refused(s, refused)
		if seen.LetsRun(sc.now()) {
			sc.abandoned = append(sc.abandoned, abandoned{s, refused})
		}
		if seen.StartedByOthers || seen.Stopped {
			sc.others.Refused[nameOf(s)] = seen
		}
	}
	if refused == nil && p.mayBeReapplied(s) {
		sc.reapplied = append(sc.reapplied, s)
	}
	if refused.LeavesAlone() && s.Job.State == resize.JobGoesOn {
		sc.alone = append(sc.alone, s.ElasticJob.Spec.Queue)
	}
	if s.Object != nil && refused != nil && s.Job.StoppedByTakt() {
		sc.later.meet(coretime.Time(p.refused(s, refused).Until()))
	}
	if !p.Outspoken(s, refused) {
		sc.news = append(sc.news, client.ObjectKeyFromObject(s.ElasticJob))
	}
	if s.Known != nil && s.Taken == nil {
		s.Known.Undecide()
		s.Known.Withhold(memory.Hindrance{}, sc.At)
	}
}

// takeIntoSnapshot puts the jobs that can run into the snapshot, and sets the others aside.
func (p *Planner) takeIntoSnapshot(ctx context.Context, sc *Scene) {
	planned := sc.Subjects[:0]
	for _, s := range sc.Subjects {
		job, ok := p.inSnapshot(ctx, s, sc)
		if !ok {
			s.Known.Undecide()
			sc.stuck = append(sc.stuck, s)
			continue
		}
		planned = append(planned, s)
		sc.Snapshot.Jobs = append(sc.Snapshot.Jobs, job)
	}
	sc.Subjects = planned
}
