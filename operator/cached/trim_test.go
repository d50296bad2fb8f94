package cached

import (
	"crypto/sha256"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	kubeflow "github.com/kubeflow/training-operator/pkg/apis/kubeflow.org/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/elastic/resize"
	"github.com/takt-dev/takt/operator/capacity"
	"github.com/takt-dev/takt/operator/kind/known"
	"github.com/takt-dev/takt/operator/wrapping"
	"github.com/takt-dev/takt/printed"
)

// Whoever looks at pods must see in what is kept of them what it would see in all of them.
func TestWhatIsKeptOfPodsTellsTheSame(t *testing.T) {
	options := capacity.Options{
		Resources: []corev1.ResourceName{"nvidia.com/gpu", "amd.com/gpu"}, ProductLabel: "nvidia.com/gpu.product",
	}
	for seed := range uint64(100) {
		random := rand.New(rand.NewPCG(seed, 1))
		var full, slim capacity.Cluster
		for i := range 3 {
			node := eightGPUs(i)
			full.Nodes = append(full.Nodes, node)
		}
		slim.Nodes = full.Nodes
		for i := range 12 {
			pod := anyPod(random, i)
			kept := trimPod(trimPod(pod.DeepCopy())) // as client-go does it with what it has listed
			full.Pods, slim.Pods = append(full.Pods, pod), append(slim.Pods, kept.(*corev1.Pod))
			if got, want := seen(kept.(*corev1.Pod)), seen(pod); !cmp.Equal(got, want) {
				t.Fatalf("seed %d, pod %d: %s", seed, i, cmp.Diff(want, got))
			}
		}
		ours := func(pod *corev1.Pod) bool { return pod.Labels["ours"] != "" }
		full.Ours, slim.Ours = ours, ours
		want, got := capacity.Read(full, options), capacity.Read(slim, options)
		if diff := cmp.Diff(want.Nodes, got.Nodes) + cmp.Diff(want.Demands, got.Demands); diff != "" {
			t.Fatalf("seed %d: %s", seed, diff)
		}
		if diff := cmp.Diff(want.Fits(onePort()), got.Fits(onePort())); diff != "" {
			t.Fatalf("seed %d: on one port: %s", seed, diff)
		}
	}
}

// onePort is a worker that takes a port of its node.
func onePort() capacity.Worker {
	return capacity.Worker{Namespace: "team", Template: &corev1.PodTemplateSpec{Spec: corev1.PodSpec{
		Containers: []corev1.Container{{
			Ports: []corev1.ContainerPort{{HostPort: 29500}}, Resources: corev1.ResourceRequirements{
				Limits: corev1.ResourceList{"nvidia.com/gpu": resource.MustParse("1")},
			},
		}},
	}}}
}

// Each pod has what it would have by itself, and pods that are alike have it once.
func TestPodsThatAreAlikeShareTheirSpec(t *testing.T) {
	var shared alike
	for seed := range uint64(100) {
		random := rand.New(rand.NewPCG(seed, 2))
		for i := range 12 {
			pod := anyPod(random, i)
			want := trimPod(pod.DeepCopy())
			got, err := shared.trimPod(pod.DeepCopy())
			if diff := cmp.Diff(want, got); err != nil || diff != "" {
				t.Fatalf("seed %d, pod %d: %v %s", seed, i, err, diff)
			}
		}
	}
	on := func(node string) *corev1.Pod {
		kept, _ := shared.trimPod(&corev1.Pod{
			Spec: corev1.PodSpec{NodeName: node, Containers: []corev1.Container{{Name: "main"}}},
		})
		return kept.(*corev1.Pod)
	}
	a, b := on("a"), on("b")
	if a.Spec.NodeName != "a" || b.Spec.NodeName != "b" || &a.Spec.Containers[0] != &b.Spec.Containers[0] {
		t.Errorf("%s and %s share nothing: %v", a.Spec.NodeName, b.Spec.NodeName, a.Spec.Containers)
	}
	long := func(node string) *corev1.Pod {
		script := strings.Repeat("x", longestAlike)
		kept, _ := shared.trimPod(&corev1.Pod{
			Spec: corev1.PodSpec{NodeName: node, Affinity: &corev1.Affinity{NodeAffinity: &corev1.NodeAffinity{
				PreferredDuringSchedulingIgnoredDuringExecution: []corev1.PreferredSchedulingTerm{{
					Preference: corev1.NodeSelectorTerm{MatchExpressions: []corev1.NodeSelectorRequirement{{Key: script}}},
				}},
			}}},
		})
		return kept.(*corev1.Pod)
	}
	if long("a").Spec.Affinity == long("b").Spec.Affinity {
		t.Error("what is too long is kept for others")
	}
	for i := range mostAlike + 1 {
		shared.one(sha256.Sum256([]byte(fmt.Sprint(i))), corev1.PodSpec{})
	}
	if n := len(shared.specs); n > mostAlike {
		t.Errorf("%d are kept", n)
	}
}

// A tenant may name a long variable many times in one command, and say many things in it. What is kept does not grow by
// that.
func TestACommandIsNotFilledInWithoutBounds(t *testing.T) {
	many := []string{"train", strings.Repeat("$(A)", 1000)}
	for i := range 10000 {
		many = append(many, fmt.Sprintf("--epochs=%d", i), "$(A)")
	}
	for _, value := range []string{"--lr=3 ", strings.Repeat("x", 1<<10), strings.Repeat("x", 1<<20)} {
		container := corev1.Container{Command: many, Env: []corev1.EnvVar{
			{Name: "A", Value: value}, {Name: "B", Value: "epochs=3" + strings.Repeat(" ", 1<<20)},
		}}
		kept := trimContainers([]corev1.Container{container})[0]
		if n := len(strings.Join(kept.Command, " ")); n > commandBytes || len(kept.Env) > 0 {
			t.Errorf("with a variable of %d bytes, %d bytes of the command and %d variables are kept", len(value), n,
				len(kept.Env))
		}
	}
}

// The SDK of Kubeflow puts the source of a training into its command. That is not kept, and what it says is.
func TestWhatALongScriptSaysIsKept(t *testing.T) {
	source := "program_path=$(mktemp -d)\nread -r -d '' SCRIPT << EOM\n\ndef train(num_epochs=2):\n    import torch\n" +
		strings.Repeat("    print('it is a long way to the end of this source')\n", 200) + "\n"
	for call, want := range map[string]printed.Work{
		"train(**{'num_epochs': 12, 'lr': 0.01})": {Epochs: 12}, "train()": {Epochs: 2},
		"train()\n\nEOM\ntorchrun script.py --max_steps=$(STEPS)": {Epochs: 2, Steps: 700},
	} {
		kept := trimContainers([]corev1.Container{{
			Command: []string{"bash", "-c"}, Args: []string{source + call + "\n\nEOM\ntorchrun script.py"},
			Env: []corev1.EnvVar{{Name: "STEPS", Value: "700"}},
		}})[0]
		if got := printed.Command(kept.Command); got != want || len(strings.Join(kept.Command, " ")) > 100 {
			t.Errorf("%s: what is kept says %+v, want %+v: %q", call, got, want, kept.Command)
		}
	}
}

// seen is all that is asked of a pod by itself.
func seen(pod *corev1.Pod) []any {
	var all []any
	for _, each := range known.Kinds() {
		for fixed := range 2 {
			index, trains := each.Index(pod, resize.Workers(fixed))
			all = append(all, index, trains)
		}
	}
	for _, key := range []string{v1alpha1.DrainingAnnotation, v1alpha1.LetInAnnotation, "takt.dev/save",
		v1alpha1.AgentAnnotation,
		"prometheus.io/scrape", "prometheus.io/port", "prometheus.io/path", "kubectl.kubernetes.io/default-container"} {
		all = append(all, pod.Annotations[key])
	}
	for _, c := range pod.Spec.Containers {
		var variables []string
		fill := strings.NewReplacer("$(STEPS)", "700") // as the kubelet does
		for _, v := range c.Env {
			variables = append(variables, v.Name+"="+v.Value)
		}
		command := strings.Fields(fill.Replace(strings.Join(slices.Concat(c.Command, c.Args), " ")))
		all = append(all, c.Name, fmt.Sprint(printed.Started(command, variables)))
	}
	for _, s := range pod.Status.ContainerStatuses {
		if s.RestartCount > 0 {
			all = append(all, s.RestartCount, s.State.Running)
		}
	}
	return append(all, pod.Name, pod.Namespace, string(pod.UID), pod.ResourceVersion, pod.Status.Phase, pod.Status.PodIP,
		pod.Spec.NodeName, pod.Labels, pod.OwnerReferences, pod.DeletionTimestamp, pod.CreationTimestamp,
		pod.Status.StartTime)
}

func anyPod(random *rand.Rand, i int) *corev1.Pod {
	maybe := func() bool { return random.IntN(2) == 0 }
	one := func(texts ...string) string { return texts[random.IntN(len(texts))] }
	asks := func() corev1.ResourceRequirements {
		list := corev1.ResourceList{
			corev1.ResourceName(one("nvidia.com/gpu", "amd.com/gpu", "cpu")): resource.MustParse(one("0", "1", "2")),
		}
		if maybe() {
			return corev1.ResourceRequirements{Limits: list}
		}
		return corev1.ResourceRequirements{Requests: list}
	}
	agent, run := "true", []string{"python3"}
	if maybe() {
		agent, run = wrapping.Injected, []string{wrapping.Program, "exec", "--", "python3"}
	}
	var runs corev1.ContainerState
	if maybe() {
		runs.Running = &corev1.ContainerStateRunning{StartedAt: metav1.NewTime(present)}
	}
	pod := &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{
			Namespace: "team", Name: fmt.Sprint("pod-", i), UID: "uid", ResourceVersion: "7",
			CreationTimestamp: metav1.NewTime(present),
			Labels: map[string]string{
				kubeflow.JobNameLabel: "job", kubeflow.ReplicaTypeLabel: one("worker", "Master", "chief", "ps"),
				kubeflow.ReplicaIndexLabel: one("0", "1", "x"), kubeflow.OperatorNameLabel: one("", "pytorchjob-controller"),
				"ours": one("", "yes"),
			},
			Annotations: map[string]string{
				v1alpha1.DrainingAnnotation: "true", v1alpha1.AgentAnnotation: agent, "prometheus.io/scrape": "true",
				"prometheus.io/port":                      "9",
				"kubectl.kubernetes.io/default-container": "main", "someone.else/long": "of no use here",
			},
			OwnerReferences: []metav1.OwnerReference{{Kind: "PyTorchJob", Name: "job", UID: "job", Controller: new(true)}},
		},
		Spec: corev1.PodSpec{
			NodeName: one("", "node-0", "node-1", "node-2", "gone"),
			Containers: []corev1.Container{{Name: "main", Image: "image", Resources: asks()}, {
				Name: "pytorch", Resources: asks(), Command: append(run, one("train.py", "--epochs=7")), Args: []string{
					one("--max_steps", "--seed"), one("900", "$(STEPS)"),
				},
				Env: []corev1.EnvVar{
					{Name: "STEPS", Value: "700"}, {Name: "HOME", Value: "/"}, {Name: one("EPOCHS", "RANK"), Value: "5"},
				},
			}},
		},
		Status: corev1.PodStatus{
			Phase: corev1.PodPhase(one("Pending", "Running", "Succeeded", "Failed")), PodIP: "10.0.0.1",
			NominatedNodeName: one("", "node-1"), Reason: "why",
			ContainerStatuses: []corev1.ContainerStatus{
				{Name: "main", RestartCount: int32(random.IntN(3)), State: runs}, {Name: "pytorch", ImageID: "sha256:1"},
			},
		},
	}
	if maybe() {
		pod.Spec.HostNetwork = true
		pod.Spec.Containers[0].Ports = []corev1.ContainerPort{{ContainerPort: 29500, HostPort: 29500}, {ContainerPort: 1}}
	}
	if maybe() {
		pod.Spec.TopologySpreadConstraints = []corev1.TopologySpreadConstraint{{MaxSkew: 1, TopologyKey: corev1.LabelHostname,
			WhenUnsatisfiable: corev1.DoNotSchedule, LabelSelector: &metav1.LabelSelector{}}}
	}
	if maybe() {
		pod.Spec.NodeSelector = map[string]string{"zone": one("0", "1", "2")}
	}
	if maybe() {
		always := corev1.ContainerRestartPolicyAlways
		pod.Spec.InitContainers = []corev1.Container{
			{Name: "sidecar", RestartPolicy: &always, Resources: asks()}, {Name: "init", Resources: asks()},
		}
	}
	if maybe() {
		pod.Spec.SchedulingGates = []corev1.PodSchedulingGate{{Name: "later"}}
	}
	if maybe() {
		pod.Spec.Overhead = corev1.ResourceList{"cpu": resource.MustParse("1")}
	}
	if maybe() {
		pod.Status.StartTime = new(metav1.NewTime(present))
	}
	if maybe() {
		pod.DeletionTimestamp = new(metav1.NewTime(present))
	}
	if maybe() {
		zone := corev1.NodeSelectorRequirement{Key: "zone", Operator: "In", Values: []string{one("0", "1")}}
		near := &corev1.NodeSelector{NodeSelectorTerms: []corev1.NodeSelectorTerm{{
			MatchExpressions: []corev1.NodeSelectorRequirement{zone},
		}}}
		pod.Spec.Affinity = &corev1.Affinity{
			NodeAffinity: &corev1.NodeAffinity{RequiredDuringSchedulingIgnoredDuringExecution: near},
		}
	}
	return pod
}

// eightGPUs is a node that is ready.
func eightGPUs(i int) *corev1.Node {
	has := corev1.ResourceList{"nvidia.com/gpu": resource.MustParse("8")}
	return &corev1.Node{
		ObjectMeta: metav1.ObjectMeta{Name: fmt.Sprint("node-", i), Labels: map[string]string{
			corev1.LabelHostname: fmt.Sprint("node-", i),
			"zone":               fmt.Sprint(i % 2), "nvidia.com/gpu.product": fmt.Sprint("product-", i%2),
		}},
		Status: corev1.NodeStatus{
			Capacity: has, Allocatable: has,
			Conditions: []corev1.NodeCondition{{Type: corev1.NodeReady, Status: corev1.ConditionTrue}},
		},
	}
}

// present is the moment that all pods were made at.
var present = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
