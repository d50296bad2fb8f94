package submit

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/util/yaml"

	"github.com/takt-dev/takt/cli/usage"
	"github.com/takt-dev/takt/operator/kind/written"
	"github.com/takt-dev/takt/operator/shorthand"
)

// Wishes are what somebody wants of Takt; what is empty stays as the manifest has it.
type Wishes struct {
	Deadline, Queue, Priority, Workers, Guarantee, Profile, Expected, After string
	// AtOnce lets the job start by itself, as it is written, before Takt has found its size.
	AtOnce bool
}

// Read reads a manifest, YAML or JSON, with one training job in it and nothing else.
func Read(manifest io.Reader) (*unstructured.Unstructured, error) {
	text, err := io.ReadAll(manifest)
	if err != nil {
		return nil, fmt.Errorf("the manifest cannot be read: %w. Give another file, or - for standard input", err)
	}
	var found []*unstructured.Unstructured
	for in := yaml.NewYAMLOrJSONDecoder(bytes.NewReader(text), 4096); ; {
		object := &unstructured.Unstructured{}
		err := in.Decode(&object.Object)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, fmt.Errorf("the manifest cannot be read: %w. Give YAML or JSON, as kubectl takes it", err)
		}
		if len(object.Object) > 0 {
			found = append(found, object)
		}
	}
	switch len(found) {
	case 0:
		return nil, errors.New("the manifest is empty: give the YAML of a " + written.Names)
	case 1:
	default:
		return nil, fmt.Errorf("the manifest has %d objects: give one training job alone, and the others to kubectl "+
			"apply before", len(found))
	}
	job := found[0]
	kind, known := written.KindOf(job.GroupVersionKind())
	switch {
	case !known:
		return nil, fmt.Errorf("the manifest is a %s of %s, and Takt looks after %s: submit one of these",
			or(job.GetKind(), "thing without kind"), or(job.GetAPIVersion(), "no apiVersion"), written.OfGroups)
	case !kind.Takes(job):
		return nil, errors.New("the Job is not Indexed, and Takt looks after Jobs whose pods know which of them they are: " +
			"write completionMode: Indexed in its spec")
	case kind.Elsewhere(job) != "":
		return nil, fmt.Errorf("%s leaves it to others when the job runs, and two cannot decide that: submit it "+
			"without that, or with kubectl, and without Takt", kind.Elsewhere(job))
	case job.GetName() == "" && job.GetGenerateName() == "":
		return nil, errors.New("the job has no name: write metadata.name, or metadata.generateName to have one made")
	}
	return job, nil
}

func or(text, otherwise string) string {
	if text == "" {
		return otherwise
	}
	return text
}

// wish is one of them, with its flag, and the key on the job that says it.
type wish struct{ flag, key, value string }

// annotated are those that are annotations of the job.
func (w Wishes) annotated() []wish {
	return []wish{
		{"deadline", shorthand.DeadlineAnnotation, w.Deadline}, {"priority", shorthand.PriorityAnnotation, w.Priority},
		{"workers", shorthand.WorkersAnnotation, w.Workers}, {"guarantee", shorthand.GuaranteeAnnotation, w.Guarantee},
		{"profile", shorthand.ProfileAnnotation, w.Profile}, {"expected", shorthand.ExpectedAnnotation, w.Expected},
		{"after", shorthand.AfterAnnotation, w.After},
	}
}

// named is what a key is called, and whether it was typed: by its flag then, else as it stands in the manifest.
func (w Wishes) named(key string) (name string, typed bool) {
	for _, of := range append(w.annotated(), wish{"queue", shorthand.QueueLabel, w.Queue}) {
		if of.key == key && of.value != "" {
			return "--" + of.flag, true
		}
	}
	return key, false
}

// refuse says what Takt could not use; a call that says so is misuse, and a manifest is not.
func (w Wishes) refuse(said shorthand.Said, now time.Time) error {
	var sentences []string
	misused := false
	for _, fault := range said.Faults {
		sentence := fault.Sentence
		if name, typed := w.named(fault.Key); typed && fault.OfValue() {
			misused, sentence = true, name+strings.TrimPrefix(sentence, fault.Key)
		}
		sentences = append(sentences, sentence)
	}
	if said.Due != nil && !said.Due.From(now).After(now) {
		name, typed := w.named(shorthand.DeadlineAnnotation)
		misused = misused || typed
		sentences = append(sentences, fmt.Sprintf("%s is %q, which has passed: give one that is yet to come.", name,
			said.Deadline))
	}
	complaint := strings.TrimSuffix(strings.Join(sentences, " "), ".")
	switch {
	case complaint == "":
		return nil
	case misused:
		return usage.Misuse("%s", complaint)
	}
	return errors.New(complaint)
}

// Write writes the wishes on a job, and refuses what Takt could not use.
func (w Wishes) Write(job *unstructured.Unstructured, now time.Time) error {
	labels, annotations := job.GetLabels(), job.GetAnnotations()
	set(&labels, shorthand.QueueLabel, w.Queue)
	for _, of := range w.annotated() {
		set(&annotations, of.key, of.value)
	}
	if err := w.refuse(shorthand.Read(labels, annotations, nil).Of(job.GetName()), now); err != nil {
		return err
	}
	if annotations[shorthand.DeadlineAnnotation] == "" && labels[shorthand.QueueLabel] == "" {
		return usage.Misuse("Takt looks after jobs with a deadline or a queue: give one with --deadline, such as 6h, " +
			"or --queue")
	}
	job.SetLabels(labels)
	if w.AtOnce {
		job.SetAnnotations(annotations)
		return nil
	}
	kind, _ := written.KindOf(job.GroupVersionKind())
	if waits, _, _ := unstructured.NestedBool(job.Object, kind.Suspend...); !waits {
		set(&annotations, written.HeldAnnotation, written.UntilAdmitted)
	}
	job.SetAnnotations(annotations)
	if err := unstructured.SetNestedField(job.Object, true, kind.Suspend...); err != nil {
		return fmt.Errorf("%s of the job cannot be written: %w. Change that in the manifest", kind.Path(), err)
	}
	return nil
}

func set(on *map[string]string, key, value string) {
	if value == "" {
		return
	}
	if *on == nil {
		*on = map[string]string{}
	}
	(*on)[key] = value
}

// Queue is the queue that a job names; the default one if it names none.
func Queue(job *unstructured.Unstructured) string {
	return or(job.GetLabels()[shorthand.QueueLabel], "default")
}

// After are the jobs that have to succeed before a job starts.
func After(job *unstructured.Unstructured) []string {
	names, _ := shorthand.Read(job.GetLabels(), job.GetAnnotations(), nil).Fields[shorthand.After].(shorthand.Names)
	return names.All()
}
