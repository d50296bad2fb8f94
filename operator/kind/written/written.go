// Package written has the kinds of jobs as people write them, for programs that have no types of them, and what Takt
// writes on a job of any kind.
//
// In comes the name of a kind; out goes where such a job says that it is suspended, by what mark Takt knows that it was
// to start, and what was asked of it last. It knows of no cluster.
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
	// Suspend is the field that says that it is suspended.
	Suspend []string
	// Builtin says that every cluster has it, whoever looks after it.
	Builtin bool
	// ManagedBy is the field that says who runs it, and By who does where it is empty.
	ManagedBy []string
	By        string
}

// QueueOfKueue is the label of a job that Kueue starts and stops.
const QueueOfKueue = "kueue.x-k8s.io/queue-name"

// Kinds are all of these.
var Kinds = []Kind{
	{schema.GroupVersionKind{Group: "kubeflow.org", Version: "v1", Kind: "PyTorchJob"},
		[]string{"spec", "runPolicy", "suspend"}, false, []string{"spec", "runPolicy", "managedBy"}, trainingOperator},
	{schema.GroupVersionKind{Group: "kubeflow.org", Version: "v1", Kind: "TFJob"},
		[]string{"spec", "runPolicy", "suspend"}, false, []string{"spec", "runPolicy", "managedBy"}, trainingOperator},
	{schema.GroupVersionKind{Group: "batch", Version: "v1", Kind: "Job"}, []string{"spec", "suspend"}, true,
		[]string{"spec", "managedBy"}, "kubernetes.io/job-controller"},
}

const trainingOperator = "kubeflow.org/training-operator"

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

// Elsewhere is what has somebody else decide when a job runs, as it is written there; empty if nothing has.
func (k Kind) Elsewhere(job *unstructured.Unstructured) string {
	if queue, labelled := job.GetLabels()[QueueOfKueue]; labelled {
		return fmt.Sprintf("the label %s: %s", QueueOfKueue, queue)
	}
	if by, _, _ := unstructured.NestedString(job.Object, k.ManagedBy...); by != "" && by != k.By {
		return fmt.Sprintf("%s: %s", strings.Join(k.ManagedBy, "."), by)
	}
	return ""
}

// Path is the field that says that a job is suspended, as people write it.
func (k Kind) Path() string { return strings.Join(k.Suspend, ".") }
