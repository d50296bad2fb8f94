package world

import (
	"context"
	"fmt"
	"time"

	"github.com/takt-dev/takt/e2e/lib/cluster"
)

const (
	// look is how often a test looks at its world.
	look = 200 * time.Millisecond
	// lookAnyway is how often one that waits looks where nothing happens: it may wait for what no history has, such as an
	// event. If each look were one at the API server, they would be half of what that is asked for.
	lookAnyway = 700 * time.Millisecond
)

// Eventually waits until check finds nothing to object to, and fails the test if that takes longer
// than the limit.
func (w *World) Eventually(what string, limit time.Duration, check func() error) {
	w.t.Helper()
	if err := w.poll(limit, lookAnyway, func() (error, bool) {
		err := check()
		return err, err == nil
	}); err != nil {
		w.t.Fatalf("it did not come about within %v that %s: %v", limit, what, err)
	}
}

// Steadily fails the test if check objects to anything within a time.
func (w *World) Steadily(what string, span time.Duration, check func() error) {
	w.t.Helper()
	if err := w.poll(span, look, func() (error, bool) {
		err := check()
		return err, err != nil
	}); err != nil {
		w.t.Fatalf("it did not stay so that %s: %v", what, err)
	}
}

// Quiet waits until nothing has been written for a time, as Writes tells, and fails the test if that takes longer than
// the limit.
func (w *World) Quiet(span, limit time.Duration) {
	w.t.Helper()
	mark, since := w.History.Mark(), time.Now()
	w.Eventually("nothing more is written", limit, func() error {
		now := w.History.Mark()
		if writes := w.History.Writes(mark); len(writes) > 0 {
			mark, since = now, time.Now()
			last := writes[len(writes)-1]
			return fmt.Errorf("%s %s was %s", last.Kind, last.Object.GetName(), last.Event)
		}
		if quiet := time.Since(since); quiet < span {
			return fmt.Errorf("it has been quiet for %v", quiet)
		}
		return nil
	})
}

// poll calls check until it is done or the time is up, at least once, and returns its last error: whenever something
// has happened, and anyway after so long.
func (w *World) poll(limit, anyway time.Duration, check func() (err error, done bool)) error {
	deadline := time.Now().Add(limit)
	ticker := time.NewTicker(look)
	defer ticker.Stop()
	for {
		mark, next := w.History.Mark(), time.Now().Add(anyway)
		err, done := check()
		if done || time.Now().After(deadline) {
			return err
		}
		if next.After(deadline) {
			next = deadline
		}
		for waits := true; waits; waits = w.History.Mark() == mark && time.Now().Before(next) {
			select {
			case <-w.t.Context().Done():
				return w.t.Context().Err()
			case <-ticker.C:
			}
		}
	}
}

// Until waits for a moment.
func Until(ctx context.Context, moment time.Time) {
	timer := time.NewTimer(time.Until(moment))
	defer timer.Stop()
	select {
	case <-ctx.Done():
	case <-timer.C:
	}
}

// dump prints what the world is like.
func (w *World) dump() {
	ctx, cancel := context.WithTimeout(cluster.AfterTest(w.t), 20*time.Second)
	defer cancel()
	for _, arguments := range [][]string{
		{"get", "elasticjobs,resizes,trainingprofiles", "-o", "wide"},
		{"get", "pytorchjobs,tfjobs,jobs", "-o", "wide"},
		{"get", "pods", "-o", "wide"},
		{"get", "nodes", "-l", mine + "=" + w.Namespace},
		{"get", "trainingqueues", "-l", mine + "=" + w.Namespace},
		{"get", "events", "--sort-by=.lastTimestamp"},
	} {
		output, err := w.cluster.Kubectl(ctx, append([]string{"-n", w.Namespace}, arguments...)...)
		if err != nil {
			output = err.Error()
		}
		w.t.Logf("kubectl %v\n%s", arguments, output)
	}
	w.t.Logf("what was written\n%s", w.History)
	w.t.Logf("what was logged\n%s", w.logs)
}
