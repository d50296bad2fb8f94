package planning

import (
	"context"
	"fmt"
	"runtime/debug"
	"sync/atomic"
	"time"

	"github.com/go-logr/logr"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/elastic"
	"github.com/takt-dev/takt/elastic/begin"
	"github.com/takt-dev/takt/elastic/coretime"
	"github.com/takt-dev/takt/elastic/outsiders"
	"github.com/takt-dev/takt/elastic/resize"
	"github.com/takt-dev/takt/operator/capacity"
	"github.com/takt-dev/takt/operator/memory"
	"github.com/takt-dev/takt/operator/pacing"
	"github.com/takt-dev/takt/operator/profiles"
	"github.com/takt-dev/takt/operator/settings"
	"github.com/takt-dev/takt/operator/telling"
	"github.com/takt-dev/takt/operator/view"
)

// Planner decides for the whole cluster, whenever something has happened and has settled, and acts.
type Planner struct {
	Client  client.Client
	Live    client.Reader
	View    *view.Viewer
	Shelf   *profiles.Shelf
	Shared  *profiles.Shared
	Memory  *memory.Memory
	Events  *telling.Recorder
	Metrics *telling.Metrics
	Last    *LastSnapshot
	Ready   <-chan struct{} // is closed once it is known which kinds of jobs there are
	room    outsiders.Room  // that pods outside Takt have had

	Settings settings.Settings
	Limits   resize.Limits
	GPUs     capacity.Options
	AtOnce   int // how many resizes are begun at a time
	Now      func() time.Time
	log      logr.Logger

	Report         func(types.NamespacedName)                        // has the status of a job looked at, soon
	Say            func(context.Context, types.NamespacedName) error // writes it now
	StepOn, ReadOn func(types.NamespacedName)                        // have a Resize, or the progress of a job, looked at
	Outspoken      func(*view.Subject, *view.Refusal) bool           // a status tells already whether the job may run

	// Decide is [elastic.Plan]; tests compare it with its variants.
	Decide func(elastic.Snapshot) elastic.Decision
	// News holds one token while something has happened that no plan knows of.
	News chan struct{}
	// told is when the status of a queue was last written.
	told map[types.UID]time.Time
	// began is when the first plan was due, and Warm says that one was made and acted on: then no job is waited for any
	// more.
	began time.Time
	Warm  atomic.Bool
	// took is how long it took to make the last plan, without acting on it.
	took time.Duration
	held heldRoom
	// Sleep is how long nothing is planned while nothing happens.
	Sleep sleep
	// Changes are the plans that changes of single jobs call for, and Readings those that their progress calls for.
	Changes, Readings *pacing.Calls
}

// mostCalls is how many plans in a row one object calls for.
const mostCalls = 10

// NewPlanner has planned nothing yet.
func NewPlanner(log logr.Logger) *Planner {
	return &Planner{log: log, Decide: elastic.Plan, News: make(chan struct{}, 1), told: map[types.UID]time.Time{},
		Changes: pacing.NewCalls(), Readings: pacing.NewCalls()}
}

// Kick says that something has happened.
func (p *Planner) Kick() {
	select {
	case p.News <- struct{}{}:
	default: // a plan is due anyway
	}
}

// Hear says that an object has changed. An ElasticJob or a job that changes all the time calls for few plans.
func (p *Planner) Hear(object any) {
	switch object.(type) {
	case *corev1.Node, *corev1.Pod, *corev1.Namespace, *corev1.ResourceQuota, *v1alpha1.TrainingQueue, *v1alpha1.Resize:
		p.Kick()
		return
	}
	if o, ok := object.(client.Object); ok {
		p.Changes.Call(client.ObjectKeyFromObject(o), p.callPace(), p.Now, p.Kick)
	} else {
		p.Kick() // it is gone, and nobody has seen it go
	}
}

// HearReading says that the progress of a job is news. Jobs that go on as the last plan takes them to call together for
// one plan in as long as there is between two plans: what it finds hardly differs.
func (p *Planner) HearReading(of types.NamespacedName, foreseen bool) {
	if foreseen {
		all := types.NamespacedName{}
		p.Readings.Call(all, pacing.Pace{Most: 1, Every: p.Settings.Planning.Every.Duration}, p.Now, p.Kick)
		return
	}
	p.Readings.Call(of, p.callPace(), p.Now, p.Kick)
}

// callPace is that of the plans that one object calls for.
func (p *Planner) callPace() pacing.Pace {
	return pacing.Pace{Most: mostCalls, Every: p.Settings.Progress.Every.Duration}
}

// NeedLeaderElection makes one planner of many replicas plan.
func (*Planner) NeedLeaderElection() bool { return true }

// Start plans until the context ends. It makes the planner a manager's runnable.
func (p *Planner) Start(ctx context.Context) error {
	select { // what a plan leaves out for not knowing of it would be told it is left alone
	case <-ctx.Done():
		return nil
	case <-p.Ready:
	}
	wake := time.NewTimer(0)
	defer wake.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-wake.C:
		case <-p.News:
			// Where plans take long, there is always news: most of the time is left to others. To wait for
			// the API server takes nothing from them.
			if !settle(ctx, min(max(p.Settings.Planning.Settle.Duration, 3*p.took),
				p.Settings.Planning.Every.Duration), p.News) {
				return nil
			}
		}
		began := p.Now()
		next, err := p.planSafely(ctx)
		if err != nil {
			if ctx.Err() != nil {
				return nil
			}
			p.log.Error(err, "Could not plan; trying again")
			next = time.Second
		}
		p.Metrics.Planned(p.Now().Sub(began), err)
		wake.Reset(next)
	}
}

// planSafely makes a plan, and fails where that panics, as a controller does: whatever leads there, the rest of the
// process goes on.
func (p *Planner) planSafely(ctx context.Context) (next time.Duration, err error) {
	defer func() {
		if panicked := recover(); panicked != nil {
			err = fmt.Errorf("it panicked: %v\n%s", panicked, debug.Stack())
		}
	}()
	return p.Plan(ctx)
}

// settle waits until what happens together has happened; false if the context has ended.
func settle(ctx context.Context, wait time.Duration, news <-chan struct{}) bool {
	done := time.NewTimer(wait)
	defer done.Stop()
	for {
		select {
		case <-ctx.Done():
			return false
		case <-news: // it is part of what is planned for
		case <-done.C:
			return true
		}
	}
}

// Plan makes one plan and acts on it, and says when to plan again at the latest.
func (p *Planner) Plan(ctx context.Context) (time.Duration, error) {
	p.held.begin()
	sc, err := p.Observe(ctx)
	if err != nil {
		return 0, err
	}
	p.Sleep.again = false
	p.giveWay(ctx, sc)
	if p.Early(sc) {
		return p.Settings.Planning.Settle.Duration, nil
	}
	if err := p.LeaveOutNonsense(sc); err != nil {
		// Nothing that a user can write leads here; so it is said aloud, and nothing is changed.
		return 0, fmt.Errorf("what was observed makes no sense: %w", err)
	}
	decision := p.Decide(sc.Snapshot)
	p.took = p.Now().Sub(sc.At)
	changed := p.takeDecision(ctx, sc, decision)
	p.log.V(2).Info("Planned", "jobs", len(sc.Subjects), "resizes", len(decision.Resizes))
	p.noteHeldRoom(sc, decision)
	p.setLull(sc, decision)
	p.askForOverdue(sc)
	scene := p.begins(ctx, sc, decision)
	p.remember(sc, scene)
	next := min(p.act(ctx, sc, decision, begin.Now(scene, decision)), p.moment(sc, decision))
	p.Warm.Store(true)
	for _, name := range changed {
		p.Report(name)
	}
	p.Metrics.Hold(sc.queues, sc.Snapshot, decision, sc.alone, statusesOf(sc.costs))
	next = min(next, p.tellQueues(ctx, sc, decision))
	if decision.Wake != nil {
		next = min(next, coretime.Time(*decision.Wake).Sub(sc.At))
	}
	return p.until(sc, max(min(next, p.rest()), p.Settings.Planning.Settle.Duration)), nil
}

// giveWay does what others have settled about single jobs: those run that Takt leaves alone, those start again that a
// manifest has stopped without meaning it, and a size that somebody has set is noted.
func (p *Planner) giveWay(ctx context.Context, sc *Scene) {
	for _, a := range sc.abandoned {
		err := p.free(ctx, a.Subject, a.refused)
		if p.tryAgain(err); client.IgnoreNotFound(err) != nil && !apierrors.IsConflict(err) {
			p.log.Error(err, "Cannot let a job run that is left alone; the next plan tries again", "job",
				a.ElasticJob.Spec.JobRef.String())
		}
	}
	for _, s := range sc.reapplied {
		if err := p.startAgain(ctx, sc, s); err != nil {
			p.tryAgain(err)
			p.log.Error(err, "Cannot start a job again that a manifest has stopped; the next plan tries again", "job",
				s.ElasticJob.Spec.JobRef.String())
		}
	}
	for _, s := range sc.Held {
		if !s.Scaled() {
			continue
		}
		if err := p.acknowledge(ctx, sc, s); err != nil {
			p.tryAgain(err)
			p.log.Error(err, "Cannot note on a job that somebody has set its size; the next plan tries again", "job",
				s.ElasticJob.Spec.JobRef.String())
		}
	}
}

// takeDecision has it remembered of each job what was decided, and gives those whose status is to be looked at.
func (p *Planner) takeDecision(ctx context.Context, sc *Scene, decision elastic.Decision) []types.NamespacedName {
	changed := sc.news
	for i, s := range sc.Subjects {
		due, _ := s.Deadline()
		if decision.Jobs[i].InVain {
			s.Known.CouldNotRun(s.Hurdles(sc.At)[0].Why(), sc.At)
		}
		if s.Known.Decide(decision.Jobs[i], due, sc.At) || !p.Outspoken(s, nil) {
			changed = append(changed, types.NamespacedName{Namespace: s.ElasticJob.Namespace, Name: s.ElasticJob.Name})
		}
	}
	for _, s := range sc.Held {
		if p.planHeld(ctx, s, sc) || !p.Outspoken(s, nil) {
			changed = append(changed, types.NamespacedName{Namespace: s.ElasticJob.Namespace, Name: s.ElasticJob.Name})
		}
	}
	return changed
}

// Early asks the core whether to wait a little longer, until the first plan is made.
func (p *Planner) Early(sc *Scene) bool {
	if p.began.IsZero() {
		p.began = sc.At
	}
	if p.Warm.Load() {
		return false
	}
	start := begin.Start{Since: coretime.Seconds(p.began)}
	for _, s := range sc.Subjects {
		start.Jobs = append(start.Jobs, begin.Heard{
			Trains: len(s.Running()) > 0, Told: s.Known.Heard(),
			Lately: s.Known.Run.Fresh(sc.At, p.Settings.Progress.StaleAfter.Duration),
		})
	}
	return start.Early(sc.now())
}

// remember forgets the jobs that are gone, and keeps the snapshot for whoever asks for it: a copy, as the scene is to
// go with all pods and jobs that it was made of.
func (p *Planner) remember(sc *Scene, scene begin.Scene) {
	p.Memory.Keep(sc.all)
	p.Last.Store(&scene)
}
