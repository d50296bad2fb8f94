package kind

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"strings"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/validation"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/elastic/resize"
	"github.com/takt-dev/takt/operator/kind/written"
)

// Tree is a JSON merge patch. It holds objects and plain values only, as far as can be: a list in a
// merge patch replaces the whole list of the object.
type Tree map[string]any

// At is the part of the tree at a path, which is made where it is missing.
func (t Tree) At(path ...string) Tree {
	for _, name := range path {
		next, ok := t[name].(Tree)
		if !ok {
			next = Tree{}
			t[name] = next
		}
		t = next
	}
	return t
}

// Bytes is the patch as it is sent.
func (t Tree) Bytes() ([]byte, error) {
	text, err := json.Marshal(t)
	if err != nil {
		return nil, fmt.Errorf("write the patch: %w", err)
	}
	return text, nil
}

// errNotRead says that a job cannot be guarded against being patched in place of another.
var errNotRead = errors.New("the job was not read from the API server: it has no UID or no resourceVersion")

// Asking begins the patch that asks a job for a size, with what is the same for all kinds. The job has some size now,
// and is suspended or not.
func Asking(meta *metav1.ObjectMeta, ask resize.Ask, to Target, size resize.Workers, suspended bool) (Tree, error) {
	if meta.UID == "" || meta.ResourceVersion == "" {
		return nil, errNotRead
	}
	// The API server does not look at labels of templates, and no pod could be made with a bad one.
	if wrong := validation.IsValidLabelValue(to.ElasticJob); len(wrong) > 0 {
		return nil, fmt.Errorf("the name of ElasticJob %q cannot be a label: %s", to.ElasticJob, strings.Join(wrong, "; "))
	}
	text, err := written.EncodeAsk(meta.UID, ask, Before(meta, size, suspended))
	if err != nil {
		return nil, err
	}
	t := Tree{}
	metadata := t.At("metadata")
	metadata["uid"] = meta.UID
	metadata["resourceVersion"] = meta.ResourceVersion
	metadata.At("annotations")[AskAnnotation] = text
	metadata.At("annotations")[ReturnsAnnotation] = nil
	if _, held := meta.Annotations[HeldAnnotation]; held {
		metadata.At("annotations")[HeldAnnotation] = nil
	}
	if ask.Suspended && to.ReturnsTo > 0 {
		metadata.At("annotations")[ReturnsAnnotation] = fmt.Sprint(to.ReturnsTo)
	}
	return t, nil
}

// Before is how a job was before it was asked for anything, which has some size now, and is suspended or not. One that
// was held when it was created was to run.
func Before(meta *metav1.ObjectMeta, size resize.Workers, suspended bool) written.Before {
	_, held := meta.Annotations[HeldAnnotation]
	return written.Before{Size: size, Suspended: suspended && !held}.Since(meta.UID, meta.Annotations[AskAnnotation])
}

// Pods are the pods of a template, as the scheduler tells them apart.
type Pods struct {
	Role string // one of v1alpha1
	// NumberedBy is the label in which each of them has its number.
	NumberedBy string
	// Gang says which of them come with a patch; empty if none do.
	Gang string
}

// Mark writes on a template, which is at a path, what its pods are known by.
func (t Tree) Mark(ask resize.Ask, to Target, pods Pods, path ...string) {
	metadata := t.At(path...).At("metadata")
	metadata.At("labels")[v1alpha1.EpochLabel] = fmt.Sprint(ask.Epoch)
	metadata.At("labels")[v1alpha1.ElasticJobLabel] = to.ElasticJob
	metadata.At("labels")[v1alpha1.RoleLabel] = pods.Role
	metadata.At("annotations")[v1alpha1.NumberedByAnnotation] = pods.NumberedBy
	if gang := pods.Gang; gang != "" {
		metadata.At("annotations")[v1alpha1.GangAnnotation] = gang
	}
}

// Pin adds the node selector of the target to templates, which are at some paths, and notes on the job that it has.
// Where the job starts, what it was pinned to before goes.
func (t Tree) Pin(meta *metav1.ObjectMeta, to Target, starts bool, templates ...Template) error {
	before := pinned(meta.Annotations[PinnedAnnotation])
	all := map[string]v1alpha1.LabelValue{}
	if !starts {
		maps.Copy(all, before)
	}
	maps.Copy(all, to.NodeSelector)
	if maps.Equal(all, before) && len(to.NodeSelector) == 0 {
		return nil
	}
	for _, template := range templates {
		for key, value := range before {
			if _, stays := all[key]; (!stays || template.Free) && template.Is != nil &&
				template.Is.Spec.NodeSelector[key] == string(value) {
				t.At(template.Path...).At("spec", "nodeSelector")[key] = nil
			}
		}
		for key, value := range to.NodeSelector {
			if template.Free || template.says(key, before) {
				continue
			}
			t.At(template.Path...).At("spec", "nodeSelector")[key] = value
		}
	}
	if len(all) == 0 {
		t.At("metadata", "annotations")[PinnedAnnotation] = nil
		return nil
	}
	text, err := json.Marshal(all)
	if err != nil {
		return fmt.Errorf("write down the node selector of the job: %w", err)
	}
	t.At("metadata", "annotations")[PinnedAnnotation] = string(text)
	return nil
}

// Template is one of pods, and where it is in the job. Free says that the target's node selector is not for these.
type Template struct {
	Path []string
	Is   *corev1.PodTemplateSpec
	Free bool
}

// says is what a template itself asks of a label of nodes; false if nothing, or what it was pinned to.
func (t Template) says(key string, before map[string]v1alpha1.LabelValue) bool {
	if t.Is == nil {
		return false
	}
	value, given := t.Is.Spec.NodeSelector[key]
	return given && value != string(before[key])
}

// Pinned are the labels of nodes to which Pin keeps the workers.
func (j *Job) Pinned() map[string]v1alpha1.LabelValue { return pinned(j.Annotations[PinnedAnnotation]) }

// Unpinned is the template of the workers without what Pin has written there: a job that has stopped may run anywhere.
func (j *Job) Unpinned() *corev1.PodTemplateSpec {
	free := j.Worker
	for label, value := range j.Pinned() {
		if free != nil && free.Spec.NodeSelector[label] == string(value) {
			if free == j.Worker {
				free = free.DeepCopy()
			}
			delete(free.Spec.NodeSelector, label)
		}
	}
	return free
}

// pinned reads PinnedAnnotation: nothing, if it makes no sense.
func pinned(text string) map[string]v1alpha1.LabelValue {
	selector := map[string]v1alpha1.LabelValue{}
	if json.Unmarshal([]byte(text), &selector) != nil || selector == nil {
		return map[string]v1alpha1.LabelValue{}
	}
	return selector
}

// Gang says, for the pods that an ask brings about, which of them belong together: all from the first that is not
// there yet. It is empty if the ask brings about none. Late is said of a kind that is.
func Gang(job types.UID, ask resize.Ask, first resize.Workers, late bool) (string, error) {
	gang := v1alpha1.Gang{
		Epoch: int64(ask.Epoch), Stage: string(ask.Stage), First: int32(first), Pods: int32(ask.Workers - first), Job: job,
		Late: late,
	}
	if ask.Suspended || gang.Pods <= 0 {
		return "", nil
	}
	text, err := json.Marshal(gang)
	if err != nil {
		return "", fmt.Errorf("write down the gang: %w", err)
	}
	return string(text), nil
}

// Unmark takes from a template what Mark and Pin have written there.
func (t Tree) Unmark(meta *metav1.ObjectMeta, template *corev1.PodTemplateSpec, path ...string) {
	for _, label := range []string{v1alpha1.EpochLabel, v1alpha1.ElasticJobLabel, v1alpha1.RoleLabel} {
		if _, there := template.Labels[label]; there {
			t.At(path...).At("metadata", "labels")[label] = nil
		}
	}
	for _, note := range []string{v1alpha1.GangAnnotation, v1alpha1.NumberedByAnnotation} {
		if _, there := template.Annotations[note]; there {
			t.At(path...).At("metadata", "annotations")[note] = nil
		}
	}
	for label, value := range pinned(meta.Annotations[PinnedAnnotation]) {
		if template.Spec.NodeSelector[label] == string(value) {
			t.At(path...).At("spec", "nodeSelector")[label] = nil
		}
	}
}
