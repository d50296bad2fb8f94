package learn

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/elastic/resize"
	"github.com/takt-dev/takt/predictor"
)

const (
	// mostKept is how long a memory may be, as the API allows.
	mostKept = 8192
	// otherStrides tell the pace of a size other than the one that was measured last, of which all are kept: with
	// fewer a change of the speed, or a pause that comes often, would be seen sooner or later than it was.
	otherStrides = 16
	// keptSizes is of how many sizes, the last ones, the memory tells.
	keptSizes = 12
	// keptCosts is how many restarts of a kind tell what they cost.
	keptCosts = 5
)

// kept is a run as it is stored while it goes on: all from which a fresh process predicts the same, and learns
// on. The profile has what other runs want to know of it; this has more, and is written sooner.
type kept struct {
	Run     string                  `json:"run"`
	Team    string                  `json:"team,omitempty"`
	Tally   keptTally               `json:"tally,omitzero"`
	Counter *predictor.KeptProgress `json:"counter,omitempty"`

	At       time.Time `json:"at,omitzero"` // of the last reading, to the nanosecond: it is not to be taken twice
	Done     float64   `json:"done,omitempty"`
	Counted  float64   `json:"counted,omitempty"`
	Jumped   bool      `json:"jumped,omitempty"`
	Moved    milli     `json:"moved,omitempty"`
	Answered bool      `json:"answered,omitempty"`
	Repeated bool      `json:"repeated,omitempty"`
	// Failing is since when no source has answered, and Failed until when that was seen.
	Failing milli `json:"failing,omitempty"`
	Failed  milli `json:"failed,omitempty"`

	Stretch  keptStretch   `json:"stretch,omitzero"`
	Saves    keptSaves     `json:"saves,omitzero"`
	Speeds   []keptSpeed   `json:"speeds,omitempty"` // those measured last come last
	Restarts []keptPauses  `json:"restarts,omitempty"`
	Cost     *keptCost     `json:"cost,omitempty"`
	Spent    []keptSpent   `json:"spent,omitempty"`
	Attended *keptAttended `json:"attended,omitempty"`
	Recorded milli         `json:"recorded,omitempty"`
	Taught   *keptLesson   `json:"taught,omitempty"`

	Plan json.RawMessage `json:"plan,omitempty"`
}

type keptTally struct {
	Unit      string                  `json:"unit"`
	Total     float64                 `json:"total,omitempty"`
	Scale     float64                 `json:"scale"`
	Source    v1alpha1.ProgressSource `json:"source"`
	Said      string                  `json:"said"`
	SaidTotal float64                 `json:"saidTotal,omitempty"`
	SaidDone  float64                 `json:"saidDone,omitempty"`
	Factor    float64                 `json:"factor"`
	Workers   int                     `json:"workers,omitempty"`
	By        int                     `json:"by,omitempty"`
	Refuted   bool                    `json:"refuted,omitempty"`
	Before    float64                 `json:"before,omitempty"`
	Part      float64                 `json:"part,omitempty"`
	Lengths   []float64               `json:"lengths,omitempty"`
	Over      int                     `json:"over,omitempty"`
	Rounds    bool                    `json:"rounds,omitempty"`
}

type keptStretch struct {
	Advances []milli   `json:"advances,omitempty"`
	Count    int       `json:"count,omitempty"`
	Changed  milli     `json:"changed,omitempty"`
	Stopped  milli     `json:"stopped,omitempty"`
	Resumed  milli     `json:"resumed,omitempty"`
	Began    milli     `json:"began,omitempty"`
	From     milli     `json:"from,omitempty"`
	Saved    milli     `json:"saved,omitempty"`
	Pace     milli     `json:"pace,omitempty"`
	Rhythm   milli     `json:"rhythm,omitempty"`
	Silent   milli     `json:"silent,omitempty"`
	Quiet    milli     `json:"quiet,omitempty"`
	Spoke    bool      `json:"spoke,omitempty"`
	Open     bool      `json:"open,omitempty"`
	Loaded   bool      `json:"loaded,omitempty"`
	Found    bool      `json:"found,omitempty"`
	Lost     float64   `json:"lost,omitempty"`
	Rates    []float64 `json:"rates,omitempty"`
	Before   float64   `json:"before,omitempty"`
	Workers  int       `json:"workers,omitempty"`
	Join     keptJoin  `json:"join,omitzero"`
}

// keptJoin is how far workers are who have come to others.
type keptJoin struct {
	From    int       `json:"from,omitempty"`
	Held    milli     `json:"held,omitempty"`
	Open    bool      `json:"open,omitempty"`
	Checked bool      `json:"checked,omitempty"`
	Quick   int       `json:"quick,omitempty"`
	Paused  bool      `json:"paused,omitempty"`
	Owed    bool      `json:"owed,omitempty"`
	Told    *keptCost `json:"told,omitempty"`
	Cost    *keptCost `json:"cost,omitempty"`
	Charged bool      `json:"charged,omitempty"`
}

type keptSaves struct {
	At        milli     `json:"at,omitempty"`
	Intervals []float64 `json:"intervals,omitempty"`
	Typical   milli     `json:"typical,omitempty"`
	Vanish    bool      `json:"vanish,omitempty"`
}

type keptSpeed struct {
	Workers predictor.Workers `json:"workers"`
	Nodes   int               `json:"nodes"`
	GPU     string            `json:"gpu,omitempty"`
	// Strides are seconds and work, and the longest silence where that is not all of it: 10:98.2 40:200:31.
	Strides string    `json:"strides"`
	End     milli     `json:"end"`
	Rates   []float64 `json:"rates"`
	Count   int64     `json:"count"`
	At      milli     `json:"at"`
	Every   milli     `json:"every,omitempty"`
	// Until, Taken and Since are those of its slowing.
	Until float64 `json:"until,omitempty"`
	Taken float64 `json:"taken,omitempty"`
	Since float64 `json:"since,omitempty"`
}

type keptPauses struct {
	Kind  v1alpha1.RestartKind `json:"kind"`
	Costs [][2]float64         `json:"costs"` // pause and loss, in seconds
	// Scratch are the indexes of those after which nothing was left of what was trained.
	Scratch []int `json:"scratch,omitempty"`
	Count   int64 `json:"count"`
	At      milli `json:"at"`
}

type keptSpent struct {
	Workers predictor.Workers `json:"workers"`
	Nodes   int               `json:"nodes"`
	GPU     string            `json:"gpu,omitempty"`
	For     milli             `json:"for"`
}

type keptAttended struct {
	Team    string            `json:"team,omitempty"`
	Workers predictor.Workers `json:"workers"`
	Nodes   int               `json:"nodes"`
	GPU     string            `json:"gpu,omitempty"`
	At      milli             `json:"at"`
}

// keptLesson is what other jobs have taught.
type keptLesson struct {
	Longer float64 `json:"longer"`
	Pair   float64 `json:"pair"`
}

type keptCost struct {
	Measured bool  `json:"measured"`
	Pause    milli `json:"pause"`
	Lost     milli `json:"lost"`
}

func keptCostOf(c resize.Cost) *keptCost {
	return &keptCost{c.Measured, max(0, millis(c.Pause)), max(0, millis(c.Lost))}
}

func (k keptCost) cost() resize.Cost {
	return resize.Cost{Measured: k.Measured, Pause: k.Pause.duration(), Lost: k.Lost.duration()}
}

// milli is a moment or a span in milliseconds; 0 is none.
type milli int64

func since1970(t time.Time) milli {
	if t.IsZero() {
		return 0
	}
	return milli(t.UnixMilli())
}

func (m milli) time() time.Time {
	if m == 0 {
		return time.Time{}
	}
	return time.UnixMilli(int64(m)).UTC()
}

func millis(d time.Duration) milli      { return milli(d.Milliseconds()) }
func (m milli) duration() time.Duration { return span(float64(m) / 1000) }

// Keep is what is known of the run as a text to be stored, which Recalled reads; empty if that is nothing.
func (r *Run) Keep() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.at.IsZero() && r.team == "" && len(r.restarts) == 0 && r.failure.since.IsZero() && r.plan == nil {
		return ""
	}
	k := kept{
		Run: r.id, Team: r.team, Done: r.done, Counted: r.counted, Jumped: r.jumped, Moved: since1970(r.movedAt),
		Answered: r.answered, Repeated: r.repeated, Stretch: r.stretch.keep(), Speeds: r.keptSpeeds(),
		Saves:    keptSaves{since1970(r.saves.at), rounded(r.saves.intervals), millis(r.saves.typical), r.saves.vanish},
		Recorded: since1970(r.recorded.at), Failing: since1970(r.failure.since), Failed: since1970(r.failure.at),
		Plan: r.plan,
	}
	if !r.at.IsZero() {
		k.At, k.Tally = r.at.UTC(), r.tally.keep()
	}
	if counter, ok := r.counter.Keep(); ok {
		counter.Rates, counter.Advances, counter.Readings = rounded(counter.Rates), rounded(counter.Advances),
			rounded(counter.Readings)
		k.Counter = &counter
	}
	for _, kind := range slices.Sorted(maps.Keys(r.restarts)) {
		k.Restarts = append(k.Restarts, r.restarts[kind].keep(kind))
	}
	for _, s := range r.attendance.most() {
		k.Spent = append(k.Spent, keptSpent{s.shape.Workers, s.shape.Nodes, s.shape.GPU, millis(s.took)})
	}
	if a := r.attendance.last; !a.at.IsZero() {
		k.Attended = &keptAttended{a.team, a.shape.Workers, a.shape.Nodes, a.shape.GPU, since1970(a.at)}
	}
	if r.lastCost != nil {
		k.Cost = keptCostOf(*r.lastCost)
	}
	if prior := r.model.Prior(); prior != predictor.Usual() {
		k.Taught = &keptLesson{prior.Longer, prior.Pair}
	}
	return k.text()
}

// text is what is stored. Where that is too long, speeds are left out, those first that were measured longest ago.
func (k kept) text() string {
	for {
		text, err := json.Marshal(k)
		switch {
		case err != nil:
			return "" // a number that is none
		case len(text) <= mostKept:
			return string(text)
		case len(k.Speeds) == 0:
			return ""
		}
		k.Speeds = k.Speeds[1:]
	}
}

func (t tally) keep() keptTally {
	return keptTally{
		t.unit, t.total, t.scale, t.source, t.said, t.saidTotal, t.saidDone, t.factor, t.workers, t.by, t.refuted,
		t.before, t.part, rounded(t.lengths), t.over, t.rounds,
	}
}

func (r *restarts) keep(kind v1alpha1.RestartKind) keptPauses {
	k := keptPauses{Kind: kind, Count: r.count, At: since1970(r.at)}
	for i, c := range r.costs[max(0, len(r.costs)-keptCosts):] {
		if c.Scratch {
			k.Scratch = append(k.Scratch, i)
		}
		k.Costs = append(k.Costs, [2]float64{round(max(0, float64(c.Pause))), round(max(0, float64(c.Lost)))})
	}
	return k
}

// Planned takes what was decided for the job, as JSON, to be kept with what is known of it. The run does not read it.
func (r *Run) Planned(plan json.RawMessage) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.plan = plan
}

// Plan is what Planned was told last, by this process or the one before it; nil if nothing was.
func (r *Run) Plan() json.RawMessage {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.plan
}

func (s *stretch) keep() keptStretch {
	k := keptStretch{
		Count: s.count, Changed: since1970(s.changedAt), Stopped: since1970(s.stoppedAt), Resumed: since1970(s.resumedAt),
		Began: since1970(s.began), From: since1970(s.from), Saved: since1970(s.savedAt), Pace: millis(s.pace),
		Rhythm: millis(s.rhythm), Silent: millis(s.silent), Quiet: millis(s.quiet), Spoke: s.spoke, Open: s.open,
		Loaded: s.loaded, Found: s.found, Lost: s.lost, Rates: rounded(s.rates), Before: round(s.before), Workers: s.workers,
	}
	k.Join = s.join.keep()
	for _, at := range s.advances {
		k.Advances = append(k.Advances, since1970(at))
	}
	return k
}

func (r *Run) keptSpeeds() []keptSpeed {
	shapes := slices.SortedFunc(maps.Keys(r.speeds), func(a, b predictor.Shape) int {
		return cmp.Or(r.speeds[a].at.Compare(r.speeds[b].at), compareShapes(a, b))
	})
	shapes = slices.DeleteFunc(shapes, func(s predictor.Shape) bool {
		return r.speeds[s].pace.Empty() // the profile has it, or a change has taken back the only one
	})
	shapes = shapes[max(0, len(shapes)-keptSizes):]
	var all []keptSpeed
	for i, shape := range shapes {
		most, own := otherStrides, r.speeds[shape]
		if i == len(shapes)-1 {
			most = math.MaxInt
		}
		strides, end := own.pace.Keep(most)
		k := keptSpeed{
			Workers: shape.Workers, Nodes: shape.Nodes, GPU: shape.GPU, Rates: rounded(own.rates),
			Count: own.count, At: since1970(own.at), End: milli(math.Round(float64(end) * 1000)),
			Every: millis(own.every), Until: round(float64(own.slow.until)), Taken: round(float64(own.slow.taken)),
			Since: round(own.slow.since),
		}
		for _, s := range strides {
			k.Strides += fmt.Sprintf(" %.5g:%.5g", s.Over, s.Work)
			if s.Silence < s.Over {
				k.Strides += fmt.Sprintf(":%.5g", s.Silence)
			}
		}
		k.Strides = strings.TrimSpace(k.Strides)
		all = append(all, k)
	}
	return all
}

// round leaves five digits of a number: more would only be noise.
func round(f float64) float64 {
	if f == 0 || math.IsNaN(f) || math.IsInf(f, 0) {
		return f
	}
	unit := math.Pow(10, 4-math.Floor(math.Log10(math.Abs(f))))
	if r := math.Round(f*unit) / unit; r != 0 && !math.IsNaN(r) && !math.IsInf(r, 0) {
		return r
	}
	return f
}

func rounded(all []float64) []float64 {
	var out []float64
	for _, f := range all {
		out = append(out, round(f))
	}
	return out
}
