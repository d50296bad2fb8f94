package policies

import (
	"testing"

	"github.com/takt-dev/takt/elastic"
	"github.com/takt-dev/takt/simulator"
)

// A job that is alone begins as the variant has it, and is measured after its start and twenty seconds, though
// nothing else ever happens.
func TestAJobAloneBeginsAsTheVariantHasIt(t *testing.T) {
	for name, tt := range map[string]struct {
		start elastic.Start
		want  int
	}{
		"as written": {elastic.AtWritten, 2},
		"smallest":   {elastic.AtSmallest, 1},
		"largest":    {elastic.AtLargest, 4},
	} {
		t.Run(name, func(t *testing.T) {
			v := NewVariant(elastic.Variant{Start: tt.start})
			cluster := simulator.Cluster{GPUs: 4, GPUsPerNode: 4, ResizeCost: 10}
			alone := job("alone", "linear", 5, 5000, 1000, 2)
			alone.Batch = 64
			h, err := cluster.Run([]simulator.Job{alone}, speedsOf, simulator.NewLearner(speedsOf, 0.1, 1, 4), v)
			if err != nil {
				t.Fatal(err)
			}
			if got := h.Changes[0].Size; got != tt.want {
				t.Errorf("it begins with %d GPUs, want %d", got, tt.want)
			}
			if got := v.Verdicts["alone"]; got != 35 {
				t.Errorf("it is told whether it will be in time after %g s, want 35", got)
			}
		})
	}
}
