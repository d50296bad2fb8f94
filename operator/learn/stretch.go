package learn

import (
	"cmp"
	"slices"
	"time"

	"github.com/takt-dev/takt/elastic/resize"
	"github.com/takt-dev/takt/predictor"
)

const (
	// keptAdvances is how many advances a change that is told late may lie behind.
	keptAdvances = 16
	// loading is how many times faster than before a job cannot train: it loads its checkpoint.
	loading = 20
	// keptRates is how many rates tell how fast the job was before a change.
	keptRates = 7
)

// stretch is the training of one set of workers, and how the one before it ended.
type stretch struct {
	advances []time.Time // the latest, ascending, of this stretch and the ones before
	count    int         // of the advances of this stretch

	changedAt time.Time // zero before the first change
	stoppedAt time.Time
	resumedAt time.Time
	began     time.Time     // when the first of the workers that train now began; zero if none does, or nobody knows
	from      time.Time     // when those before the change had begun, or gone on after the change before that
	savedAt   time.Time     // the newest checkpoint from before the change
	pace      time.Duration // typical before the change
	rhythm    time.Duration // usual before the change
	silent    time.Duration // the longest before the change that nothing advanced
	quiet     time.Duration // the longest from a change on that nothing was told to have advanced: see opened
	found     bool          // at changedAt the workers that train were seen first: they had trained before
	spoke     bool          // it was told since the change to have advanced
	unseen    time.Duration // for how long nobody has looked since the change

	open    bool    // what the change cost is not settled yet
	loaded  bool    // the job was seen to load its checkpoint
	lost    float64 // work that the counter went back by, last at lostAt
	lostAt  time.Time
	gained  float64 // work that was done since then, or since the change
	rates   []float64
	before  float64 // typical rate before the change, 0 if unknown
	workers int     // that trained before the change

	join join

	held []heldRate // the first rates since the change, until they are learned
}

// change begins a new stretch. Advances after at that were seen already belong to it.
func (s *stretch) change(at time.Time, size int) {
	if !at.After(s.changedAt) {
		return
	}
	if len(s.rates) > 0 {
		s.before, s.workers = median(s.rates), size
		s.rates = nil
	}
	// One change may come in several parts: then hardly anything has advanced since the last.
	lost := s.lost
	if !s.open || s.count >= 2 {
		lost, s.pace = 0, s.typical()
		s.rhythm = cmp.Or(s.usual(), s.rhythm)
		s.silent = max(s.silence(at), s.silent/2)
	}
	s.join.change(size)
	first, _ := slices.BinarySearchFunc(s.advances, at, func(a, at time.Time) int {
		if a.After(at) {
			return 1
		}
		return -1
	})
	s.from = latestOf(s.from, s.trains(s.count-(len(s.advances)-first)))
	s.found = s.changedAt.IsZero()
	s.changedAt, s.open, s.loaded, s.lost = at, true, false, lost
	s.lostAt, s.gained = time.Time{}, 0
	s.held = nil
	if first > 0 {
		s.stoppedAt = s.advances[first-1]
	}
	s.resumedAt, s.count, s.spoke, s.unseen = time.Time{}, len(s.advances)-first, len(s.advances) > first, 0
	if s.count > 0 {
		s.resumedAt = s.advances[first]
	}
}

// speaks takes that the workers that train now tell at a moment that they advance.
func (s *stretch) speaks(at time.Time) {
	if s.spoke || s.changedAt.IsZero() || !at.After(s.changedAt) {
		return
	}
	s.spoke = true
	if quiet := at.Sub(s.changedAt) - s.unseen; s.allNew() && s.unseen == 0 {
		s.opened(quiet)
	} else {
		s.quiet = max(s.quiet, quiet)
	}
}

// opened takes that new workers told nothing for so long until they went on. It may be so after the next start, or half
// as long as after one before: what took an hour once, as to load data, may come again, but not for ever.
func (s *stretch) opened(quiet time.Duration) { s.quiet = max(quiet, s.quiet/2) }

// allNew says that all workers that train now began since the last advance before the change: it is a start.
func (s *stretch) allNew() bool {
	return !s.began.IsZero() && !s.began.Before(s.stoppedAt.Truncate(time.Second)) // pods tell it in whole seconds
}

// joined takes that workers have come to others, with whom the training went on.
func (s *stretch) joined() {
	if s.resumedAt.After(s.changedAt) && s.unseen == 0 {
		s.opened(s.resumedAt.Sub(latestOf(s.changedAt, s.stoppedAt)))
	}
}

// looked takes that a job is looked at, and was not for some time: what it told meanwhile is not known.
func (s *stretch) looked(before, now time.Time) {
	const apart = 10 * time.Minute // are looks at the most while somebody watches
	if gap := now.Sub(latestOf(before, s.changedAt)); gap > apart {
		s.unseen += gap
	}
}

// opensLate says that nothing was told since the change, or since new workers may take part, as was so after a change
// before for about as long.
func (s *stretch) opensLate(now time.Time) bool {
	const about = 2 // times as long
	since := s.changedAt
	if s.join.open {
		since = latestOf(since, lastOf(s.advances))
	}
	return (!s.spoke || s.join.open) && now.Sub(since) < about*s.quiet
}

// see takes what was gained since the reading before, or lost, and says whether those before the change turn out to
// have trained on until then.
func (s *stretch) see(at time.Time, gain float64, since time.Duration, workers int) (trainedOn bool) {
	switch {
	case gain < 0 && s.open:
		s.lost -= gain
		s.lostAt, s.gained = at, 0
	case gain <= 0:
	case s.loads(at, gain, since, workers):
		s.loaded = true
		s.lost = max(0, s.lost-gain)
	default:
		s.gained += gain
		if trainedOn = s.trainedOn(at); trainedOn {
			s.stoppedAt, s.count = s.advances[len(s.advances)-1], 0
		}
		if len(s.advances) == keptAdvances {
			s.advances = slices.Delete(s.advances, 0, 1)
		}
		s.advances = append(s.advances, at)
		if at.After(s.changedAt) {
			if s.count == 0 {
				s.resumedAt = at
			}
			s.count++
		}
	}
	return trainedOn
}

// trainedOn says that the advances since the change are still of the workers before it, who notice a
// change only some time after it: the pause is the silence that has just ended, at a moment.
func (s *stretch) trainedOn(at time.Time) bool {
	if !s.open || s.count == 0 || s.stoppedAt.IsZero() || s.pace == 0 {
		return false
	}
	silence := at.Sub(s.advances[len(s.advances)-1])
	return silence > s.resumedAt.Sub(s.stoppedAt) && s.isPause(silence)
}

// isPause says that so long a silence is more than the usual time between two advances.
func (s *stretch) isPause(silence time.Duration) bool { return silence > s.pace*3/2 }

// loads says whether the counter has advanced because the job took up its checkpoint: before anything else, and faster
// than it could train, at once or, where it has shown its start before, since its workers changed.
func (s *stretch) loads(at time.Time, gain float64, since time.Duration, workers int) bool {
	const surely = 2
	could := s.before * max(1, float64(workers)/float64(max(s.workers, 1)))
	return s.starting() && could > 0 &&
		(gain > loading*could*since.Seconds() || s.lost > 0 && gain > surely*could*at.Sub(s.changedAt).Seconds())
}

func (s *stretch) rate(rate float64) {
	if len(s.rates) == keptRates {
		s.rates = slices.Delete(s.rates, 0, 1)
	}
	s.rates = append(s.rates, rate)
}

// trains is since when the workers that train now do so, of whose advances so many count: what was saved before was
// trained by others. Zero is that nobody knows. Of a change that comes in several parts, all is one.
func (s *stretch) trains(count int) time.Time {
	switch {
	case !s.stoppedAt.IsZero() && (count >= 2 || count == 1 && s.pace > 0 && s.isPause(s.resumedAt.Sub(s.stoppedAt))):
		return s.resumedAt
	case s.open || s.began.IsZero():
		return s.began
	default:
		return latestOf(s.began, s.changedAt)
	}
}

// goesOnFrom is when the job went on after the last change of its workers: what tells rarely has done so long before it
// told.
func (s *stretch) goesOnFrom() time.Time {
	if s.changedAt.IsZero() {
		return time.Time{}
	}
	return latestOf(s.changedAt, s.resumedAt.Add(-max(s.rhythm, s.usual())))
}

// lostTime is how long the work took that was lost; zero if nothing is known to be lost.
func (s *stretch) lostTime() time.Duration {
	if s.before <= 0 || s.lost <= 0 {
		return 0
	}
	return span(s.lost / s.before)
}

// kept says that the restart kept some of the work, of which so much is done by now: it loaded its checkpoint, or went
// on from further than it could have come since the change from nothing.
func (s *stretch) kept(done float64, workers int) bool {
	if s.loaded || !s.savedAt.IsZero() {
		return !s.fromNothing(done)
	}
	from := cmp.Or(s.lostAt, s.resumedAt)
	more := max(1, float64(workers)/float64(max(s.workers, 1)))
	return s.before > 0 && done-s.gained > s.before*more*from.Sub(s.changedAt).Seconds()
}

// fromNothing says that the training began anew with nothing of what was done before the change, though most of that
// was saved, and was told in more than a few counts. So much is done by now.
func (s *stretch) fromNothing(done float64) bool {
	const (
		nothing = 0.02 // of what was done
		few     = 4
	)
	from := done - s.gained
	return !s.loaded && s.before > 0 && s.lost > few*s.before*s.pace.Seconds() && from <= nothing*(from+s.lost) &&
		!s.from.IsZero() && 2*s.savedAt.Sub(s.from) > s.stoppedAt.Sub(s.from)
}

// saved takes the moment of a checkpoint. What is saved until new workers take part is from before the change.
func (s *stretch) saved(at time.Time) {
	if !s.changedAt.IsZero() && (!at.After(s.changedAt) || s.join.open) && at.After(s.savedAt) {
		s.savedAt = at
	}
}

func (s *stretch) progress(reported bool) resize.Progress {
	p := resize.Progress{
		Reported: reported, Cadence: max(s.rhythm, s.usual()), Silent: s.silent, Quiet: s.quiet, StoppedAt: s.stoppedAt,
		ResumedAt: s.resumedAt, Advances: s.count, SavedAt: s.savedAt,
		BeganAt: s.from, TrainsSince: latestOf(s.from, s.trains(s.count)),
	}
	if s.open {
		p.Redoes = s.lostTime().Round(time.Millisecond)
	}
	if s.count > 0 && len(s.advances) > 0 {
		p.AdvancedAt = s.advances[len(s.advances)-1]
	}
	return p
}

func median(values []float64) float64 {
	sorted := slices.Clone(values)
	slices.Sort(sorted)
	n := len(sorted)
	return (sorted[(n-1)/2] + sorted[n/2]) / 2
}

// starting says that the counter may still show what it shows before the job has taken up its
// checkpoint: nothing has advanced since the change.
func (s *stretch) starting() bool { return s.open && !s.loaded && s.count == 0 }

// setBack follows a clock that was set back to at.
func (s *stretch) setBack(at time.Time) {
	s.advances = slices.DeleteFunc(s.advances, at.Before)
	if s.changedAt.After(at) {
		s.changedAt = at
	}
	if s.resumedAt.After(at) {
		s.resumedAt, s.count = time.Time{}, 0
	}
	for _, moment := range []*time.Time{&s.stoppedAt, &s.savedAt, &s.began, &s.from, &s.join.heldAt} {
		if moment.After(at) {
			*moment = time.Time{}
		}
	}
}

// usual is the time between two advances, as one has to wait for those that come in bursts, or rarely after a
// pause; zero if there are too few.
func (s *stretch) usual() time.Duration {
	mine := s.mine()
	if len(mine) < 2 {
		return 0
	}
	mean := mine[len(mine)-1].Sub(mine[0]) / time.Duration(len(mine)-1)
	return max(mean, s.typical())
}

// typical is the time between two advances, whatever a few that came late or in bursts: zero if there are too few.
func (s *stretch) typical() time.Duration {
	var cadence predictor.Cadence
	for mine := s.mine(); len(mine) >= 2; mine = mine[1:] {
		cadence.Add(predictor.Seconds(mine[1].Sub(mine[0]).Seconds()))
	}
	return span(float64(cadence.Typical()))
}

// silence is the longest time between two advances, and from the last of them until a moment: whoever has gone on after
// that may be silent for as long again. One such time is no cadence yet.
func (s *stretch) silence(until time.Time) time.Duration {
	longest := time.Duration(0)
	for mine := s.mine(); len(mine) > 0; mine = mine[1:] {
		next := until
		if len(mine) > 1 {
			next = mine[1]
		}
		longest = max(longest, next.Sub(mine[0]))
	}
	return longest
}

// mine are the latest advances of this stretch.
func (s *stretch) mine() []time.Time {
	return s.advances[len(s.advances)-min(s.count, len(s.advances)):]
}
