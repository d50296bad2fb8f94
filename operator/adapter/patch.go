package adapter

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/validation"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/elastic/resize"
)

// tree is a JSON merge patch. It holds objects and plain values only, as far as can be: a list in a
// merge patch replaces the whole list of the object.
type tree map[string]any

// at is the part of the tree at a path, which is made where it is missing.
func (t tree) at(path ...string) tree {
	for _, name := range path {
		next, ok := t[name].(tree)
		if !ok {
			next = tree{}
			t[name] = next
		}
		t = next
	}
	return t
}

// change is a patch of a training-operator job in the making.
type change struct {
	tree tree
	// fresh says that all pods are made after this patch: the job is suspended, or suspended by it.
	// starts says that they are made because of it.
	fresh, starts bool
}

// sized begins a patch with what both kinds have in common. The leader's template is left alone while
// the job runs: its pod is no part of a gang that joins it.
func sized(meta *metav1.ObjectMeta, specs string, suspended bool, leader, workers replicas,
	ask resize.Ask, to Target,
) (change, error) {
	c := change{tree: tree{}, fresh: suspended || ask.Suspended, starts: suspended && !ask.Suspended}
	fixed := leader.fixed()
	switch {
	case meta.UID == "" || meta.ResourceVersion == "":
		return c, errors.New("the job was not read from the API server: it has no UID or no resourceVersion")
	case !workers.exist():
		return c, errors.New("the job has no Worker replicas, so it cannot be sized")
	case ask.Workers <= fixed:
		return c, fmt.Errorf("a size of %d leaves the job without workers: it must be at least %d", ask.Workers, fixed+1)
	}
	// The API server does not look at labels of templates, and no pod could be made with a bad one.
	if wrong := validation.IsValidLabelValue(to.ElasticJob); len(wrong) > 0 {
		return c, fmt.Errorf("the name of ElasticJob %q cannot be a label: %s", to.ElasticJob, strings.Join(wrong, "; "))
	}
	text, err := EncodeAsk(meta.UID, ask, writtenFor(meta.UID, meta.Annotations[AskAnnotation], fixed+workers.count()))
	if err != nil {
		return c, err
	}
	metadata := c.tree.at("metadata")
	metadata["uid"] = meta.UID
	metadata["resourceVersion"] = meta.ResourceVersion
	metadata.at("annotations")[AskAnnotation] = text
	metadata.at("annotations")[ReturnsAnnotation] = nil
	if _, held := meta.Annotations[HeldAnnotation]; held {
		metadata.at("annotations")[HeldAnnotation] = nil
	}
	if ask.Suspended && to.ReturnsTo > 0 {
		metadata.at("annotations")[ReturnsAnnotation] = fmt.Sprint(to.ReturnsTo)
	}
	c.tree.at("spec", "runPolicy")["suspend"] = ask.Suspended
	c.tree.at("spec", specs, string(workers.key))["replicas"] = ask.Workers - fixed
	brings := c.starts || ask.Workers-fixed > workers.count() // pods that are not there yet

	gang, err := c.gang(meta.UID, workers, ask)
	if err != nil {
		return c, err
	}
	touched := []replicas{workers}
	if c.starts && leader.exist() {
		touched = append(touched, leader)
	}
	for _, r := range touched {
		template := c.tree.at("spec", specs, string(r.key), "template")
		labels := template.at("metadata", "labels")
		labels[v1alpha1.EpochLabel] = fmt.Sprint(ask.Epoch)
		labels[v1alpha1.ElasticJobLabel] = to.ElasticJob
		if gang != "" {
			template.at("metadata", "annotations")[v1alpha1.GangAnnotation] = gang
		}
		if brings {
			for key, value := range to.NodeSelector {
				template.at("spec", "nodeSelector")[key] = value
			}
		}
	}
	if brings && len(to.NodeSelector) > 0 {
		all := pinned(meta.Annotations[PinnedAnnotation])
		maps.Copy(all, to.NodeSelector)
		text, err := json.Marshal(all)
		if err != nil {
			return c, fmt.Errorf("write down the node selector of the job: %w", err)
		}
		metadata.at("annotations")[PinnedAnnotation] = string(text)
	}
	return c, nil
}

// pinned reads PinnedAnnotation: nothing, if it makes no sense.
func pinned(text string) map[string]v1alpha1.LabelValue {
	selector := map[string]v1alpha1.LabelValue{}
	if json.Unmarshal([]byte(text), &selector) != nil || selector == nil {
		return map[string]v1alpha1.LabelValue{}
	}
	return selector
}

// gang says, for the pods that the patch brings about, which of them belong together; nothing if it
// brings about none. Only a job without a leader grows while it runs, so the size is that of its workers.
func (c change) gang(job types.UID, workers replicas, ask resize.Ask) (string, error) {
	gang := v1alpha1.Gang{Epoch: int64(ask.Epoch), Stage: string(ask.Stage), Pods: int32(ask.Workers), Job: job}
	if !c.starts {
		gang.First = int32(workers.count())
		gang.Pods -= gang.First
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

func (c change) bytes() ([]byte, error) {
	text, err := json.Marshal(c.tree)
	if err != nil {
		return nil, fmt.Errorf("write the patch: %w", err)
	}
	return text, nil
}
