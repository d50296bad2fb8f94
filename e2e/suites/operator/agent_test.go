package operator

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/takt-dev/takt/agent/contract"
	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/e2e/lib/world"
	"github.com/takt-dev/takt/operator/settings"
	"github.com/takt-dev/takt/operator/wrapping"
)

// agents stand in for the agents in simulated pods, in which no process runs: each pod has an address of its own on
// this machine, where they tell of it what its agent would, by what is written on it.
type agents struct {
	w    *world.World
	port string

	mutex   sync.Mutex
	pods    map[string]string    // by address
	drained map[string]time.Time // since when it was told of a pod that it has read that it is to leave
}

func newAgents(t *testing.T, w *world.World) *agents {
	t.Helper()
	a := &agents{w: w, pods: map[string]string{}, drained: map[string]time.Time{}}
	listener, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp4", "0.0.0.0:0")
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewUnstartedServer(a)
	server.Listener = listener
	server.Start()
	t.Cleanup(server.Close)
	_, a.port, _ = net.SplitHostPort(listener.Addr().String())
	return a
}

// address gives each worker of a job that runs an address where its agent answers.
func (a *agents) address(t *testing.T, job string) {
	t.Helper()
	a.mutex.Lock()
	defer a.mutex.Unlock()
	for _, pod := range a.w.Workers(job) {
		if pod.Status.Phase != corev1.PodRunning || strings.HasPrefix(pod.Status.PodIP, "127.") {
			continue
		}
		at := fmt.Sprintf("127.0.1.%d", len(a.pods)+1)
		a.pods[at] = pod.Name
		patch := fmt.Appendf(nil, `{"status":{"podIP":%q,"podIPs":[{"ip":%q}]}}`, at, at)
		err := a.w.Client.Status().Patch(t.Context(), &pod, client.RawPatch("application/merge-patch+json", patch))
		if client.IgnoreNotFound(err) != nil {
			t.Fatal(err)
		}
	}
}

func (a *agents) ServeHTTP(answer http.ResponseWriter, request *http.Request) {
	host, _, _ := net.SplitHostPort(request.Context().Value(http.LocalAddrContextKey).(net.Addr).String())
	a.mutex.Lock()
	name := a.pods[host]
	a.mutex.Unlock()
	var pod corev1.Pod
	if err := a.w.Client.Get(context.WithoutCancel(request.Context()),
		client.ObjectKey{Namespace: a.w.Namespace, Name: name}, &pod); err != nil {
		http.Error(answer, err.Error(), http.StatusServiceUnavailable)
		return
	}
	drains := 0
	if _, marked := pod.Annotations[contract.DrainingAnnotation]; marked {
		drains = 1
		a.mutex.Lock()
		if a.drained[name].IsZero() {
			a.drained[name] = time.Now()
		}
		a.mutex.Unlock()
	}
	answer.Header().Set("Content-Type", "text/plain; version=0.0.4")
	fmt.Fprintf(answer, "%s %d\n%s 0\n", contract.MetricDraining, drains, contract.MetricSavePossible)
}

// letIn is when a pod was let in that was seen, and since when it runs.
func letIn(w *world.World, name string) (at, runs time.Time) {
	for _, r := range w.History.Of("Pod", name) {
		pod := r.Object.(*corev1.Pod)
		if runs.IsZero() && pod.Status.Phase == corev1.PodRunning {
			runs = r.At
		}
		if at.IsZero() && wrapping.Within(pod) && !wrapping.Waits(pod) {
			at = r.At
		}
	}
	return at, runs
}

// together is an error unless some pods were let in at the same moment, once all of them ran.
func together(w *world.World, names ...string) error {
	var first, last, ran time.Time
	for _, name := range names {
		at, runs := letIn(w, name)
		if at.IsZero() || runs.IsZero() {
			return fmt.Errorf("%s is not let in", name)
		}
		if first.IsZero() || at.Before(first) {
			first = at
		}
		if at.After(last) {
			last = at
		}
		if runs.After(ran) {
			ran = runs
		}
	}
	if first.Before(ran) {
		return fmt.Errorf("the first of %v is let in %s before all of them run", names, ran.Sub(first))
	}
	if between := last.Sub(first); between > 30*time.Second { // patches that are sent together
		return fmt.Errorf("%v are let in within %s", names, between)
	}
	return nil
}

func workerTemplate(job *unstructured.Unstructured) map[string]any {
	template, _, _ := unstructured.NestedMap(job.Object, "spec", "pytorchReplicaSpecs", "Worker", "template")
	return template
}

// joinable is a template with what lets others join its pods, which stays when Takt is gone.
func joinable(template map[string]any) map[string]any {
	containers, _, _ := unstructured.NestedSlice(template, "spec", "containers")
	containers[0].(map[string]any)["env"] = []any{
		map[string]any{"name": "TORCH_DISABLE_SHARE_RDZV_TCP_STORE", "value": "1"},
	}
	_ = unstructured.SetNestedSlice(template, containers, "spec", "containers")
	return template
}

// commandOf is what the first container of a template runs.
func commandOf(template map[string]any) string {
	containers, _, _ := unstructured.NestedSlice(template, "spec", "containers")
	words, _, _ := unstructured.NestedStringSlice(containers[0].(map[string]any), "command")
	return strings.Join(words, " ")
}

// withAgent gives jobs the agent. Every one of them answers here: none is to go unheard as the machine is busy.
func withAgent(s *settings.Settings) {
	s.Agent.Image = "example.com/takt-agent:1"
	s.Resizes.AcknowledgeWithin.Duration, s.Resizes.CheckpointWithin.Duration = time.Minute, 2*time.Minute
}

// A job gets the agent as it starts; who joins it waits for all others who do, who leaves is waited for until it knows,
// and who replaces another is let in. Once it is let go of nothing is left of the agent in its template.
func TestJobWithTheAgentIsResizedAtABarrierAndLetGoOfClean(t *testing.T) {
	t.Parallel()
	w := world.New(t, world.Options{Start: world.Operate, Settings: withAgent})
	agents := newAgents(t, w)
	w.Nodes(1, 4)
	busy := w.PlainPod("busy", 2)
	w.Eventually("half of the node is busy", world.Soon, func() error {
		return world.Want("has a node", w.Pod("busy").Spec.NodeName != "", true)
	})
	w.PyTorchJob("resnet", world.Job{
		Workers: 2, Min: 2, Max: 4, Suspended: true, Queue: "default", Training: world.Endless(),
		Change: annotated(contract.PortAnnotation, agents.port),
	})
	written := joinable(workerTemplate(w.Read("PyTorchJob", "resnet")))
	running := func(n int) func() error {
		return func() error {
			agents.address(t, "resnet")
			return runs(w, "resnet", n)
		}
	}
	w.Eventually("two workers run", world.Soon, running(2))
	if got := commandOf(workerTemplate(w.Read("PyTorchJob", "resnet"))); got != "/takt/agent exec -- python train.py" {
		t.Errorf("its workers run %q", got)
	}
	if err := together(w, "resnet-worker-0", "resnet-worker-1"); err != nil {
		t.Error(err)
	}

	w.Delete(busy)
	w.Eventually("four workers run", world.Soon, running(4))
	if err := errors.Join(together(w, "resnet-worker-2", "resnet-worker-3"),
		w.History.Undisturbed("resnet-worker-0", "resnet-worker-1")); err != nil {
		t.Error(err)
	}

	w.Eventually("those who replace others will be let in", world.Soon, func() error {
		metadata, _, _ := unstructured.NestedMap(workerTemplate(w.Read("PyTorchJob", "resnet")), "metadata")
		letIn, _, _ := unstructured.NestedString(metadata, "annotations", contract.LetInAnnotation)
		epoch, _, _ := unstructured.NestedString(metadata, "labels", contract.EpochLabel)
		return world.Want("let in for "+epoch, letIn != "" && letIn == epoch, true)
	})
	w.StopOperator() // nobody is there to let it in
	replaced := w.Pod("resnet-worker-1")
	w.Delete(replaced)
	w.Eventually("another takes the place of worker-1, and is let in", world.Soon, func() error {
		agents.address(t, "resnet")
		pod := w.Pod("resnet-worker-1")
		return errors.Join(world.Want("is another", pod.UID != "" && pod.UID != replaced.UID, true),
			world.Want("trains", wrapping.Within(pod) && !wrapping.Waits(pod), true))
	})
	w.StartOperator()
	w.Eventually("four workers run again", world.Soon, running(4))

	w.Patch(w.TrainingJob("PyTorchJob", "resnet"), `{"metadata":{"annotations":{"takt.dev/workers":"2-3"}}}`)
	w.Eventually("three workers run", world.Soon, running(3))
	agents.mutex.Lock()
	heard := agents.drained["resnet-worker-3"]
	agents.mutex.Unlock()
	for _, r := range w.History.Of("Pod", "resnet-worker-3") {
		if r.Object.GetDeletionTimestamp() != nil && (heard.IsZero() || r.At.Before(heard)) {
			t.Errorf("worker-3 was sent away at %s, and its agent was known to know of it at %s", r.At, heard)
			break
		}
	}

	w.Patch(w.TrainingJob("PyTorchJob", "resnet"),
		`{"metadata":{"labels":{"takt.dev/queue":null},"annotations":{"takt.dev/workers":null}}}`)
	w.Eventually("it is let go of", world.Soon, func() error {
		return world.Want("template", fmt.Sprint(bared(workerTemplate(w.Read("PyTorchJob", "resnet")))),
			fmt.Sprint(bared(written)))
	})
	if err := world.Want("running", w.Running("resnet"), 3); err != nil {
		t.Error(err)
	}
}

// bared is a template without what stands for nothing: an empty field is none.
func bared(of map[string]any) map[string]any {
	for key, value := range of {
		switch value := value.(type) {
		case map[string]any:
			if len(bared(value)) == 0 {
				delete(of, key)
			}
		case []any:
			for _, each := range value {
				if inner, ok := each.(map[string]any); ok {
					bared(inner)
				}
			}
		}
	}
	return of
}

// quick has the pods start at once that a PyTorchJob makes from now on.
const quick = `{"spec":{"pytorchReplicaSpecs":{"Worker":{"template":{"metadata":{"annotations":{"localcluster.takt.dev/pending-for":null}}}}}}}`

// Where the agent's image cannot be pulled, the job is run without it, and says so. What a kubelet would say of the
// image, a test says here: no image is pulled for simulated pods.
func TestJobWhoseAgentCannotBePulledRunsWithoutIt(t *testing.T) {
	t.Parallel()
	w := world.New(t, world.Options{Start: world.Operate, Settings: func(s *settings.Settings) {
		withAgent(s)
		// Its pods are made and placed twice in this time.
		s.Resizes.PlaceWithin.Duration, s.Resizes.ReadyWithin.Duration = 5*time.Minute, 5*time.Minute
	}})
	w.Nodes(1, 2)
	w.PyTorchJob("resnet", world.Job{
		Workers: 2, Suspended: true, Queue: "default", PendingFor: "10m", Training: world.Endless(),
	})
	w.Eventually("its pods have their places", world.Soon, func() error {
		placed := 0
		for _, pod := range w.Workers("resnet") {
			if pod.Spec.NodeName != "" {
				placed++
			}
		}
		return world.Want("placed", placed, 2)
	})
	w.Patch(w.TrainingJob("PyTorchJob", "resnet"), quick)
	for _, pod := range w.Workers("resnet") {
		began := time.Now().Add(-2 * time.Minute).UTC().Format(time.RFC3339)
		patch := fmt.Appendf(nil, `{"status":{"startTime":%q,"initContainerStatuses":[{"name":%q,"image":"example.com/takt-agent:1","imageID":"","ready":false,"restartCount":0,`+
			`"state":{"waiting":{"reason":"ImagePullBackOff","message":"Back-off pulling image: not found"}}}]}}`, began,
			wrapping.Installer)
		if err := w.Client.Status().Patch(t.Context(), &pod,
			client.RawPatch("application/merge-patch+json", patch)); err != nil {
			t.Fatal(err)
		}
	}
	w.Eventually("it runs without the agent, and says so", world.Later, func() error {
		return errors.Join(runs(w, "resnet", 2), world.Want("command",
			commandOf(workerTemplate(w.Read("PyTorchJob", "resnet"))), "python train.py"),
			world.Want("says so", strings.Contains(w.Job("resnet").Status.Message,
				"It is run without the agent, which could not be installed (pod resnet-worker-"), true))
	})
	for _, r := range world.Answered(w.Resizes("resnet")) {
		if phase := world.Phase(r); r.Spec.From == 0 && phase != v1alpha1.ConditionSucceeded {
			t.Errorf("its start is %s", phase)
		}
	}
}

// Where pods with the agent are refused, the job is run without it, and says who refuses them: here containers may not
// ask for as little as that does which installs it.
func TestJobWhoseAgentIsForbiddenRunsWithoutIt(t *testing.T) {
	t.Parallel()
	w := world.New(t, world.Options{Start: world.Operate, Settings: func(s *settings.Settings) {
		withAgent(s)
		s.Resizes.PlaceWithin.Duration = time.Minute // half of it passes until it is asked why there are no pods
	}})
	w.Nodes(1, 2)
	least := corev1.ResourceList{corev1.ResourceCPU: resource.MustParse("200m")}
	w.Make(&corev1.LimitRange{
		ObjectMeta: metav1.ObjectMeta{Namespace: w.Namespace, Name: "least"},
		Spec: corev1.LimitRangeSpec{Limits: []corev1.LimitRangeItem{{
			Type: corev1.LimitTypeContainer, Min: least, Default: least, DefaultRequest: least,
		}}},
	})
	w.PyTorchJob("resnet", world.Job{Workers: 2, Suspended: true, Queue: "default", Training: world.Endless()})
	w.Eventually("it runs without the agent, and says so", world.Later, func() error {
		message := w.Job("resnet").Status.Message
		return errors.Join(runs(w, "resnet", 2), world.Want("says so in "+message, strings.Contains(message,
			"It is run without the agent, which could not be installed (pods \"resnet-worker-") && strings.Contains(message,
			"minimum cpu usage per Container is 200m, but request is 100m"), true))
	})
}

// A pod with the agent is one that the restricted profile of pod security lets in, if it is one without.
func TestPodWithTheAgentIsRestricted(t *testing.T) {
	t.Parallel()
	w := world.New(t, world.Options{})
	var namespace corev1.Namespace
	if err := w.Client.Get(t.Context(), client.ObjectKey{Name: w.Namespace}, &namespace); err != nil {
		t.Fatal(err)
	}
	w.Patch(&namespace, `{"metadata":{"labels":{"pod-security.kubernetes.io/enforce":"restricted"}}}`)
	pod := func(name string, change func(*corev1.PodTemplateSpec)) error {
		template := corev1.PodTemplateSpec{Spec: corev1.PodSpec{
			SecurityContext: &corev1.PodSecurityContext{
				RunAsNonRoot: new(true), SeccompProfile: &corev1.SeccompProfile{Type: corev1.SeccompProfileTypeRuntimeDefault},
			},
			Containers: []corev1.Container{{Name: "pytorch", Image: "example.com/train:1", Command: []string{"python"},
				SecurityContext: &corev1.SecurityContext{
					AllowPrivilegeEscalation: new(false), Capabilities: &corev1.Capabilities{Drop: []corev1.Capability{"ALL"}},
				}}},
		}}
		wrapping.Into(&template, "pytorch", wrapping.Intent{Image: "example.com/takt-agent:1"})
		if change != nil {
			change(&template)
		}
		made := &corev1.Pod{ObjectMeta: template.ObjectMeta, Spec: template.Spec}
		made.Namespace, made.Name = w.Namespace, name
		return w.Client.Create(t.Context(), made)
	}
	w.Eventually("the profile holds", world.Soon, func() error {
		err := pod("privileged", func(t *corev1.PodTemplateSpec) {
			t.Spec.InitContainers[0].SecurityContext.AllowPrivilegeEscalation = new(true)
		})
		return world.Want("it is refused", err != nil && strings.Contains(err.Error(), "violates PodSecurity"), true)
	})
	if err := pod("restricted", nil); err != nil {
		t.Error(err)
	}
}
