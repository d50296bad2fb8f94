package operator

import (
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/metrics/pkg/apis/custom_metrics/v1beta2"
	"k8s.io/metrics/pkg/apis/metrics/v1beta1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/e2e/lib/cluster"
	"github.com/takt-dev/takt/e2e/lib/world"
	"github.com/takt-dev/takt/operator/settings"
)

func port(of *httptest.Server) int32 { return int32(of.Listener.Addr().(*net.TCPAddr).Port) }

// The API server asks the kubelet of the node for the log; here the test is that kubelet.
func TestProgressIsReadFromTheLogOfTheFirstWorker(t *testing.T) {
	t.Parallel()
	var step atomic.Int64
	var asked atomic.Pointer[string]
	kubelet := httptest.NewTLSServer(http.HandlerFunc(func(answer http.ResponseWriter, request *http.Request) {
		asked.Store(&request.URL.Path)
		now := time.Now().UTC().Format(time.RFC3339Nano)
		fmt.Fprintf(answer, "%s Loading the data\n%s step %d/1000 loss=0.12\n", now, now, step.Load())
	}))
	t.Cleanup(kubelet.Close)
	w := world.New(t, world.Options{Start: world.Operate})
	w.Nodes(1, 1, func(node *corev1.Node) {
		node.Status.Addresses = []corev1.NodeAddress{{Type: corev1.NodeInternalIP, Address: "127.0.0.1"}}
		node.Status.DaemonEndpoints.KubeletEndpoint.Port = port(kubelet)
	})
	step.Store(250)
	w.PyTorchJob("resnet", world.Job{Still: true, Suspended: true, Deadline: "1h"})
	reads(w, "resnet", v1alpha1.ProgressLogs, 25)
	step.Store(500)
	reads(w, "resnet", v1alpha1.ProgressLogs, 50)
	if want := "/containerLogs/" + w.Namespace + "/resnet-worker-0/pytorch"; *asked.Load() != want {
		t.Errorf("the kubelet was asked for %s, want %s", *asked.Load(), want)
	}
}

// served is what the APIs of metrics say of the objects of a world, by their names.
type served struct {
	namespace string
	gpus      map[string]int64 // how busy those of a pod are, in percent
	cpus      map[string]int64 // those that a pod uses
	steps     atomic.Int64     // that the job counted has done
}

// serve makes the cluster serve the custom metrics API and that of metrics-server until the test ends.
// Its API server takes them from this process, by a Service that names this machine.
func (s *served) serve(t *testing.T, w *world.World) {
	t.Helper()
	s.namespace = w.Namespace
	server := httptest.NewTLSServer(s)
	t.Cleanup(server.Close)
	service := &corev1.Service{
		ObjectMeta: metav1.ObjectMeta{Namespace: w.Namespace, Name: "metrics"},
		Spec:       corev1.ServiceSpec{Type: corev1.ServiceTypeExternalName, ExternalName: "localhost"},
	}
	if err := w.Client.Create(t.Context(), service); err != nil {
		t.Fatal(err)
	}
	for group, version := range map[string]string{v1beta2.GroupName: "v1beta2", v1beta1.GroupName: "v1beta1"} {
		api := &unstructured.Unstructured{Object: map[string]any{
			"apiVersion": "apiregistration.k8s.io/v1", "kind": "APIService",
			"metadata": map[string]any{"name": version + "." + group},
			"spec": map[string]any{
				"group": group, "version": version, "insecureSkipTLSVerify": true,
				"groupPriorityMinimum": int64(100), "versionPriority": int64(100),
				"service": map[string]any{"namespace": w.Namespace, "name": service.Name, "port": int64(port(server))},
			},
		}}
		if err := w.Client.Create(t.Context(), api); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() {
			if err := w.Client.Delete(cluster.AfterTest(t), api); client.IgnoreNotFound(err) != nil {
				t.Error(err)
			}
		})
	}
}

// ServeHTTP answers as an adapter does, and has nothing to say of objects of others.
func (s *served) ServeHTTP(answer http.ResponseWriter, request *http.Request) {
	path := strings.SplitN(strings.Trim(request.URL.Path, "/"), "/", 4) // apis, the group, the version, the rest
	if len(path) < 3 || path[0] != "apis" {
		http.NotFound(answer, request)
		return
	}
	var body any
	switch rest := strings.Join(path[3:], ""); {
	case rest == "":
		body = metav1.APIResourceList{
			TypeMeta: metav1.TypeMeta{Kind: "APIResourceList", APIVersion: "v1"}, GroupVersion: path[1] + "/" + path[2],
		}
	case path[1] == v1beta1.GroupName && rest == "namespaces/"+s.namespace+"/pods":
		body = s.used()
	case rest == "namespaces/"+s.namespace+"/pods/*/DCGM_FI_DEV_GPU_UTIL":
		body = s.values("Pod", s.gpus)
	case rest == "namespaces/"+s.namespace+"/pytorchjobs.kubeflow.org/counted/steps":
		body = s.values("PyTorchJob", map[string]int64{"counted": s.steps.Load()})
	default:
		http.NotFound(answer, request)
		return
	}
	answer.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(answer).Encode(body)
}

func (s *served) values(kind string, of map[string]int64) (list v1beta2.MetricValueList) {
	for name, value := range of {
		list.Items = append(list.Items, v1beta2.MetricValue{
			DescribedObject: corev1.ObjectReference{Kind: kind, Namespace: s.namespace, Name: name},
			Timestamp:       metav1.Now(), Value: *resource.NewQuantity(value, resource.DecimalSI),
		})
	}
	return list
}

func (s *served) used() (list v1beta1.PodMetricsList) {
	for name, cores := range s.cpus {
		used := corev1.ResourceList{corev1.ResourceCPU: *resource.NewQuantity(cores, resource.DecimalSI)}
		list.Items = append(list.Items, v1beta1.PodMetrics{
			ObjectMeta: metav1.ObjectMeta{Namespace: s.namespace, Name: name}, Timestamp: metav1.Now(),
			Containers: []v1beta1.ContainerMetrics{{Name: "pytorch", Usage: used}},
		})
	}
	return list
}

func TestMetricsThatTheClusterServesTellOfProgressAndOfGPUsThatAreNotUsed(t *testing.T) {
	t.Parallel()
	w := world.New(t, world.Options{Start: world.Operate, Settings: func(s *settings.Settings) {
		s.Usage.Every = metav1.Duration{Duration: time.Second}
		s.Usage.IdleFor = metav1.Duration{Duration: 4 * time.Second}
	}})
	s := &served{
		gpus: map[string]int64{"idle-worker-0": 1, "busy-worker-0": 93},
		cpus: map[string]int64{"idle-worker-0": 16, "starved-worker-0": 0, "counted-worker-0": 16},
	}
	s.steps.Store(250)
	s.serve(t, w)
	w.Nodes(1, 16)
	for _, name := range []string{"idle", "busy", "starved"} {
		w.PyTorchJob(name, world.Job{GPUs: 4, Suspended: true, Queue: "default", Change: asksForCPUs})
	}
	w.PyTorchJob("counted", world.Job{GPUs: 4, Still: true, Suspended: true, Change: asksForCPUs})
	w.ElasticJob("counted", v1alpha1.ElasticJobSpec{DeadlineAfter: "1h", Progress: v1alpha1.ProgressSpec{
		Source: v1alpha1.ProgressCustomMetrics, Metric: "steps", Total: "1000",
	}})
	w.Eventually("those that use nothing are named", world.Later, func() error {
		if err := tells(w, "idle", "It holds 4 GPUs and hardly uses what it holds", "at most 1 %",
			"counts as idle"); err != nil {
			return err
		}
		return tells(w, "starved", "It holds 4 GPUs, and hardly uses even the CPUs that it asks for", "at most 0 %")
	})
	reads(w, "counted", v1alpha1.ProgressCustomMetrics, 25)
	s.steps.Store(500)
	reads(w, "counted", v1alpha1.ProgressCustomMetrics, 50)
	w.Eventually("the busy one is known to train", world.Soon, func() error {
		if w.Job("busy").Status.Progress.PartsPerMillion == 0 {
			return fmt.Errorf("%s", w.Job("busy").Status.Message)
		}
		return nil
	})
	for _, name := range []string{"busy", "counted"} {
		if err := tells(w, name, "idle"); err == nil {
			t.Errorf("a busy job is said to be idle: %s", w.Job(name).Status.Message)
		}
	}
}

func asksForCPUs(job *unstructured.Unstructured) {
	containers, _, err := unstructured.NestedSlice(job.Object, "spec", "pytorchReplicaSpecs", "Worker", "template", "spec",
		"containers")
	if err != nil {
		panic(err)
	}
	limits := containers[0].(map[string]any)["resources"].(map[string]any)["limits"].(map[string]any)
	limits["cpu"] = "16"
	if err := unstructured.SetNestedSlice(job.Object, containers, "spec", "pytorchReplicaSpecs", "Worker", "template",
		"spec", "containers"); err != nil {
		panic(err)
	}
}
