package training

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/takt-dev/takt/operator/wrapping"
)

// jobLabels are the labels of pods with the name of their job, by its kind.
var jobLabels = map[string]string{
	"PyTorchJob": "training.kubeflow.org/job-name", "TFJob": "training.kubeflow.org/job-name",
	"Job": "batch.kubernetes.io/job-name",
}

// The labels that training-operator puts on pods, and the one of Kubernetes for those of Indexed Jobs.
const (
	roleLabel  = "training.kubeflow.org/replica-type" // in lower case
	rankLabel  = "training.kubeflow.org/replica-index"
	indexLabel = "batch.kubernetes.io/job-completion-index"
)

// roleOf is what a pod is in its job. All pods of an Indexed Job are workers.
func roleOf(pod *corev1.Pod) string {
	if _, indexed := pod.Labels[indexLabel]; indexed {
		return "worker"
	}
	return pod.Labels[roleLabel]
}

// rankOf is the number of a pod among those of its role.
func rankOf(pod *corev1.Pod) string { return cmp.Or(pod.Labels[indexLabel], pod.Labels[rankLabel]) }

// declared is what a job declares of its pods.
type declared struct {
	replicas map[string]int // by role, in lower case
	live     bool           // whether workers may join and leave while it trains
	least    int            // of live workers
}

// trains says whether a pod of a role makes the training faster.
func trains(role string) bool { return role == "worker" || role == "master" || role == "chief" }

// declaresIndexed reads an Indexed Job, of which torchrun is told a range of sizes if its workers may join and leave.
func declaresIndexed(job *unstructured.Unstructured) declared {
	workers, found, err := unstructured.NestedInt64(job.Object, "spec", "parallelism")
	if !found || err != nil {
		workers = 1
	}
	d := declared{replicas: map[string]int{"worker": int(workers)}, least: 1}
	containers, _, _ := unstructured.NestedSlice(job.Object, "spec", "template", "spec", "containers")
	for _, each := range containers {
		container, _ := each.(map[string]any)
		words, _, _ := unstructured.NestedStringSlice(container, "command")
		for _, word := range words {
			var most int
			if n, _ := fmt.Sscanf(word, "--nnodes=%d:%d", &d.least, &most); n == 2 {
				d.live = true
			}
		}
	}
	return d
}

// declares reads a job of any kind.
func declares(job *unstructured.Unstructured) declared {
	if job.GetKind() == "Job" {
		return declaresIndexed(job)
	}
	d := declared{replicas: map[string]int{}, least: 1}
	specs, _, _ := unstructured.NestedMap(job.Object, "spec", "pytorchReplicaSpecs")
	if specs == nil {
		specs, _, _ = unstructured.NestedMap(job.Object, "spec", "tfReplicaSpecs")
	}
	for role, spec := range specs {
		replicas := int64(1)
		if spec, ok := spec.(map[string]any); ok {
			if given, found, err := unstructured.NestedInt64(spec, "replicas"); found && err == nil {
				replicas = given
			}
		}
		d.replicas[strings.ToLower(role)] = int(replicas)
	}
	dynamic, _, _ := unstructured.NestedBool(job.Object, "spec", "enableDynamicWorker")
	elastic, isElastic, _ := unstructured.NestedMap(job.Object, "spec", "elasticPolicy")
	d.live = isElastic || dynamic && d.replicas["ps"] > 0 && d.replicas["chief"]+d.replicas["master"] == 0
	if least, ok := elastic["minReplicas"].(int64); ok {
		d.least = int(least)
	}
	return d
}

// crew is who trains, of the pods of a job; nobody unless all are there whom the training cannot do
// without. Those are, for a live job, the first worker, where the others meet, and every pod that
// is no worker; for any other, every pod.
func (d declared) crew(pods []*corev1.Pod) Crew {
	up := map[string][]*corev1.Pod{}
	var members []string
	workers, first := 0, false
	for _, pod := range pods {
		if !running(pod) {
			continue
		}
		role := roleOf(pod)
		up[role] = append(up[role], pod)
		if trains(role) {
			workers++
			members = append(members, string(pod.UID))
		}
		first = first || role == "worker" && rankOf(pod) == "0"
	}
	for role, wanted := range d.replicas {
		if role == "evaluator" || d.live && role == "worker" {
			continue
		}
		if len(up[role]) != wanted {
			return Crew{}
		}
	}
	if d.live && (!first && d.replicas["master"] == 0 || workers < d.least) || workers == 0 {
		return Crew{}
	}
	slices.Sort(members)
	return Crew{Workers: workers, Members: strings.Join(members, " ")}
}

// running says whether a pod does its work: one that was told to go, whose node is lost, or that
// waits at the start barrier, does not.
func running(pod *corev1.Pod) bool {
	if wrapping.Waits(pod) {
		return false
	}
	ready := func(c corev1.PodCondition) bool {
		return c.Type == corev1.PodReady && c.Status == corev1.ConditionTrue
	}
	return pod.Status.Phase == corev1.PodRunning && pod.DeletionTimestamp == nil &&
		slices.ContainsFunc(pod.Status.Conditions, ready)
}

// outcome is how the job has ended, as its controller sees it; none while it goes on.
func outcome(job *unstructured.Unstructured) Outcome {
	conditions, _, _ := unstructured.NestedSlice(job.Object, "status", "conditions")
	for _, each := range conditions {
		c, _ := each.(map[string]any)
		if c["status"] != "True" {
			continue
		}
		switch c["type"] {
		case "Succeeded", "Complete":
			return Finished
		case "Failed":
			return Broken
		}
	}
	return ""
}

// jobOf is the job that a pod belongs to.
func jobOf(pod *corev1.Pod) (key, bool) {
	owner := metav1.GetControllerOf(pod)
	if owner == nil || groupOf[owner.Kind] == "" || owner.APIVersion != groupOf[owner.Kind]+"/v1" {
		return key{}, false
	}
	return key{owner.Kind, pod.Namespace, owner.Name}, true
}

// key names a job.
type key struct{ kind, namespace, name string }

func (k key) String() string { return fmt.Sprintf("%s %s/%s", k.kind, k.namespace, k.name) }

func compareKeys(a, b key) int {
	return cmp.Or(cmp.Compare(a.namespace, b.namespace), cmp.Compare(a.name, b.name), cmp.Compare(a.kind, b.kind))
}
