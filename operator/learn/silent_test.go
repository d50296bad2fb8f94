package learn

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/takt-dev/takt/operator/progress"
)

// What is known of a job whose annotation gives only how much there is to do is said at once, and nothing worse of it
// while it may still be about to begin.
func TestATotalWithoutProgressIsToldAtOnce(t *testing.T) {
	const yet = "takt.dev/progress gives the total; no source has shown progress yet."
	const long = "takt.dev/progress gives the total, and no source has shown progress in 10m: let the training print " +
		"it, such as \"step 420/1000\", " +
		"or write to takt.dev/progress how far it is. Or say how long it takes, such as takt.dev/expected: \"6h at 4 " +
		"workers\"."
	share := planned(0)
	share.Total, share.Unit = 1, "share"
	dated := func(seconds int) tell { return reads(2, planned(seconds)) }
	const expect = ` Or say how long it takes, such as takt.dev/expected: "6h at 4 workers".`
	silent := func(r *Run) { r.Failed(fmt.Errorf("the log is silent: %w", progress.ErrUnreachable), at(0)) }
	wrong := func(r *Run) { r.Failed(fmt.Errorf("the annotation is wrong: %w", progress.ErrGarbage), at(0)) }
	nothing := func(seconds int) tell {
		return func(r *Run) { r.Failed(fmt.Errorf("the log is empty: %w", progress.ErrNowhere), at(seconds)) }
	}
	for name, test := range map[string]struct {
		told []tell
		now  int
		want string
	}{
		"of a job that has told nothing yet": {[]tell{nothing(0), nothing(60)}, 61, "No progress was read yet."},
		"of a job that has told nothing for long": {[]tell{nothing(0), nothing(300)}, 301,
			"No progress can be read: the log is empty: the job does not tell its progress anywhere." + expect},
		"of a job whose last worker has just begun": {[]tell{nothing(0), changes(290), nothing(300)}, 301,
			"No progress was read yet."},
		"of a job whose workers come and go": {[]tell{nothing(0), changes(1190), nothing(1200)}, 1201,
			"No progress can be read: the log is empty: the job does not tell its progress anywhere." + expect},
		"at once":                   {[]tell{dated(0)}, 1, yet},
		"after a while":             {[]tell{dated(0), dated(0)}, 200, yet},
		"of workers without a date": {[]tell{dated(0), dated(60), dated(120), dated(180), dated(240)}, 250, yet},
		"after a long while":        {[]tell{dated(0), dated(0)}, 600, long},
		"of a job that begins anew": {[]tell{dated(0), changes(590), dated(595)}, 600, yet},
		"of a share": {
			[]tell{reads(2, share)}, 1, "takt.dev/progress stands at 0 %; no source has shown progress yet.",
		},
		"of a job that tells nothing": {
			[]tell{silent}, 1, "No progress was read yet: the log is silent: the progress cannot be reached." + expect,
		},
		"for somebody to correct": {
			[]tell{wrong}, 1, "No progress was read yet: the annotation is wrong: the progress cannot be understood.",
		},
		"of which something is expected": {[]tell{silent, func(r *Run) { r.believed(Expected{time.Hour, 2}) }}, 1,
			"No progress was read yet: the log is silent: the progress cannot be reached."},
		"as soon as it tells":       {[]tell{dated(0), reads(2, steps(10, 100), steps(20, 110))}, 25, ""},
		"known to the next process": {[]tell{dated(0)}, 200, yet},
		"if it cannot be read at all": {[]tell{dated(0), fails(10, "the job is gone"), fails(400, "the job is gone")}, 405,
			"No progress was read since 10:00 UTC: the job is gone."},
	} {
		t.Run(name, func(t *testing.T) {
			r := NewRun("resnet-1")
			for _, tell := range test.told {
				tell(r)
			}
			if strings.HasPrefix(name, "known") {
				var err error
				if r, err = Recalled("resnet-1", r.Keep()); err != nil {
					t.Fatal(err)
				}
			}
			got := r.View(at(test.now), 5*time.Minute)
			if got.Sentence != test.want {
				t.Errorf("it says %q, want %q", got.Sentence, test.want)
			}
			if got.Health.Doubtful() && test.want == yet {
				t.Errorf("it is %s", got.Health)
			}
		})
	}
}
