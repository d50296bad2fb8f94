package operator

import (
	"github.com/takt-dev/takt/elastic/resize"
	"github.com/takt-dev/takt/operator/capacity"
	"github.com/takt-dev/takt/operator/profiles"
	"github.com/takt-dev/takt/operator/settings"
	"github.com/takt-dev/takt/operator/telling"
	"github.com/takt-dev/takt/operator/view"

	"context"
	"fmt"
	"time"

	"github.com/go-logr/logr"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/elastic"
	"github.com/takt-dev/takt/operator/coretime"
	"github.com/takt-dev/takt/operator/memory"
	"github.com/takt-dev/takt/operator/pacing"
)

// planner decides for the whole cluster, whenever something has happened and has settled, and acts.
type planner struct {
	client    client.Client
	live      client.Reader
	view      *view.Viewer
	shelf     *profiles.Shelf
	shared    *profiles.Shared
	memory    *memory.Memory
	events    *telling.Recorder
	metrics   *telling.Metrics
	last      *lastSnapshot
	ready     <-chan struct{} // is closed once it is known which kinds of jobs there are
	outsiders outsiders

	settings settings.Settings
	limits   resize.Limits
	gpus     capacity.Options
	atOnce   int // how many resizes are begun at a time
	now      func() time.Time
	log      logr.Logger

	report         func(types.NamespacedName)              // has the status of a job looked at
	stepOn, readOn func(types.NamespacedName)              // have a Resize, or the progress of a job, looked at
	outspoken      func(*view.Subject, *view.Refusal) bool // says that a status tells already whether the job may run

	// decide is [elastic.Plan]; tests compare it with its variants.
	decide func(elastic.Snapshot) elastic.Decision
	// news holds one token while something has happened that no plan knows of.
	news chan struct{}
	// told is when the status of a queue was last written.
	told map[types.UID]time.Time
	// began is when the first plan was due; warm says that one was made.
	began time.Time
	warm  bool
	// thought is how long it took to make the last plan, without acting on it.
	thought time.Duration
	sleep   sleep
	// changes are the plans that changes of single jobs call for, readings those that their progress does.
	changes, readings *pacing.Calls
}

// mostCalls is how many plans in a row one object calls for.
const mostCalls = 10

// newPlanner has planned nothing yet.
func newPlanner(log logr.Logger) *planner {
	return &planner{log: log, decide: elastic.Plan, news: make(chan struct{}, 1), told: map[types.UID]time.Time{},
		changes: pacing.NewCalls(), readings: pacing.NewCalls()}
}

// kick says that something has happened.
func (p *planner) kick() {
	select {
	case p.news <- struct{}{}:
	default: // a plan is due anyway
	}
}

// hear says that an object has changed. An ElasticJob or a job that changes all the time calls for few plans.
func (p *planner) hear(object any) {
	switch object.(type) {
	case *corev1.Node, *corev1.Pod, *corev1.Namespace, *corev1.ResourceQuota, *v1alpha1.TrainingQueue, *v1alpha1.Resize:
		p.kick()
		return
	}
	if o, ok := object.(client.Object); ok {
		p.changes.Call(client.ObjectKeyFromObject(o), p.callPace(), p.now, p.kick)
	} else {
		p.kick() // it is gone, and nobody has seen it go
	}
}

// hearReading says that the progress of a job is news.
func (p *planner) hearReading(of types.NamespacedName) {
	p.readings.Call(of, p.callPace(), p.now, p.kick)
}

// callPace is that of the plans that one object calls for.
func (p *planner) callPace() pacing.Pace {
	return pacing.Pace{Most: mostCalls, Every: p.settings.Progress.Every.Duration}
}

// NeedLeaderElection makes one planner of many replicas plan.
func (*planner) NeedLeaderElection() bool { return true }

// Start plans until the context ends. It makes the planner a manager's runnable.
func (p *planner) Start(ctx context.Context) error {
	select { // what a plan leaves out for not knowing of it would be told it is left alone
	case <-ctx.Done():
		return nil
	case <-p.ready:
	}
	wake := time.NewTimer(0)
	defer wake.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-wake.C:
		case <-p.news:
			// Where plans take long, there is always news: most of the time is left to others. To wait for
			// the API server takes nothing from them.
			if !settle(ctx, min(max(p.settings.Planning.Settle.Duration, 3*p.thought), p.settings.Planning.Every.Duration), p.news) {
				return nil
			}
		}
		began := p.now()
		next, err := p.plan(ctx)
		if err != nil {
			if ctx.Err() != nil {
				return nil
			}
			p.log.Error(err, "Could not plan; trying again")
			next = time.Second
		}
		p.metrics.Planned(p.now().Sub(began), err)
		wake.Reset(next)
	}
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

// plan makes one plan and acts on it, and says when to plan again at the latest.
func (p *planner) plan(ctx context.Context) (time.Duration, error) {
	sc, err := p.observe(ctx)
	if err != nil {
		return 0, err
	}
	p.sleep.again = false
	for _, a := range sc.abandoned {
		err := p.free(ctx, a.Subject, a.refused)
		if p.tryAgain(err); client.IgnoreNotFound(err) != nil && !apierrors.IsConflict(err) {
			p.log.Error(err, "Cannot let a job run that is left alone; the next plan tries again", "job", a.ElasticJob.Spec.JobRef.String())
		}
	}
	for _, s := range sc.held {
		if !s.Scaled() {
			continue
		}
		if err := p.acknowledge(ctx, s); err != nil {
			p.tryAgain(err)
			p.log.Error(err, "Cannot note on a job that somebody has set its size; the next plan tries again", "job", s.ElasticJob.Spec.JobRef.String())
		}
	}
	if p.early(sc) {
		return p.settings.Planning.Settle.Duration, nil
	}
	if err := p.leaveOutNonsense(sc); err != nil {
		// Nothing that a user can write leads here; so it is said aloud, and nothing is changed.
		return 0, fmt.Errorf("what was observed makes no sense: %w", err)
	}
	decision := p.decide(sc.snapshot)
	p.thought = p.now().Sub(sc.at)
	changed := sc.news
	for i, s := range sc.subjects {
		due, _ := s.Deadline()
		if s.Known.Decide(decision.Jobs[i], due, sc.at) || !p.outspoken(s, nil) {
			changed = append(changed, types.NamespacedName{Namespace: s.ElasticJob.Namespace, Name: s.ElasticJob.Name})
		}
	}
	for _, s := range sc.held {
		if p.planHeld(ctx, s, sc) || !p.outspoken(s, nil) {
			changed = append(changed, types.NamespacedName{Namespace: s.ElasticJob.Namespace, Name: s.ElasticJob.Name})
		}
	}
	p.log.V(2).Info("Planned", "jobs", len(sc.subjects), "resizes", len(decision.Resizes))
	p.remember(sc)
	p.drowse(sc, decision)
	p.rouse(sc)
	next := min(p.act(ctx, sc, decision), p.moment(sc, decision))
	for _, name := range changed {
		p.report(name)
	}
	p.metrics.Hold(sc.queues, sc.snapshot.Jobs, decision, sc.alone)
	next = min(next, p.tellQueues(ctx, sc, decision))
	if decision.Wake != nil {
		next = min(next, coretime.Time(*decision.Wake).Sub(sc.at))
	}
	return p.until(sc, max(min(next, p.rest()), p.settings.Planning.Settle.Duration)), nil
}

// early says whether to wait a little longer: a process that has just started has not heard yet how
// far the jobs are, and would decide as if nobody could tell.
func (p *planner) early(sc *scene) bool {
	if p.began.IsZero() {
		p.began = sc.at
	}
	if p.warm || sc.at.Sub(p.began) > memory.MostPatience {
		p.warm = true
		return false
	}
	for _, s := range sc.subjects {
		if len(s.Running()) > 0 && !s.Known.Heard() && !s.Known.Run.Fresh(sc.at, p.settings.Progress.StaleAfter.Duration) {
			return true
		}
	}
	p.warm = true
	return false
}

// remember forgets the jobs that are gone, and keeps the snapshot for whoever asks for it: a copy, as the scene is to go
// with all pods and jobs that it was made of.
func (p *planner) remember(sc *scene) {
	p.memory.Keep(sc.all)
	snapshot := sc.snapshot
	p.last.Store(&snapshot)
}
