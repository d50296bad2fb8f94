package training

import (
	"cmp"
	"context"
	"fmt"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/types"
	clientgoscheme "k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

const (
	// tick is how long the end of a training may go unnoticed.
	tick = 100 * time.Millisecond
	// writers is how many patches are under way at a time.
	writers = 16
)

// groupOf are the kinds of jobs whose trainings are played, with the group of each. All are v1.
var groupOf = map[string]string{"PyTorchJob": "kubeflow.org", "TFJob": "kubeflow.org", "Job": "batch"}

// Options are which trainings are played, and how.
type Options struct {
	// Namespace is where they are; empty means everywhere.
	Namespace string
	// Every is how often a training that moves reports; a second if it is not given.
	Every time.Duration
	// Logs are where trainings write that have a habit of it; nowhere if it is not given.
	Logs *Logs
	// Complain is told of jobs that cannot be played, and of writes that failed and are tried again.
	Complain func(error)
}

// play is one training that is played.
type play struct {
	uid   types.UID
	spec  Spec
	state State
	// pods are those that train, to be brought to their end with the training.
	pods []*corev1.Pod
	// said is what the job says of itself by now, since saidAt.
	said   report
	saidAt time.Time
	told   map[types.UID]bool // pods that were told to end
	// writing says that a write is under way.
	writing bool
}

// player plays all trainings. One goroutine has everything to itself, so that slow writes do not
// keep it from seeing who comes and goes; those who write hand it what became of it.
type player struct {
	Options
	cache  cache.Cache
	client client.Client
	plays  map[key]*play

	writers errgroup.Group
	written chan func()

	mutex sync.Mutex
	dirty map[key]bool
	woken chan struct{}
}

// Run plays trainings until the context ends. It remembers nothing that their jobs do not say, so
// that it may be run again.
func Run(ctx context.Context, config *rest.Config, o Options) error {
	o.Every = cmp.Or(o.Every, time.Second)
	if o.Complain == nil {
		o.Complain = func(error) {}
	}
	config = rest.CopyConfig(config)
	config.QPS = -1
	writer, err := client.New(config, client.Options{Scheme: clientgoscheme.Scheme})
	if err != nil {
		return fmt.Errorf("cannot play trainings: %w", err)
	}
	options := cache.Options{Scheme: clientgoscheme.Scheme, Mapper: writer.RESTMapper()}
	if o.Namespace != "" {
		options.DefaultNamespaces = map[string]cache.Config{o.Namespace: {}}
	}
	watched, err := cache.New(config, options)
	if err != nil {
		return fmt.Errorf("cannot play trainings: %w", err)
	}
	t := &player{
		Options: o, cache: watched, client: writer,
		plays: map[key]*play{}, dirty: map[key]bool{}, woken: make(chan struct{}, 1),
		written: make(chan func()),
	}
	t.writers.SetLimit(writers)
	if err := t.listen(ctx); err != nil {
		return fmt.Errorf("cannot watch trainings: %w", err)
	}
	both, ctx := errgroup.WithContext(ctx)
	both.Go(func() error { return watched.Start(ctx) })
	both.Go(func() error {
		watched.WaitForCacheSync(ctx)
		t.play(ctx)
		return t.writers.Wait()
	})
	return both.Wait()
}

func (t *player) play(ctx context.Context) {
	ticker := time.NewTicker(tick)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case note := <-t.written:
			note()
		case <-t.woken:
			for _, k := range t.woke() {
				if err := t.look(ctx, k, time.Now()); err != nil && ctx.Err() == nil {
					t.Complain(fmt.Errorf("%s: %w", k, err))
				}
			}
		case <-ticker.C:
			t.advance(ctx, time.Now())
		}
	}
}

// look takes notice of who trains in a job now.
func (t *player) look(ctx context.Context, k key, now time.Time) error {
	job := emptyJob(k.kind)
	err := t.cache.Get(ctx, types.NamespacedName{Namespace: k.namespace, Name: k.name}, job)
	if apierrors.IsNotFound(err) {
		delete(t.plays, k)
		return nil
	}
	if err != nil {
		return err
	}
	text, wanted := job.GetAnnotations()[SimulateAnnotation]
	if !wanted {
		delete(t.plays, k)
		return nil
	}
	spec, err := ParseSpec(text)
	if err != nil {
		return err
	}
	p := t.plays[k]
	if p == nil || p.uid != job.GetUID() {
		notes := job.GetAnnotations()
		p = &play{
			uid: job.GetUID(), state: resumed(notes, now), told: map[types.UID]bool{},
			said: report{notes[ProgressAnnotation], notes[CheckpointAnnotation]},
		}
		t.plays[k] = p
	}
	p.spec = spec
	var pods corev1.PodList
	if err := t.cache.List(ctx, &pods, client.InNamespace(k.namespace),
		client.MatchingLabels{jobLabels[k.kind]: k.name}); err != nil {
		return err
	}
	var own []*corev1.Pod
	p.pods = nil
	for i := range pods.Items {
		pod := &pods.Items[i]
		if owner, ok := jobOf(pod); !ok || owner != k || pod.OwnerReferences[0].UID != p.uid {
			continue
		}
		own = append(own, pod)
		if trains(roleOf(pod)) && running(pod) {
			p.pods = append(p.pods, pod)
		}
	}
	if p.state.Outcome == "" {
		p.state.Outcome = outcome(job)
	}
	p.state = spec.Change(p.state, declares(job).crew(own), now)
	return nil
}
