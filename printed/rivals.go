package printed

import (
	"fmt"
	"time"
)

// rivals are the counters that may count the whole training. One of them leads: it is taken for that of the training.
type rivals struct {
	all  [mostRivals]rival
	lead int // 1 for the first of them; 0 before there is one
	used int
	now  int // how many counts were taken

	missed bool // output was missed before one of them
}

// wordsAlone is in the place of a label for what is no bar.
const wordsAlone = "\n"

// mostRivals are how many counters are remembered. Another takes the place of the one that was silent for longest.
const mostRivals = 8

// rival is one counter.
type rival struct {
	rank   rank
	label  string
	Count  Count
	begun  float64 // where it was seen at first
	stride float64 // the most by which it went on at once
	moves  int
	// first and last are when it was seen at first and at last.
	first, last time.Time
	seen        int // when, in counts
	nested      bool
	part        bool // it was complete, and began anew
	led         bool // it was once taken for that of the training
	corrects    bool // its total may be that of the one before, corrected
	unseen      bool // its beginning was among output that was missed
	confirmed   bool // it went on while something was told whose bars count the whole
}

// confirm has the counter that goes on at present count the whole training, as what is told beside it says.
func (r *rivals) confirm() {
	for i := range r.all[:r.used] {
		if v := &r.all[i]; v.seen == r.now && v.moves > 0 && !v.complete() {
			v.confirmed = true
		}
	}
}

// rank is how clearly a counter says that it counts the training.
type rank int

const (
	bare    rank = iota // a bar with nothing before it
	named               // a bar of a training, or a number behind a word such as step
	certain             // a form that counts all that there is to do
)

// complete says that a counter is at its end, as far as the numbers that it prints show.
func (v *rival) complete() bool {
	return v.Count.Total > 0 && v.Count.Done+v.stride >= v.Count.Total && (v.moves > 0 || v.Count.Done == v.Count.Total)
}

// outlasts says whether a counter has gone on for longer than another: by time, or where that is not known by its
// moves.
func (v *rival) outlasts(other *rival) bool {
	share := other.share()
	if v.first.IsZero() || other.first.IsZero() {
		return float64(v.moves)*share > float64(other.moves)
	}
	return v.last.Sub(v.first).Seconds()*share > other.last.Sub(other.first).Seconds()
}

// share is how much of what a counter has counted was seen: less than 1 where its beginning was missed.
func (v *rival) share() float64 {
	if !v.unseen {
		return 1
	}
	return max(0, v.Count.Done-v.begun) / v.Count.Done
}

// take takes a count of steps, and says whether it is that of the training.
func (r *rivals) take(c Count, label string, of rank, nested bool, at time.Time) bool {
	r.now++
	v := r.find(c, label, of)
	if lead := r.leader(); v.seen == 0 {
		v.corrects = lead != nil && c.Total > lead.Count.Total/manyTimes
	} else if label == wordsAlone && !v.led && c.Done <= v.begun &&
		v.Count.Done-c.Done > aLittle*c.Total {
		v.part = true // such as of one evaluation after another
	}
	v.nested = v.nested || nested && (v.seen == 0 || !v.complete())
	v.move(c, at)
	v.seen = r.now
	switch lead := r.leader(); {
	case v.nested || v.part:
	case lead != nil && lead != v && v.rank > bare && r.isWithin(c, lead) && (lead.rank == bare || lead.rank == v.rank):
	case lead == nil, lead == v, lead.nested || lead.part, v.rank > lead.rank:
		r.lead = r.index(v)
	case v.rank < lead.rank && (lead.rank == certain || !lead.complete()):
	case v.label == wordsAlone && lead.label == wordsAlone && !lead.complete() && !v.led && !v.corrects &&
		r.now-lead.seen < mostOthers: // such as of an evaluation that prints in the same words
	case lead.confirmed && lead.complete(): // such as of a last evaluation, or of the next training
		if v.confirmed {
			r.lead = r.index(v)
		}
	// Within one process, the bar of a loop within the loop of another bar is drawn below that: this one is not, so that
	// the one before it is over.
	case !lead.complete(), v.outlasts(lead):
		r.lead = r.index(v)
	}
	lead := r.leader()
	v.led = v.led || lead == v
	return lead == v && !v.part && !v.nested
}

// move takes the next count of a counter.
func (v *rival) move(c Count, at time.Time) {
	switch {
	case v.seen == 0:
		v.first = at
	case c.Done < v.Count.Done:
		// A counter that has come to its end and begins anew counts a part. One that goes back before that was set back
		// to a checkpoint.
		v.part = v.part || v.rank != certain && v.complete() && v.Count.Total == c.Total && c.Done <= c.Total/2
	case c.Done > v.Count.Done:
		v.moves++
		if c.Total == v.Count.Total {
			v.stride = max(v.stride, min(c.Done-v.Count.Done, c.Total/4))
		}
	}
	v.Count, v.last = c, at
}

// manyTimes is by how much an evaluation is shorter than the training, and by how much more than a change of its size
// makes that.
const manyTimes = 20

// isWithin says of a count that it may be one of what is done in each step of a training that goes on, or of an
// evaluation: it is far shorter.
func (r *rivals) isWithin(c Count, training *rival) bool {
	const few = 3
	return training.moves >= few && !training.complete() && !training.nested && !training.part &&
		c.Total <= training.Count.Total/manyTimes && r.now-training.seen < mostOthers
}

// find gives the counter that a count is of. Counters are told apart by their totals, too: many bars have no label, and
// an evaluation may print in the words of the training.
func (r *rivals) find(c Count, label string, of rank) *rival {
	oldest := 0
	for i := range r.all[:r.used] {
		v := &r.all[i]
		if v.rank == of && v.label == label && of == certain && !r.isWithin(c, v) ||
			v.Count.Total == c.Total && (v.label == label || v.label == wordsAlone || label == wordsAlone) {
			v.rank = max(v.rank, of)
			return v
		}
		if r.lead != i+1 && (r.lead == oldest+1 || v.seen < r.all[oldest].seen) {
			oldest = i
		}
	}
	if r.used < mostRivals {
		oldest = r.used
		r.used++
	}
	r.all[oldest] = rival{rank: of, label: label, Count: c, begun: c.Done, unseen: r.missed && c.Done > 0}
	return &r.all[oldest]
}

func (r *rivals) index(v *rival) int {
	for i := range r.all {
		if v == &r.all[i] {
			return i + 1
		}
	}
	return 0
}

func (r *rivals) leader() *rival {
	if r.lead == 0 {
		return nil
	}
	return &r.all[r.lead-1]
}

// part says that the counter which leads was complete and began anew.
func (r *rivals) part() bool {
	lead := r.leader()
	return lead != nil && lead.part
}

// doubt says why no counter can be believed at the moment; nothing if one can, or there is none.
func (r *rivals) doubt() string {
	lead := r.leader()
	if lead == nil {
		if r.used > 0 {
			return fmt.Sprintf("a bar up to %g is drawn within another that is not seen", r.all[0].Count.Total)
		}
		return ""
	}
	if lead.part || lead.nested {
		return fmt.Sprintf("a counter up to %g begins anew when it is complete: it counts a part, and nothing says how "+
			"many parts there are", lead.Count.Total)
	}
	if lead.complete() && !lead.confirmed {
		for i := range r.all[:r.used] {
			if v := &r.all[i]; v != lead && (v.rank == certain || lead.rank != certain) && !v.nested && !v.part &&
				v.seen > lead.seen {
				return fmt.Sprintf("a counter up to %g is complete, and another up to %g goes on: nothing says which of them "+
					"counts the training", lead.Count.Total, v.Count.Total)
			}
		}
	}
	return ""
}

// cutOff says that the bar which leads is complete and has no label, and that its beginning was missed: nothing if not.
func (r *rivals) cutOff() string {
	const nearly = 0.9
	lead := r.leader()
	if lead == nil || !lead.unseen || lead.rank != bare || lead.confirmed || !lead.complete() ||
		lead.Count.Done <= nearly*lead.Count.Total {
		return ""
	}
	return fmt.Sprintf("a bar up to %g is complete, and what was printed before it is not known: it may count a part",
		lead.Count.Total)
}
