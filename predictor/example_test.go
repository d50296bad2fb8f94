package predictor_test

import (
	"errors"
	"fmt"

	"github.com/takt-dev/takt/predictor"
)

// A job whose global batch stays the same does a fixed part of its work in each step, whatever
// its size: with Batch = 1/Workers, a model can be told and asked of parts of the whole job.
func Example() {
	size := func(workers int) predictor.Shape {
		return predictor.Shape{Workers: predictor.Workers(workers), Nodes: (workers + 7) / 8, Batch: 1 / float64(workers)}
	}
	model := predictor.NewModel()
	var progress predictor.Progress
	now, done := predictor.Seconds(0), predictor.Fraction(0)
	for _, run := range []struct {
		workers int
		rate    float64
	}{{1, 1e-4}, {2, 1.9e-4}, {4, 3.4e-4}} {
		for range 6 {
			reading, err := progress.Read(now, done, size(run.workers))
			switch {
			case err == nil:
				if err := model.ObserveRate(reading.Shape, reading.Rate, reading.Spread); err != nil {
					fmt.Println(err)
				}
			case !errors.Is(err, predictor.ErrNoNews):
				fmt.Println(err)
			}
			now += 60
			done += predictor.Fraction(60 * run.rate)
		}
	}
	left := predictor.Work(1 - done)
	var restarts predictor.Restarts
	for _, workers := range []int{4, 8, 64} {
		restart := restarts.Cost()
		if workers == 4 {
			restart = predictor.Estimate{}
		}
		eta, err := model.ETA(left, size(workers), restart)
		fmt.Printf("%2d workers: about %.0f min, %v %v\n", workers, eta.Median/60, eta.Trust, err)
	}
	// Output:
	//  4 workers: about 38 min, Measured <nil>
	//  8 workers: about 25 min, Extrapolated <nil>
	// 64 workers: about 98 min, Unknown <nil>
}
