package shorthand

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/takt-dev/takt/api/v1alpha1"
)

// Owners are whose word the fields of an ElasticJob are, as the API server has it: those that come from
// its job, and those of everybody else.
type Owners struct {
	Job, Others map[Field]bool
	// Touched says that somebody has set anything of the spec, which of the job it is for aside.
	Touched bool
}

// OwnersOf reads them. Nobody's are those that were filled in.
func OwnersOf(ej *v1alpha1.ElasticJob) Owners {
	owners := Owners{Job: map[Field]bool{}, Others: map[Field]bool{}}
	for _, entry := range ej.ManagedFields {
		if entry.Subresource != "" || entry.FieldsV1 == nil {
			continue
		}
		whose, spec := owners.Others, within(entry.FieldsV1, "spec")
		if entry.Manager == Manager && entry.Operation == metav1.ManagedFieldsOperationApply {
			whose = owners.Job
		} else {
			owners.Touched = owners.Touched || slices.ContainsFunc(slices.Collect(maps.Keys(spec)), func(key string) bool {
				return strings.HasPrefix(key, "f:") && key != "f:jobRef"
			})
		}
		for field := range all {
			node, has := spec, true
			for step := range strings.SplitSeq(string(field), ".") {
				if node, has = below(node, step); !has {
					break
				}
			}
			if has {
				whose[field] = true
			}
		}
	}
	return owners
}

// within is the part of a set of fields below a path.
func within(set *metav1.FieldsV1, path ...string) map[string]any {
	var node map[string]any
	if json.Unmarshal(set.GetRawBytes(), &node) != nil {
		return nil
	}
	for _, step := range path {
		node, _ = below(node, step)
	}
	return node
}

func below(node map[string]any, step string) (map[string]any, bool) {
	next, ok := node["f:"+step].(map[string]any)
	return next, ok
}

// theirWord says whether somebody has said on the ElasticJob itself what a field is about.
func (o Owners) theirWord(field Field) bool {
	return o.Others[field] || field == Deadline && o.Others[DeadlineAfter]
}

// Settled says whether an ElasticJob has these fields from its job, and no others.
func (o Owners) Settled(wanted, has Fields) bool {
	return len(wanted) == len(o.Job) && !slices.ContainsFunc(slices.Collect(maps.Keys(wanted)), func(f Field) bool {
		return !o.Job[f] || has[f] != wanted[f]
	})
}
