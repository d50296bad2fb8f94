package learn

import (
	"maps"
	"math"
	"slices"
	"time"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/predictor"
)

// halfLife is the age at which a stored measurement counts half.
const halfLife = predictor.Seconds(30 * 24 * 3600)

// anyResize stands for a restart of a kind that is not known: live or cold.
const anyResize v1alpha1.RestartKind = ""

// heritage is what a profile has told.
type heritage struct {
	taken  bool
	unit   string
	now    predictor.Seconds // when it was taken
	others predictor.Profile // of other runs
	// before is what this very run had stored before this process knew of it.
	before predictor.Profile

	// level is how many times as fast this run is as those of others, as the logarithm of that: they may have had other
	// data, other batches, or steps that other workers shared.
	level float64
	// whole is what this run had to do, and the number of workers that counted it, when their speeds were taken.
	whole float64
	by    int

	prices map[v1alpha1.RestartKind]price
	// closing is how long they took to end; nil until it is asked for.
	closing *predictor.Estimate
}

// price is what a restart is expected to cost.
type price struct{ pause, lost predictor.Estimate }

// Inherit begins with what is stored, or takes up what has been stored by others since. The records
// of the run itself are used by a process that has not stored any: they are from one before. Speeds
// are not used if they count something else than the job does; the error then says so. The rest is
// used all the same.
func (r *Run) Inherit(p predictor.Profile, unit string, now time.Time) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	h := &r.heritage
	own, others := split(backdated(p, now), r.id)
	if h.taken && unit == h.unit && sameRecords(others, h.others) {
		return r.unitsDiffer()
	}
	first := !h.taken
	h.taken, h.unit, h.others, h.now, h.closing = true, unit, others, moment(now), nil
	if first && !r.recorded.here {
		h.before = predictor.Profile{Speeds: r.recover(own, now), Restarts: own.Restarts}
	}
	r.version++
	r.heritage.price(r.restarts)
	if err := r.unitsDiffer(); err != nil {
		return err
	}
	h.level = r.levelOfOthers()
	return r.inheritSpeeds()
}

// inheritSpeeds has the model begin with the speeds that are known from before: those of others as they compare with
// each other, once this run has shown how fast it is.
func (r *Run) inheritSpeeds() error {
	h := &r.heritage
	h.whole, h.by = r.tally.total, r.tally.by
	speeds := slices.Clone(h.before.Speeds)
	for _, s := range h.others.Speeds {
		s.Step = predictor.Seconds(float64(s.Step) / r.tally.in(s) * math.Exp(-h.level))
		speeds = append(speeds, s)
	}
	return r.model.Inherit(predictor.Profile{Speeds: speeds}, "", h.now, halfLife)
}

// relevel follows how fast this run is beside those of others.
func (r *Run) relevel() {
	const news = 0.01
	if level := r.levelOfOthers(); r.unitsDiffer() == nil && math.Abs(level-r.heritage.level) > news {
		r.heritage.level = level
		_ = r.inheritSpeeds() // which have been inherited before
	}
}

// recount takes the speeds of others anew once this run counts otherwise.
func (r *Run) recount() {
	h := &r.heritage
	if h.whole == r.tally.total && h.by == r.tally.by || len(h.others.Speeds) == 0 || r.unitsDiffer() != nil {
		return
	}
	h.level = r.levelOfOthers()
	_ = r.inheritSpeeds() // which have been inherited before
}

// levelOfOthers compares the speeds of this run with those of others at the sizes that both have had. Few readings
// count in part, unless they leave no doubt.
func (r *Run) levelOfOthers() float64 {
	const doubtful = 0.1
	if len(r.heritage.others.Speeds) == 0 || r.unitsDiffer() != nil {
		return 0
	}
	off, weight := 0.0, 0.0
	for shape, own := range r.speeds {
		theirs, known := r.rateOfOthers(shape)
		if n := float64(min(own.count, window)); known && n > 0 && own.seen.Rate > 0 {
			off, weight = off+n*math.Log(float64(own.seen.Rate)/theirs), weight+n
		}
	}
	if weight == 0 {
		return 0
	}
	off /= weight
	return off * min(1, weight/window*max(1, math.Abs(off)/doubtful))
}

// rateOfOthers is how fast others were at a shape, if they had it.
func (r *Run) rateOfOthers(shape predictor.Shape) (float64, bool) {
	log, weight := 0.0, 0.0
	h := &r.heritage
	for _, s := range h.others.Speeds {
		if plain(s.Shape) == shape {
			w := math.Exp2(-max(float64((h.now-s.Seen)/halfLife), 0)) * min(float64(s.Count), window)
			log, weight = log+w*math.Log(float64(s.Shape.Workers)/float64(s.Step)*r.tally.in(s)), weight+w
		}
	}
	return math.Exp(log / weight), weight > 0
}

// recover takes up what this run had stored itself, and says what of its speeds is news: what was kept of it
// beside the profile is newer, and not to be counted twice.
func (r *Run) recover(own predictor.Profile, now time.Time) (news []predictor.Speed) {
	if len(own.Speeds)+len(own.Restarts) > 0 {
		r.answered = true
		if r.recorded.at.IsZero() {
			r.recorded.at = now
		}
	}
	if r.unitsDiffer() == nil {
		for _, s := range own.Speeds {
			stored, count := float64(s.Shape.Workers)/float64(s.Step), int64(s.Count)
			mine := r.speeds[plain(s.Shape)]
			if mine == nil {
				mine = &speed{at: time.Unix(int64(s.Seen), 0)}
				r.speeds[plain(s.Shape)] = mine
			}
			if !r.recalled || mine.count == 0 {
				mine.before, mine.beforeCount = stored, count
				news = append(news, s)
			}
			mine.stored, mine.storedCount = stored, count
		}
	}
	for _, record := range own.Restarts {
		_, kind := runAndKind(record.Run)
		mine, stored := r.restarts[kind], int64(len(record.Costs))
		if mine == nil {
			mine = &restarts{at: time.Unix(int64(record.Seen), 0)}
			r.restarts[kind] = mine
		} else if r.recalled {
			if mine.stored = stored; stored == window {
				mine.stored = mine.count // there may be more than it tells of
			}
			continue
		}
		mine.costs = slices.Concat(record.Costs, mine.costs)
		mine.costs = mine.costs[max(len(mine.costs)-window, 0):]
		mine.count += stored
		mine.stored = stored
	}
	return news
}

// price works out what restarts cost, by what others have seen and by what the run has.
func (h *heritage) price(own map[v1alpha1.RestartKind]*restarts) {
	kinds := map[v1alpha1.RestartKind]*predictor.Restarts{}
	of := func(kind v1alpha1.RestartKind) []*predictor.Restarts {
		names := []v1alpha1.RestartKind{kind}
		if kind == v1alpha1.RestartLive || kind == v1alpha1.RestartCold {
			names = append(names, anyResize)
		}
		var all []*predictor.Restarts
		for _, name := range names {
			if kinds[name] == nil {
				kinds[name] = &predictor.Restarts{}
			}
			all = append(all, kinds[name])
		}
		return all
	}
	for _, record := range slices.SortedStableFunc(slices.Values(h.others.Restarts), bySeen) {
		_, kind := runAndKind(record.Run)
		for _, r := range of(kind) {
			// An error says that it makes no sense: it is then as if it were not there.
			_ = r.Inherit(predictor.Profile{Restarts: []predictor.RestartRecord{record}}, "", h.now, halfLife)
		}
	}
	for _, kind := range slices.Sorted(maps.Keys(own)) {
		for _, c := range own[kind].costs {
			for _, r := range of(kind) {
				_ = r.Observe(c)
			}
		}
	}
	h.prices = map[v1alpha1.RestartKind]price{}
	for kind, r := range kinds {
		h.prices[kind] = price{r.Pause(), r.Lost()}
	}
}

// starts is how long it was seen to take from the start of workers to their first advance; zero if nobody knows.
func (h *heritage) starts() time.Duration {
	longest := 0.0
	for _, kind := range []v1alpha1.RestartKind{v1alpha1.RestartStart, anyResize} {
		if pause := h.prices[kind].pause; pause.Trust != predictor.Unknown {
			longest = max(longest, pause.High)
		}
	}
	return span(longest)
}

// cadence is the usual time between two reports of earlier runs, at the size at which they told least often, and what
// it would be with one worker if it goes by what is done; zero if nobody knows.
func (h *heritage) cadence() (rarest, alone time.Duration) {
	var every, one predictor.Seconds
	for _, s := range slices.Concat(h.before.Speeds, h.others.Speeds) {
		every, one = max(every, s.Every), max(one, s.Every*predictor.Seconds(s.Shape.Workers))
	}
	return span(float64(every)), span(float64(one))
}

// split tells the records of a run from those of others.
func split(p predictor.Profile, run string) (own, others predictor.Profile) {
	for _, s := range p.Speeds {
		if s.Run == run {
			own.Speeds = append(own.Speeds, s)
		} else {
			others.Speeds = append(others.Speeds, s)
		}
	}
	for _, r := range p.Restarts {
		if name, _ := runAndKind(r.Run); name == run {
			own.Restarts = append(own.Restarts, r)
		} else {
			others.Restarts = append(others.Restarts, r)
		}
	}
	for _, whole := range p.Runs {
		if whole.Run != run {
			others.Runs = append(others.Runs, whole)
		}
	}
	return own, others
}

func sameRecords(a, b predictor.Profile) bool {
	return slices.Equal(a.Speeds, b.Speeds) && sameWholes(a.Runs, b.Runs) && slices.EqualFunc(a.Restarts, b.Restarts,
		func(a, b predictor.RestartRecord) bool {
			return a.Run == b.Run && a.Seen == b.Seen && slices.Equal(a.Costs, b.Costs)
		})
}

func sameWholes(a, b []predictor.Whole) bool {
	return slices.EqualFunc(a, b, func(a, b predictor.Whole) bool { return a.Run == b.Run && a.Seen == b.Seen })
}

func bySeen(a, b predictor.RestartRecord) int {
	switch {
	case a.Seen < b.Seen:
		return -1
	case a.Seen > b.Seen:
		return 1
	default:
		return 0
	}
}
