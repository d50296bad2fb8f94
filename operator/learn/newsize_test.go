package learn

import (
	"slices"
	"testing"
	"time"

	"github.com/takt-dev/takt/elastic"
	"github.com/takt-dev/takt/operator/progress"
	"github.com/takt-dev/takt/predictor"
)

// A training that has just grown tells little of its new size: those before may have trained on, a pause may lie in
// what was read, and readings come late on a busy node. Two readings are not believed to tell that it is no faster, and
// it gives nothing back for them.
func TestTheFirstReadingsAfterAGrowthTellNoSpeed(t *testing.T) {
	const truth = 1.8 // steps a second, of four workers
	for name, first := range map[string][]progress.Sample{
		"those before train on, and then all pause": slices.Concat(line(603, 9, 2, 603, 1), line(639, 9, 6, 614, truth)),
		"the pause comes after two advances":        slices.Concat(line(612, 9, 2, 603, truth), line(650, 9, 5, 635, truth)),
		"no pause is seen":                          slices.Concat(line(612, 9, 3, 603, 1), line(639, 9, 12, 632, truth)),
		"the pause hides in two readings":           slices.Concat(line(612, 9, 3, 603, 0.8), line(639, 9, 12, 625, truth)),
		"a busy node": slices.Concat(line(603, 28, 2, 603, 0.1), line(640, 9, 4, 608, 0.2),
			line(676, 9, 9, 628, truth)),
	} {
		for who, began := range map[string]int{"live": 0, "by a restart": 600} {
			t.Run(name+", "+who, func(t *testing.T) {
				r := grown(began)
				for i, s := range first {
					s.Total, s.SavedAt = 10000, s.At.Add(-time.Second)
					r.Sample(s, size(4))
					job, gets := afterGrowth(r, s)
					if four := job.Sizes[1]; gets < 4 || float64(four.Best) < truth {
						t.Fatalf("after %d readings it is to have %d workers, of which four are taken to do %.2f, at best %.2f", i+1,
							gets, four.Expected, four.Best)
					}
				}
			})
		}
	}
}

// One that is slower from its first step on at the new size gives back what makes it so, within minutes.
func TestAJobThatIsSlowerSinceItHasGrownGivesThatBack(t *testing.T) {
	r := grown(600)
	for _, s := range line(620, 9, 40, 600, 0.4) {
		s.SavedAt = s.At.Add(-time.Second)
		r.Sample(s, size(4))
		if _, gets := afterGrowth(r, s); gets < 4 {
			if s.At.Before(at(660)) {
				t.Errorf("it gives back workers at %v", s.At)
			}
			return
		}
	}
	t.Error("it keeps workers by which it is slower")
}

// grown is a training of two workers that do a step a second, and are four from a moment on, of whom the first began at
// another.
func grown(began int) *Run {
	r := NewRun("a-1")
	team("ab", 0, 0)(r)
	reads(2, line(0, 9, 67, 0, 1)...)(r)
	team("abcd", began, 601)(r)
	return r
}

// afterGrowth is a job that runs with four workers, and has more GPUs than it can use, and the fewest that it gets,
// whichever deadline it has.
func afterGrowth(r *Run, s progress.Sample) (job elastic.Job, fewest elastic.Workers) {
	job = elastic.Job{Name: "a", Workers: 4, Written: 2}
	r.Fill(&job, []predictor.Shape{size(2), size(4)}, FillOptions{Now: s.At, AssumedPause: 30 * time.Second, Began: at(0)})
	fewest = job.Workers
	for due := 6000; due < 15000; due += 250 {
		job.Deadline = new(Moment(at(due)))
		gets := elastic.Plan(elastic.Snapshot{
			Now: Moment(s.At), Nodes: []elastic.Node{{Name: "n", GPUs: 8}}, Jobs: []elastic.Job{job},
		}).Jobs[0].Workers
		fewest = min(fewest, gets)
	}
	return job, fewest
}
