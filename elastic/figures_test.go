package elastic

import (
	"fmt"
	"math"
	"math/rand/v2"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// figure finds a span of time in a sentence.
var (
	toSpare    = regexp.MustCompile(`with (\w+) to spare`)
	missesBy   = regexp.MustCompile(`miss its deadline by (less than a second|\w+)`)
	endsAfter  = regexp.MustCompile(`end (less than a second|\w+) after it`)
	advises    = regexp.MustCompile(`it may take (\w+) more, and its deadline is in (\w+): give it (\w+) more time`)
	saysItWont = regexp.MustCompile(`no room for that|cannot be kept|only if GPUs become free|give it`)
)

// contradicted lists what a sentence says of a job that the columns beside it do not: ETA is ExpectedEnd, and
// SLACK the time from there to the deadline.
func contradicted(j Job, o Outcome) []string {
	var complaints []string
	complain := func(format string, args ...any) {
		complaints = append(complaints, fmt.Sprintf("%q, and ", o.Message)+fmt.Sprintf(format, args...))
	}
	ends := []*Seconds{o.Earliest, o.EarlyEnd, o.ExpectedEnd, o.LateEnd, o.Latest}
	for i, end := range ends[1:] {
		if end != nil && (ends[i] == nil || *ends[i] > *end) {
			complain("the ends of the estimate are in no order")
		}
	}
	if j.Deadline == nil {
		return complaints
	}
	slack, worst := Seconds(math.NaN()), Seconds(math.NaN())
	if o.ExpectedEnd != nil {
		slack = *j.Deadline - *o.ExpectedEnd
	}
	if o.Latest != nil {
		worst = *j.Deadline - *o.Latest
	}
	says := func(figure *regexp.Regexp, is Seconds, as func(Seconds) string) {
		if found := figure.FindStringSubmatch(o.Message); found != nil &&
			(math.IsNaN(float64(is)) || found[1] != as(is)) {
			complain("it is %v", is)
		}
	}
	switch o.Verdict {
	case OnTrack:
		if o.LateEnd == nil || !(*j.Deadline-*o.LateEnd >= -rounding) {
			complain("the plan does not count on it")
		}
		says(toSpare, worst, Shorten)
		if endsAfter.MatchString(o.Message) {
			complain("it is on track")
		}
	default:
		says(toSpare, slack, Shorten)
		says(missesBy, -slack, Away)
		says(endsAfter, -worst, Away)
	}
	if found := advises.FindStringSubmatch(o.Message); found != nil {
		if takes, until, given := shown(found[1]), shown(found[2]), shown(found[3]); takes-until > given || given > takes {
			complain("these figures do not agree")
		}
	}
	if slack >= 0 && saysItWont.MatchString(o.Message) && !strings.Contains(o.Message, inTimeAsItIs) {
		complain("its slack is %v", slack)
	}
	return complaints
}

// shown is a span of time as Shorten writes it.
func shown(text string) Seconds {
	units := map[string]Seconds{"s": 1, "m": 60, "h": 3600, "d": 24 * 3600}
	sum := Seconds(0)
	for _, part := range regexp.MustCompile(`(\d+)([smhd])`).FindAllStringSubmatch(text, -1) {
		n, _ := strconv.Atoi(part[1])
		sum += Seconds(n) * units[part[2]]
	}
	return sum
}

// What is said of jobs agrees with the columns beside it, whatever is planned.
func TestSentencesAgreeWithTheColumns(t *testing.T) {
	seen := map[string]int{}
	for seed := range uint64(400) {
		r := rand.New(rand.NewPCG(seed, 15))
		s := someCluster(r)
		for n := range 1 + r.IntN(8) {
			j := vague(r, someJob(r, n, s.Now, s.Queues))
			if j.Workers > 0 && !j.UnknownWork && r.IntN(8) == 0 {
				j.Left, j.Overruns = 0, Seconds(1+r.IntN(1000))
			}
			s.Jobs = append(s.Jobs, j)
		}
		for range 3 {
			d := Plan(s)
			for i, o := range d.Jobs {
				for _, complaint := range contradicted(s.Jobs[i], o) {
					t.Errorf("seed %d, %s: %s", seed, o.Name, complaint)
				}
				for _, figure := range []*regexp.Regexp{toSpare, missesBy, endsAfter, saysItWont, advises} {
					if figure.MatchString(o.Message) {
						seen[figure.String()]++
					}
				}
			}
			var ok bool
			if s, ok = s.after(d); !ok {
				break
			}
			s.Now += Seconds(r.IntN(60))
		}
	}
	if len(seen) < 5 {
		t.Errorf("of the figures to compare, only these were seen: %v", seen)
	}
}
