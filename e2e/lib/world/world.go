package world

import (
	"context"
	"flag"
	"net"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/go-logr/logr"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	clientgoscheme "k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/controller-runtime/pkg/client"
	ctrllog "sigs.k8s.io/controller-runtime/pkg/log"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/e2e/lib/cluster"
	"github.com/takt-dev/takt/e2e/lib/training"
	"github.com/takt-dev/takt/operator/settings"
)

// mine is the label of a world's nodes, and the taint that keeps others away. Its value is the
// namespace.
const mine = "takt-test"

// Limits for what takes seconds, and for what takes some resizes or a training; generous, for a machine that
// has much else to do.
const (
	Soon  = 5 * time.Minute
	Later = 12 * time.Minute
)

// Start runs an operator until the context ends. Its logger is in the context.
type Start func(ctx context.Context, config *rest.Config, s settings.Settings) error

// Options are what a world begins with.
type Options struct {
	// Start is the operator; without it the world has none.
	Start Start
	// Cluster is where it is; the shared one if it is not given.
	Cluster *cluster.Cluster
	// Gaps says that the history may miss what happens, for the API server goes down.
	Gaps bool
	// Settings changes what Settings has chosen for tests.
	Settings func(*settings.Settings)
	// ReportEvery is how often a training reports its progress; a second if it is not given.
	ReportEvery time.Duration
}

// World is what one test has of the cluster. Its methods fail the test if they cannot do what they
// are asked, and belong to the goroutine of the test.
type World struct {
	Namespace string
	Client    client.Client
	History   *History

	t        testing.TB
	options  Options
	cluster  *cluster.Cluster
	config   *rest.Config
	operator *running
	logs     *logs
	kubelet  *kubelet
	nodes    map[string]int64 // their GPUs; guarded by the history
	made     int              // nodes so far
}

var scheme = sync.OnceValue(func() *runtime.Scheme {
	s := runtime.NewScheme()
	if err := clientgoscheme.AddToScheme(s); err != nil {
		panic(err)
	}
	if err := v1alpha1.AddToScheme(s); err != nil {
		panic(err)
	}
	return s
})

// Main is the body of a TestMain of scenarios: cluster.Run with so many tests at a time, for they mostly
// wait, unless -parallel says how many.
func Main(m *testing.M, atATime int) int {
	flag.Parse()
	chosen := false
	flag.Visit(func(f *flag.Flag) { chosen = chosen || f.Name == "test.parallel" })
	if !chosen {
		if err := flag.Set("test.parallel", strconv.Itoa(atATime)); err != nil {
			panic(err)
		}
	}
	ctrllog.SetLogger(logr.Discard())
	return cluster.Run(m)
}

// New makes a world, which ends with the test.
func New(t testing.TB, o Options) *World {
	t.Helper()
	home := orElse(o.Cluster, cluster.Shared())
	config := home.Config()
	// Connections of its own: the API server takes a hundred streams of each, and a watch is one. Where
	// all worlds share one, requests are refused now and then.
	config.Dial = (&net.Dialer{}).DialContext
	c, err := client.New(config, client.Options{Scheme: scheme()})
	if err != nil {
		t.Fatal(err)
	}
	w := &World{
		Client: c, t: t, options: o, cluster: home, config: config,
		logs: &logs{}, nodes: map[string]int64{},
	}
	namespace := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{GenerateName: "test-"}}
	if err := c.Create(t.Context(), namespace); err != nil {
		t.Fatal(err)
	}
	w.Namespace = namespace.Name
	w.kubelet = newKubelet(t)
	t.Cleanup(func() { w.end() })

	ctx, cancel := context.WithCancel(cluster.AfterTest(t))
	w.History = watch(ctx, w)
	ended := make(chan error, 1)
	go func() {
		ended <- training.Run(ctx, config, training.Options{
			Namespace: w.Namespace, Every: orElse(o.ReportEvery, time.Second),
			Logs: &w.kubelet.logs, Complain: func(err error) { w.logs.add("training: " + err.Error()) },
		})
	}()
	t.Cleanup(func() {
		w.StopOperator()
		w.checkInvariants()
		cancel()
		if err := <-ended; err != nil {
			t.Error("the trainings could not be played:", err)
		}
	})
	t.Cleanup(func() {
		if t.Failed() {
			w.dump()
		}
	})
	if o.Start != nil {
		w.StartOperator()
	}
	return w
}

// end takes everything away: first the namespace, so that nothing in it is made anew, then its jobs, so that nobody
// tries to make their pods anew, then these without their grace period, then the nodes.
func (w *World) end() {
	ctx := cluster.AfterTest(w.t)
	complain := func(err error) {
		if client.IgnoreNotFound(err) != nil {
			w.t.Log("cannot clean up after the test:", err)
		}
	}
	complain(w.Client.Delete(ctx, &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: w.Namespace}}))
	for _, kind := range []string{"PyTorchJob", "TFJob", "Job"} {
		complain(w.Client.DeleteAllOf(ctx, w.TrainingJob(kind, ""), client.InNamespace(w.Namespace),
			client.PropagationPolicy(metav1.DeletePropagationBackground)))
	}
	complain(w.Client.DeleteAllOf(ctx, &corev1.Pod{}, client.InNamespace(w.Namespace), client.GracePeriodSeconds(0)))
	complain(w.Client.DeleteAllOf(ctx, &v1alpha1.TrainingQueue{}, client.MatchingLabels{mine: w.Namespace}))
	complain(w.Client.DeleteAllOf(ctx, &corev1.Node{}, client.MatchingLabels{mine: w.Namespace}))
}

func orElse[T comparable](given, otherwise T) T {
	var zero T
	if given == zero {
		return otherwise
	}
	return given
}

// must fails the test on an error.
func (w *World) must(err error) {
	w.t.Helper()
	if err != nil {
		w.t.Fatal(err)
	}
}
