package progress

import (
	"context"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/operator/shorthand"
)

// What whoever knows may write on a job.
const (
	// ProgressAnnotation is how far the job is; progressForms says in which forms.
	ProgressAnnotation = "takt.dev/progress"
	// CheckpointAnnotation is when the job last saved its state.
	CheckpointAnnotation = shorthand.CheckpointAnnotation
)

const progressForms = "42%, 0.42, 420/1000 or 420/1000 steps, each with a time or without, as in 42% at " +
	"2026-11-21T18:00:00Z"

var (
	annotationNumber = regexp.MustCompile(`^[0-9]{1,15}([.][0-9]{1,12})?$`)
	annotationUnit   = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_-]*$`)
)

// Annotation reads what is written on the job itself. It asks nobody.
type Annotation struct{}

// Name is Annotation.
func (Annotation) Name() v1alpha1.ProgressSource { return v1alpha1.ProgressAnnotation }

// Read fails with ErrNone where the job has no such annotation.
func (Annotation) Read(_ context.Context, t Target) (Sample, error) {
	text, ok := t.Annotations[ProgressAnnotation]
	if !ok {
		return Sample{}, fail(ErrNone, "the job has no annotation %s", ProgressAnnotation)
	}
	total, err := specTotal(t)
	if err != nil {
		return Sample{}, err
	}
	sample, ok := parseAnnotation(text, total)
	if !ok {
		return Sample{}, fail(ErrGarbage, "annotation %s is %q, but must be like %s", ProgressAnnotation, shortened(text),
			progressForms)
	}
	return sample, nil
}

// parseAnnotation reads the annotation. A bare number that is no share counts up to total, if that
// is not 0.
func parseAnnotation(text string, total float64) (Sample, bool) {
	sample := Sample{Unit: Share, Total: 1}
	value, moment, timed := strings.Cut(strings.TrimSpace(text), " at ")
	if timed {
		at, err := time.Parse(time.RFC3339, strings.TrimSpace(moment))
		if err != nil {
			return Sample{}, false
		}
		sample.At = at
	}
	value = strings.TrimSpace(value)
	var ok bool
	if percent, found := strings.CutSuffix(value, "%"); found {
		sample.Done, ok = annotated(percent)
		sample.Done /= 100
		return sample, ok
	}
	done, rest, counted := strings.Cut(value, "/")
	if sample.Done, ok = annotated(done); !ok {
		return Sample{}, false
	}
	if !counted {
		share := sample.Done <= 1 && (strings.Contains(done, ".") || total == 0)
		if !share {
			sample.Total, sample.Unit = total, ""
		}
		return sample, share || total > 0
	}
	of, unit, named := strings.Cut(strings.TrimSpace(rest), " ")
	if sample.Total, ok = annotated(of); !ok || sample.Total == 0 {
		return Sample{}, false
	}
	sample.Unit = strings.TrimSpace(unit)
	return sample, !named || annotationUnit.MatchString(sample.Unit) && len(sample.Unit) <= maxUnit
}

// annotated reads a plain decimal number, without a sign, an exponent or names such as Inf.
func annotated(text string) (float64, bool) {
	text = strings.TrimSpace(text)
	if !annotationNumber.MatchString(text) {
		return 0, false
	}
	number, err := strconv.ParseFloat(text, 64)
	return number, err == nil
}

// savedAt is when the job's annotation says that it last saved its state; zero if it does not, in a form that nobody
// can read, or at a moment that is yet to come: that is told as what is misspelt on a job, and makes no other word of
// it wrong.
func savedAt(annotations map[string]string, now time.Time) time.Time {
	at, usable := shorthand.SavedAt(annotations, now)
	if !usable {
		return time.Time{}
	}
	return at
}

// specTotal is what the ElasticJob says that done counts up to; 0 if it does not.
func specTotal(t Target) (float64, error) {
	if t.Spec.Total == "" {
		return 0, nil
	}
	total, err := t.Spec.Total.Float()
	if err != nil {
		return 0, fail(ErrGarbage, "spec.progress.total is %q, but must be a number such as 1000",
			shortened(string(t.Spec.Total)))
	}
	return total, nil
}

// shortened is a text as it can be shown in an error.
func shortened(text string) string {
	const most = 64
	if len(text) <= most {
		return text
	}
	return strings.ToValidUTF8(text[:most], "") + "…"
}
