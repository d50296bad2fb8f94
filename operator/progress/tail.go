package progress

import (
	"strings"
	"sync"
	"time"

	"github.com/takt-dev/takt/agent/contract"
	"github.com/takt-dev/takt/printed"
)

// A container runtime cuts what is written without a line break into chunks of this length, and
// only the first of them has its time on it.
const chunk = 16 << 10

// output is what is remembered of the output of one worker from one reading of its end to the next.
type output struct {
	mu     sync.Mutex // held while it is read
	reader printed.Reader
	begun  bool
	// at is the time of the last line that was read, and length is how much was read of the lines of that time: a
	// line that is written over itself goes on.
	at     time.Time
	length int
	// told is the time of the line that last told progress.
	told time.Time
	// recalled says that what another process has read is taken into account.
	recalled bool
}

// hasTold says that it has told progress, or that nothing else is known that could make it.
func (o *output) hasTold() bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.recalled || !o.told.IsZero()
}

// sample is the progress that the end of a log tells, or what else is known by it, such as why that is in doubt.
func (o *output) sample(text string, whole bool, given printed.Given) (s Sample, known printed.Reading, found bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.reader.Know(given)
	s, found = o.read(text, whole)
	return s, o.reader.Reading(), found
}

// recall takes which epoch it was in at a moment, by what another process has read: the lines that say so may be gone.
func (o *output) recall(was Said, now Sample) (s Sample, known printed.Reading, found bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	found = o.told.IsZero() && o.reader.Recall(printed.Count{Done: was.Done, Total: was.Total}, was.At)
	known = o.reader.Reading()
	if found {
		o.told = known.At
		now.Done, now.Total, now.Unit, now.At = known.Done, known.Total, known.Unit, known.At
	}
	return now, known, found
}

// read reads the end of a log, as the API server gives it with timestamps: all of it, or what was asked for. It says
// whether any of it tells progress. What stands behind the last line break may be cut off anywhere, and is left out.
func (o *output) read(text string, whole bool) (Sample, bool) {
	var now tail
	now.measure(text)
	if now.newest.Before(o.at) { // the clock was set back
		o.at, o.length = time.Time{}, 0
	}
	if !o.begun && !whole || o.begun && now.oldest.After(o.at) {
		o.reader.Missed()
	}
	o.begun = true
	for line := range strings.Lines(text) {
		o.line(line, &now)
	}
	known := o.reader.Reading()
	sample := Sample{Done: known.Done, Total: known.Total, Unit: known.Unit, At: known.At, SavedAt: known.SavedAt}
	return sample, known.Known() && (now.tells || !o.told.IsZero() && !o.told.Before(now.oldest))
}

// tail is the end of a log.
type tail struct {
	oldest, newest time.Time // the first time on a line, and the last
	passed         int       // how much was passed over of the lines of the last time that was read before
	tells          bool      // a line that is new tells progress
}

// measure looks for the first and the last line that has a time on it.
func (t *tail) measure(text string) {
	for line := range strings.Lines(text) {
		if at, _ := stamp(line); !at.IsZero() {
			if t.oldest.IsZero() {
				t.oldest = at
			}
			t.newest = at
		}
	}
}

// line reads one line, unless it was read before.
func (o *output) line(line string, in *tail) {
	at, rest := stamp(line)
	if !strings.HasSuffix(rest, "\n") {
		rest = rest[:strings.LastIndexAny(rest, "\r\b")+1]
	}
	fresh := rest
	if !at.IsZero() {
		switch {
		case at.Before(o.at):
			return
		case at.Equal(o.at):
			old := min(max(0, o.length-in.passed), len(rest))
			fresh = rest[old:]
			in.passed += old
		default:
			o.at, o.length, in.passed = at, 0, 0
		}
		o.length += len(fresh)
		in.passed += len(fresh)
	}
	before, dated := o.reader.Told(), at
	if len(rest) > chunk {
		dated = time.Time{}
	}
	of, _, said := strings.Cut(fresh, contract.Voice)
	if said {
		of += "\n"
	}
	o.reader.Write([]byte(of), dated)
	if o.reader.Told() > before {
		o.told, in.tells = at, true
	}
}

// stamp cuts the time off a line; the zero time if there is none.
func stamp(line string) (time.Time, string) {
	text, rest, cut := strings.Cut(line, " ")
	at, err := time.Parse(time.RFC3339, text)
	if err != nil || !cut {
		return time.Time{}, line
	}
	return at, rest
}
