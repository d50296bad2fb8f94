package shorthand

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/takt-dev/takt/agent/contract"
	"github.com/takt-dev/takt/api/v1alpha1"
)

// Prefix is of every key that Takt has anything to do with.
const Prefix = "takt.dev/"

// What people write on a training job. Either of the first two is enough to have an ElasticJob made.
const (
	QueueLabel          = Prefix + "queue"
	DeadlineAnnotation  = Prefix + "deadline"
	WorkersAnnotation   = Prefix + "workers"
	GuaranteeAnnotation = Prefix + "guarantee"
	ProfileAnnotation   = Prefix + "profile"
	ExpectedAnnotation  = Prefix + "expected"
	// AfterAnnotation names the jobs that have to succeed before this one starts.
	AfterAnnotation = Prefix + "after"
	// InterruptibleAnnotation is "false" on a job that is never to be stopped or restarted.
	InterruptibleAnnotation = Prefix + "interruptible"
	// AgentAnnotation is "false" on a job whose pods are to be without Takt's agent, and "true" on one that wants it.
	AgentAnnotation = Prefix + "agent"
	// PriorityAnnotation is how the job stands beside the others of its queue.
	PriorityAnnotation = Prefix + "priority"
	// TTLAnnotation says how long the ElasticJob stays once the job has ended.
	TTLAnnotation = Prefix + "ttl-after-finished"
	// HoldAnnotation keeps the size that the job has, whatever its value is. Takt writes it where somebody has
	// scaled the job by hand.
	HoldAnnotation = Prefix + "hold"
	// CheckpointAnnotation is when the job has last saved its state.
	CheckpointAnnotation = Prefix + "checkpoint"
)

// MadeLabel marks an ElasticJob that was made from what is written on its job, and goes with it.
const MadeLabel = Prefix + "shorthand"

// Manager is by which name the API server knows whose fields are those that come from the job.
const Manager = "takt-shorthand"

// place is where on a job a key belongs.
type place string

const (
	labels      place = "labels"
	annotations place = "annotations"
)

// elsewhere are the keys that belong on the template of the pods.
var elsewhere = []string{
	Prefix + "topology-required", Prefix + "topology-preferred",
	contract.SaveSignalAnnotation, contract.SaveFileAnnotation, contract.CheckpointPathAnnotation,
	contract.CheckpointPatternAnnotation,
	contract.ProgressFileAnnotation, contract.BarrierWithinAnnotation, contract.PortAnnotation,
}

// ofPods are the keys that Takt itself writes on pods, for their agent and for the scheduler.
var ofPods = []string{
	contract.EpochLabel, contract.LetInAnnotation, contract.DrainingAnnotation, contract.StepAsideAnnotation,
	contract.SaveAnnotation, contract.WrittenAnnotation,
}

// theirs are the keys that people and their trainings may write on a job, with their places.
var theirs = map[string]place{
	QueueLabel: labels, DeadlineAnnotation: annotations, WorkersAnnotation: annotations, GuaranteeAnnotation: annotations,
	ProfileAnnotation: annotations, InterruptibleAnnotation: annotations, ExpectedAnnotation: annotations,
	HoldAnnotation:  annotations,
	AgentAnnotation: annotations, AfterAnnotation: annotations, PriorityAnnotation: annotations,
	TTLAnnotation:       annotations,
	Prefix + "progress": annotations, CheckpointAnnotation: annotations,
}

// ours are the annotations that Takt writes on a job.
var ours = []string{Prefix + "ask", Prefix + "returns-to", Prefix + "held", Prefix + "pinned", Prefix + "agent-fault",
	Prefix + "last-call", v1alpha1.GangAnnotation, MomentAnnotation, TakenAnnotation}

// Fault is a key on a job that Takt cannot use as it is written.
type Fault struct {
	Key string
	// Sentence says what is wrong, and what to write.
	Sentence string
	// Meant is the key that is meant, as far as anybody can tell.
	Meant string
	// Misplaced says that the key is a label and should be an annotation, or the other way round.
	Misplaced bool
	// Reported says that the training writes this, again and again, and that it asks nothing of Takt.
	Reported bool
	// Spares says that it may be meant to keep the job from being stopped, restarted or resized. Until somebody says what
	// is meant, it counts as that: whoever it comes too late for has lost what the job has trained.
	Spares bool
}

// OfValue says that the key is right, and its value makes no sense.
func (f Fault) OfValue() bool { return f.Key == f.Meant && !f.Misplaced && !f.Reported }

// strangers are the keys that do not belong where they are, in their order.
func strangers(on map[string]string, where place) []Fault {
	var found []Fault
	for _, key := range slices.Sorted(maps.Keys(on)) {
		if !strings.HasPrefix(key, Prefix) || theirs[key] == where || slices.Contains(ours, key) {
			continue
		}
		if len(found) == mostStrangers {
			return append(found, Fault{
				Key: key, Sentence: fmt.Sprintf("There are more keys that Takt does not know, from %s on.", key),
			})
		}
		found = append(found, stranger(key, on[key], where).sparing(on[key]))
	}
	return found
}

// mostStrangers is how many keys somebody is told of: each is compared with all that Takt knows, and a job may have
// thousands.
const mostStrangers = 20

// one is how a sentence speaks of a key in a place.
var one = map[place]string{labels: "a label", annotations: "an annotation"}

// Of is what is said on a job of that name, which cannot start after itself.
func (s Said) Of(name string) Said {
	names, _ := s.Fields[After].(Names)
	if names == "" || !slices.Contains(strings.Split(string(names), ", "), name) {
		return s
	}
	s.Fields, s.Faults = maps.Clone(s.Fields), slices.Clone(s.Faults)
	delete(s.Fields, After)
	s.Faults = append(s.Faults, Fault{Key: AfterAnnotation, Meant: AfterAnnotation,
		Sentence: fmt.Sprintf("%s is %s: a job cannot wait for itself: take out %s.", AfterAnnotation,
			shown(string(names)), name)})
	return s
}

// OnPods adds the keys that are written on the templates of the pods, where nobody reads them; nil is no template. What
// the job itself says as well is as it should be: many write the same on both. They ask for nothing, so that a job that
// says no more itself is let go of.
func (s Said) OnPods(templates ...*corev1.PodTemplateSpec) Said {
	s.Faults = slices.Clone(s.Faults)
	for _, template := range templates {
		if template != nil {
			s.onPods(annotations, template.Annotations)
			s.onPods(labels, template.Labels)
		}
	}
	s.spare()
	return s
}

func (s *Said) onPods(where place, on map[string]string) {
	for _, key := range slices.Sorted(maps.Keys(on)) {
		right, known := theirs[key]
		twice := slices.ContainsFunc(s.Faults, func(f Fault) bool { return f.Meant == key })
		saysIn := key == AgentAnnotation && !contract.Denied(on[key]) // the agent is in the pods
		if !known || saysIn || s.has(key) || twice {
			continue
		}
		f := Fault{Key: key, Meant: key, Misplaced: true, Sentence: fmt.Sprintf(
			"%s (%s) is %s of the pods, and is read only on the job itself: write it among the %s of its own metadata.",
			key, shown(on[key]), one[where], right)}
		if key == AgentAnnotation && where == annotations {
			f.Sentence = fmt.Sprintf("%s (%s) is an annotation of the pods, which are without the agent: write it among the %s "+
				"of the metadata of the job itself.", key, shown(on[key]), right)
		}
		s.Faults = append(s.Faults, f.sparing(on[key]))
	}
}

func stranger(key, value string, where place) Fault {
	switch right := theirs[key]; {
	case right != "":
		return Fault{Key: key, Meant: key, Misplaced: true, Sentence: fmt.Sprintf(
			"%s (%s) is %s of the job, and is read only as %s: write it among its %s.", key, shown(value), one[where],
			one[right], right)}
	case slices.Contains(elsewhere, key):
		return Fault{
			Key: key, Sentence: fmt.Sprintf("%s is read on pods only: write it among the annotations of their template.", key),
		}
	case slices.Contains(ofPods, key):
		return Fault{
			Key: key, Sentence: fmt.Sprintf("%s is what Takt writes on pods, and says nothing here: take it off the job.", key),
		}
	}
	if near := nearest(key, elsewhere); near != "" && nearest(key, slices.Collect(maps.Keys(theirs))) == "" {
		return Fault{Key: key, Sentence: fmt.Sprintf("%s is no key that Takt knows: write %s, among the annotations of "+
			"the template of the pods.", key, near)}
	}
	meant := nearest(key, slices.Collect(maps.Keys(theirs)))
	if meant == "" {
		// few need them
		listed := slices.DeleteFunc(slices.Sorted(maps.Keys(theirs)), func(key string) bool {
			return slices.Contains(newer, key)
		})
		return Fault{Key: key, Sentence: fmt.Sprintf("%s is no key that Takt knows: take it off the job, or write one of %s.",
			key, strings.Join(listed, ", "))}
	}
	as := ""
	if theirs[meant] != where {
		as = ", as " + one[theirs[meant]]
	}
	return Fault{
		Key: key, Sentence: fmt.Sprintf("%s is no key that Takt knows: write %s%s.", key, meant, as), Meant: meant,
	}
}

// unlike is how far two keys are from each other of which nobody takes one for the other.
const unlike = 3

// nearest is the key of some that one looks like; empty if there is none.
func nearest(key string, of []string) string {
	best, least := "", unlike
	for _, known := range slices.Sorted(slices.Values(of)) {
		if d := distance(plain(key), plain(known)); d < least {
			best, least = known, d
		}
	}
	return best
}

// plain is a key without what people leave out or add.
func plain(key string) string {
	return strings.NewReplacer("-", "", "_", "", ".", "").Replace(strings.ToLower(strings.TrimPrefix(key, Prefix)))
}

// distance is how many letters have to be added, removed or replaced to come from one text to another.
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		before := row[0]
		row[0] = i + 1
		for j := range len(b) {
			replaced := before
			if a[i] != b[j] {
				replaced++
			}
			before = row[j+1]
			row[j+1] = min(replaced, before+1, row[j]+1)
		}
	}
	return row[len(b)]
}

// shown is a value as a sentence quotes it.
func shown(value string) string { return fmt.Sprintf("%q", clipped(value)) }

// clipped is the beginning of a long text.
func clipped(text string) string {
	const most = 40
	if runes := []rune(text); len(runes) > most {
		return string(runes[:most]) + "…"
	}
	return text
}
