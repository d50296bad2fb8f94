package written

import (
	"fmt"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// HeldAnnotation is on a job that config/admission or takt submit has suspended, and that was to start. By it Takt
// knows that its user has not suspended it, should it ever let go of it before it has started it.
const HeldAnnotation = "takt.dev/held"

// UntilAdmitted is what is written there.
const UntilAdmitted = "until-admitted"

// AskAnnotation is on a job: what Takt has asked of it last.
const AskAnnotation = "takt.dev/ask"

// StoppedByTakt says that it is Takt that has asked a job to stop.
func StoppedByTakt(job *unstructured.Unstructured) bool {
	return DecodeAsk(job.GetUID(), job.GetAnnotations()[AskAnnotation]).Suspended
}

// Kind is a kind of job that people write for Takt, as far as one has to know it to write one.
type Kind struct {
	schema.GroupVersionKind
	// Resource is what rights call it.
	Resource string
	// Suspend is the field that says that it is suspended.
	Suspend []string
	// Builtin says that every cluster has it, whoever looks after it.
	Builtin bool
	// ManagedBy is the field that says who runs it, and By who does where it is empty.
	ManagedBy []string
	By        string
	// Templates is the field that has the templates of its pods, by their roles; that of a builtin has one template.
	Templates []string
	// PodLabel is the label of its pods that names it.
	PodLabel string
}

// QueueOfKueue is the label of a job that Kueue starts and stops. Kueue passes over one without a value.
const QueueOfKueue = "kueue.x-k8s.io/queue-name"

// Kinds are all of these.
var Kinds = []Kind{
	ofTrainingOperator("PyTorchJob", "pytorchjobs", "pytorchReplicaSpecs"),
	ofTrainingOperator("TFJob", "tfjobs", "tfReplicaSpecs"),
	{GroupVersionKind: schema.GroupVersionKind{Group: "batch", Version: "v1", Kind: "Job"}, Resource: "jobs",
		Suspend: []string{"spec", "suspend"}, Builtin: true,
		ManagedBy: []string{"spec", "managedBy"}, By: "kubernetes.io/job-controller",
		Templates: []string{"spec"}, PodLabel: "batch.kubernetes.io/job-name"},
}

func ofTrainingOperator(kind, resource, templates string) Kind {
	return Kind{GroupVersionKind: schema.GroupVersionKind{Group: "kubeflow.org", Version: "v1", Kind: kind},
		Resource: resource, Suspend: []string{"spec", "runPolicy", "suspend"},
		ManagedBy: []string{"spec", "runPolicy", "managedBy"}, By: "kubeflow.org/training-operator",
		Templates: []string{"spec", templates}, PodLabel: "training.kubeflow.org/job-name"}
}

// What people are told of all kinds.
const (
	Names    = "PyTorchJob, TFJob or Indexed Job"
	OfGroups = "PyTorchJobs and TFJobs of kubeflow.org/v1, and Indexed Jobs of batch/v1"
	// Builtin are those that every cluster has.
	Builtin = "Indexed Jobs"
	// Controller makes the pods of those that are not builtin, and Product is what a cluster has both by.
	Controller = "training-operator"
	Product    = "Kubeflow's training-operator"
)

// KindOf finds the kind of a job.
func KindOf(of schema.GroupVersionKind) (Kind, bool) {
	if i := slices.IndexFunc(Kinds, func(k Kind) bool { return k.GroupVersionKind == of }); i >= 0 {
		return Kinds[i], true
	}
	return Kind{}, false
}

// Takes says whether Takt could look after a job of the kind: of Kubernetes' own, those that are Indexed.
func (k Kind) Takes(job *unstructured.Unstructured) bool {
	mode, _, _ := unstructured.NestedString(job.Object, "spec", "completionMode")
	return !k.Builtin || mode == "Indexed"
}

// PlacedBy says whether any pods of a job are to be placed by a scheduler.
func (k Kind) PlacedBy(scheduler string, job *unstructured.Unstructured) bool {
	templates, _, _ := unstructured.NestedMap(job.Object, k.Templates...)
	if k.Builtin {
		templates = map[string]any{"": templates}
	}
	for role := range templates {
		name, _, _ := unstructured.NestedString(templates, role, "template", "spec", "schedulerName")
		if name == scheduler {
			return true
		}
	}
	return false
}

// Over says whether a job has ended.
func (k Kind) Over(job *unstructured.Unstructured) bool {
	conditions, _, _ := unstructured.NestedSlice(job.Object, "status", "conditions")
	return slices.ContainsFunc(conditions, func(c any) bool {
		condition, _ := c.(map[string]any)
		ends := []any{"Succeeded", "Complete", "Failed"}
		return slices.Contains(ends, condition["type"]) && condition["status"] == "True"
	})
}

// Elsewhere is what has somebody else decide when a job runs, as it is written there; empty if nothing has.
func (k Kind) Elsewhere(job *unstructured.Unstructured) string {
	if queue := job.GetLabels()[QueueOfKueue]; queue != "" {
		return fmt.Sprintf("the label %s: %s", QueueOfKueue, queue)
	}
	if by, _, _ := unstructured.NestedString(job.Object, k.ManagedBy...); by != "" && by != k.By {
		return fmt.Sprintf("%s: %s", strings.Join(k.ManagedBy, "."), by)
	}
	return ""
}

// Path is the field that says that a job is suspended, as people write it.
func (k Kind) Path() string { return strings.Join(k.Suspend, ".") }
