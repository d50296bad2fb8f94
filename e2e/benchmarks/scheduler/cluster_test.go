package scheduler

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/go-logr/logr"
	"golang.org/x/sync/errgroup"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/log"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/e2e/lib/cluster"
)

const (
	nodes    = 1000
	gpusEach = 8
	// limit bounds every wait.
	limit = 10 * time.Minute
)

// place is a cluster, and what is seen of its pods.
type place struct {
	b       *testing.B
	cluster *cluster.Cluster
	pods    kubernetes.Interface
	objects client.Client

	mu    sync.Mutex
	bound map[string]time.Time // when pods were seen to have a node
	there map[string]bool
	news  chan struct{}
}

// found starts the cluster. Its nodes are simulated, and nothing is done to them meanwhile: what would play
// their kubelets, and look after them, is stopped once they are ready, for it has the same processors.
func found(b *testing.B) *place {
	b.Helper()
	log.SetLogger(logr.Discard())
	c := cluster.Own(b, "--nodes", fmt.Sprint(nodes), "--gpus-per-node", fmt.Sprint(gpusEach), "--racks", "50",
		"--zones", "5")
	p := &place{b: b, cluster: c, bound: map[string]time.Time{}, there: map[string]bool{}, news: make(chan struct{}, 1)}
	for _, component := range []string{"kwok", "kube-controller-manager", "kube-scheduler", "training-operator"} {
		if err := c.Component(b.Context(), "kill", component); err != nil {
			b.Fatal(err)
		}
	}
	var err error
	config := c.Config()
	config.ContentType, config.AcceptContentTypes = runtime.ContentTypeProtobuf, runtime.ContentTypeProtobuf
	if p.pods, err = kubernetes.NewForConfig(config); err != nil {
		b.Fatal(err)
	}
	scheme := runtime.NewScheme()
	if err := v1alpha1.AddToScheme(scheme); err != nil {
		b.Fatal(err)
	}
	if p.objects, err = client.New(c.Config(), client.Options{Scheme: scheme}); err != nil {
		b.Fatal(err)
	}
	p.watch(b.Context())
	return p
}

// watch notes when pods come, get a node, and go.
func (p *place) watch(ctx context.Context) {
	p.b.Helper()
	source := cache.NewListWatchFromClient(p.pods.CoreV1().RESTClient(), "pods", metav1.NamespaceDefault, nothing)
	saw := func(object any) {
		pod := object.(*corev1.Pod)
		p.mu.Lock()
		defer p.mu.Unlock()
		p.there[pod.Name] = true
		if _, known := p.bound[pod.Name]; pod.Spec.NodeName != "" && !known {
			p.bound[pod.Name] = time.Now()
		}
		p.tell()
	}
	informer := cache.NewSharedIndexInformer(source, &corev1.Pod{}, 0, cache.Indexers{})
	if _, err := informer.AddEventHandler(cache.ResourceEventHandlerFuncs{
		AddFunc: saw, UpdateFunc: func(_, object any) { saw(object) },
		DeleteFunc: func(object any) {
			if pod, is := object.(*corev1.Pod); is {
				p.mu.Lock()
				defer p.mu.Unlock()
				delete(p.there, pod.Name)
				p.tell()
			}
		},
	}); err != nil {
		p.b.Fatal(err)
	}
	go informer.RunWithContext(ctx)
}

func (p *place) tell() {
	select {
	case p.news <- struct{}{}:
	default:
	}
}

// until waits until something holds of what was seen.
func (p *place) until(what string, holds func() bool) {
	p.b.Helper()
	late := time.After(limit)
	for {
		p.mu.Lock()
		done := holds()
		p.mu.Unlock()
		if done {
			return
		}
		select {
		case <-p.news:
		case <-late:
			p.b.Fatalf("it took more than %v until %s", limit, what)
		}
	}
}

// make makes pods, some at a time.
func (p *place) make(pods []*corev1.Pod) {
	p.b.Helper()
	group, ctx := errgroup.WithContext(p.b.Context())
	group.SetLimit(24)
	for _, pod := range pods {
		group.Go(func() error {
			_, err := p.pods.CoreV1().Pods(metav1.NamespaceDefault).Create(ctx, pod, metav1.CreateOptions{})
			return err
		})
	}
	if err := group.Wait(); err != nil {
		p.b.Fatal(err)
	}
}

// clear takes all pods and Resizes away.
func (p *place) clear() {
	p.b.Helper()
	now := int64(0)
	err := p.pods.CoreV1().Pods(metav1.NamespaceDefault).DeleteCollection(p.b.Context(),
		metav1.DeleteOptions{GracePeriodSeconds: &now}, metav1.ListOptions{})
	if err != nil {
		p.b.Fatal(err)
	}
	if err := p.objects.DeleteAllOf(p.b.Context(), &v1alpha1.Resize{},
		client.InNamespace(metav1.NamespaceDefault)); err != nil {
		p.b.Fatal(err)
	}
	p.until("all pods are gone", func() bool { return len(p.there) == 0 })
	p.mu.Lock()
	defer p.mu.Unlock()
	clear(p.bound)
}
