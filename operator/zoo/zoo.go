package zoo

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"

	kubeflow "github.com/kubeflow/training-operator/pkg/apis/kubeflow.org/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/takt-dev/takt/operator/progress"
	"github.com/takt-dev/takt/operator/zoo/habit"
)

// Namespace is where all trainings of a zoo are.
const Namespace = "zoo"

// Zoo is a cluster in which trainings live.
type Zoo struct {
	Clock  *Clock
	Server *Server
	// Asked counts the requests that are no objects: logs, and how busy pods are.
	Asked int

	trainings map[string]*Training
	pulled    map[string]bool // by node and training, that the image is there
	placing   bool
}

// New makes a zoo with no node.
func New(at time.Time, scheme *runtime.Scheme) *Zoo {
	z := &Zoo{Clock: NewClock(at), trainings: map[string]*Training{}, pulled: map[string]bool{}}
	z.Server = NewServer(z.Clock, scheme)
	z.Server.Watch(z.happened)
	_ = z.Server.Create(context.Background(), &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: Namespace}})
	return z
}

// Nodes adds nodes of so many GPUs each.
func (z *Zoo) Nodes(many, gpus int) { z.NodesWith("A100", "node", many, gpus) }

// NodesWith adds nodes with GPUs of some product.
func (z *Zoo) NodesWith(product, name string, many, gpus int) {
	for i := range many {
		has := corev1.ResourceList{gpu: *resource.NewQuantity(int64(gpus), resource.DecimalSI)}
		_ = z.Server.Create(context.Background(), &corev1.Node{
			ObjectMeta: metav1.ObjectMeta{
				Name: fmt.Sprintf("%s-%d", name, i), Labels: map[string]string{"nvidia.com/gpu.product": product},
			},
			Status: corev1.NodeStatus{
				Capacity: has, Allocatable: has,
				Conditions: []corev1.NodeCondition{{Type: corev1.NodeReady, Status: corev1.ConditionTrue}},
			},
		})
	}
}

// Add brings in a training that was written for some workers, and may have from least to most. It waits for
// somebody to start it, unless it runs already.
func (z *Zoo) Add(name string, h habit.Habits, least, written, most int) *Training {
	t := &Training{
		Life: habit.New(h, h.Work(written)), Submitted: z.Clock.Now(), key: types.NamespacedName{
			Namespace: Namespace, Name: name,
		},
		written: written, least: least, pods: map[string]*corev1.Pod{}, logs: map[string][]string{},
	}
	z.trainings[name] = t
	z.start(t, least, most)
	z.Clock.Every(time.Second, func() bool {
		z.second(t)
		return t.Ended.IsZero()
	})
	return t
}

func (z *Zoo) start(t *Training, least, most int) {
	job := &kubeflow.PyTorchJob{
		ObjectMeta: metav1.ObjectMeta{Namespace: Namespace, Name: t.key.Name, UID: types.UID("job-" + t.key.Name)},
		Spec: kubeflow.PyTorchJobSpec{
			RunPolicy: kubeflow.RunPolicy{Suspend: new(t.Life.Ran == 0)},
			PyTorchReplicaSpecs: map[kubeflow.ReplicaType]*kubeflow.ReplicaSpec{
				kubeflow.PyTorchJobReplicaTypeWorker: {
					Replicas: new(int32(t.written)), RestartPolicy: kubeflow.RestartPolicyOnFailure,
					Template: corev1.PodTemplateSpec{Spec: corev1.PodSpec{Containers: []corev1.Container{{
						Name: "pytorch", Resources: corev1.ResourceRequirements{
							Limits: corev1.ResourceList{gpu: resource.MustParse("1")},
						},
					}}}},
				},
			},
		},
	}
	if !t.Life.Cold {
		job.Spec.ElasticPolicy = &kubeflow.ElasticPolicy{
			MinReplicas: new(int32(least)), MaxReplicas: new(int32(most)), MaxRestarts: new(int32(100)),
		}
	}
	if t.Life.As == habit.StepsAlone {
		metav1.SetMetaDataAnnotation(&job.ObjectMeta, progress.ProgressAnnotation,
			fmt.Sprintf("0/%d steps", int(t.Life.Total)))
	}
	_ = z.Server.Create(context.Background(), job)
}

// happened has the controllers of the cluster do their part, a moment later.
func (z *Zoo) happened(before, after client.Object) {
	either := after
	if after == nil {
		either = before
	}
	switch o := either.(type) {
	case *kubeflow.PyTorchJob:
		if t := z.trainings[o.Name]; t != nil && after != nil {
			z.Clock.In(time.Second/5, func() { z.look(t) })
		}
	case *corev1.Pod:
		t := z.trainings[ownerOf(o)]
		if t != nil && after == nil {
			delete(t.pods, o.Name)
			delete(t.logs, o.Name) // another of its name has an output of its own
		} else if t != nil {
			t.pods[o.Name] = o
		}
		if t != nil && after == nil {
			z.Clock.In(time.Second/5, func() { z.look(t) })
		}
		if after != nil {
			was, _ := before.(*corev1.Pod)
			z.attend(was, o)
		}
		if after == nil || o.Spec.NodeName == "" {
			z.placeSoon()
		}
	}
}

func (z *Zoo) placeSoon() {
	if !z.placing {
		z.placing = true
		z.Clock.In(time.Second/2, func() {
			z.placing = false
			z.place()
		})
	}
}

// running is how many workers of a training run and stay.
func (z *Zoo) running(t *Training) int {
	n := 0
	for _, pod := range t.pods {
		if pod.Status.Phase == corev1.PodRunning && pod.DeletionTimestamp == nil {
			n++
		}
	}
	return n
}

// held is how many GPUs the workers of a training have.
func (z *Zoo) held(t *Training) int {
	n := 0
	for _, pod := range t.pods {
		if pod.Spec.NodeName != "" {
			n += z.gpus(pod)
		}
	}
	return n
}

// crewOf are the workers that train: those that run. A job that cannot change its size trains with all or with
// none.
func (z *Zoo) crewOf(t *Training) (workers int, crew string) {
	for i := range len(t.pods) + 1 {
		pod := t.pods[fmt.Sprintf("%s-worker-%d", t.key.Name, i)]
		if pod == nil {
			break
		}
		if pod.Status.Phase == corev1.PodRunning && pod.DeletionTimestamp == nil {
			workers++
			crew += string(pod.UID) + " "
		} else if t.Life.Cold {
			return 0, t.crew
		}
	}
	if workers == 0 || workers < t.least {
		return 0, t.crew
	}
	return workers, crew
}

// RoundTrip answers for the logs of pods, as the API server does.
func (z *Zoo) RoundTrip(request *http.Request) (*http.Response, error) {
	z.Asked++
	parts := strings.Split(strings.Trim(request.URL.Path, "/"), "/")
	answer := &http.Response{
		StatusCode: http.StatusNotFound, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1, Request: request,
		Header: http.Header{"Content-Type": {"text/plain"}}, Body: io.NopCloser(strings.NewReader("")),
	}
	if len(parts) == 7 && parts[4] == "pods" && parts[6] == "log" {
		name, _, _ := strings.Cut(parts[5], "-worker-")
		switch t := z.trainings[name]; {
		case t == nil:
		case t.Life.Unreachable && (z.Clock.Now().Sub(t.Submitted)+13*time.Minute)%(15*time.Minute) < 8*time.Minute:
			answer.StatusCode = http.StatusInternalServerError // as when no kubelet answers
		default:
			answer.StatusCode = http.StatusOK
			answer.Body = io.NopCloser(strings.NewReader(strings.Join(t.logs[parts[5]], "")))
		}
	}
	return answer, nil
}

// Waits says that a training has no pod, and is not over.
func (z *Zoo) Waits(t *Training) bool { return len(t.pods) == 0 && t.Ended.IsZero() }

// Free is how many GPUs no pod has.
func (z *Zoo) Free() int {
	var nodes corev1.NodeList
	var pods corev1.PodList
	_ = z.Server.List(context.Background(), &nodes)
	_ = z.Server.List(context.Background(), &pods)
	free := 0
	for _, node := range nodes.Items {
		gpus := node.Status.Allocatable[gpu]
		free += int(gpus.Value())
	}
	for _, pod := range pods.Items {
		free -= z.gpus(&pod)
	}
	return free
}
