package learn

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
	"time"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/operator/progress"
)

// View is how far a job is, and how that is known.
type View struct {
	// Done is the share that is done, from 0 to 1. It means nothing unless it is Known.
	Done  float64
	Known bool
	// Refuted says that the share which was known is not true: it was that of a part.
	Refuted bool
	// Total is what the job counts up to, in Unit; zero if nobody knows.
	Total      float64
	Unit       string
	Source     v1alpha1.ProgressSource
	ObservedAt time.Time // of the last reading
	MovedAt    time.Time // when it last told anything new
	ChangedAt  time.Time // when the workers that train last changed; zero if they have not
	SavedAt    time.Time // when the job last saved its state, if that is known
	Health     Health
	Sentence   string // what is the matter; empty if nothing is
	// GivenUp says that it could not be read for so long that nobody can tell how much there is to do.
	GivenUp bool
	// Overruns says that it has told all of its work for longer than its end takes, and still runs.
	Overruns bool
	// Profile says why what a profile knows is not used; empty if it is.
	Profile string
}

// patience is how many of its usual advances a job is given before its last reading is stale.
const patience = 3

// View looks at the run at a moment. A reading older than staleAfter is stale, unless the job
// advances as rarely as that.
func (r *Run) View(now time.Time, staleAfter time.Duration) View {
	r.mu.Lock()
	defer r.mu.Unlock()
	v := View{
		Unit: r.tally.unit, Source: r.tally.source, Total: r.tally.total,
		ObservedAt: r.at, MovedAt: r.movedAt, ChangedAt: r.stretch.changedAt, SavedAt: r.saves.at,
		Refuted: r.tally.refuted,
	}
	if v.Total > 0 {
		v.Known, v.Done = true, r.done/v.Total
	}
	if err := r.unitsDiffer(); err != nil {
		v.Profile = err.Error()
	}
	v.Health, v.Sentence = r.health(now, staleAfter)
	v.GivenUp, v.Overruns = r.givenUp(staleAfter), r.overruns(now)
	return v
}

// Told is by which source the job tells how far it is, when it last advanced, and when its workers last changed.
func (r *Run) Told() (by v1alpha1.ProgressSource, moved, changed time.Time) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.tally.source, r.movedAt, r.stretch.changedAt
}

// LastRead is when the job was last read, and which share of it was done then; false if nobody knows.
func (r *Run) LastRead() (at time.Time, done float64, known bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.at.IsZero() || r.tally.total <= 0 {
		return time.Time{}, 0, false
	}
	return r.at, r.done / r.tally.total, true
}

// Fresh says that it is known how far the job is, and was read so lately that it holds, by this process or the
// one before it.
func (r *Run) Fresh(now time.Time, staleAfter time.Duration) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return !r.at.IsZero() && now.Sub(r.at) <= staleAfter
}

func (r *Run) health(now time.Time, staleAfter time.Duration) (Health, string) {
	at := func(t time.Time) string {
		if age := now.Sub(t); age > 20*time.Hour || age < -20*time.Hour {
			return t.UTC().Format("2006-01-02 15:04 MST")
		}
		return t.UTC().Format("15:04 MST")
	}
	age := now.Sub(r.at)
	unread, complete := r.tally.unit == "", r.tally.total > 0 && r.done >= r.tally.total
	switch failed := r.failure.err != nil; {
	case unread && failed && r.silentFor(staleAfter):
		return Unreadable, fmt.Sprintf("No progress can be read: %s%s", sentence(r.failure.err), r.orExpect())
	case unread && failed && !errors.Is(r.failure.err, progress.ErrNowhere): // of which what to do is told later
		return Unread, fmt.Sprintf("No progress was read yet: %s%s", sentence(r.failure.err), r.orExpect())
	case unread && (failed || r.state.health == ""):
		return Unread, "No progress was read yet."
	case unread:
		return r.state.health, r.state.say(at)
	case age > max(staleAfter, patience*r.usual(), r.silence()) && !complete && (r.answered || failed) &&
		!r.stretch.opensLate(now):
		if failed {
			return Unreadable, fmt.Sprintf("No progress was read since %s: %s", at(r.at), sentence(r.failure.err))
		}
		return Stale, fmt.Sprintf("The last reading of its progress is %s old.", about(age))
	case failed && r.failing() > 0 && !progress.Passes(r.failure.err) && !complete:
		return Invalid, fmt.Sprintf("The progress cannot be read any more: %s", sentence(r.failure.err))
	case !r.answered:
		return Unread, r.unmoved(now, staleAfter)
	case -age > staleAfter:
		return Clock, fmt.Sprintf("The last reading of its progress is dated %s ahead: the clock of the job's node, or "+
			"Takt's, is wrong.", about(-age))
	case r.state.health != "":
		return r.state.health, r.state.say(at)
	case r.tally.rounds && r.tally.total == 0:
		return NoTotal, r.tally.parts()
	case r.tally.total == 0:
		return NoTotal, fmt.Sprintf("The source %s does not say how much there is to do: set spec.progress.total.",
			r.tally.source)
	case r.overruns(now):
		return Good, fmt.Sprintf("It has told all of its work, at %s, and still runs: nobody knows what it does, nor when "+
			"it ends.", at(r.movedAt))
	default:
		return Good, r.tally.parts()
	}
}

// unmoved says of a job what its annotation says, which is all that is known. Many a training shows nothing for its
// first minutes, so what to do is told later.
func (r *Run) unmoved(now time.Time, staleAfter time.Duration) string {
	says := progress.ProgressAnnotation + " gives the total"
	if r.tally.unit == progress.Share {
		says = progress.ProgressAnnotation + " stands at " + r.amount(r.done)
	}
	since := now.Sub(latestOf(r.movedAt, r.stretch.changedAt))
	if since < staleAfter {
		return says + "; no source has shown progress yet."
	}
	return fmt.Sprintf("%s, and no source has shown progress in %s: let the training print it, such as \"step "+
		"420/1000\", or write to %s how far it is.%s",
		says, about(since), progress.ProgressAnnotation, r.orExpect())
}

// orExpect says what else can be done for a job that tells nothing; empty if something is believed of it, or somebody
// has to correct what it does tell.
func (r *Run) orExpect() string {
	if r.belief.held != nil || r.failure.err != nil && !progress.Passes(r.failure.err) {
		return ""
	}
	return ` Or say how long it takes, such as takt.dev/expected: "6h at 4 workers".`
}

// silence is how long the job may say nothing new while its source answers: it may evaluate or save.
func (r *Run) silence() time.Duration {
	if ordinary, known := r.counter.Patience(); known && r.repeated {
		return span(float64(ordinary))
	}
	return 0
}

// failing is for how long no source has answered; zero for a single failure.
func (r *Run) failing() time.Duration { return r.failure.at.Sub(r.failure.since) }

// silentFor says that a job which was never read trains for long with all the workers that it has: one that waits for
// the last of them tells nothing. Where workers come and go for ever it is said all the same, later.
func (r *Run) silentFor(long time.Duration) bool {
	return min(r.failing(), r.failure.at.Sub(r.stretch.changedAt)) >= long || r.failing() >= giveUp*long
}

// sentence is an error as the end of a sentence.
func sentence(err error) string {
	text := strings.TrimRight(short(err), ". ")
	if strings.HasSuffix(text, "?") || strings.HasSuffix(text, "…") {
		return text
	}
	return text + "."
}

// request is what was asked of whom, as errors of requests name it: longer than all else, and of no use to people.
var request = regexp.MustCompile(`\b(?:Get|Head|Post) "?[a-z]+://[^\s"]+"?: `)

// short is an error in words that leave room for others in a status. It ends with a whole word, so that no
// address is cut off.
func short(err error) string {
	const most = 300
	text := request.ReplaceAllString(strings.Join(strings.Fields(err.Error()), " "), "")
	runes := []rune(text)
	if len(runes) <= most {
		return text
	}
	text = string(runes[:most])
	if word := strings.LastIndexByte(text, ' '); word > 0 && runes[most] != ' ' {
		text = text[:word]
	}
	return strings.TrimRight(text, " ,.:;(\"") + "…"
}
