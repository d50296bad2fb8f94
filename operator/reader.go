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
	"github.com/takt-dev/takt/operator/view"
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
	s, err := o.view.Look(ctx, &ej)
	if err != nil || s.Object == nil || s.Taken != nil {
		return reconcile.Result{}, err
	}
	if s.Job.State != resize.JobGoesOn {
		if wrong, ok := s.Known.MissedBy(s.Job.EndedAt); ok && s.Job.State == resize.JobFinished {
			o.metrics.Predicted(wrong)
		}
		if s.Job.State == resize.JobFinished && !s.CutShort() && s.ElasticJob.Spec.Profile != "" {
			s.Known.Run.Finished(s.Job.EndedAt)
		}
		return reconcile.Result{}, o.save(ctx, s, true)
	}
	running := s.Running()
	if len(running) == 0 {
		s.Known.NothingToSee()
		return reconcile.Result{}, nil
	}
	if alone, err := o.leftAlone(ctx, s); err != nil {
		return reconcile.Result{}, err
	} else if alone {
		return reconcile.Result{RequeueAfter: o.settings.Progress.StaleAfter.Duration}, nil
	}
	s.Known.Run.Attend(o.present(running), runSince(running), o.now())
	told := tells(s, running)
	if wait := s.Known.Rests(told, o.now()); wait > 0 {
		return reconcile.Result{RequeueAfter: wait}, nil
	}
	every := o.settings.Progress.Every.Duration
	o.inherit(ctx, s)
	news, wait := o.readInTurn(ctx, s, running)
	if wait > 0 {
		s.Known.RestsFor(told, o.now(), wait)
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
	if s.Known.Awaited(o.now()) {
		next = min(every, memory.MostPatience/tries)
	}
	s.Known.RestsFor(told, o.now(), next)
	return reconcile.Result{RequeueAfter: next}, nil
}

// attention is how many times a job is looked at in as long as it has been quiet for; less of it does where what is new
// is written on the job, and comes by itself.
const (
	attention      = 20
	leastAttention = 6
)

// pace is how long to wait for the next look at a job: longer where it has told nothing new for long.
func (o *Operator) pace(s *view.Subject) time.Duration {
	p := o.settings.Progress
	if s.Active() != nil {
		return p.Every.Duration
	}
	times, view := time.Duration(attention), s.Known.Run.View(o.now(), p.StaleAfter.Duration)
	if view.Source == v1alpha1.ProgressAnnotation {
		times = leastAttention
	}
	// Its use of GPUs is read with it, and what nobody has seen for too long was not idle.
	most := min(p.StaleAfter.Duration, o.settings.Usage.IdleFor.Duration/2)
	return max(p.Every.Duration, min(s.Known.Quiet(view.MovedAt, o.now())/times, most))
}

// tries is how many readings the first plan waits for at most, where the first of them fail.
const tries = 5

// leftAlone says whether Takt leaves a job alone, so that nobody wants to know how far it is. A resize that is
// under way is seen to its end. What the refusal depends on does not always wake the reader, but the status
// does that then tells another.
func (o *reader) leftAlone(ctx context.Context, s *view.Subject) (bool, error) {
	if s.Active() != nil {
		return false, nil
	}
	refused, err := o.view.Refuse(ctx, s)
	return refused != nil, err
}

// readInTurn takes one reading, and says whether it is news; or after how long it has to come again for its turn.
func (o *reader) readInTurn(ctx context.Context, s *view.Subject, running []*corev1.Pod) (news bool, wait time.Duration) {
	readBefore := s.Known.Heard() || s.ElasticJob.Status.Progress.Source != ""
	turn, wait := o.turns.take(s.ElasticJob.Namespace, s.Known.IsSlow(), readBefore, o.now())
	if wait > 0 {
		return false, wait
	}
	told := false
	defer func() { s.Known.Took(o.turns.give(turn, o.now()), told) }()
	news, told = o.read(ctx, s, running)
	return news, 0
}

// read takes one reading, and says whether it is news, and whether it tells how far the job is.
func (o *reader) read(ctx context.Context, s *view.Subject, running []*corev1.Pod) (news, told bool) {
	source := s.Known.Run.View(o.now(), o.settings.Progress.StaleAfter.Duration).Source
	reading, cancel := context.WithTimeout(ctx, o.settings.Progress.Timeout.Duration)
	defer cancel()
	target := progress.Target{
		Namespace: s.ElasticJob.Namespace, Name: s.ElasticJob.Name, UID: s.Job.UID, Annotations: s.Job.Annotations,
		Resource: o.resourceOf(s.Kind), Spec: s.ElasticJob.Spec.Progress, Pods: running,
	}
	if known := s.ElasticJob.Status.Progress; known.PartsPerMillion > 0 {
		target.Last, target.Counts = v1alpha1.ProgressSource(known.Source), s.Known.Run.Counts()
	}
	sample, err := o.sources.Read(reading, target, o.now())
	if err != nil {
		if !errors.Is(err, progress.ErrNone) {
			log.FromContext(ctx).V(1).Info("The progress cannot be read", "err", err.Error())
		}
		s.Known.Run.Failed(err, o.now())
	} else {
		if slices.ContainsFunc(running, func(pod *corev1.Pod) bool { return o.view.NodeLost(pod.Spec.NodeName) }) {
			s.Known.Run.Doubt(sample.At) // it may train or not, until it answers or is given up
		}
		if source != "" && source != sample.Source {
			log.FromContext(ctx).V(1).Info("The progress is read from another source", "from", source, "to", sample.Source)
		}
		s.Known.Run.Sample(sample, o.present(running))
	}
	after := s.Known.Run.View(o.now(), o.settings.Progress.StaleAfter.Duration)
	s.Known.Halfway(after.Done, o.now())
	s.Known.Looked(o.now(), o.unwatched(o.pace(s)), err == nil || errors.Is(err, progress.ErrNone) || !progress.Passes(err))
	return s.Known.Finds(memory.FoundBy(after)), err == nil
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
		Workers: predictor.Workers(len(running)), Nodes: len(nodes), GPU: view.GPUName(o.view.ProductOf(running[0].Spec.NodeName)),
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

// inherit reads the profile of a job before anything else is learned or decided of it, and now and then
// what others have added since: a job that waits is told the truth as soon as another of its code has
// run. Where it makes no sense the job learns for itself.
func (o *Operator) inherit(ctx context.Context, s *view.Subject) {
	s.Known.Profile.Lock() // so that nobody goes on without what another is about to read
	defer s.Known.Profile.Unlock()
	name, owner := profileOf(s.ElasticJob)
	if owner != nil {
		s.Known.Run.Alone()
	}
	now, first := o.now(), s.Known.Profile.At.IsZero()
	if s.Known.Run.Teachable() {
		prior, err := o.profiles.Prior(ctx, s.ElasticJob.Namespace, name, now)
		if err != nil {
			log.FromContext(ctx).Error(err, "A job learns nothing yet from others on its network", "job", s.ElasticJob.Namespace+"/"+s.ElasticJob.Name)
		} else {
			s.Known.Run.Taught(prior)
		}
	}
	if !view.ProfileDue(s.Known.Profile.At, now, owner == nil) {
		return
	}
	profile, unit, err := o.profiles.LoadOwn(ctx, owner, s.ElasticJob.Namespace, name)
	if err == nil || errors.Is(err, learn.ErrGarbled) || errors.Is(err, learn.ErrNotOwned) {
		s.Known.Profile.At = now
		err = errors.Join(err, s.Known.Run.Inherit(profile, unit, now))
	}
	if err != nil && first {
		log.FromContext(ctx).Info("The profile of a job cannot be used", "job", s.ElasticJob.Namespace+"/"+s.ElasticJob.Name, "profile", name, "err", err.Error())
	}
}

// save writes what was learned into the profile, if it is time to.
func (o *Operator) save(ctx context.Context, s *view.Subject, last bool) error {
	var record learn.Record
	var due bool
	if run, now := s.Known.Run, o.now(); last {
		record, due = run.Last(now)
	} else {
		record, due = run.Record(now, !run.Fresh(now, o.settings.Progress.StaleAfter.Duration))
	}
	if !due {
		return nil
	}
	name, owner := profileOf(s.ElasticJob)
	err := o.profiles.Save(ctx, owner, s.ElasticJob.Namespace, name, record, o.now())
	if err != nil && !errors.Is(err, learn.ErrNotOwned) {
		s.Known.Run.NotSaved()
		return fmt.Errorf("saving profile %s: %w", name, err)
	}
	return nil
}
