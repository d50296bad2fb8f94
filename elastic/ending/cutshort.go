package ending

import "time"

// Seen is what is seen of a job that counts as finished.
type Seen struct {
	At time.Time // when it ended, in whole seconds
	// SeenAt is when whoever judges its end has first seen it; zero if that does not matter.
	SeenAt time.Time
	// Said is what was said of this end before.
	Said Said
	// Leaving are its workers that may have been about to leave when it ended; nil if there were none.
	Leaving *Leaving
	// Read is when it was last read, and Done which share of its work was done then. Zero is that nobody knows.
	Read time.Time
	Done float64
	// Began is when it began to train.
	Began time.Time
	// Earliest is when it was going to end at the optimistic end of what was said of it last, and Expected in between.
	// Zero is that nothing was said.
	Earliest, Expected time.Time
	// Rate is which share of its work those do in a second whom it had until they were to leave; 0 if nobody knows. What
	// was said last is of the fewer that it was to have then.
	Rate float64
}

// Said is what was said of the end of a job.
type Said string

// What may have been said. Without any of it nothing was.
const (
	CutShort Said = "CutShort"
	Done     Said = "Done"
)

// CutShort says that the work of a job was not done: it ended as workers of it left, and sooner than what was last
// known of it allows. What was said of its end once stays: what it was judged by may be gone since.
func (s Seen) CutShort() bool {
	ended := s.At.Add(time.Second)
	switch {
	case s.Said != "":
		return s.Said == CutShort
	case s.Leaving == nil || s.Done >= 1 || s.doneBy(ended):
		return false
	case ended.Before(s.Earliest):
		return true
	}
	if s.Read.IsZero() {
		s.Read = s.Leaving.Since
	}
	rest, known := s.rest()
	if !known {
		// Of what told nothing nobody knows how far it was. That it was just done within those seconds is less likely.
		return s.Leaving.Soon
	}
	return ended.Sub(s.Read) < rest/2
}

// doneBy says that those who train until they leave have done by some moment what was left when the job was last read.
func (s Seen) doneBy(moment time.Time) bool {
	return !s.Read.IsZero() && s.Done > 0 && s.Rate > 0 && (1-s.Done)/s.Rate <= moment.Sub(s.Read).Seconds()
}

// rest is how long the job was going to take since it was last read: as it was said, or as long for each part as the
// parts before have taken; false if nothing is known of it.
func (s Seen) rest() (rest time.Duration, known bool) {
	switch {
	case !s.Expected.IsZero():
		return s.Expected.Sub(s.Read), true
	case s.Done == 0:
		return 0, false
	}
	return time.Duration(float64(s.Read.Sub(s.Began)) * (1 - s.Done) / s.Done), true
}

// lastWordWithin is how long the end of a job waits at most for what it has said last, once it is seen: whoever is to
// read that may have been away when it ended, and what was written is still there.
const lastWordWithin = 30 * time.Second

// AwaitsLastWord says that it depends on what a job has said last whether it was cut short. Nobody has read that yet:
// nothing is said of its end until then.
func (s Seen) AwaitsLastWord(now time.Time) bool {
	seen := s.At
	if s.SeenAt.After(seen) {
		seen = s.SeenAt
	}
	return s.Said == "" && s.Leaving != nil && now.Sub(seen) <= lastWordWithin
}
