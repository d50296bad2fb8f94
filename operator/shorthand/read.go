package shorthand

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/util/validation"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/elastic"
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
		})
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
	if workers, ok := annotated[WorkersAnnotation]; ok {
		if sizes, ok := readWorkers(workers); ok {
			maps.Copy(said.Fields, sizes)
		} else {
			wrong(WorkersAnnotation, workers, "write a number of workers such as 4, a range such as 1-8, all sizes such as "+
				"1,2,4,8, or a range of multiples such as 8-64 by 8")
		}
	}
	if guarantee, ok := annotated[GuaranteeAnnotation]; ok {
		switch plain(strings.TrimSpace(guarantee)) {
		case "promise":
			said.Fields[Guarantee] = string(v1alpha1.GuaranteePromise)
		case "besteffort":
			said.Fields[Guarantee] = string(v1alpha1.GuaranteeBestEffort)
		default:
			wrong(GuaranteeAnnotation, guarantee, "write Promise or BestEffort")
		}
	}
	if profile, ok := annotated[ProfileAnnotation]; ok && name(profile) {
		said.Fields[Profile] = profile
	} else if ok {
		wrong(ProfileAnnotation, profile, "write lower case letters, digits and '-', such as resnet50-imagenet")
	}
	if interruptible, ok := annotated[InterruptibleAnnotation]; ok {
		switch plain(strings.TrimSpace(interruptible)) {
		case "false", "no":
			said.Fields[Interruptible] = false
		case "true", "yes":
			said.Fields[Interruptible] = true
		default:
			wrong(InterruptibleAnnotation, interruptible, `write "false" if the job is never to be stopped or restarted, or "true"`)
		}
	}
	if agent, ok := annotated[AgentAnnotation]; ok {
		switch plain(strings.TrimSpace(agent)) {
		case "false", "no", "off":
			said.Fields[Agent] = false
		case "true", "yes", "on":
			said.Fields[Agent] = true
		default:
			wrong(AgentAnnotation, agent, `write "false" if the pods of the job are to be without Takt's agent, or "true"`)
		}
	}
	if expected, ok := annotated[ExpectedAnnotation]; ok {
		if took, workers, err := readExpected(expected); err == nil {
			said.Fields[ExpectedDuration], said.Fields[ExpectedWorkers] = string(v1alpha1.NewDuration(took)), workers
		} else {
			wrong(ExpectedAnnotation, expected, err.Error())
		}
	}
	if after, ok := annotated[AfterAnnotation]; ok {
		if names, ok := readNames(after); ok {
			said.Fields[After] = names
		} else {
			wrong(AfterAnnotation, after,
				fmt.Sprintf("write the names of the jobs that have to succeed before it starts, %d at most, "+
					"such as prepare, pretrain", mostNames))
		}
	}
	if text, ok := annotated[PriorityAnnotation]; ok {
		if priority, err := strconv.ParseInt(strings.TrimSpace(text), 10, 64); err == nil && priority >= -mostPriority &&
			priority <= mostPriority {
			said.Fields[Priority] = priority
		} else {
			wrong(PriorityAnnotation, text, fmt.Sprintf("write a number from -%d to %[1]d, such as 10; jobs without one have 0",
				mostPriority))
		}
	}
	if ttl, ok := annotated[TTLAnnotation]; ok {
		if stays, err := readTTL(ttl); err == nil {
			said.Fields[TTL] = string(v1alpha1.NewDuration(stays))
		} else {
			wrong(TTLAnnotation, ttl, err.Error())
		}
	}
	said.Faults = slices.Concat(said.Faults, strangers(annotated, annotations), strangers(labelled, labels))
	said.Asks = queued || dated || slices.ContainsFunc(said.Faults, func(f Fault) bool {
		return f.Meant == QueueLabel || f.Meant == DeadlineAnnotation
	})
	said.written = map[string]string{}
	maps.Copy(said.written, labelled)
	maps.Copy(said.written, annotated)
	said.Digest = digest(labelled, annotated)
	return said
}

func name(text string) bool { return len(validation.IsDNS1123Label(text)) == 0 }

// workersForm is a number of workers, or a range as people and torchrun write it, of all numbers or the multiples of
// one; sizesForm is a list of them.
var (
	workersForm = regexp.MustCompile(`(?i)^([0-9]+)(?:\s*(?:-|–|:|[.]{2,3}|to)\s*([0-9]+)(?:\s*(?:by|in\s+steps\s+of)\s*([0-9]+))?)?(?:\s*workers?)?$`)
	sizesForm   = regexp.MustCompile(`(?i)^[0-9]+(?:\s*(?:,|\bor\b)\s*[0-9]+)+(?:\s*workers?)?$`)
	oneSize     = regexp.MustCompile(`[0-9]+`)
)

// mostPriority is the greatest that an ElasticJob may have.
const mostPriority = 1000

// mostSizes is how many an ElasticJob may name.
const mostSizes = 64

// mostNames is how many jobs an ElasticJob may name that it starts after.
const mostNames = 16

// readNames reads the names of other jobs, with commas or blanks between them.
func readNames(text string) (Names, bool) {
	var names []string
	for _, one := range strings.FieldsFunc(text,
		func(r rune) bool { return r == ',' || r == ' ' || r == '\n' || r == '\t' }) {
		if !name(one) {
			return "", false
		}
		if !slices.Contains(names, one) {
			names = append(names, one)
		}
	}
	return namesOf(names), len(names) > 0 && len(names) <= mostNames
}

// readWorkers reads 4, 1-8, 1,2,4,8 or 8-64 by 8.
func readWorkers(text string) (Fields, bool) {
	text = strings.TrimSpace(text)
	if sizesForm.MatchString(text) {
		var sizes []int64
		for _, one := range oneSize.FindAllString(text, -1) {
			n, err := strconv.ParseInt(one, 10, 32)
			if err != nil || n < 1 {
				return nil, false
			}
			sizes = append(sizes, n)
		}
		slices.Sort(sizes)
		sizes = slices.Compact(sizes)
		return Fields{Sizes: listOf(sizes)}, len(sizes) <= mostSizes
	}
	parts := workersForm.FindStringSubmatch(text)
	if parts == nil {
		return nil, false
	}
	least, errLow := strconv.ParseInt(parts[1], 10, 32)
	most, errHigh := strconv.ParseInt(cmp.Or(parts[2], parts[1]), 10, 32)
	sizes := Fields{WorkersMin: least, WorkersMax: most}
	if parts[3] != "" {
		of, err := strconv.ParseInt(parts[3], 10, 32)
		if err != nil || of < 1 || least%of != 0 { // 1-9 by 2 may be meant to be 1, 3, 5, 7 and 9
			return nil, false
		}
		sizes[MultipleOf] = of
	}
	return sizes, errLow == nil && errHigh == nil && most >= max(least, 1)
}

// expectedForm is how long a training takes, and with how many workers.
var expectedForm = regexp.MustCompile(`(?i)^(.*?)\s*(?:@|\b(?:at|on|with)\b)\s*([0-9]+)(?:\s*workers?)?$`)

// readExpected reads 6h at 4 workers. An error says what to write instead.
func readExpected(text string) (time.Duration, int64, error) {
	const form = "write how long the whole training takes and with how many workers, such as 6h at 4 workers"
	parts := expectedForm.FindStringSubmatch(strings.TrimSpace(text))
	if parts == nil {
		return 0, 0, errors.New(form)
	}
	workers, err := strconv.ParseInt(parts[2], 10, 32)
	switch {
	case err != nil || workers < 1:
		return 0, 0, errors.New(form)
	case number.MatchString(parts[1]):
		return 0, 0, fmt.Errorf("a number has no unit: write %sh at %s for hours, or %[1]sm at %[2]s for minutes", parts[1],
			elastic.CountOf(workers, "worker"))
	case !spanForm.MatchString(parts[1]):
		return 0, 0, errors.New(form)
	}
	took, err := readSpan(parts[1])
	return took, workers, err
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
