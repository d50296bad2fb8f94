package shorthand

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/takt-dev/takt/api/v1alpha1"
)

// Field is one that the spec of an ElasticJob has, and that can be written on the job instead.
type Field string

// The fields, by their path in spec.
const (
	Queue         Field = "queue"
	Deadline      Field = "deadline"
	DeadlineAfter Field = "deadlineAfter" // never written on a job: there it is resolved to a moment
	Guarantee     Field = "guarantee"
	Profile       Field = "profile"
	Interruptible Field = "interruptible"
	Agent         Field = "agent"
	WorkersMin    Field = "workers.min"
	WorkersMax    Field = "workers.max"
	Sizes         Field = "workers.sizes"
	MultipleOf    Field = "workers.multipleOf"
	After         Field = "after"
	Priority      Field = "priority"
	TTL           Field = "ttlAfterFinished"

	ExpectedDuration Field = "expected.duration"
	ExpectedWorkers  Field = "expected.workers"
)

// all are the fields, each with the key that says it on the job.
var all = map[Field]string{
	Queue: QueueLabel, Deadline: DeadlineAnnotation, DeadlineAfter: DeadlineAnnotation, Guarantee: GuaranteeAnnotation,
	Profile: ProfileAnnotation, Interruptible: InterruptibleAnnotation, WorkersMin: WorkersAnnotation,
	WorkersMax: WorkersAnnotation,
	Sizes:      WorkersAnnotation, MultipleOf: WorkersAnnotation,
	ExpectedDuration: ExpectedAnnotation, ExpectedWorkers: ExpectedAnnotation, Agent: AgentAnnotation,
	After:    AfterAnnotation,
	Priority: PriorityAnnotation, TTL: TTLAnnotation,
}

// Fields are values, each a string, an int64, a bool, a List or Names.
type Fields map[Field]any

// List is a list of numbers as it is told to people, such as 1,2,4: one that can be compared.
type List string

func listOf[N int32 | int64](numbers []N) List {
	texts := make([]string, len(numbers))
	for i, n := range numbers {
		texts[i] = fmt.Sprint(n)
	}
	return List(strings.Join(texts, ","))
}

// numbers are those of a list, as they are sent to the API server.
func (l List) numbers() []any {
	var numbers []any
	for text := range strings.SplitSeq(string(l), ",") {
		n, _ := strconv.ParseInt(text, 10, 32) // listOf has written it
		numbers = append(numbers, n)
	}
	return numbers
}

// Names are those of other jobs as they are told to people, such as prepare, pretrain: a list that can be compared.
type Names string

func namesOf(names []string) Names { return Names(strings.Join(names, ", ")) }

// All are the names; none if there is no list.
func (n Names) All() []string {
	if n == "" {
		return nil
	}
	return strings.Split(string(n), ", ")
}

// predecessors are those of a list, as they are sent to the API server.
func (n Names) predecessors() []any {
	var all []any
	for _, name := range n.All() {
		all = append(all, map[string]any{"name": name})
	}
	return all
}

// Keys are those on the job that say these fields.
func (f Fields) Keys() string {
	keys := map[string]bool{}
	for field := range f {
		keys[all[field]] = true
	}
	return strings.Join(slices.Sorted(maps.Keys(keys)), ", ")
}

// Of are the fields that a spec has.
func Of(spec *v1alpha1.ElasticJobSpec) Fields {
	has := Fields{}
	for field, value := range map[Field]string{
		Queue: spec.Queue, Deadline: string(spec.Deadline), DeadlineAfter: string(spec.DeadlineAfter),
		Guarantee: string(spec.Guarantee), Profile: spec.Profile, ExpectedDuration: string(spec.Expected.Duration),
		TTL: string(spec.TTLAfterFinished),
	} {
		if value != "" {
			has[field] = value
		}
	}
	for field, value := range map[Field]*int32{
		WorkersMin: spec.Workers.Min, WorkersMax: spec.Workers.Max, MultipleOf: spec.Workers.MultipleOf,
		ExpectedWorkers: spec.Expected.Workers, Priority: spec.Priority,
	} {
		if value != nil {
			has[field] = int64(*value)
		}
	}
	if len(spec.Workers.Sizes) > 0 {
		has[Sizes] = listOf(spec.Workers.Sizes)
	}
	if len(spec.After) > 0 {
		var names []string
		for _, p := range spec.After {
			names = append(names, p.Name)
		}
		has[After] = namesOf(names)
	}
	for field, value := range map[Field]*bool{Interruptible: spec.Interruptible, Agent: spec.Agent} {
		if value != nil {
			has[field] = *value
		}
	}
	return has
}

// Spec is the part of a spec that has these fields, as it is sent to the API server.
func (f Fields) Spec() map[string]any {
	spec := map[string]any{}
	for field, value := range f {
		if list, is := value.(List); is {
			value = list.numbers()
		}
		if names, are := value.(Names); are {
			value = names.predecessors()
		}
		outer, inner, nested := strings.Cut(string(field), ".")
		if !nested {
			spec[outer] = value
			continue
		}
		within, ok := spec[outer].(map[string]any)
		if !ok {
			within = map[string]any{}
			spec[outer] = within
		}
		within[inner] = value
	}
	return spec
}
