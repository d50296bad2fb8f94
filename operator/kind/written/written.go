// Package written has the kinds of jobs as people write them, for programs that have no types of them.
//
// In comes the name of a kind; out goes where such a job says that it is suspended. It knows of no cluster.
package written

import (
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// Kind is a kind of job that people write for Takt, as far as one has to know it to write one.
type Kind struct {
	schema.GroupVersionKind
	// Suspend is the field that says that it is suspended.
	Suspend []string
	// Builtin says that every cluster has it, whoever looks after it.
	Builtin bool
}

// Kinds are all of these.
var Kinds = []Kind{
	{schema.GroupVersionKind{Group: "kubeflow.org", Version: "v1", Kind: "PyTorchJob"},
		[]string{"spec", "runPolicy", "suspend"}, false},
	{schema.GroupVersionKind{Group: "kubeflow.org", Version: "v1", Kind: "TFJob"},
		[]string{"spec", "runPolicy", "suspend"}, false},
	{schema.GroupVersionKind{Group: "batch", Version: "v1", Kind: "Job"}, []string{"spec", "suspend"}, true},
}

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

// Path is the field that says that a job is suspended, as people write it.
func (k Kind) Path() string { return strings.Join(k.Suspend, ".") }
