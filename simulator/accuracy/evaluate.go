package accuracy

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/takt-dev/takt/predictor"
	"github.com/takt-dev/takt/predictor/pollux"
)

// Report is how well one job was predicted. Errors are parts of what was measured: 0.1 is a tenth.
type Report struct {
	App      string `json:"app"`
	Settings int    `json:"settings"` // that were measured
	Samples  int    `json:"samples"`  // of them, that the models were given
	// MAPEMedian and MAPEP90 are over the draws, of the mean over all settings that were not
	// given.
	MAPEMedian float64 `json:"mapeMedian"`
	MAPEP90    float64 `json:"mapeP90"`
	// Coverage90 is the part of these settings whose step time lies in the interval of 90 %.
	Coverage90 float64 `json:"coverage90"`
	// Loss is of all that callers go by, the low, the expected and the high time: the mean distance from the truth,
	// as a logarithm, weighed by how improbable it is to be on that side. The least loss has whoever says the truth.
	Loss               float64 `json:"-"`
	BaselineMAPEMedian float64 `json:"baselineMapeMedian"`
	// RepeatMAPE is how far a setting is from the median of the others of its shape (the same
	// workers, nodes and batch): what nobody can predict from the shape. It is absent if no
	// shape was measured twice.
	RepeatMAPE *float64 `json:"repeatMape,omitempty"`
}

// ByShape is the table with one setting for each shape: the median of all that were measured.
func (t Table) ByShape() Table {
	var shapes []predictor.Shape
	steps, syncs := map[predictor.Shape][]float64{}, map[predictor.Shape][]float64{}
	for _, s := range t.Settings {
		if len(steps[s.Shape]) == 0 {
			shapes = append(shapes, s.Shape)
		}
		steps[s.Shape] = append(steps[s.Shape], float64(s.Step))
		syncs[s.Shape] = append(syncs[s.Shape], float64(s.Sync))
	}
	merged := Table{App: t.App}
	for _, shape := range shapes {
		merged.Settings = append(merged.Settings, Setting{
			Name:  fmt.Sprintf("%d/%d×%g", shape.Workers, shape.Nodes, shape.Batch),
			Shape: shape,
			Step:  predictor.Seconds(quantile(steps[shape], 0.5)),
			Sync:  predictor.Seconds(quantile(syncs[shape], 0.5)),
		})
	}
	return merged
}

// WithoutSync is the table as someone sees it who can measure whole steps only.
func (t Table) WithoutSync() Table {
	settings := slices.Clone(t.Settings)
	for i := range settings {
		settings[i].Sync = 0
	}
	return Table{t.App, settings}
}

// Evaluate draws so many samples so many times, and compares.
func Evaluate(t Table, samples, draws int, seed uint64) (Report, error) {
	return EvaluatePrior(predictor.Usual(), School{}, t, samples, draws, seed)
}

// EvaluatePrior is Evaluate for a predictor that begins with this prior, and that this school has taught.
func EvaluatePrior(prior predictor.Prior, school School, t Table, samples, draws int, seed uint64) (Report, error) {
	return evaluate(prior, school, t, samples, draws, seed, true)
}

// evaluate leaves the baseline out where nobody asks for it: it takes a third of the time.
func evaluate(prior predictor.Prior, school School, t Table, samples, draws int, seed uint64, beside bool) (Report,
	error) {
	if samples < 1 || draws < 1 {
		return Report{}, fmt.Errorf("%d samples and %d draws: both must be 1 or more", samples, draws)
	}
	if len(t.Settings) <= samples {
		return Report{}, fmt.Errorf("%s: %d settings were measured, too few to give %d and judge by the others",
			t.App, len(t.Settings), samples)
	}
	var sum tally
	var errs, baseline []float64
	for draw := range draws {
		order := rand.New(rand.NewPCG(seed, uint64(draw))).Perm(len(t.Settings))
		given, rest := t.chosen(order[:samples]), t.chosen(order[samples:])
		taught, err := school.teach(prior, seed, uint64(draw))
		if err != nil {
			return Report{}, err
		}
		wrong, err := sum.judge(taught.NewModel(), given, rest)
		if err != nil {
			return Report{}, fmt.Errorf("%s, %w", t.App, err)
		}
		errs = append(errs, wrong)
		if !beside {
			continue
		}
		if wrong, err = judgePollux(given, rest); err != nil {
			return Report{}, fmt.Errorf("%s: %w", t.App, err)
		}
		baseline = append(baseline, wrong)
	}
	report := Report{
		App: t.App, Settings: len(t.Settings), Samples: samples,
		MAPEMedian: quantile(errs, 0.5), MAPEP90: quantile(errs, 0.9),
		Coverage90: float64(sum.inside) / float64(sum.judged),
		Loss:       sum.loss / float64(sum.judged),
		RepeatMAPE: repeat(t.Settings),
	}
	if beside {
		report.BaselineMAPEMedian = quantile(baseline, 0.5)
	}
	return report, nil
}

// chosen are the settings at some places.
func (t Table) chosen(at []int) []Setting {
	settings := make([]Setting, len(at))
	for i, from := range at {
		settings[i] = t.Settings[from]
	}
	return settings
}

// tally counts over all draws.
type tally struct {
	judged, inside int // settings, and those of them that lie in their interval
	loss           float64
}

// judge gives a model some settings and compares what it says of others. It gives the mean error of these.
func (t *tally) judge(model *predictor.Model, given, rest []Setting) (float64, error) {
	for _, setting := range given {
		if err := observe(model, setting); err != nil {
			return 0, fmt.Errorf("%s: %w", setting.Name, err)
		}
	}
	sum := 0.0
	for _, setting := range rest {
		estimate, err := model.StepTime(setting.Shape)
		if err != nil {
			return 0, fmt.Errorf("%s: %w", setting.Name, err)
		}
		step := float64(setting.Step)
		sum += math.Abs(estimate.Median/step - 1)
		if estimate.Low <= step && step <= estimate.High {
			t.inside++
		}
		t.loss += loss(estimate, step)
		t.judged++
	}
	return sum / float64(len(rest)), nil
}

// judgePollux is the same for the form alone, as Pollux fits it.
func judgePollux(given, rest []Setting) (float64, error) {
	plain, err := fitPollux(given)
	if err != nil {
		return 0, err
	}
	sum := 0.0
	for _, setting := range rest {
		sum += math.Abs(plain.Step(plainShape(setting))/float64(setting.Step) - 1)
	}
	return sum / float64(len(rest)), nil
}

// loss is what an estimate adds to Report.Loss.
func loss(e predictor.Estimate, truth float64) float64 {
	at := func(p, quantile float64) float64 {
		off := math.Log(truth / quantile)
		return max(p*off, (p-1)*off)
	}
	return at(0.05, e.Low) + at(0.5, e.Median) + at(0.95, e.High)
}

func plainShape(s Setting) pollux.Shape {
	return pollux.Shape{Workers: int(s.Shape.Workers), Nodes: s.Shape.Nodes, Batch: s.Shape.Batch}
}

func fitPollux(given []Setting) (pollux.Form, error) {
	var points []pollux.Point
	for _, setting := range given {
		points = append(points, pollux.Point{Shape: plainShape(setting), Step: float64(setting.Step)})
	}
	return pollux.Fit(points)
}

// repeat is Report.RepeatMAPE.
func repeat(settings []Setting) *float64 {
	groups := map[predictor.Shape][]float64{}
	for _, setting := range settings {
		groups[setting.Shape] = append(groups[setting.Shape], float64(setting.Step))
	}
	sum, count := 0.0, 0
	for _, setting := range settings {
		steps := groups[setting.Shape]
		if len(steps) < 2 {
			continue
		}
		step := float64(setting.Step)
		others := slices.Clone(steps)
		at := slices.Index(others, step)
		sum += math.Abs(quantile(slices.Delete(others, at, at+1), 0.5)/step - 1)
		count++
	}
	if count == 0 {
		return nil
	}
	mean := sum / float64(count)
	return &mean
}

// quantile interpolates between values.
func quantile(values []float64, p float64) float64 {
	sorted := slices.Sorted(slices.Values(values))
	at := p * float64(len(sorted)-1)
	low := int(at)
	high := min(low+1, len(sorted)-1)
	return sorted[low] + (at-float64(low))*(sorted[high]-sorted[low])
}
