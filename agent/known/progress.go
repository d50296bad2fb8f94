package known

import (
	"errors"
	"fmt"
	"math"
	"time"
)

// Source is who tells the progress.
type Source string

// The sources.
const (
	Script       Source = "script"         // the script itself, at the local endpoint
	Kubeflow     Source = "kubeflow"       // Kubeflow's protocol, with steps
	MetricsFile  Source = "file"           // DLRover's metrics file
	Output       Source = "output"         // what the training prints
	KubeflowPart Source = "kubeflow-share" // Kubeflow's protocol, with whole percents
)

// rank is how much better one source is than another: one that was made to tell the progress counts
// before one that was found to.
var rank = map[Source]int{Script: 5, Kubeflow: 4, MetricsFile: 3, Output: 2, KubeflowPart: 1}

// Count is how far the training is.
type Count struct {
	Done  float64
	Total float64 // 0 if it is not known
	Unit  string  // such as steps
	At    time.Time
}

const (
	// maxCount is the most that is counted: above it, floats skip numbers.
	maxCount = 1 << 53
	maxUnit  = 32
)

// Share is the unit of a progress of which only the share that is done is known.
const Share = "share"

// Check says what is wrong with a count.
func (c Count) Check() error {
	switch {
	case !counts(c.Done):
		return fmt.Errorf("%v is no number to count with", c.Done)
	case !counts(c.Total):
		return fmt.Errorf("%v is no number to count up to", c.Total)
	case c.Total > 0 && c.Done > c.Total:
		return fmt.Errorf("%v of %v is more than all", c.Done, c.Total)
	case c.Unit == "" || len(c.Unit) > maxUnit:
		return fmt.Errorf("a unit has 1 to %d letters", maxUnit)
	}
	for _, r := range c.Unit {
		if (r < 'a' || r > 'z') && r != '_' {
			return errors.New("a unit is written in small letters, such as steps")
		}
	}
	return nil
}

// Within is a count without its total where more than that is done: it is of something else, such as of fewer
// workers, and the training goes on all the same.
func (c Count) Within() Count {
	if c.Done > c.Total {
		c.Total = 0
	}
	return c
}

func counts(n float64) bool { return !math.IsNaN(n) && n >= 0 && n <= maxCount }

// Told counts what a source tells. The best source that has told anything is kept as long as the agent
// lives, since two may count in different units: one that knows the total before one that does not.
func (r *Run) Told(by Source, c Count) error {
	if err := c.Check(); err != nil {
		return err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.view.Source == "" || better(by, c, r.view.Source, r.view.Progress) {
		r.view.Source, r.view.Progress = by, c
	}
	return nil
}

// Forget forgets what a source has told, as it has turned out to be wrong.
func (r *Run) Forget(by Source) {
	r.change(func(v *View) {
		if v.Source == by {
			v.Source, v.Progress = "", Count{}
		}
	})
}

// better says whether what one source tells counts before what another has told.
func better(by Source, c Count, than Source, last Count) bool {
	if by == than {
		return true
	}
	if (c.Total > 0) != (last.Total > 0) {
		return c.Total > 0
	}
	return rank[by] > rank[than]
}
