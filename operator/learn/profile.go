package learn

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/elastic"
	"github.com/takt-dev/takt/predictor"
)

// ErrGarbled is wrapped by every complaint about a part of a stored profile. The rest is used.
var ErrGarbled = errors.New("a part of the profile makes no sense and is left out")

const (
	// unknownGPU is how GPUs are stored whose nodes do not say what they are.
	unknownGPU = "unknown"
	longestGPU = 63
	// Rates beyond these are not stored: a Decimal has twelve places, of which the last two are to
	// tell something.
	leastRate    = 1e-10
	greatestRate = 1e14
	// kindMark separates the name of a run from the kind of its restarts, where both are one name. No
	// run has it in its name.
	kindMark = "/"
)

// FromStatus is what a stored profile says, and in what unit. Restarts are under the name of their
// run and their kind, as in resnet-1f3c/Live. The error joins what is wrong with parts that are left
// out.
func FromStatus(status *v1alpha1.TrainingProfileStatus) (p predictor.Profile, unit string, err error) {
	var wrong []error
	for i := range status.Speeds {
		speed, err := readSpeed(&status.Speeds[i])
		if err != nil {
			wrong = append(wrong, fmt.Errorf("%w: speed %d: %w", ErrGarbled, i, err))
			continue
		}
		p.Speeds = append(p.Speeds, speed)
	}
	for i := range status.Restarts {
		record, err := readRestart(&status.Restarts[i])
		if err != nil {
			wrong = append(wrong, fmt.Errorf("%w: restart %d: %w", ErrGarbled, i, err))
			continue
		}
		p.Restarts = append(p.Restarts, record)
	}
	for i := range status.Runs {
		whole, err := readWhole(&status.Runs[i])
		if err != nil {
			wrong = append(wrong, fmt.Errorf("%w: run %d: %w", ErrGarbled, i, err))
			continue
		}
		p.Runs = append(p.Runs, whole)
	}
	return p, status.Unit, errors.Join(wrong...)
}

func readSpeed(s *v1alpha1.MeasuredSpeed) (predictor.Speed, error) {
	seen, err := readRecord(s.Run, s.Count, s.UpdatedAt)
	if err != nil {
		return predictor.Speed{}, err
	}
	rate, err := s.PerSecond.Float()
	switch {
	case err != nil:
		return predictor.Speed{}, fmt.Errorf("perSecond: %w", err)
	case !(rate >= leastRate/2 && rate <= greatestRate*2):
		return predictor.Speed{}, fmt.Errorf("perSecond is %g", rate)
	case s.Workers < 1 || s.Workers > 1<<20 || s.Nodes < 1 || s.Nodes > s.Workers:
		return predictor.Speed{}, fmt.Errorf("%s on %s", elastic.CountOf(s.Workers, "worker"),
			elastic.CountOf(s.Nodes, "node"))
	case s.GPU == "" || len(s.GPU) > longestGPU:
		return predictor.Speed{}, fmt.Errorf("gpu is %.70q", s.GPU)
	}
	shape := predictor.Shape{Workers: predictor.Workers(s.Workers), Nodes: int(s.Nodes), GPU: s.GPU}
	if shape.GPU == unknownGPU {
		shape.GPU = ""
	}
	read := predictor.Speed{
		Run: s.Run, Seen: seen, Shape: shape, Count: uint64(s.Count),
		Step: predictor.Seconds(float64(s.Workers) / rate),
	}
	if total, err := s.Total.Float(); err == nil && total > 0 && total <= mostWork && s.CountedBy > 0 {
		read.Total, read.CountedBy = predictor.Work(total), predictor.Workers(s.CountedBy)
	}
	if every := float64(s.EveryMilliseconds) / 1000; every > 0 && every <= longest.Seconds() {
		read.Every = predictor.Seconds(every)
	}
	return read, nil
}

func readRestart(m *v1alpha1.MeasuredRestart) (predictor.RestartRecord, error) {
	seen, err := readRecord(m.Run, m.Count, m.UpdatedAt)
	if err != nil {
		return predictor.RestartRecord{}, err
	}
	switch m.Kind {
	case v1alpha1.RestartStart, v1alpha1.RestartLive, v1alpha1.RestartCold:
	default:
		return predictor.RestartRecord{}, fmt.Errorf("kind is %.20q", m.Kind)
	}
	cost := predictor.Cost{
		Pause: predictor.Seconds(float64(m.PauseMilliseconds) / 1000),
		Lost:  predictor.Seconds(float64(m.LostMilliseconds) / 1000),
	}
	if most := longest.Seconds(); !(cost.Pause >= 0 && float64(cost.Pause) <= most && cost.Lost >= 0 &&
		float64(cost.Lost) <= most) {
		return predictor.RestartRecord{}, fmt.Errorf("a pause of %d ms and a loss of %d ms", m.PauseMilliseconds,
			m.LostMilliseconds)
	}
	record := predictor.RestartRecord{Run: m.Run + kindMark + string(m.Kind), Seen: seen}
	for i := range min(m.Count, window) {
		cost.Scratch = i < m.FromScratch
		record.Costs = append(record.Costs, cost)
	}
	return record, nil
}

// readRecord checks what all records have, and is the moment of this one.
func readRecord(run string, count int64, updated v1alpha1.Time) (predictor.Seconds, error) {
	if run == "" || len(run) > 80 || strings.Contains(run, kindMark) {
		return 0, fmt.Errorf("run is %.90q", run)
	}
	if count < 1 {
		return 0, fmt.Errorf("count is %d", count)
	}
	at, err := updated.Time()
	if err != nil {
		return 0, fmt.Errorf("updatedAt: %w", err)
	}
	return moment(at), nil
}

// runAndKind splits the name under which restarts are kept.
func runAndKind(name string) (string, v1alpha1.RestartKind) {
	run, kind, _ := strings.Cut(name, kindMark)
	return run, v1alpha1.RestartKind(kind)
}

// storedSpeed is what is stored of one size; false for what cannot be.
func storedSpeed(run string, of tally, shape predictor.Shape, s *speed) (v1alpha1.MeasuredSpeed, bool) {
	rate, gpu := s.typical(), shape.GPU
	if gpu == "" {
		gpu = unknownGPU
	}
	if !(rate >= leastRate && rate <= greatestRate) || shape.Workers > math.MaxInt32 || len(gpu) > longestGPU ||
		s.total() < 1 {
		return v1alpha1.MeasuredSpeed{}, false
	}
	stored := v1alpha1.MeasuredSpeed{
		Run: run, GPU: gpu, Workers: int32(shape.Workers), Nodes: int32(shape.Nodes),
		PerSecond: digits(rate), Count: s.total(), UpdatedAt: v1alpha1.NewTime(s.at),
	}
	if spread := s.spread(); spread >= leastRate && spread <= greatestRate {
		stored.Spread = digits(spread)
	}
	if every := s.every.Milliseconds(); every > 0 && s.every <= longest {
		stored.EveryMilliseconds = every
	}
	if of.total >= leastRate && of.total <= mostDigits && of.by > 0 && of.by <= math.MaxInt32 {
		stored.Total, stored.CountedBy = digits(of.total), int32(of.by)
	}
	return stored, true
}

// mostDigits is the greatest number to six digits that a Decimal has places for.
const mostDigits = 999_999e9

// digits is a number to six digits, as far as a Decimal has places for them: more would only be noise.
func digits(f float64) v1alpha1.Decimal {
	unit := math.Pow(10, math.Floor(math.Log10(f))-5)
	if unit >= 1 {
		return v1alpha1.NewDecimal(math.Round(f/unit) * unit)
	}
	return v1alpha1.NewDecimal(math.Round(f/unit) / math.Round(1/unit))
}

func storedRestart(run string, kind v1alpha1.RestartKind, own *restarts, now time.Time) v1alpha1.MeasuredRestart {
	cost, at := own.typical(), own.at
	if at.IsZero() {
		at = now
	}
	return v1alpha1.MeasuredRestart{
		Run: run, Kind: kind, Count: own.count, UpdatedAt: v1alpha1.NewTime(at),
		PauseMilliseconds: int64(math.Round(float64(cost.Pause) * 1000)),
		LostMilliseconds:  int64(math.Round(float64(cost.Lost) * 1000)),
		FromScratch:       own.scratch(),
	}
}
