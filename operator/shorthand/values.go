package shorthand

import (
	"cmp"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation"

	"github.com/takt-dev/takt/agent/contract"
	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/elastic"
)

// forms are how the values of annotations are read, but for the deadline, in the order in which people are told what is
// wrong. Each gives what the ElasticJob is to say, or an error that says what to write instead.
var forms = []struct {
	key  string
	read func(text string) (Fields, error)
}{
	{WorkersAnnotation, readWorkers},
	{GuaranteeAnnotation, readGuarantee},
	{ProfileAnnotation, readProfile},
	{InterruptibleAnnotation, readInterruptible},
	{AgentAnnotation, readAgent},
	{ExpectedAnnotation, readExpected},
	{AfterAnnotation, readAfter},
	{PriorityAnnotation, readPriority},
	{TTLAnnotation, readTTL},
}

// workersForm is a number of workers, or a range as people and torchrun write it, of all numbers or the multiples of
// one; sizesForm is a list of them.
var (
	workersForm = regexp.MustCompile(`(?i)^([0-9]+)(?:\s*(?:-|–|:|[.]{2,3}|to)\s*([0-9]+)(?:\s*(?:by|in\s+steps\s+of)\s*([0-9]+))?)?(?:\s*workers?)?$`)
	sizesForm   = regexp.MustCompile(`(?i)^[0-9]+(?:\s*(?:,|\bor\b)\s*[0-9]+)+(?:\s*workers?)?$`)
	oneSize     = regexp.MustCompile(`[0-9]+`)
)

// mostSizes is how many sizes an ElasticJob may name.
const mostSizes = 64

// readWorkers reads 4, 1-8, 1,2,4,8 or 8-64 by 8.
func readWorkers(text string) (Fields, error) {
	if sizes, ok := sizesOf(text); ok {
		return sizes, nil
	}
	return nil, errors.New("write a number of workers such as 4, a range such as 1-8, all sizes such as " +
		"1,2,4,8, or a range of multiples such as 8-64 by 8")
}

func sizesOf(text string) (Fields, bool) {
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

func readGuarantee(text string) (Fields, error) {
	switch plain(strings.TrimSpace(text)) {
	case "promise":
		return Fields{Guarantee: string(v1alpha1.GuaranteePromise)}, nil
	case "besteffort":
		return Fields{Guarantee: string(v1alpha1.GuaranteeBestEffort)}, nil
	}
	return nil, errors.New("write Promise or BestEffort")
}

func readProfile(text string) (Fields, error) {
	if !name(text) {
		return nil, errors.New("write lower case letters, digits and '-', such as resnet50-imagenet")
	}
	return Fields{Profile: text}, nil
}

func readInterruptible(text string) (Fields, error) {
	switch plain(strings.TrimSpace(text)) {
	case "false", "no":
		return Fields{Interruptible: false}, nil
	case "true", "yes":
		return Fields{Interruptible: true}, nil
	}
	return nil, errors.New(`write "false" if the job is never to be stopped or restarted, or "true"`)
}

func readAgent(text string) (Fields, error) {
	if contract.Denied(text) {
		return Fields{Agent: false}, nil
	}
	switch plain(strings.TrimSpace(text)) {
	case "true", "yes", "on":
		return Fields{Agent: true}, nil
	}
	return nil, errors.New(`write "false" if the pods of the job are to be without Takt's agent, or "true"`)
}

// expectedForm is how long a training takes, and with how many workers.
var expectedForm = regexp.MustCompile(`(?i)^(.*?)\s*(?:@|\b(?:at|on|with)\b)\s*([0-9]+)(?:\s*workers?)?$`)

// readExpected reads 6h at 4 workers.
func readExpected(text string) (Fields, error) {
	const form = "write how long the whole training takes and with how many workers, such as 6h at 4 workers"
	parts := expectedForm.FindStringSubmatch(strings.TrimSpace(text))
	if parts == nil {
		return nil, errors.New(form)
	}
	workers, err := strconv.ParseInt(parts[2], 10, 32)
	switch {
	case err != nil || workers < 1:
		return nil, errors.New(form)
	case number.MatchString(parts[1]):
		return nil, fmt.Errorf("a number has no unit: write %sh at %s for hours, or %[1]sm at %[2]s for minutes", parts[1],
			elastic.CountOf(workers, "worker"))
	case !spanForm.MatchString(parts[1]):
		return nil, errors.New(form)
	}
	took, err := readSpan(parts[1])
	if err != nil {
		return nil, err
	}
	return Fields{ExpectedDuration: string(v1alpha1.NewDuration(took)), ExpectedWorkers: workers}, nil
}

// mostNames is how many jobs an ElasticJob may name that it starts after.
const mostNames = 16

// readAfter reads the names of other jobs, with commas or blanks between them.
func readAfter(text string) (Fields, error) {
	wrong := fmt.Errorf("write the names of the jobs that have to succeed before it starts, %d at most, "+
		"such as prepare, pretrain", mostNames)
	var names []string
	for _, one := range strings.FieldsFunc(text,
		func(r rune) bool { return r == ',' || r == ' ' || r == '\n' || r == '\t' }) {
		if !name(one) {
			return nil, wrong
		}
		if !slices.Contains(names, one) {
			names = append(names, one)
		}
	}
	if len(names) == 0 || len(names) > mostNames {
		return nil, wrong
	}
	return Fields{After: namesOf(names)}, nil
}

// mostPriority is the greatest that an ElasticJob may have.
const mostPriority = 1000

func readPriority(text string) (Fields, error) {
	priority, err := strconv.ParseInt(strings.TrimSpace(text), 10, 64)
	if err != nil || priority < -mostPriority || priority > mostPriority {
		return nil, fmt.Errorf("write a number from -%d to %[1]d, such as 10; jobs without one have 0", mostPriority)
	}
	return Fields{Priority: priority}, nil
}

// readTTL reads 24h or 7d.
func readTTL(text string) (Fields, error) {
	text = bare(text)
	switch {
	case number.MatchString(text):
		return nil, fmt.Errorf("a number has no unit: write %sh for hours, or %sm for minutes", text, text)
	case !spanForm.MatchString(text):
		return nil, errors.New("write how long the ElasticJob is to stay once the job has ended, such as 24h or 7d")
	}
	stays, err := readSpan(text)
	if err != nil {
		return nil, err
	}
	return Fields{TTL: string(v1alpha1.NewDuration(stays))}, nil
}

// name says whether a text is the name of an object.
func name(text string) bool { return len(validation.IsDNS1123Label(text)) == 0 }
