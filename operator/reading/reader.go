package reading

import (
	"context"
	"errors"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/log"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/elastic/resize"
	"github.com/takt-dev/takt/operator/capacity"
	"github.com/takt-dev/takt/operator/memory"
	"github.com/takt-dev/takt/operator/profiles"
	"github.com/takt-dev/takt/operator/progress"
	"github.com/takt-dev/takt/operator/settings"
	"github.com/takt-dev/takt/operator/telling"
	"github.com/takt-dev/takt/operator/view"
	"github.com/takt-dev/takt/operator/writing"
	"github.com/takt-dev/takt/predictor"
)

// Reader reads the progress of one job, again and again while it runs, and learns from it.
type Reader struct {
	Client   client.Client
	View     *view.Viewer
	Shelf    *profiles.Shelf
	Sources  *progress.Reader
	Usage    *progress.UsageReader
	Turns    *Turns
	Unserved *memory.Unserved
	Metrics  *telling.Metrics

	Settings settings.Settings
	// Together are the multiples of time at which jobs are looked at that are looked at seldom: to be woken for each by
	// itself takes more than to look at it. Zero has each looked at when it is due.
	Together time.Duration
	Limits   resize.Limits
	GPUs     capacity.Options
	Now      func() time.Time

	Ended  func(*view.Subject)        // is told of a job that has ended, maybe more than once
	Report func(types.NamespacedName) // has the status of a job looked at
	// Heard is told of a job whose progress is news, and whether it was foreseen.
	Heard func(of types.NamespacedName, foreseen bool)
}

// Reconcile reads the progress of a job once.
func (r *Reader) Reconcile(ctx context.Context, request reconcile.Request) (reconcile.Result, error) {
	var ej v1alpha1.ElasticJob
	if err := r.Client.Get(ctx, request.NamespacedName, &ej); err != nil || ej.DeletionTimestamp != nil {
		r.Sources.Forget(request.NamespacedName)
		return reconcile.Result{}, client.IgnoreNotFound(err)
	}
	s, err := r.View.Look(ctx, &ej)
	if err != nil || s.Object == nil || s.Taken != nil {
		return reconcile.Result{}, err
	}
	if s.Job.State != resize.JobGoesOn {
		wait, err := r.conclude(ctx, s)
		return reconcile.Result{RequeueAfter: wait}, err
	}
	running := s.Running()
	if len(running) == 0 {
		s.Known.NothingToSee()
		return reconcile.Result{}, nil
	}
	if alone, err := r.leftAlone(ctx, s); err != nil {
		return reconcile.Result{}, err
	} else if alone {
		return reconcile.Result{RequeueAfter: r.Settings.Progress.StaleAfter.Duration}, nil
	}
	wait, err := r.look(ctx, s, running)
	return reconcile.Result{RequeueAfter: wait}, err
}

// look reads how far a job is that trains, unless it rests, and says after how long to come back.
func (r *Reader) look(ctx context.Context, s *view.Subject, running []*corev1.Pod) (again time.Duration, err error) {
	shape, err := r.Present(ctx, running)
	if err != nil {
		return 0, err
	}
	r.Attend(s, running, shape)
	told := tells(s, running)
	if wait := s.Known.Rests(told, r.Now()); wait > 0 && !r.Sources.Answers(running) {
		return wait, nil
	}
	r.Shelf.Inherit(ctx, s)
	news, wait := r.readInTurn(ctx, s, running, shape)
	if wait > 0 {
		s.Known.RestsFor(told, r.Now(), wait)
		return wait, nil
	}
	if used := r.WatchUse(ctx, s, running); used || news != memory.NoNews {
		name := client.ObjectKeyFromObject(s.ElasticJob)
		r.Heard(name, !used && news == memory.AsForeseen)
		r.Report(name)
	}
	if err := r.Shelf.Save(ctx, s, false); err != nil {
		// The next reading tries again. Readings go on at their pace: without them the verdict is stale.
		log.FromContext(ctx).Error(err, "Cannot store what was learned")
	}
	next := r.together(r.pace(s))
	if s.Known.FirstPlanWaits(r.Now()) {
		next = min(r.Settings.Progress.Every.Duration, memory.MostPatience/tries)
	}
	s.Known.RestsFor(told, r.Now(), next)
	return next, nil
}

// wordEvery is after how long the last word of a job is read again that could not be read.
const wordEvery = 2 * time.Second

// conclude keeps what a job has taught that has ended, and says after how long to come back: nothing is said of it
// before its last word was read.
func (r *Reader) conclude(ctx context.Context, s *view.Subject) (again time.Duration, err error) {
	if s.AwaitsLastWord(r.Now()) {
		r.readLastWord(ctx, s)
		if s.AwaitsLastWord(r.Now()) {
			return wordEvery, nil
		}
		r.Report(client.ObjectKeyFromObject(s.ElasticJob))
	}
	if wrong, ok := s.Known.MissedBy(s.Job.EndedAt); ok && s.Job.State == resize.JobFinished {
		r.Metrics.Predicted(wrong)
	}
	if s.Job.State == resize.JobFinished && !s.CutShort() && s.ElasticJob.Spec.Profile != "" {
		s.Known.Run.Finished(s.Job.EndedAt)
	}
	r.Ended(s)
	switch err := r.Shelf.Save(ctx, s, true); {
	case writing.RefusedForGood(err): // a job that has ended waits for nobody
		log.FromContext(ctx).Error(err, "What a job has taught is not kept: allow Takt to write TrainingProfiles there")
	case err != nil:
		return 0, err
	}
	s.Known.Close()
	return 0, nil
}

// attention is how many times a job is looked at in as long as it has been quiet for; less of it does where what is new
// is written on the job, and comes by itself.
const (
	attention      = 20
	leastAttention = 3
)

// seldomLooks is how many of the times at which jobs are looked at together go by between two looks at a job that is
// looked at seldom.
const seldomLooks = 30

// together is a wait for the next look that ends together with others, and no later.
func (r *Reader) together(wait time.Duration) time.Duration {
	if r.Together <= 0 || wait < seldomLooks*r.Together {
		return wait
	}
	return wait - time.Duration(r.Now().Add(wait).UnixNano()%int64(r.Together))
}

// pace is how long to wait for the next look at a job: longer where it has told nothing new for long, though it trains.
func (r *Reader) pace(s *view.Subject) time.Duration {
	p := r.Settings.Progress
	if s.Active() != nil {
		return p.Every.Duration
	}
	times := time.Duration(attention)
	source, since, changed := s.Known.Run.Told()
	if source == v1alpha1.ProgressAnnotation {
		times = leastAttention
	}
	// What is read has no date of its own with some sources: it is stale then if nobody looks. And its use of GPUs is read
	// with it: what nobody has seen for too long was not idle.
	most := min(p.StaleAfter.Duration, r.Settings.Usage.IdleFor.Duration/2)
	if changed.After(since) { // as after hours in which its owner had it suspended
		since = changed
	}
	return max(p.Every.Duration, min(s.Known.Quiet(since, r.Now())/times, most))
}

// tries is how many readings the first plan waits for at most, where the first of them fail.
const tries = 5

// leftAlone says whether Takt leaves a job alone, so that nobody wants to know how far it is. A resize that is
// under way is seen to its end. What the refusal depends on does not always wake the reader, but the status
// does that then tells another.
func (r *Reader) leftAlone(ctx context.Context, s *view.Subject) (bool, error) {
	if s.Active() != nil {
		return false, nil
	}
	refused, err := r.View.Refuse(ctx, s)
	return refused != nil, err
}

// readInTurn takes one reading, and says which news it is; or after how long it has to come again for its turn.
func (r *Reader) readInTurn(ctx context.Context, s *view.Subject, running []*corev1.Pod,
	shape predictor.Shape) (news memory.News, wait time.Duration) {
	readBefore := s.Known.Heard() || s.ElasticJob.Status.Progress.Source != ""
	turn, wait := r.Turns.Take(s.ElasticJob.Namespace, s.Known.IsSlow(), readBefore, r.Now())
	if wait > 0 {
		return memory.NoNews, wait
	}
	told := false
	defer func() { s.Known.Took(r.Turns.Give(turn, r.Now()), told) }()
	news, told = r.Read(ctx, s, running, shape)
	return news, 0
}

// Read takes one reading, and says which news it is, and whether it tells how far the job is.
func (r *Reader) Read(ctx context.Context, s *view.Subject, running []*corev1.Pod,
	shape predictor.Shape) (news memory.News, told bool) {
	source, _, _ := s.Known.Run.Told()
	began := r.Now()
	sample, err := r.sample(ctx, s, running, r.again(s))
	r.doubt(ctx, s, running, sample.At)
	switch {
	case err != nil:
		if !errors.Is(err, progress.ErrNone) {
			log.FromContext(ctx).V(1).Info("The progress cannot be read", "err", err.Error())
		}
		if !s.Waits(r.Now()) {
			s.Known.Run.Failed(err, r.Now())
		}
	default:
		if source != "" && source != sample.Source {
			log.FromContext(ctx).V(1).Info("The progress is read from another source", "from", source, "to", sample.Source)
		}
		s.Known.Run.StartedAnew(startedAnew(running))
		s.Known.Run.Sample(sample, shape)
	}
	after := s.Known.Run.View(r.Now(), r.Settings.Progress.StaleAfter.Duration)
	s.Known.Halfway(after.Done, r.Now())
	gap := memory.Unwatched(r.pace(s), r.Settings.Progress.Timeout.Duration, r.Limits.VerifyWithin)
	// Who answers what cannot be understood, or refuses to, tells nothing of a training that goes on or stands still.
	tells := err == nil || errors.Is(err, progress.ErrNone) && !errors.Is(err, progress.ErrUnsure)
	if tells {
		s.Known.Saw(began, gap)
	}
	heard := tells || errors.Is(err, progress.ErrUnsure) || !progress.Passes(err)
	s.Known.Looked(r.Now(), gap, heard)
	return s.Known.Finds(memory.FoundBy(after), r.Now()), err == nil
}

// again is after how long a job is looked at again that does not answer: meanwhile others may ask for it whether its
// node does. It is zero for one that is to be asked for by itself, as somebody waits for it.
func (r *Reader) again(s *view.Subject) time.Duration {
	if s.Active() != nil || s.Known.FirstPlanWaits(r.Now()) {
		return 0
	}
	return r.pace(s)
}

// sample asks the sources how far a job with these pods is, which is read again after a while at the latest.
func (r *Reader) sample(ctx context.Context, s *view.Subject, pods []*corev1.Pod,
	again time.Duration) (progress.Sample, error) {
	ctx, cancel := context.WithTimeout(ctx, r.Settings.Progress.Timeout.Duration)
	defer cancel()
	target := progress.Target{
		Namespace: s.ElasticJob.Namespace, Name: s.ElasticJob.Name, UID: s.Job.UID, Annotations: s.Job.Annotations,
		Resource: r.View.Kinds.ResourceOf(s.Kind), Spec: s.ElasticJob.Spec.Progress, Container: s.Job.Container, Pods: pods,
		Again: again, Next: r.together(again),
	}
	if known := s.ElasticJob.Status.Progress; known.PartsPerMillion > 0 {
		target.Last, target.Counts = v1alpha1.ProgressSource(known.Source), s.Known.Run.Counts()
		target.Said = s.Known.Run.Said()
	}
	return r.Sources.Read(ctx, target, r.Now())
}

// readLastWord reads how far a job was that has ended: its annotation, and the output of the pods that are left. Where
// that fails in a way that may pass nothing is kept, and it is read again.
func (r *Reader) readLastWord(ctx context.Context, s *view.Subject) {
	var pods []*corev1.Pod
	for _, w := range s.Pods {
		pods = append(pods, w.Pod)
	}
	switch word, err := r.sample(ctx, s, pods, 0); {
	case err != nil:
		log.FromContext(ctx).V(1).Info("What the job has said last cannot be read", "err", err.Error())
		if errors.Is(err, progress.ErrNone) || !progress.Passes(err) {
			s.Known.KeepLastWord(time.Time{}, 0)
		}
	case word.Done < word.Total && word.At.After(s.Job.EndedAt.Add(time.Second)): // nobody knows when it said that
		s.Known.KeepLastWord(time.Time{}, 0)
	default:
		s.Known.KeepLastWord(word.At, word.Done/word.Total)
	}
}

// Present is how the job runs now. Where a node cannot be read, nobody can tell on which GPUs.
func (r *Reader) Present(ctx context.Context, running []*corev1.Pod) (predictor.Shape, error) {
	nodes := map[string]bool{}
	for _, pod := range running {
		nodes[pod.Spec.NodeName] = true
	}
	product, err := r.View.ProductOf(ctx, running[0].Spec.NodeName)
	return predictor.Shape{
		Workers: predictor.Workers(len(running)), Nodes: len(nodes), GPU: view.GPUName(product),
	}, err
}
