package queuefile

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"

	"k8s.io/apimachinery/pkg/util/yaml"

	"github.com/takt-dev/takt/api/v1alpha1"
)

// Read reads a file with TrainingQueues and nothing else: one after the other, or as a list of kubectl.
func Read(path string) (Queues, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("%w: --queues has to name the file with the TrainingQueues", err)
	}
	all := Queues{}
	for in := yaml.NewYAMLOrJSONDecoder(bytes.NewReader(text), 4096); ; {
		var document json.RawMessage
		err := in.Decode(&document)
		if errors.Is(err, io.EOF) {
			break
		}
		if err == nil {
			all, err = all.with(document)
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w. Change that in the file, or have takt queues -o yaml write it", path, err)
		}
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("%s has no TrainingQueue: give the manifests that are applied to the cluster, or what "+
			"takt queues -o yaml says", path)
	}
	return all, nil
}

// with adds what a document has.
func (q Queues) with(document json.RawMessage) (Queues, error) {
	if document = bytes.TrimSpace(document); len(document) == 0 || bytes.Equal(document, []byte("null")) {
		return q, nil
	}
	var is struct {
		Kind       string            `json:"kind"`
		APIVersion string            `json:"apiVersion"`
		Items      []json.RawMessage `json:"items"`
	}
	if err := json.Unmarshal(document, &is); err != nil {
		return nil, fmt.Errorf("this is no manifest: %w", err)
	}
	switch {
	case is.Kind == "List" || is.Kind == "TrainingQueueList":
		for _, item := range is.Items {
			var err error
			if q, err = q.with(item); err != nil {
				return nil, err
			}
		}
		return q, nil
	case is.Kind != "TrainingQueue" || is.APIVersion != v1alpha1.GroupVersion.String():
		return nil, fmt.Errorf("it has a %q of %q: leave all out but TrainingQueues of %s", is.Kind, is.APIVersion,
			v1alpha1.GroupVersion)
	}
	var queue v1alpha1.TrainingQueue
	strict := json.NewDecoder(bytes.NewReader(document))
	strict.DisallowUnknownFields()
	if err := strict.Decode(&queue); err != nil {
		return nil, fmt.Errorf("TrainingQueue %q: %w", queue.Name, err)
	}
	if err := q.check(&queue); err != nil {
		return nil, fmt.Errorf("TrainingQueue %q: %w", queue.Name, err)
	}
	return append(q, &queue), nil
}

// check says what the API server would refuse, as far as it matters for a share.
func (q Queues) check(queue *v1alpha1.TrainingQueue) error {
	s := queue.Spec
	guaranteed, limit := valueOf(s.Guaranteed, 0), valueOf(s.Limit, valueOf(s.Guaranteed, 0))
	there := slices.ContainsFunc(q, func(of *v1alpha1.TrainingQueue) bool { return of.Name == queue.Name })
	switch {
	case queue.Name == "":
		return errors.New("metadata.name is missing: give the queue a name")
	case there:
		return errors.New("it is there twice: leave one of them out")
	case guaranteed < 0 || limit < 0:
		return errors.New("guaranteed and limit must be 0 or more")
	case guaranteed > limit:
		return errors.New("guaranteed must not be greater than limit: lower guaranteed or raise limit")
	case valueOf(s.Weight, 1) < 1:
		return errors.New("weight must be 1 or more")
	case s.Borrowing != "" && s.Borrowing != v1alpha1.BorrowingAllow && s.Borrowing != v1alpha1.BorrowingForbid:
		return fmt.Errorf("borrowing is %q: it must be Allow or Forbid", s.Borrowing)
	case s.Borrowing == v1alpha1.BorrowingForbid && guaranteed == 0:
		return errors.New("a queue that may not borrow has only what it is guaranteed, and this one is guaranteed " +
			"nothing: raise guaranteed, or set borrowing to Allow")
	}
	switch s.Jobs.Guarantee {
	case "", v1alpha1.GuaranteeBestEffort, v1alpha1.GuaranteePromise:
	default:
		return fmt.Errorf("jobs.guarantee is %q: it must be BestEffort or Promise", s.Jobs.Guarantee)
	}
	for name, span := range map[string]v1alpha1.Duration{
		"deadlineAfter": s.Jobs.DeadlineAfter, "maxWait": s.Jobs.MaxWait,
	} {
		if d, err := span.Duration(); span != "" && (err != nil || d <= 0) {
			return fmt.Errorf("jobs.%s is %q: it must be a time such as 24h or 90m", name, span)
		}
	}
	return nil
}

func valueOf(v *int32, unless int32) int32 {
	if v == nil {
		return unless
	}
	return *v
}
