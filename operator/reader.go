package operator

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/log"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/elastic/resize"
	"github.com/takt-dev/takt/operator/adapter"
	"github.com/takt-dev/takt/operator/learn"
	"github.com/takt-dev/takt/operator/memory"
	"github.com/takt-dev/takt/operator/progress"
	"github.com/takt-dev/takt/operator/writing"
	"github.com/takt-dev/takt/predictor"
)

// reader reads the progress of one job, again and again while it runs, and learns from it.
type reader struct{ *Operator }

// Reconcile reads the progress of a job once.
func (o *reader) Reconcile(ctx context.Context, request reconcile.Request) (reconcile.Result, error) {
	var ej v1alpha1.ElasticJob
	if err := o.client.Get(ctx, request.NamespacedName, &ej); err != nil || ej.DeletionTimestamp != nil {
		o.sources.Forget(request.NamespacedName)
		return reconcile.Result{}, client.IgnoreNotFound(err)
	}
	s, err := o.look(ctx, &ej)
	if err != nil || s.object == nil || s.taken != nil {
		return reconcile.Result{}, err
	}
	if s.job.State != resize.JobGoesOn {
		if wrong, ok := s.known.MissedBy(s.job.EndedAt); ok && s.job.State == resize.JobFinished {
			o.metrics.Predicted(wrong)
		}
		if s.job.State == resize.JobFinished && !s.cutShort() && s.ej.Spec.Profile != "" {
			s.known.Run.Finished(s.job.EndedAt)
		}
		return reconcile.Result{}, o.save(ctx, s, true)
	}
	running := s.running()
	if len(running) == 0 {
		s.known.NothingToSee()
		return reconcile.Result{}, nil
	}
	if alone, err := o.leftAlone(ctx, s); err != nil {
		return reconcile.Result{}, err
	} else if alone {
		return reconcile.Result{RequeueAfter: o.settings.Progress.StaleAfter.Duration}, nil
	}
	s.known.Run.Attend(o.present(running), runSince(running), o.now())
	told := tells(s, running)
	if wait := s.known.Rests(told, o.now()); wait > 0 {
		return reconcile.Result{RequeueAfter: wait}, nil
	}
	every := o.settings.Progress.Every.Duration
	o.inherit(ctx, s)
	news, wait := o.readInTurn(ctx, s, running)
	if wait > 0 {
		s.known.RestsFor(told, o.now(), wait)
		return reconcile.Result{RequeueAfter: wait}, nil
	}
	if o.watchUse(ctx, s, running) || news {
		o.planner.hearReading(request.NamespacedName)
		o.report(request.NamespacedName)
	}
	if err := o.save(ctx, s, false); err != nil {
		// The next reading tries again. Readings go on at their pace: without them the verdict is stale.
		log.FromContext(ctx).Error(err, "Cannot store what was learned")
	}
	next := o.pace(s)
	if s.known.Awaited(o.now()) {
		next = min(every, memory.MostPatience/tries)
	}
	s.known.RestsFor(told, o.now(), next)
	return reconcile.Result{RequeueAfter: next}, nil
}

// attention is how many times a job is looked at in as long as it has been quiet for; less of it does where what is new
// is written on the job, and comes by itself.
const (
	attention      = 20
	leastAttention = 6
)

// pace is how long to wait for the next look at a job: longer where it has told nothing new for long.
func (o *Operator) pace(s *subject) time.Duration {
	p := o.settings.Progress
	if s.active() != nil {
		return p.Every.Duration
	}
	times, view := time.Duration(attention), s.known.Run.View(o.now(), p.StaleAfter.Duration)
	if view.Source == v1alpha1.ProgressAnnotation {
		times = leastAttention
	}
	// Its use of GPUs is read with it, and what nobody has seen for too long was not idle.
	most := min(p.StaleAfter.Duration, o.settings.Usage.IdleFor.Duration/2)
	return max(p.Every.Duration, min(s.known.Quiet(view.MovedAt, o.now())/times, most))
}

// tries is how many readings the first plan waits for at most, where the first of them fail.
const tries = 5

// leftAlone says whether Takt leaves a job alone, so that nobody wants to know how far it is. A resize that is
// under way is seen to its end. What the refusal depends on does not always wake the reader, but the status
// does that then tells another.
func (o *reader) leftAlone(ctx context.Context, s *subject) (bool, error) {
	if s.active() != nil {
		return false, nil
	}
	refused, err := o.refuse(ctx, s)
	return refused != nil, err
}

// readInTurn takes one reading, and says whether it is news; or after how long it has to come again for its turn.
func (o *reader) readInTurn(ctx context.Context, s *subject, running []*corev1.Pod) (news bool, wait time.Duration) {
	readBefore := s.known.Heard() || s.ej.Status.Progress.Source != ""
	turn, wait := o.turns.take(s.ej.Namespace, s.known.IsSlow(), readBefore, o.now())
	if wait > 0 {
		return false, wait
	}
	told := false
	defer func() { s.known.Took(o.turns.give(turn, o.now()), told) }()
	news, told = o.read(ctx, s, running)
	return news, 0
}

// read takes one reading, and says whether it is news, and whether it tells how far the job is.
func (o *reader) read(ctx context.Context, s *subject, running []*corev1.Pod) (news, told bool) {
	source := s.known.Run.View(o.now(), o.settings.Progress.StaleAfter.Duration).Source
	reading, cancel := context.WithTimeout(ctx, o.settings.Progress.Timeout.Duration)
	defer cancel()
	target := progress.Target{
		Namespace: s.ej.Namespace, Name: s.ej.Name, UID: s.job.UID, Annotations: s.job.Annotations,
		Resource: o.resourceOf(s.kind), Spec: s.ej.Spec.Progress, Pods: running,
	}
	if known := s.ej.Status.Progress; known.PartsPerMillion > 0 {
		target.Last, target.Counts = v1alpha1.ProgressSource(known.Source), s.known.Run.Counts()
	}
	sample, err := o.sources.Read(reading, target, o.now())
	if err != nil {
		if !errors.Is(err, progress.ErrNone) {
			log.FromContext(ctx).V(1).Info("The progress cannot be read", "err", err.Error())
		}
		s.known.Run.Failed(err, o.now())
	} else {
		if slices.ContainsFunc(running, func(pod *corev1.Pod) bool { return o.nodeLost(pod.Spec.NodeName) }) {
			s.known.Run.Doubt(sample.At) // it may train or not, until it answers or is given up
		}
		if source != "" && source != sample.Source {
			log.FromContext(ctx).V(1).Info("The progress is read from another source", "from", source, "to", sample.Source)
		}
		s.known.Run.Sample(sample, o.present(running))
	}
	after := s.known.Run.View(o.now(), o.settings.Progress.StaleAfter.Duration)
	s.known.Halfway(after.Done, o.now())
	s.known.Looked(o.now(), o.unwatched(o.pace(s)), err == nil || errors.Is(err, progress.ErrNone) || !progress.Passes(err))
	return s.known.Finds(memory.FoundBy(after)), err == nil
}

// unwatched is how long after a look at the progress of a job that is looked at so often nobody has watched it any
// more: the next looks are overdue, and what is left of the time to verify a resize could be too short for them.
func (o *Operator) unwatched(every time.Duration) time.Duration {
	return max(3*every+o.settings.Progress.Timeout.Duration, o.limits.VerifyWithin/2)
}

// resourceOf is a kind of job as APIs name it.
func (o *Operator) resourceOf(kind adapter.Kind) schema.GroupResource {
	gvk := kind.GroupVersionKind()
	mapping, err := o.client.RESTMapper().RESTMapping(gvk.GroupKind(), gvk.Version)
	if err != nil {
		return schema.GroupResource{} // then metrics of its pods will have to do
	}
	return mapping.Resource.GroupResource()
}

// present is how the job runs now.
func (o *Operator) present(running []*corev1.Pod) predictor.Shape {
	nodes := map[string]bool{}
	for _, pod := range running {
		nodes[pod.Spec.NodeName] = true
	}
	return predictor.Shape{
		Workers: predictor.Workers(len(running)), Nodes: len(nodes), GPU: gpuName(o.productOf(running[0].Spec.NodeName)),
	}
}

// runSince is since when all of the workers run.
func runSince(running []*corev1.Pod) time.Time {
	last := time.Time{}
	for _, pod := range running {
		if at := pod.Status.StartTime; at != nil && at.After(last) {
			last = at.Time
		}
	}
	return last
}

// profileOf names the profile of a job, and its owner if it is the job's own.
func profileOf(ej *v1alpha1.ElasticJob) (name string, owner *metav1.OwnerReference) {
	if ej.Spec.Profile != "" {
		return ej.Spec.Profile, nil
	}
	own := writing.OwnedBy(ej)
	return ej.Name, &own
}

// profileEvery is how often it is looked for what other runs have added to a profile.
const profileEvery = 30 * time.Second

// profileDue says whether a profile is to be read: at first, and again where others add to it.
func profileDue(loaded, now time.Time, shared bool) bool {
	return loaded.IsZero() || shared && !now.Before(loaded.Add(profileEvery))
}

// inherit reads the profile of a job before anything else is learned or decided of it, and now and then
// what others have added since: a job that waits is told the truth as soon as another of its code has
// run. Where it makes no sense the job learns for itself.
func (o *Operator) inherit(ctx context.Context, s *subject) {
	s.known.Profile.Lock() // so that nobody goes on without what another is about to read
	defer s.known.Profile.Unlock()
	name, owner := profileOf(s.ej)
	if owner != nil {
		s.known.Run.Alone()
	}
	now, first := o.now(), s.known.Profile.At.IsZero()
	if s.known.Run.Teachable() {
		prior, err := o.profiles.Prior(ctx, s.ej.Namespace, name, now)
		if err != nil {
			log.FromContext(ctx).Error(err, "A job learns nothing yet from others on its network", "job", s.ej.Namespace+"/"+s.ej.Name)
		} else {
			s.known.Run.Taught(prior)
		}
	}
	if !profileDue(s.known.Profile.At, now, owner == nil) {
		return
	}
	profile, unit, err := o.profiles.LoadOwn(ctx, owner, s.ej.Namespace, name)
	if err == nil || errors.Is(err, learn.ErrGarbled) || errors.Is(err, learn.ErrNotOwned) {
		s.known.Profile.At = now
		err = errors.Join(err, s.known.Run.Inherit(profile, unit, now))
	}
	if err != nil && first {
		log.FromContext(ctx).Info("The profile of a job cannot be used", "job", s.ej.Namespace+"/"+s.ej.Name, "profile", name, "err", err.Error())
	}
}

// save writes what was learned into the profile, if it is time to.
func (o *Operator) save(ctx context.Context, s *subject, last bool) error {
	var record learn.Record
	var due bool
	if run, now := s.known.Run, o.now(); last {
		record, due = run.Last(now)
	} else {
		record, due = run.Record(now, !run.Fresh(now, o.settings.Progress.StaleAfter.Duration))
	}
	if !due {
		return nil
	}
	name, owner := profileOf(s.ej)
	err := o.profiles.Save(ctx, owner, s.ej.Namespace, name, record, o.now())
	if err != nil && !errors.Is(err, learn.ErrNotOwned) {
		s.known.Run.NotSaved()
		return fmt.Errorf("saving profile %s: %w", name, err)
	}
	return nil
}
