package shorthand

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

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

// predecessors are those of a list, as they are sent to the API server.
func (n Names) predecessors() []any {
	var all []any
	for name := range strings.SplitSeq(string(n), ", ") {
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

// Wanted are the fields that the job is to have in the ElasticJob: what it says, unless somebody has said
// it on the ElasticJob. Where it cannot be read what it says, what it said before stays.
func (s Said) Wanted(says Fields, has Fields, owners Owners) Fields {
	wanted := Fields{}
	for field, value := range says {
		if !owners.theirWord(field) {
			wanted[field] = value
		}
	}
	for _, fault := range s.Faults {
		for field, key := range all {
			if value, there := has[field]; there && fault.OfValue() && key == fault.Key && owners.Job[field] {
				wanted[field] = value
			}
		}
	}
	// Somebody's bound beside one of the job may leave no size between them, and then all would be refused.
	for mine, theirs := range map[Field]Field{WorkersMin: WorkersMax, WorkersMax: WorkersMin} {
		own, ok := wanted[mine].(int64)
		other, set := has[theirs].(int64)
		if ok && set && owners.Others[theirs] && (mine == WorkersMin && own > other || mine == WorkersMax && own < other) {
			delete(wanted, mine)
		}
	}
	for _, mine := range [][2]Field{{Sizes, MultipleOf}, {WorkersMin, WorkersMax}} {
		if !sized(wanted, has, owners) {
			delete(wanted, mine[0])
			delete(wanted, mine[1])
		}
	}
	// What is expected is refused without the size that it is expected at: a half that somebody has set stays whole.
	for mine, theirs := range map[Field]Field{ExpectedDuration: ExpectedWorkers, ExpectedWorkers: ExpectedDuration} {
		if _, said := wanted[mine]; !said && owners.Job[mine] && owners.Others[theirs] {
			wanted[mine] = has[mine]
		}
	}
	return wanted
}

// sized says that a size is left where somebody has set a bound, sizes or a multiple beside what the job says of them.
func sized(wanted, has Fields, owners Owners) bool {
	value := func(field Field) (any, bool) {
		if owners.Others[field] {
			return has[field], true
		}
		said, ok := wanted[field]
		return said, ok
	}
	least, most, of := int64(1), int64(math.MaxInt32), int64(1)
	for field, bound := range map[Field]*int64{WorkersMin: &least, WorkersMax: &most, MultipleOf: &of} {
		if said, ok := value(field); ok {
			if n, is := said.(int64); is {
				*bound = max(n, 1)
			}
		}
	}
	if list, ok := value(Sizes); ok {
		if sizes, is := list.(List); is {
			return slices.ContainsFunc(sizes.numbers(), func(n any) bool {
				return n.(int64) >= least && n.(int64) <= most && n.(int64)%of == 0
			})
		}
	}
	return most/of*of >= least
}

// Settled says whether an ElasticJob has these fields from its job, and no others.
func (o Owners) Settled(wanted, has Fields) bool {
	return len(wanted) == len(o.Job) && !slices.ContainsFunc(slices.Collect(maps.Keys(wanted)), func(f Field) bool {
		return !o.Job[f] || has[f] != wanted[f]
	})
}

// Overruled are sentences on what is written on the job and does not count, since the ElasticJob says
// something else.
func (s Said) Overruled(says Fields, has Fields, owners Owners) []string {
	var told []string
	for _, field := range slices.Sorted(maps.Keys(says)) {
		instead := field
		if field == Deadline && owners.Others[DeadlineAfter] {
			instead = DeadlineAfter
		}
		if !owners.Others[instead] || has[instead] == says[field] {
			continue
		}
		key := all[field]
		told = append(told, fmt.Sprintf("%s (%s) is overruled by spec.%s of this ElasticJob, which is %v: write the same "+
			"in both, or take one of them away.",
			key, clipped(s.written[key]), instead, has[instead]))
	}
	return told
}
