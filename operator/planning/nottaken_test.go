package planning

import (
	"testing"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/elastic"
	"github.com/takt-dev/takt/operator/view"
)

// Nobody gives back GPUs, and trains with fewer, for the sake of one that cannot take them yet.
func TestWhatNobodyCanTakeYetIsNotGivenBack(t *testing.T) {
	const pool = "A100"
	gives, grows := elastic.Resize{Job: "gives", From: 1, To: 0, Reason: elastic.Stopped}, elastic.Resize{Job: "grows", From: 3, To: 4, Reason: elastic.DeadlineRisk}
	starts := elastic.Resize{Job: "starts", To: 2, Reason: elastic.Started}
	for name, test := range map[string]struct {
		resizing string // whose last resize is under way
		resizes  []elastic.Resize
		free     elastic.GPUs
		change   func(*Scene)
		want     bool
	}{
		"who is to grow is being resized":  {"grows", []elastic.Resize{gives, grows}, 0, nil, true},
		"who is to grow can":               {"", []elastic.Resize{gives, grows}, 0, nil, false},
		"another can start":                {"grows", []elastic.Resize{gives, grows, starts}, 1, nil, false},
		"another can start with what is":   {"grows", []elastic.Resize{gives, grows, starts}, 2, nil, true},
		"who gives back is being resized":  {"gives", []elastic.Resize{gives, grows}, 0, nil, false},
		"nobody is to grow":                {"grows", []elastic.Resize{gives}, 0, nil, false},
		"others want GPUs":                 {"grows", []elastic.Resize{gives, grows}, 0, func(sc *Scene) { sc.Snapshot.Demands = []elastic.Demand{{Pool: pool, GPUs: 1}} }, false},
		"it depends on nodes what is free": {"grows", []elastic.Resize{gives, grows}, 0, func(sc *Scene) { sc.Snapshot.Jobs[0].GPUsPerWorker = 2 }, false},
	} {
		t.Run(name, func(t *testing.T) {
			sc, d, byName := &Scene{}, elastic.Decision{Resizes: test.resizes}, map[string]int{}
			for i, job := range []string{"gives", "grows", "starts"} {
				s := &view.Subject{}
				if job == test.resizing {
					s.Past = []*v1alpha1.Resize{{}}
				}
				byName[job] = i
				sc.Subjects = append(sc.Subjects, s)
				sc.Snapshot.Jobs = append(sc.Snapshot.Jobs, elastic.Job{Name: job, Pool: pool, GPUsPerWorker: 1})
				d.Jobs = append(d.Jobs, elastic.Outcome{Name: job, Pool: pool})
			}
			if test.change != nil {
				test.change(sc)
			}
			if got := premature(sc, d, byName, map[string]elastic.GPUs{pool: test.free})[pool]; got != test.want {
				t.Errorf("it is premature: %t", got)
			}
		})
	}
}
