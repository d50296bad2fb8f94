package learn

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/predictor"
)

// Recalled is a run that goes on from what an operator before this one has kept of it. Of what another run has
// kept, or of nonsense, it takes nothing: an error says why, and the run is new. What was decided for its job it takes
// all the same, where that can be read: who does so judges it by itself.
func Recalled(id, text string) (*Run, error) {
	r := NewRun(id)
	if text == "" {
		return r, nil
	}
	var k kept
	err := json.Unmarshal([]byte(text), &k) // one field of another form leaves those beside it
	switch {
	case k.Run != id:
		err = cmp.Or(err, fmt.Errorf("it is of the run %.80q", k.Run))
		k.Plan = nil
	case err == nil:
		err = r.recall(k)
	}
	if err != nil {
		r = NewRun(id)
		r.plan = k.Plan
		return r, fmt.Errorf("%w: %w", ErrGarbled, err)
	}
	return r, nil
}

// lastDate is the end of the year 9999.
const lastDate milli = 253402300799999

// errImpossible says that what was kept makes no sense.
var errImpossible = errors.New("a number is not what it could be")

var restartKinds = []v1alpha1.RestartKind{v1alpha1.RestartStart, v1alpha1.RestartLive, v1alpha1.RestartCold}

func (r *Run) recall(k kept) error {
	if !k.sane() {
		return errImpossible
	}
	r.recalled, r.team, r.answered, r.recorded.at, r.plan = true, k.Team, k.Answered, k.Recorded.time(), k.Plan
	if k.Taught != nil {
		prior := r.model.Prior()
		prior.Longer, prior.Pair = k.Taught.Longer, k.Taught.Pair
		r.model.Begin(prior)
	}
	r.failure = failure{since: k.Failing.time(), at: k.Failed.time()}
	if k.Cost != nil {
		r.lastCost = new(k.Cost.cost())
	}
	r.stretch = k.Stretch.stretch()
	r.saves = saves{at: k.Saves.At.time(), intervals: k.Saves.Intervals, typical: k.Saves.Typical.duration(),
		vanish: k.Saves.Vanish}
	for _, p := range k.Restarts {
		if slices.Contains(restartKinds, p.Kind) { // a newer operator may know others
			r.restarts[p.Kind] = p.restarts()
		}
	}
	if held := r.stretch.join.heldAt; !held.IsZero() {
		r.doubted = held.Add(time.Millisecond) // it is kept to the millisecond
	}
	if !k.At.IsZero() {
		r.tally = k.Tally.tally()
		r.at, r.movedAt, r.done, r.counted, r.jumped, r.repeated = k.At, k.Moved.time(), k.Done, k.Counted,
			k.Jumped, k.Repeated
		r.present = r.at.After(r.stretch.changedAt)
	}
	if k.Counter != nil {
		counter, err := k.Counter.Progress()
		if err != nil {
			return err
		}
		r.counter, r.shape = counter, k.Counter.Shape
	}
	for _, s := range k.Speeds {
		r.speeds[s.shape()] = s.speed()
	}
	for _, s := range k.Speeds { // now that all are there which tell how the job pauses
		if shape := s.shape(); !r.measure(shape, r.speeds[shape]) {
			delete(r.speeds, shape)
		}
	}
	for _, s := range k.Spent {
		r.attendance.spend(plain(predictor.Shape{Workers: s.Workers, Nodes: s.Nodes, GPU: s.GPU}), s.For.duration())
	}
	if a := k.Attended; a != nil {
		shape := plain(predictor.Shape{Workers: a.Workers, Nodes: a.Nodes, GPU: a.GPU})
		r.attendance.last = attended{a.Team, shape, a.At.time()}
	}
	r.heritage.price(r.restarts)
	r.version++
	return nil
}

func (t keptTally) tally() tally {
	is := tally{t.Unit, t.Total, t.Scale, t.Source, t.Said, t.SaidTotal, t.SaidDone, t.Factor, t.Workers, t.By, t.Refuted,
		t.Before, t.Part, t.Lengths, t.Over, t.Rounds}
	if is.by == 0 && t.Total > 0 { // an earlier release has kept it
		is.by = -1
	}
	return is
}

func (p keptPauses) restarts() *restarts {
	own := &restarts{count: max(p.Count, int64(len(p.Costs))), at: p.At.time()}
	for i, c := range p.Costs {
		own.costs = append(own.costs, predictor.Cost{
			Pause: predictor.Seconds(c[0]), Lost: predictor.Seconds(c[1]), Scratch: slices.Contains(p.Scratch, i),
		})
	}
	return own
}

func (s keptSpeed) shape() predictor.Shape {
	return plain(predictor.Shape{Workers: s.Workers, Nodes: s.Nodes, GPU: s.GPU})
}

func (s keptSpeed) speed() *speed {
	own := &speed{pace: predictor.PaceOf(s.strides(), predictor.Seconds(float64(s.End)/1000)), rates: s.Rates,
		count: s.Count, at: s.At.time(), every: s.Every.duration(),
		slow: slowing{until: predictor.Rate(s.Until), taken: predictor.Rate(s.Taken), since: s.Since}}
	own.seen, _ = own.pace.Measure(predictor.Habit{})
	return own
}

// sane says that all numbers are such as a run could have kept.
func (k *kept) sane() bool {
	amount := func(all ...float64) bool {
		return !slices.ContainsFunc(all, func(f float64) bool { return !(f >= 0 && f <= endless*10) })
	}
	some := func(all ...float64) bool {
		return !slices.ContainsFunc(all, func(f float64) bool { return !(f > 0) || math.IsInf(f, 1) })
	}
	date := func(all ...milli) bool {
		return !slices.ContainsFunc(all, func(m milli) bool { return m < 0 || m > lastDate })
	}
	t, s := k.Tally, k.Stretch
	ok := k.Failing <= k.Failed && date(k.Failing, k.Failed) && amount(k.Done, k.Counted, t.Total, t.SaidTotal, t.SaidDone,
		s.Lost, s.Before) &&
		date(k.Moved, k.Recorded, s.Changed, s.Stopped, s.Resumed, s.Began, s.From, s.Saved, s.Pace, s.Rhythm, s.Quiet,
			s.Join.Held, k.Saves.At, k.Saves.Typical) &&
		date(s.Advances...) && slices.IsSorted(s.Advances) && len(s.Advances) <= keptAdvances && s.Count >= 0 &&
		some(s.Rates...) && len(s.Rates) <= keptRates && some(k.Saves.Intervals...) && len(k.Saves.Intervals) <= keptIntervals
	if n := len(s.Advances); n > 0 {
		ok = ok && s.Advances[n-1] <= milli(k.At.UnixMilli())
	}
	if !k.At.IsZero() {
		ok = ok && some(t.Scale, t.Factor) && t.Unit != "" && t.Said != "" && len(t.Unit) <= longestUnit &&
			len(t.Said) <= longestUnit &&
			t.Total <= mostWork && (t.Total == 0 || k.Done <= t.Total) && amount(t.Before, t.Part) &&
			(t.Rounds || max(t.Before, t.Part) <= t.Total) && some(t.Lengths...) && len(t.Lengths) <= mostParts && t.Over >= 0 &&
			(!t.Rounds || len(t.Lengths) > 0 && t.SaidTotal > 0)
	}
	for _, p := range k.Restarts {
		ok = ok && len(p.Costs) > 0 && len(p.Costs) <= window && date(p.At)
		for _, c := range p.Costs {
			ok = ok && amount(c[0], c[1])
		}
	}
	if k.Cost != nil {
		ok = ok && date(k.Cost.Pause, k.Cost.Lost)
	}
	for _, cost := range []*keptCost{s.Join.Told, s.Join.Cost} {
		ok = ok && (cost == nil || date(cost.Pause, cost.Lost))
	}
	for _, s := range k.Spent {
		ok = ok && date(s.For)
	}
	if k.Taught != nil {
		ok = ok && math.Abs(k.Taught.Longer) <= 10 && some(k.Taught.Pair) && k.Taught.Pair <= 10
	}
	if k.Attended != nil {
		ok = ok && date(k.Attended.At)
	}
	for _, s := range k.Speeds {
		ok = ok && s.Count > 0 && date(s.At, s.End, s.Every) && len(s.Rates) > 0 && len(s.Rates) <= window &&
			some(s.Rates...) && amount(s.Until, s.Taken) && s.Since <= 0 && s.Since >= -mostSlowed
	}
	return ok
}

func (k keptStretch) stretch() stretch {
	s := stretch{
		changedAt: k.Changed.time(), stoppedAt: k.Stopped.time(), resumedAt: k.Resumed.time(), savedAt: k.Saved.time(),
		began: k.Began.time(), from: k.From.time(),
		pace: k.Pace.duration(), rhythm: k.Rhythm.duration(), silent: k.Silent.duration(),
		quiet: k.Quiet.duration(), spoke: k.Spoke, open: k.Open, loaded: k.Loaded,
		found: k.Found, lost: k.Lost, rates: k.Rates, before: k.Before, workers: max(k.Workers, 0), count: k.Count,
	}
	s.join = k.Join.join()
	for _, at := range k.Advances {
		s.advances = append(s.advances, at.time())
	}
	return s
}

// strides are those that can be read.
func (k keptSpeed) strides() []predictor.Stride {
	var strides []predictor.Stride
	for text := range strings.FieldsSeq(k.Strides) {
		var numbers [3]float64
		for i, number := range strings.SplitN(text, ":", len(numbers)) {
			numbers[i], _ = strconv.ParseFloat(number, 64)
		}
		strides = append(strides, predictor.Stride{
			Over: predictor.Seconds(numbers[0]), Work: predictor.Work(numbers[1]), Silence: predictor.Seconds(numbers[2]),
		})
	}
	return strides
}
