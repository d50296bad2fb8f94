package shorthand

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

// What Takt keeps on a job of what is written there.
const (
	// MomentAnnotation is the moment that a deadline means, with the words that it was found from: the
	// same words never come to mean another. Without a deadline it is the one that Since tells.
	MomentAnnotation = Prefix + "deadline-at"
	// TakenAnnotation says for which words an ElasticJob was made. Where it is gone, somebody has deleted
	// it, and Takt lets go of the job until the words change.
	TakenAnnotation = Prefix + "taken"
)

// moment is what is kept of a deadline. The UID is that of the job: an annotation that came along with a
// copied manifest carries another, and says nothing.
type moment struct {
	Job  types.UID `json:"job"`
	Text string    `json:"text"`
	At   time.Time `json:"at"`
}

// EncodeMoment writes down what a deadline means.
func EncodeMoment(job types.UID, text string, at time.Time) (string, error) {
	kept, err := json.Marshal(moment{job, text, at.UTC().Truncate(time.Second)})
	if err != nil {
		return "", fmt.Errorf("write down the moment of the deadline: %w", err)
	}
	return string(kept), nil
}

// DecodeMoment reads what was written down for these very words.
func DecodeMoment(job types.UID, text string, annotated map[string]string) (time.Time, bool) {
	var kept moment
	if json.Unmarshal([]byte(annotated[MomentAnnotation]), &kept) != nil || kept.Job != job || kept.Text != text {
		return time.Time{}, false
	}
	return kept.At, !kept.At.IsZero()
}

// inQueue stands for the words of a deadline where that is the one which the queue gives the job.
func inQueue(queue string) string { return "in queue " + queue }

// EncodeSince writes down since when Takt looks after a job in a queue: the deadline that the queue gives it counts
// from then.
func EncodeSince(job types.UID, queue string, since time.Time) (string, error) {
	return EncodeMoment(job, inQueue(queue), since)
}

// Since is since when that is so; false if it is not kept.
func Since(job types.UID, queue string, annotated map[string]string) (time.Time, bool) {
	return DecodeMoment(job, inQueue(queue), annotated)
}

type taken struct {
	Job    types.UID `json:"job"`
	Digest string    `json:"digest"`
}

// EncodeTaken writes down that an ElasticJob was made for these words.
func EncodeTaken(job types.UID, said Said) (string, error) {
	kept, err := json.Marshal(taken{job, said.Digest})
	if err != nil {
		return "", fmt.Errorf("write down that the job is taken on: %w", err)
	}
	return string(kept), nil
}

// EverTaken says whether an ElasticJob was made for any words on the job.
func EverTaken(job types.UID, annotated map[string]string) bool {
	var kept taken
	return json.Unmarshal([]byte(annotated[TakenAnnotation]), &kept) == nil && kept.Job == job
}

// WasTaken says whether an ElasticJob was made for these very words.
func WasTaken(job types.UID, said Said, annotated map[string]string) bool {
	var kept taken
	return json.Unmarshal([]byte(annotated[TakenAnnotation]), &kept) == nil && kept.Job == job &&
		kept.Digest == said.Digest
}

// WrittenAt is when an annotation got its value, as far as the API server has kept it: it knows of each
// writer when it last changed anything. So it may have been earlier, and was not later.
func WrittenAt(entries []metav1.ManagedFieldsEntry, annotation string) (time.Time, bool) {
	var at time.Time
	for _, entry := range entries {
		if entry.FieldsV1 == nil || entry.Time == nil {
			continue
		}
		if _, has := below(within(entry.FieldsV1, "metadata", "annotations"), annotation); has &&
			(at.IsZero() || entry.Time.Time.Before(at)) {
			at = entry.Time.Time
		}
	}
	return at, !at.IsZero()
}

// Applied says whether a field of the spec, wherever it is there but in some parts, was written by nobody but who has
// applied a whole manifest: that says it along with all else, and need not mean anything by it.
func Applied(entries []metav1.ManagedFieldsEntry, field string, but ...string) (applied bool) {
	for _, entry := range entries {
		if entry.FieldsV1 == nil || !anywhere(within(entry.FieldsV1, "spec"), field, but) {
			continue
		}
		if !whole(entry) {
			return false
		}
		applied = true
	}
	return applied
}

// byOne are writers who change single things, or put in the place of a job what somebody has just edited. takt is what
// people write by its command.
var byOne = []string{"kubectl-edit", "kubectl-replace", "takt"}

// whole says that a writer applies whole manifests: by a server-side apply in which its pods are as well, or by one of
// its own, for which it notes what it has applied last, as kubectl and Argo CD do.
func whole(entry metav1.ManagedFieldsEntry) bool {
	if entry.Operation == metav1.ManagedFieldsOperationApply {
		return anywhere(within(entry.FieldsV1, "spec"), "template", nil)
	}
	_, notes := below(within(entry.FieldsV1, "metadata", "annotations"), corev1.LastAppliedConfigAnnotation)
	return entry.Manager == "kubectl-client-side-apply" || notes && !slices.Contains(byOne, entry.Manager)
}

func anywhere(node map[string]any, field string, but []string) bool {
	if _, here := below(node, field); here {
		return true
	}
	for key, next := range node {
		inner, ok := next.(map[string]any)
		if ok && !slices.Contains(but, strings.TrimPrefix(key, "f:")) && anywhere(inner, field, but) {
			return true
		}
	}
	return false
}
