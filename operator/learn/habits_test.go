package learn

import (
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/e2e/lib/extent"
	"github.com/takt-dev/takt/elastic"
	"github.com/takt-dev/takt/operator/progress"
	"github.com/takt-dev/takt/predictor"
)

// routine is what a training does besides training.
type routine struct {
	hours     float64 // that it takes, about
	compiles  float64 // seconds before the first step
	trains    float64 // seconds between two pauses; 0 is without end
	pauses    float64
	saveEvery float64 // seconds of the wall clock; 0 is never
	saveTakes float64
	speed     func(share float64) float64 // steps a second at this share of the work
	noise     float64                     // of the speed from one minute to the next
}

// usualSpeed is that of all routines, in steps a second.
const usualSpeed = 10.0

// story is how far a training is after each second, until it is done.
func (h routine) story(seed uint64) (done []float64, total float64) {
	random := rand.New(rand.NewPCG(seed, 7))
	total = usualSpeed * 3600 * h.hours
	if h.trains > 0 {
		total *= h.trains / (h.trains + h.pauses)
	}
	trained, paused, saving, luck, now := 0.0, 0.0, 0.0, 1.0, 0.0
	for second := 0; now < total; second++ {
		if second%60 == 0 {
			luck = math.Exp(h.noise * random.NormFloat64())
		}
		if h.saveEvery > 0 && second > 0 && second%int(h.saveEvery) == 0 {
			saving = h.saveTakes
		}
		switch {
		case float64(second) < h.compiles:
		case saving > 0:
			saving--
		case paused > 0:
			paused--
		default:
			speed := usualSpeed * luck
			if h.speed != nil {
				speed *= h.speed(now / total)
			}
			now = math.Min(total, now+speed)
			if trained++; h.trains > 0 && trained >= h.trains {
				trained, paused = 0, h.pauses
			}
		}
		done = append(done, now)
	}
	return done, total
}

// reporter is how a training tells of its progress: the readings of one second, in the order in which
// they come.
type reporter func(j *story, second int) []progress.Sample

// story is a training that is reported.
type story struct {
	*rand.Rand
	done  []float64
	total float64
	last  progress.Sample // that carries a time of its own
}

func (j *story) at(seconds, unit float64) progress.Sample {
	done := j.done[min(int(seconds), len(j.done)-1)]
	s := steps(0, math.Floor(done/unit))
	s.At, s.Total = dawn.Add(time.Duration(seconds*float64(time.Second))), math.Ceil(j.total/unit)
	if done == j.total {
		s.Done = s.Total
	}
	return s
}

// polled reads a counter every ten seconds.
func polled(unit float64) reporter {
	return func(j *story, second int) []progress.Sample {
		if second%10 != 0 {
			return nil
		}
		return []progress.Sample{j.at(float64(second), unit)}
	}
}

// inBursts is read three times within 40 ms, every five seconds.
func inBursts(j *story, second int) []progress.Sample {
	if second%5 != 0 {
		return nil
	}
	from := float64(second)
	return []progress.Sample{j.at(from, 1), j.at(from+0.02, 1), j.at(from+0.04, 1)}
}

// advancesInBursts is inBursts with a counter that moves within each.
func advancesInBursts(j *story, second int) []progress.Sample {
	readings := inBursts(j, second)
	for i := range readings {
		if s := &readings[i]; s.Done > 3 && s.Done < s.Total {
			s.Done += float64(i - 2)
		}
	}
	return readings
}

// dated tells of its progress every so many seconds while it trains, with the time at which it was so; it
// is asked every ten. What it says may come twice.
func dated(every int, twice bool) reporter {
	return func(j *story, second int) []progress.Sample {
		trains := second > 0 && j.done[second] > j.done[second-1]
		var readings []progress.Sample
		if trains && j.at(float64(second), 1).At.Sub(j.last.At) >= time.Duration(every)*time.Second {
			j.last = j.at(float64(second), 1)
			readings = append(readings, j.last)
			if again := j.last; twice {
				again.At, again.Done = again.At.Add(5*time.Millisecond), again.Done+0.01
				if again.Done < again.Total {
					readings, j.last = append(readings, again), again
				}
			}
		}
		if second%10 == 0 && !j.last.At.IsZero() {
			readings = append(readings, j.last)
		}
		return readings
	}
}

// badly is polled, and its readings come twice, out of order, or not at all.
func badly(j *story, second int) []progress.Sample {
	if second%10 != 0 {
		return nil
	}
	s := j.at(float64(second), 1)
	before := j.last
	j.last = s
	switch j.IntN(6) {
	case 0:
		return nil
	case 1:
		return []progress.Sample{s, s, s}
	case 2:
		return []progress.Sample{s, before}
	}
	return []progress.Sample{s}
}

// seldom polls a counter that the job writes only every so many seconds.
func seldom(every int) reporter {
	return func(j *story, second int) []progress.Sample {
		if second%10 != 0 {
			return nil
		}
		s := j.at(float64(second-second%every), 1)
		s.At = at(second)
		return []progress.Sample{s}
	}
}

// revised says at half of the way that there is a tenth more to do than it has said.
func revised(j *story, second int) []progress.Sample {
	if second%10 != 0 {
		return nil
	}
	s := j.at(float64(second), 1)
	if s.Done < s.Total/2 {
		s.Total = math.Floor(s.Total / 1.1)
	}
	return []progress.Sample{s}
}

// verdict is how good the predictions of one training were.
type verdict struct {
	learnedAt float64 // seconds from the start to the first rate
	far       float64 // the median error of the rate, as a share, over the later part of the run
	worst     float64 // the greatest, while more than a tenth was left
	covered   float64 // the share of the readings in which the truth was in the interval, of the later part
	early     float64 // the width of the interval in the first tenth, High/Low
	late      float64 // and later on
	doubted   Health  // of the training, which was healthy all the time
}

// watch lets a run see a training, and judges what it says of it. Few is the time after which a few cycles
// were seen.
func (h routine) watch(seed uint64, report reporter, few float64) verdict {
	done, total := h.story(seed)
	j := &story{Rand: rand.New(rand.NewPCG(seed, 9)), done: done, total: total}
	r := NewRun("resnet-1")
	r.Changed(dawn.Add(-time.Second))
	v := verdict{learnedAt: math.Inf(1)}
	var errors, earlyWidths, widths []float64
	within := 0
	for second := range done {
		readings := report(j, second)
		for _, s := range readings {
			r.Sample(s, size(4))
		}
		if r.at.IsZero() {
			continue
		}
		if health, _ := r.health(at(second), 5*time.Minute); health == Stalled ||
			health == Stale && v.doubted == "" && r.stretch.count > 2 {
			v.doubted = health
		}
		if len(readings) == 0 || !math.IsInf(v.learnedAt, 1) && second%60 != 0 {
			continue
		}
		rate, known := r.presentRate()
		if !known {
			continue
		}
		v.learnedAt = min(v.learnedAt, float64(second))
		share := r.done / r.tally.total
		left := float64(len(done)) - r.movedAt.Sub(dawn).Seconds()
		if share > 0.98 || r.tally.total == 0 || left <= 0 {
			continue
		}
		truth := (r.tally.total - r.done) / left
		wrong := rate.Median/truth - 1
		if share < 0.1 {
			earlyWidths = append(earlyWidths, rate.High/rate.Low)
		}
		if float64(second) < few {
			continue
		}
		errors, widths = append(errors, math.Abs(wrong)), append(widths, rate.High/rate.Low)
		if share < 0.9 {
			v.worst = max(v.worst, math.Abs(wrong))
		}
		if rate.Low <= truth && truth <= rate.High {
			within++
		}
	}
	v.far, v.covered = math.NaN(), math.NaN()
	if len(errors) > 0 {
		v.far, v.covered, v.late = median(errors), float64(within)/float64(len(errors)), median(widths)
	}
	if len(earlyWidths) > 0 {
		v.early = median(earlyWidths)
	}
	return v
}

// habit is what a training does, and how it tells of it.
type habit struct {
	routine
	report reporter
	few    float64 // seconds after which a few cycles were seen
}

func habits() map[string]habit {
	steady := routine{hours: 5, noise: 0.05}
	return map[string]habit{
		"steady":                     {steady, polled(1), 1800},
		"trains 600, evaluates 300":  {routine{hours: 6, trains: 600, pauses: 300, noise: 0.05}, polled(1), 2800},
		"trains 60, evaluates 30":    {routine{hours: 3, trains: 60, pauses: 30, noise: 0.05}, polled(1), 600},
		"trains 1800, evaluates 600": {routine{hours: 12, trains: 1800, pauses: 600, noise: 0.05}, polled(1), 7300},
		"saves 60 every 1200":        {routine{hours: 6, saveEvery: 1200, saveTakes: 60, noise: 0.05}, polled(1), 3800},
		"evaluates and saves": {
			routine{hours: 8, trains: 900, pauses: 200, saveEvery: 1200, saveTakes: 60, noise: 0.05}, polled(1), 4500,
		},
		"compiles 300": {routine{hours: 2, compiles: 300, noise: 0.05}, polled(1), 1200},
		"compiles 300 and evaluates": {
			routine{hours: 6, compiles: 300, trains: 600, pauses: 300, noise: 0.05}, polled(1), 3100,
		},
		"a slow first epoch": {routine{hours: 5, noise: 0.05, speed: fromShare(0.1, 0.5, 1)}, polled(1), 5400},
		"halves its speed":   {routine{hours: 5, noise: 0.05, speed: fromShare(0.4, 1, 0.5)}, polled(1), 3 * 3600},
		"halves, and evaluates": {
			routine{hours: 9, trains: 600, pauses: 300, noise: 0.05, speed: fromShare(0.4, 1, 0.5)}, polled(1), 6 * 3600,
		},
		"drifts": {
			routine{hours: 8, noise: 0.05, speed: func(share float64) float64 { return 1 - 0.2*share }}, polled(1), 4 * 3600,
		},
		"read in bursts":              {steady, inBursts, 1800},
		"advances in bursts":          {steady, advancesInBursts, 1800},
		"read in bursts, evaluates":   {routine{hours: 6, trains: 600, pauses: 300, noise: 0.05}, inBursts, 2800},
		"read badly":                  {steady, badly, 1800},
		"read badly, evaluates":       {routine{hours: 6, trains: 600, pauses: 300, noise: 0.05}, badly, 2800},
		"dated every 5 s":             {steady, dated(5, false), 1800},
		"dated, evaluates":            {routine{hours: 6, trains: 600, pauses: 300, noise: 0.05}, dated(5, false), 2800},
		"dated twice, evaluates":      {routine{hours: 6, trains: 600, pauses: 300, noise: 0.05}, dated(5, true), 2800},
		"dated every 60 s, evaluates": {routine{hours: 6, trains: 600, pauses: 300, noise: 0.05}, dated(60, false), 2800},
		"dated every 600 s, evals":    {routine{hours: 12, trains: 600, pauses: 300, noise: 0.05}, dated(600, false), 4000},
		"writes every 600 s":          {routine{hours: 10, noise: 0.05}, seldom(600), 4000},
		"writes every 600 s, evals":   {routine{hours: 12, trains: 600, pauses: 300, noise: 0.05}, seldom(600), 6000},
		"writes once an hour":         {routine{hours: 24, noise: 0.05}, seldom(3600), 5 * 3600},
		"an hour, with evaluations":   {routine{hours: 24, trains: 600, pauses: 300, noise: 0.05}, seldom(3600), 5 * 3600},
		"writes at the end":           {steady, seldom(1 << 30), 0},
		"whole percents":              {steady, polled(5 * 3600 * usualSpeed / 100), 1800},
		"whole percents, evaluates": {
			routine{hours: 6, trains: 600, pauses: 300, noise: 0.05}, polled(4 * 3600 * usualSpeed / 100), 3600,
		},
		"epochs with evaluation": {
			routine{hours: 6, trains: 600, pauses: 300, noise: 0.05}, polled(600 * usualSpeed), 3700,
		},
		"a total that is revised": {steady, revised, 10000},
	}
}

// some are the names of habits, half of them where time is short.
func some(t *testing.T, of map[string]habit) []string {
	t.Helper()
	all := slices.Sorted(maps.Keys(of))
	if testing.Short() {
		return extent.Some(t, all, len(all)/2)
	}
	return all
}

func TestStoryHabits(t *testing.T) {
	tests := habits()
	t.Logf("%-28s %8s %7s %7s %8s %6s %6s", "", "learned", "off", "worst", "covered", "early", "late")
	seeds := 2.0
	if testing.Short() {
		seeds = 1
	}
	covered, names, least := 0.0, some(t, tests), 0.85
	if testing.Short() { // of a sample: as it may be drawn where the whole is as it should be
		least = 0.8
	}
	for _, name := range names {
		tt := tests[name]
		v := verdict{}
		for seed := range uint64(seeds) {
			one := tt.watch(2*seed+1, tt.report, tt.few)
			v.learnedAt, v.worst = max(v.learnedAt, one.learnedAt), max(v.worst, one.worst)
			v.far, v.covered = v.far+one.far/seeds, v.covered+one.covered/seeds
			v.early, v.late = v.early+one.early/seeds, v.late+one.late/seeds
			if one.doubted != "" {
				v.doubted = one.doubted
			}
		}
		t.Logf("%-28s %6.0f s %5.1f %% %5.1f %% %6.0f %% %6.2f %6.2f", name, v.learnedAt, 100*v.far, 100*v.worst,
			100*v.covered, v.early, v.late)
		if v.doubted != "" {
			t.Errorf("%s: it is healthy, and called %s", name, v.doubted)
		}
		if name == "writes at the end" {
			if covered++; !math.IsInf(v.learnedAt, 1) {
				t.Errorf("%s: a rate was learned from nothing after %.0f s", name, v.learnedAt)
			}
			continue
		}
		if v.learnedAt > tt.hours*3600/5 {
			t.Errorf("%s: a rate was learned only after %.0f s", name, v.learnedAt)
		}
		if v.far > 0.05 || v.worst > 0.2 || v.covered < 0.75 || v.late > 1.3 {
			t.Errorf("%s: the rate is off by %.1f %%, at worst by %.1f %%, and the truth in the interval of %.0f %%, of a "+
				"width of %.2f",
				name, 100*v.far, 100*v.worst, 100*v.covered, v.late)
		}
		if v.early > 0 && v.early < v.late*0.95 {
			t.Errorf("%s: the interval is wider later, %.2f, than at first, %.2f", name, v.late, v.early)
		}
		covered += v.covered
	}
	t.Logf("on average the truth is in %.0f %% of the intervals", 100*covered/float64(len(names)))
	if covered < least*float64(len(names)) {
		t.Error("the intervals are too narrow")
	}
}

func fromShare(share, before, after float64) func(float64) float64 {
	return func(done float64) float64 {
		if done < share {
			return before
		}
		return after
	}
}

// A training that is interrupted in a cycle goes on in it. Here it evaluates when its work says so.
type interrupted struct {
	r         *Run
	now, done float64
	total     float64
}

// goOn trains for some seconds at a speed, evaluates for 300 s after all work of 6000 steps, and is read.
func (j *interrupted) goOn(seconds float64, workers int, speed float64, evaluating *float64) {
	for end := j.now + seconds; j.now < end; j.now++ {
		if *evaluating > 0 {
			*evaluating--
		} else if before := math.Floor(j.done / 6000); true {
			if j.done += speed; math.Floor(j.done/6000) > before {
				*evaluating = 3000 / speed
			}
		}
		if int(j.now)%10 == 0 {
			s := steps(int(j.now), math.Floor(j.done))
			s.Total = j.total
			j.r.Sample(s, size(workers))
		}
	}
}

// How the job pauses at one size is known at the next, before it has paused there, and the pause of the restart
// is none of them.
func TestAHabitIsKnownAtAnotherSize(t *testing.T) {
	j := &interrupted{r: NewRun("resnet-1"), total: 1e6}
	evaluating := 0.0
	j.goOn(3*900, 2, 10, &evaluating)
	j.now += 120 // the restart
	j.r.Changed(at(int(j.now) - 119))
	j.goOn(200, 4, 20, &evaluating)
	rate, known := j.r.presentRate()
	if truth := 20.0 * 2 / 3; !known || math.Abs(rate.Median/truth-1) > 0.12 || rate.Low > truth || rate.High < truth {
		t.Errorf("it is taken to do %+v, and does %g", rate, truth)
	}
	if old, ok := j.r.rate(size(2)); !ok || math.Abs(old.Median/(10*2./3)-1) > 0.05 {
		t.Errorf("at its old size it is taken to do %+v, and did %g", old, 10*2./3)
	}
}

// An operator that was started anew does not take a training for faster because it does not evaluate just now.
func TestAHabitIsKnownAfterARestartOfTheOperator(t *testing.T) {
	j := &interrupted{r: NewRun("resnet-1"), total: 1e6}
	evaluating := 0.0
	j.goOn(6*900, 2, 10, &evaluating)
	record, _ := j.r.Last(at(int(j.now)))
	stored, unit, err := FromStatus(&v1alpha1.TrainingProfileStatus{Unit: record.Unit, Speeds: record.Speeds})
	if err != nil {
		t.Fatal(err)
	}
	j.r = NewRun("resnet-1")
	if err := j.r.Inherit(stored, unit, at(int(j.now))); err != nil {
		t.Fatal(err)
	}
	truth := 10.0 * 2 / 3
	for range 5 {
		rate, ok := j.r.rate(size(2))
		if !ok || math.Abs(rate.Median/truth-1) > 0.1 {
			t.Errorf("after %g s it is taken to do %+v, and does %g", j.now-6*900, rate, truth)
		}
		j.goOn(110, 2, 10, &evaluating)
	}
}

// Near its end nobody can tell a job's speed for what little is left. That holds for all sizes: the one that it has
// does not fall behind those that nobody has seen.
func TestNearTheEndNoOtherSizeSeemsSurer(t *testing.T) {
	r := NewRun("resnet-1")
	random := rand.New(rand.NewPCG(3, 1))
	done := 0.0
	for second := 10; done < 999; second += 10 {
		reads(4, steps(second, math.Floor(done)))(r)
		done += 0.5 + random.Float64()
	}
	job := elastic.Job{Workers: 4}
	r.Fill(&job, []predictor.Shape{size(2), size(3), size(4), size(8)}, FillOptions{Now: r.at})
	if job.Sizes[2].Speed <= job.Sizes[1].Speed || job.Sizes[1].Speed <= job.Sizes[0].Speed {
		t.Errorf("with %.0f left its sizes are %+v", job.Left, job.Sizes)
	}
}
