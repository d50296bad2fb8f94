package stories

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/go-logr/logr"
	kubeflow "github.com/kubeflow/training-operator/pkg/apis/kubeflow.org/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/events"
	metricsclient "k8s.io/metrics/pkg/client/clientset/versioned"
	"sigs.k8s.io/controller-runtime/pkg/client"
	ctrllog "sigs.k8s.io/controller-runtime/pkg/log"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/elastic"
	"github.com/takt-dev/takt/operator/cached"
	"github.com/takt-dev/takt/operator/capacity"
	"github.com/takt-dev/takt/operator/changes"
	"github.com/takt-dev/takt/operator/fixture"
	"github.com/takt-dev/takt/operator/installed"
	"github.com/takt-dev/takt/operator/kind/known"
	"github.com/takt-dev/takt/operator/learn"
	"github.com/takt-dev/takt/operator/pacing"
	"github.com/takt-dev/takt/operator/progress"
	"github.com/takt-dev/takt/operator/rooms"
	"github.com/takt-dev/takt/operator/settings"
	"github.com/takt-dev/takt/operator/telling"
	"github.com/takt-dev/takt/operator/writing"
	"github.com/takt-dev/takt/operator/zoo"
)

// loop is an operator in a zoo: one process after the other, each of which has its controllers called by the
// clock of the zoo, as the manager calls them elsewhere.
type loop struct {
	t *testing.T
	z *zoo.Zoo
	o *rooms.Rooms

	process int // how many there were
	due     map[call]time.Time
	by      map[string]reconcile.Reconciler
	calls   map[string]int // of each of them
	looks   map[string]int // at each object, of all but the planner
	writes  int            // that the process does before it dies; it lives for ever if it is negative
	wrote   int            // by all processes
	history []wroteThis    // which they were

	forged bool      // the test itself says things, true or not
	judged []*judged // all that are
	came   time.Time // when the last of them came

	misses func() bool // whether somebody does not hear of a change; nil if all hear of all

	variant  elastic.Variant
	startLag time.Duration           // from the death of a process until another looks after all
	succeeds func(dead *rooms.Rooms) // is told when another begins; nil if nobody wants to know
}

// call is what a controller is asked to look at.
type call struct {
	by   string
	name types.NamespacedName
}

// wroteThis is an object as it was after some process had written it.
type wroteThis struct {
	at     time.Time
	object client.Object
}

// watchLag is how long it takes to hear of a change.
const watchLag = 20 * time.Millisecond

var errDead = errors.New("this process has died")

// newLoop is a zoo that nobody looks after yet.
func newLoop(t *testing.T) *loop {
	t.Helper()
	scheme, err := cached.NewScheme()
	if err != nil {
		t.Fatal(err)
	}
	l := &loop{t: t, z: zoo.New(fixture.Start, scheme), writes: -1, startLag: 15 * time.Second}
	if err := cached.Index(t.Context(), l.z.Server); err != nil {
		t.Fatal(err)
	}
	l.z.Server.Watch(l.happened)
	l.z.Server.Watch(l.says)
	t.Cleanup(func() {
		if played := l.z.Clock.Now().Sub(fixture.Start); played > noStory && !strings.HasPrefix(t.Name(), "TestStory") {
			t.Errorf("%s go by in its zoo: a test that plays so long is a story, and its name begins with TestStory", played)
		}
	})
	return l
}

// noStory is how long a test may play that has the race detector.
const noStory = time.Hour

// begin starts a process. One that ran before is dead from then on.
func (l *loop) begin() {
	l.process++
	this := l.process
	c := &mortal{Server: l.z.Server, loop: l, process: this}
	s := settings.Default()
	s.API.Workers = 1 // one thing after the other
	now := l.z.Clock.Now
	o := rooms.New(s, remember(c), c, now, logr.Discard())
	o.GPUs = capacity.Options{Resources: []corev1.ResourceName{"nvidia.com/gpu"}, ProductLabel: s.GPUs.ProductLabel,
		LeaveWithin: s.Limits().DrainWithin}
	o.Events, o.Profiles = telling.NewRecorder(&events.FakeRecorder{}, now), &learn.Store{Client: c}
	config, web := &rest.Config{Host: "http://zoo", QPS: -1}, &http.Client{Transport: l.z}
	clientset, err := kubernetes.NewForConfigAndClient(config, web)
	if err != nil {
		l.t.Fatal(err)
	}
	usage, err := metricsclient.NewForConfigAndClient(config, web)
	if err != nil {
		l.t.Fatal(err)
	}
	bounds := progress.Limits{Timeout: s.Progress.Timeout.Duration, MaxBytes: s.Progress.MaxBytes}
	o.Sources = fixture.SourcesOf(s.Progress.Every.Duration, progress.Annotation{},
		progress.NewLogs(clientset.CoreV1(), bounds))
	o.Usage = progress.NewUsageReader(usage, clientset.Discovery().RESTClient(), s.Usage.GPUMetric, bounds, now)
	o.Planner.Decide = l.variant.Plan
	for _, of := range []*pacing.Calls{o.Planner.Changes, o.Planner.Readings} {
		of.After = func(wait time.Duration, do func()) {
			l.z.Clock.In(wait, func() {
				if l.process == this {
					do()
					l.heed()
				}
			})
		}
	}
	o.Kinds = installed.AllServed()
	o.Furnish()
	for by, line := range map[string]*pacing.Requests{"reporter": &o.Asks.Reporter, "reader": &o.Asks.Reader,
		"resizer": &o.Asks.Resizer} {
		_ = line.Open(l.t.Context(), asked{loop: l, by: by})
	}
	dead := l.o
	l.o, l.due, l.calls, l.looks = o, map[call]time.Time{}, map[string]int{}, map[string]int{}
	l.by = map[string]reconcile.Reconciler{
		"reporter": pacing.Paced(pacing.OfLooks, o.Now, l.counted("reporter", o.Reporter)),
		"reader":   pacing.Paced(pacing.OfLooks, o.Now, l.counted("reader", o.Reader)),
		"resizer":  pacing.Paced(pacing.OfSteps, o.Now, l.counted("resizer", o.Resizer)),
	}
	var ejs v1alpha1.ElasticJobList
	var resizes v1alpha1.ResizeList
	if err := errors.Join(l.z.Server.List(l.t.Context(), &ejs), l.z.Server.List(l.t.Context(), &resizes)); err != nil {
		l.t.Fatal(err)
	}
	for i := range ejs.Items {
		name := client.ObjectKeyFromObject(&ejs.Items[i])
		l.in(watchLag, call{"reader", name})
		l.in(pacing.DelayedBy, call{"reporter", name})
	}
	for i := range resizes.Items {
		l.in(watchLag, call{"resizer", client.ObjectKeyFromObject(&resizes.Items[i])})
	}
	l.in(watchLag, call{by: "planner"})
	if dead != nil && l.succeeds != nil {
		l.succeeds(dead)
	}
}

// die ends the process, at once or after so many writes more, and has another one begin.
func (l *loop) die(afterWrites int) {
	if afterWrites > 0 {
		l.writes = afterWrites
		return
	}
	l.writes, l.due = -1, map[call]time.Time{}
	l.process++
	dead := l.process
	l.z.Clock.In(l.startLag, func() {
		if l.process == dead {
			l.begin()
		}
	})
}

// in has a controller called after a while, unless it is called before.
func (l *loop) in(wait time.Duration, c call) {
	at, process := l.z.Clock.Now().Add(wait), l.process
	if before, waits := l.due[c]; waits && !before.After(at) {
		return
	}
	l.due[c] = at
	l.z.Clock.In(wait, func() {
		if l.process == process && l.due[c].Equal(at) {
			delete(l.due, c)
			l.do(c)
		}
	})
}

func (l *loop) do(c call) {
	process := l.process
	again, err := l.once(c)
	if l.process != process {
		return
	}
	l.heed()
	if err != nil {
		if l.t.Context().Err() == nil && !errors.Is(err, errDead) {
			l.t.Errorf("%s: %s %s: %v", l.z.Clock.Now().Format("15:04:05"), c.by, c.name, err)
		}
		again = time.Second
	}
	if again > 0 {
		l.in(again, c)
	}
}

// heed has a plan made if something has called for one.
func (l *loop) heed() {
	select {
	case <-l.o.Planner.News:
		l.in(l.o.Settings.Planning.Settle.Duration, call{by: "planner"})
	default:
	}
}

// counted counts how often a controller works.
func (l *loop) counted(by string, r reconcile.Reconciler) reconcile.Reconciler {
	r = writing.Patiently(r, installed.ErrNotLooked)
	return reconcile.Func(func(ctx context.Context, request reconcile.Request) (reconcile.Result, error) {
		l.calls[by]++
		l.looks[request.Name]++
		return r.Reconcile(ctx, request)
	})
}

func (l *loop) once(c call) (again time.Duration, err error) {
	if c.by == "planner" {
		l.calls[c.by]++
		select {
		case <-l.o.Planner.News:
		default:
		}
		return l.o.Planner.Plan(l.t.Context())
	}
	ctx := ctrllog.IntoContext(l.t.Context(), logr.Discard())
	result, err := l.by[c.by].Reconcile(ctx, reconcile.Request{NamespacedName: c.name})
	return result.RequeueAfter, err
}

// happened tells the controllers of a change, as their watches do.
func (l *loop) happened(before, after client.Object) {
	if l.o == nil {
		return
	}
	process := l.process
	l.z.Clock.In(watchLag, func() {
		if l.process == process && l.o != nil {
			l.hear(before, after)
		}
	})
}

func (l *loop) hear(before, after client.Object) {
	object, gone := after, after == nil
	if gone {
		object = before
	}
	tell := func(by string, wait time.Duration, of func(context.Context, client.Object) []reconcile.Request) {
		if l.misses != nil && l.misses() {
			return
		}
		for _, request := range of(l.t.Context(), object) {
			l.in(wait, call{by, request.NamespacedName})
		}
	}
	kickIf := func(matters bool) {
		if (gone && changes.PodGoneMatters(l.o.GPUs)(object) || matters) && (l.misses == nil || !l.misses()) {
			l.o.Planner.Hear(object)
			l.heed()
		}
	}
	itself := func(_ context.Context, o client.Object) []reconcile.Request {
		return []reconcile.Request{{NamespacedName: client.ObjectKeyFromObject(o)}}
	}
	all := func(of func(context.Context, client.Object) []reconcile.Request) {
		tell("reporter", pacing.DelayedBy, of)
		tell("reader", 0, of)
		tell("resizer", 0, l.concerned().UnderWay(of))
	}
	var was any
	if before != nil {
		was = before
	}
	switch object.(type) {
	case *v1alpha1.ElasticJob:
		tell("reporter", pacing.DelayedBy, itself)
		if gone || changes.WakesReader(was, object) {
			tell("reader", 0, itself)
		}
		kickIf(changes.ElasticJobMatters(was, object))
	case *v1alpha1.Resize:
		tell("reporter", pacing.DelayedBy, changes.ByResize)
		tell("resizer", 0, itself)
		tell("resizer", 0, l.concerned().UnderWay(changes.ByResize))
		kickIf(changes.ResizeMatters(was, object))
	case *v1alpha1.TrainingProfile:
		kickIf(l.o.Shared.Matters(was, object, l.z.Clock.Now()))
	case *corev1.Pod:
		all(l.concerned().ByPod)
		kickIf(!gone && changes.PodMatters(l.o.GPUs)(was, object))
		var is any
		if !gone {
			is = after
		}
		if node := changes.LeavesRoom(l.o.GPUs)(was, is); node != "" {
			l.o.Planner.HearRoom(node)
			l.heed()
		}
	case *kubeflow.PyTorchJob:
		of, _ := known.ByKind(kubeflow.PyTorchJobKind)
		all(l.concerned().ByJob(of))
		kickIf(changes.JobMatters(of)(was, object))
	case *corev1.Node:
		kickIf(changes.NodeMatters(capacity.Options{})(was, object))
	}
}

// concerned finds whom a change concerns in the cache of the process that runs.
func (l *loop) concerned() changes.Concerned { return changes.Concerned{Client: l.o.Client} }

// asked is the line of what a controller is asked to look at.
type asked struct {
	pacing.Queue
	loop *loop
	by   string
}

func (a asked) AddAfter(request reconcile.Request, wait time.Duration) {
	a.loop.in(wait, call{a.by, request.NamespacedName})
}

// mortal is the client of one process, which can die after any of its writes.
type mortal struct {
	*zoo.Server
	loop    *loop
	process int
}

func (m *mortal) alive() error {
	if m.loop.process != m.process {
		return errDead
	}
	return nil
}

// write writes, unless the process has died. It may die of it.
func (m *mortal) write(o client.Object, do func() error) error {
	if err := m.alive(); err != nil {
		return err
	}
	err := do()
	m.loop.wrote++
	m.loop.history = append(m.loop.history, wroteThis{m.loop.z.Clock.Now(), o})
	if m.loop.writes--; m.loop.writes == 0 {
		m.loop.die(0)
		return errDead
	}
	m.loop.writes = max(m.loop.writes, -1)
	return err
}

func (m *mortal) Get(ctx context.Context, key client.ObjectKey, into client.Object, options ...client.GetOption) error {
	return errors.Join(m.alive(), m.Server.Get(ctx, key, into, options...))
}

func (m *mortal) Create(ctx context.Context, o client.Object, options ...client.CreateOption) error {
	return m.write(o, func() error { return m.Server.Create(ctx, o, options...) })
}

func (m *mortal) Patch(ctx context.Context, o client.Object, patch client.Patch, options ...client.PatchOption) error {
	return m.write(o, func() error { return m.Server.Patch(ctx, o, patch, options...) })
}

func (m *mortal) Delete(ctx context.Context, o client.Object, options ...client.DeleteOption) error {
	return m.write(o, func() error { return m.Server.Delete(ctx, o, options...) })
}

func (m *mortal) Status() client.SubResourceWriter { return mortalStatus{m.Server.Status(), m} }

type mortalStatus struct {
	client.SubResourceWriter
	m *mortal
}

func (w mortalStatus) Patch(ctx context.Context, o client.Object, patch client.Patch,
	options ...client.SubResourcePatchOption) error {
	return w.m.write(o, func() error { return w.SubResourceWriter.Patch(ctx, o, patch, options...) })
}

func (w mortalStatus) Update(ctx context.Context, o client.Object, options ...client.SubResourceUpdateOption) error {
	return w.m.write(o, func() error { return w.SubResourceWriter.Update(ctx, o, options...) })
}
