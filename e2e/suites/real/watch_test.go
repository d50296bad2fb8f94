package real

import (
	"context"
	"fmt"
	"time"

	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/takt-dev/takt/api/v1alpha1"
)

// watch is what is said of the end of a job while it trains.
type watch struct {
	of     *stage
	name   string
	script string // as the table calls it
	told   []forecast
	done   chan struct{}
	stop   context.CancelFunc
}

// forecast is what was said at a moment.
type forecast struct {
	at                    time.Time
	done                  int32 // parts per million
	earliest, eta, latest time.Time
}

// watch looks every second at what is said of a job, until tell is called.
func (s *stage) watch(name, script string) *watch {
	ctx, stop := context.WithCancel(s.t.Context())
	w := &watch{of: s, name: name, script: script, done: make(chan struct{}), stop: stop}
	s.t.Cleanup(stop)
	go w.look(ctx)
	return w
}

func (w *watch) look(ctx context.Context) {
	defer close(w.done)
	again := time.NewTicker(time.Second)
	defer again.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-again.C:
		}
		e := &v1alpha1.ElasticJob{}
		if err := w.of.client.Get(ctx, client.ObjectKey{Namespace: w.of.namespace, Name: w.name}, e); err != nil {
			continue // there is nothing yet, or the test is over
		}
		f := forecast{at: time.Now(), done: e.Status.Progress.PartsPerMillion}
		var problems [3]error
		f.earliest, problems[0] = e.Status.Prediction.Earliest.Time()
		f.eta, problems[1] = e.Status.Prediction.ETA.Time()
		f.latest, problems[2] = e.Status.Prediction.Latest.Time()
		if problems == [3]error{} && e.Status.Verdict != v1alpha1.VerdictMet {
			w.told = append(w.told, f)
		}
	}
}

// tell says what was foretold once a quarter, a half, and three quarters were done, and how often the end was between
// the earliest and the latest that were told. The job has just ended.
func (w *watch) tell() {
	w.of.t.Helper()
	ended := time.Now()
	w.stop()
	<-w.done
	held := 0
	for _, f := range w.told {
		if !ended.Before(f.earliest.Add(-time.Second)) && !ended.After(f.latest.Add(time.Second)) {
			held++
		}
	}
	part := 0
	for _, f := range w.told {
		if parts := []int32{250_000, 500_000, 750_000}; part < len(parts) && f.done >= parts[part] {
			left := ended.Sub(f.at)
			cells := []string{
				fmt.Sprintf("%d %%", f.done/10_000), fmt.Sprintf("%.0f s", left.Seconds()),
				fmt.Sprintf("%.0f, %.0f, %.0f s", f.earliest.Sub(f.at).Seconds(), f.eta.Sub(f.at).Seconds(),
					f.latest.Sub(f.at).Seconds()),
				fmt.Sprintf("%+.0f %%", 100*(f.eta.Sub(f.at)-left).Seconds()/left.Seconds()),
				fmt.Sprintf("%d of %d", held, len(w.told)),
			}
			w.of.t.Log(cells)
			forecasts.Add(append([]string{w.script}, cells...)...)
			for part < len(parts) && f.done >= parts[part] {
				part++
			}
		}
	}
	w.of.t.Logf("the end was between the earliest and the latest in %d of %d readings", held, len(w.told))
}
