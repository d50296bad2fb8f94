package shorthand

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
)

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
			if value, there := has[field]; there && fault.OfValue() && !fault.Spares && key == fault.Key && owners.Job[field] {
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

// Overruled are sentences on what is written on the job and does not count, since the ElasticJob says
// something else.
func (s Said) Overruled(says Fields, has Fields, owners Owners) []string {
	var told []string
	for _, field := range slices.Sorted(maps.Keys(says)) {
		instead := field
		if field == Deadline && owners.Others[DeadlineAfter] {
			instead = DeadlineAfter
		}
		key, there := s.keyOf(field)
		if !owners.Others[instead] || has[instead] == says[field] || !there {
			continue
		}
		told = append(told, fmt.Sprintf("%s (%s) is overruled by spec.%s of this ElasticJob, which is %v: write the same "+
			"in both, or take one of them away.",
			key, clipped(cmp.Or(s.written[key], fmt.Sprint(says[field]))), instead, has[instead]))
	}
	return told
}

// keyOf is the key on a job, or on its pods, that says a field; false if none does.
func (s Said) keyOf(field Field) (key string, there bool) {
	key = all[field]
	if s.has(key) || field != Interruptible || !s.spared {
		return key, s.has(key)
	}
	for _, fault := range s.Faults {
		if fault.Spares && fault.Meant == key {
			return fault.Key, true
		}
	}
	return key, false
}
