package policies

import (
	"testing"

	"github.com/takt-dev/takt/simulator"
)

// A job of which nothing is known may start at the size that it was written for, and is read soon, though nothing
// else ever happens.
func TestAJobAloneStartsAsWrittenAndIsRead(t *testing.T) {
	p, err := New("takt")
	if err != nil {
		t.Fatal(err)
	}
	alone := job("alone", "linear", 5, 600, 1000, 2)
	alone.Batch = 64
	cluster := simulator.Cluster{GPUs: 4, GPUsPerNode: 4, ResizeCost: 10}
	h, err := cluster.Run([]simulator.Job{alone}, speedsOf, simulator.NewLearner(speedsOf, 0.1, 1, 4), p)
	if err != nil {
		t.Fatal(err)
	}
	if c := h.Changes[0]; c.At != 5 || c.Size != 2 {
		t.Errorf("it starts after %g s with %d GPUs, want 5 and 2", c.At, c.Size)
	}
	if c := h.Changes[1]; c.At > 100 || c.Size != 4 {
		t.Errorf("after %g s it has %d GPUs, want 4 within 100 s", c.At, c.Size)
	}
}
