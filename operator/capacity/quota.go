package capacity

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/takt-dev/takt/elastic"
	"github.com/takt-dev/takt/elastic/begin"
)

// Budget is what the quotas of one namespace leave, for package begin to spend on several jobs that grow in one
// plan. What jobs give back in the same plan is not in it: their pods count until they are gone.
//
// What Kubernetes adds when a pod is created, such as the defaults of a LimitRange or the overhead of
// a RuntimeClass, is known of a job that runs. What a default PriorityClass adds is not, nor anything
// of a job that starts: what these push over a quota fails when its pods are created.
type Budget struct{ quotas []*quota }

// Charged is what a worker of a job takes: what its template says, and no less than one takes that runs.
type Charged struct {
	Template *corev1.PodTemplateSpec
	Running  *corev1.Pod // nil if none does
}

// charge is what it is charged for of what a quota bounds.
func (w Charged) charge(name corev1.ResourceName) int64 {
	each := charge(&w.Template.Spec, name)
	if w.Running != nil {
		each = max(each, charge(&w.Running.Spec, name))
	}
	return each
}

// quota is one ResourceQuota.
type quota struct {
	*corev1.ResourceQuota
	names []corev1.ResourceName // that it bounds, in order
	left  map[corev1.ResourceName]int64
}

// NewBudget reads the quotas of one namespace.
func NewBudget(quotas []*corev1.ResourceQuota) *Budget {
	b := &Budget{}
	for _, q := range quotas {
		read := &quota{ResourceQuota: q, left: map[corev1.ResourceName]int64{}}
		for name := range q.Spec.Hard {
			read.names = append(read.names, name)
			if hard, ok := q.Status.Hard[name]; ok {
				unit, _, _ := taken(name)
				used := q.Status.Used[name]
				read.left[name] = amount(unit, hard) - amount(unit, used)
			}
		}
		slices.Sort(read.names)
		b.quotas = append(b.quotas, read)
	}
	slices.SortFunc(b.quotas, func(a, b *quota) int { return cmp.Compare(a.Name, b.Name) })
	return b
}

// Left is how many more workers of a job the budget allows. Where no quota sets a bound, limited is
// false and workers means nothing; else why is the sentence that says which quota allows the fewest.
func (b *Budget) Left(worker Charged) (workers elastic.Workers, limited bool, why string) {
	workers = math.MaxInt
	for _, q := range b.quotas {
		if !q.counts(&worker.Template.Spec) {
			continue
		}
		for _, name := range q.names {
			each := worker.charge(name)
			if each <= 0 {
				continue
			}
			left, counted := q.left[name]
			if n := elastic.Workers(max(left, 0) / each); n < workers {
				workers, limited = n, true
				why = q.says(name, left, each, counted)
			}
		}
	}
	if !limited {
		return 0, false, ""
	}
	return workers, true, why
}

// Charges are what a worker of a job takes of each bound of a quota that counts it.
func (b *Budget) Charges(worker Charged) (charges []begin.Charge) {
	for _, q := range b.quotas {
		if !q.counts(&worker.Template.Spec) {
			continue
		}
		for _, name := range q.names {
			if each := worker.charge(name); each > 0 {
				charges = append(charges, begin.Charge{Quota: q.bound(name), Each: each})
			}
		}
	}
	return charges
}

// Leaves adds what is left of each bound.
func (b *Budget) Leaves(to map[string]int64) {
	for _, q := range b.quotas {
		for name, left := range q.left {
			to[q.bound(name)] = left
		}
	}
}

// Says is the sentence about a bound which allows a worker of a job no more than is left.
func (b *Budget) Says(bound string, worker Charged, left int64) string {
	for _, q := range b.quotas {
		for _, name := range q.names {
			if q.bound(name) == bound {
				_, counted := q.left[name]
				return q.says(name, left, worker.charge(name), counted)
			}
		}
	}
	return bound
}

// bound names one of the bounds of a quota.
func (q *quota) bound(name corev1.ResourceName) string {
	return fmt.Sprintf("%s/%s %s", q.Namespace, q.Name, name)
}

// says tells what a quota allows.
func (q *quota) says(name corev1.ResourceName, left, each int64, counted bool) string {
	which := fmt.Sprintf("ResourceQuota %s in namespace %s", q.Name, q.Namespace)
	if !counted {
		return which + " is new, and Kubernetes has not counted yet what is used of it: nothing can be created until it has"
	}
	unit, _, _ := taken(name)
	what := strings.TrimPrefix(string(name), corev1.DefaultResourceRequestsPrefix)
	if left <= 0 {
		return fmt.Sprintf("%s allows no more of %s; a worker takes %s", which, what, words(unit, each))
	}
	return fmt.Sprintf("%s allows %s more of %s; a worker takes %s", which, words(unit, left), what, words(unit, each))
}

// charge is what a pod is charged for of what a quota bounds: nothing, if that is not about pods.
func charge(spec *corev1.PodSpec, name corev1.ResourceName) int64 {
	unit, of, ok := taken(name)
	switch {
	case !ok:
		return 0
	case unit == corev1.ResourcePods:
		return 1
	}
	n := total(spec, unit, of)
	if q, more := spec.Overhead[unit]; more && n > 0 {
		n += amount(unit, q)
	}
	return n
}

// taken says what a bound of a quota is about: a resource, and whether its requests or its limits.
func taken(name corev1.ResourceName) (unit corev1.ResourceName, of kind, ok bool) {
	s := string(name)
	if unit, is := strings.CutPrefix(s, "limits."); is {
		return corev1.ResourceName(unit), limited, true
	}
	if unit, is := strings.CutPrefix(s, corev1.DefaultResourceRequestsPrefix); is {
		return corev1.ResourceName(unit), requested, true
	}
	switch {
	case name == corev1.ResourcePods, name == "count/pods":
		return corev1.ResourcePods, nil, true
	case name == corev1.ResourceCPU, name == corev1.ResourceMemory, name == corev1.ResourceEphemeralStorage,
		strings.HasPrefix(s, corev1.ResourceHugePagesPrefix):
		return name, requested, true
	default:
		return name, nil, false
	}
}
