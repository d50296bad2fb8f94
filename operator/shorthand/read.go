package shorthand

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"
)

// Said is what is written on a job for Takt.
type Said struct {
	// Asks says that Takt is to look after the job, as far as can be told from what is written.
	Asks bool
	// Fields are what the ElasticJob is to say, but for the deadline.
	Fields Fields
	// Deadline is as it is written, and Due what it says; nil if it says none that can be read.
	Deadline string
	Due      *Due
	// Faults are what cannot be used as it is written.
	Faults []Fault
	// Digest changes with every word that Takt reads.
	Digest string
	// written is what is on the job, wherever it is.
	written map[string]string
	// spared says that Fields has the job not be interrupted for a fault.
	spared bool
}

func (s Said) has(key string) bool {
	_, has := s.written[key]
	return has
}

// words are the keys of which the ElasticJob is made.
var words = []string{QueueLabel, DeadlineAnnotation, WorkersAnnotation, GuaranteeAnnotation, ProfileAnnotation,
	InterruptibleAnnotation, ExpectedAnnotation}

// newer are those that were not read at first: a job without them is the same to all releases.
var newer = []string{AgentAnnotation, AfterAnnotation, PriorityAnnotation, TTLAnnotation}

// Read reads what is written on a job. The zone is that of times that name none; nil refuses them.
func Read(labelled, annotated map[string]string, zone *time.Location) Said {
	said := Said{Fields: Fields{}, Deadline: annotated[DeadlineAnnotation]}
	wrong := func(key, value, sentence string) {
		said.Faults = append(said.Faults, Fault{
			Key: key, Meant: key, Sentence: fmt.Sprintf("%s is %s: %s.", key, shown(value), sentence),
		}.sparing(value))
	}
	queue, queued := labelled[QueueLabel]
	if name(queue) {
		said.Fields[Queue] = queue
	} else if queue != "" {
		wrong(QueueLabel, queue,
			"write the name of a TrainingQueue, which has lower case letters, digits and '-', such as team-a")
	}
	deadline, dated := annotated[DeadlineAnnotation]
	if dated {
		if due, err := ReadDeadline(deadline, zone); err == nil {
			said.Due = &due
		} else {
			wrong(DeadlineAnnotation, deadline, err.Error())
		}
	}
	for _, form := range forms {
		value, ok := annotated[form.key]
		if !ok {
			continue
		}
		fields, err := form.read(value)
		if err != nil {
			wrong(form.key, value, err.Error())
		}
		maps.Copy(said.Fields, fields)
	}
	said.Faults = slices.Concat(said.Faults, unread(annotated), strangers(annotated, annotations),
		strangers(labelled, labels))
	said.Asks = queued || dated || slices.ContainsFunc(said.Faults, func(f Fault) bool {
		return f.Meant == QueueLabel || f.Meant == DeadlineAnnotation
	})
	said.written = map[string]string{}
	maps.Copy(said.written, labelled)
	maps.Copy(said.written, annotated)
	said.Digest = digest(labelled, annotated)
	return said
}

func digest(labelled, annotated map[string]string) string {
	sum := sha256.New()
	for _, key := range words {
		for _, on := range []map[string]string{labelled, annotated} {
			value, ok := on[key]
			fmt.Fprintf(sum, "%t %d %s;", ok, len(value), value)
		}
	}
	for _, key := range newer {
		if value, ok := annotated[key]; ok {
			fmt.Fprintf(sum, "%s %d %s;", key, len(value), value)
		}
	}
	return hex.EncodeToString(sum.Sum(nil)[:8])
}

// SameWords says whether two jobs say the same of what Takt reads.
func SameWords(labelsA, annotationsA, labelsB, annotationsB map[string]string) bool {
	for _, key := range slices.Concat(words, newer) {
		if labelsA[key] != labelsB[key] || annotationsA[key] != annotationsB[key] {
			return false
		}
		_, labelA := labelsA[key]
		_, labelB := labelsB[key]
		_, annotationA := annotationsA[key]
		_, annotationB := annotationsB[key]
		if labelA != labelB || annotationA != annotationB {
			return false
		}
	}
	return true
}

// Sentences are what is wrong with what is written, in as many sentences as there is room for.
func Sentences(faults []Fault) string {
	const most = 3
	var all []string
	for i, fault := range faults {
		if i == most {
			all = append(all, fmt.Sprintf("More keys cannot be used: %s.", keysOf(faults[i:])))
			break
		}
		all = append(all, fault.Sentence)
	}
	return strings.Join(all, " ")
}

// Keys are those that are wrong, as a column has room for them.
func Keys(faults []Fault) string {
	const most = 64
	text := keysOf(faults)
	if len(text) > most {
		text = strings.ToValidUTF8(text[:most-len("…")], "") + "…"
	}
	return text
}

func keysOf(faults []Fault) string {
	var keys []string
	for _, fault := range faults {
		keys = append(keys, fault.Key)
	}
	return strings.Join(keys, ",")
}
