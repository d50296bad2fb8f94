package accuracy

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/takt-dev/takt/predictor"
)

func TestRead(t *testing.T) {
	shape := func(workers, nodes int, batch float64) predictor.Shape {
		return predictor.Shape{Workers: predictor.Workers(workers), Nodes: nodes, Batch: batch}
	}
	for name, test := range map[string]struct {
		text    string
		want    []Table
		wantBad int
	}{
		"placements": {
			"placement,local_bsz,step_time,sync_time\n1,4,0.5,0.1\n124,4,1.5,1\n" +
				"124,4,1.5,1\n104,4,1,0\n,4,1,0\n11,4,1,2\n11,4,0,0\n",
			[]Table{{"app", []Setting{{"1×4", shape(1, 1, 4), 0.5, 0.1}, {"124×4", shape(7, 3, 4), 1.5, 1}}}}, 5,
		},
		"scalability": {
			"num_nodes,num_replicas,local_bsz,step_time,sync_time\n6,24,32,0.25,0.125\n6,5,32,1,0\n0.5,1,32,1,0\n",
			[]Table{{"app", []Setting{{"24/6×32", shape(24, 6, 32), 0.25, 0.125}}}}, 2,
		},
		"speeds by global batch": {
			"global_batch_size,1,2,16\n64,2,4,\n128,1,nan,8\nx,1,1,1\n",
			[]Table{{"app", []Setting{
				{"1×64", shape(1, 1, 64), 0.5, 0}, {"2×64", shape(2, 1, 32), 0.25, 0},
				{"1×128", shape(1, 1, 128), 1, 0}, {"16×128", shape(16, 4, 8), 0.125, 0},
			}}}, 1,
		},
		"throughputs by type of GPU": {
			` {"k80": {"('A3C', 1)": {"null": 4.0}, "('LM (batch size 5)', 8)": {"null": 16.0, "('A3C', 1)": [1, 2]},
			  "('LM (batch size 10)', 2)": {"null": 0.0}},
			  "k80_unconsolidated": {"('A3C', 1)": {"null": 4.0}, "('LM (batch size 5)', 8)": {"null": 4.0}}}`,
			[]Table{
				{"k80/A3C", []Setting{{"1/1×1", shape(1, 1, 1), 0.25, 0}}},
				{"k80/LM", []Setting{{"8/2×5", shape(8, 2, 5), 0.5, 0}, {"8/8×5", shape(8, 8, 5), 2, 0}}},
			}, 0,
		},
	} {
		t.Run(name, func(t *testing.T) {
			tables, bad, err := Read("app", 4, strings.NewReader(test.text))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(test.want, tables); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
			if len(bad) != test.wantBad {
				t.Errorf("%d bad rows, want %d: %v", len(bad), test.wantBad, bad)
			}
		})
	}
}

func TestReadRefuses(t *testing.T) {
	for name, test := range map[string]struct{ text, want string }{
		"nothing":         {" \n", "holds nothing"},
		"another table":   {"a,b\n1,2\n", "no known table of step times"},
		"another JSON":    {`{"k80": 3}`, "no table of throughputs"},
		"no job":          {`{"k80": {"LM": {"null": 1}}}`, "names no job"},
		"no throughput":   {`{"k80": {"('LM', 1)": {"null": [1]}}}`, "is no number"},
		"no alone at all": {`{"k80": {"('LM', 1)": {}}}`, "is no number"},
	} {
		t.Run(name, func(t *testing.T) {
			if tables, _, err := Read("app", 4, strings.NewReader(test.text)); err == nil ||
				!strings.Contains(err.Error(), test.want) {
				t.Errorf("got %v, %v; want an error with %q", tables, err, test.want)
			}
		})
	}
}

// made is a job that follows the plain form but for a tenth more on even numbers of nodes.
func made() Table {
	table := Table{App: "made"}
	for workers := 1; workers <= 16; workers++ {
		for _, batch := range []float64{8, 16, 32} {
			nodes := (workers + 3) / 4
			step := 0.05 + 0.01*batch
			if workers > 1 {
				step = math.Hypot(step, 0.05*float64(nodes))
			}
			if nodes%2 == 0 {
				step *= 1.1
			}
			table.Settings = append(table.Settings, Setting{
				Name:  fmt.Sprintf("%d×%g", workers, batch),
				Shape: predictor.Shape{Workers: predictor.Workers(workers), Nodes: nodes, Batch: batch},
				Step:  predictor.Seconds(step),
			})
		}
	}
	return table
}

func TestEvaluate(t *testing.T) {
	report, err := Evaluate(made(), 10, 5, 1)
	if err != nil {
		t.Fatal(err)
	}
	if report.MAPEMedian > 0.06 || report.MAPEMedian > report.BaselineMAPEMedian {
		t.Errorf("the error is %g, and the baseline's %g", report.MAPEMedian, report.BaselineMAPEMedian)
	}
	if report.MAPEP90 < report.MAPEMedian || report.Coverage90 < 0.8 {
		t.Errorf("90 %% of the draws err by up to %g, and %g are covered", report.MAPEP90, report.Coverage90)
	}
	if report.RepeatMAPE != nil {
		t.Errorf("no shape was measured twice, and repeats differ by %g", *report.RepeatMAPE)
	}
	again, err := Evaluate(made(), 10, 5, 1)
	if diff := cmp.Diff(report, again); err != nil || diff != "" {
		t.Errorf("the same seed gives another report: %v\n%s", err, diff)
	}
	other, err := Evaluate(made(), 10, 5, 2)
	if err != nil || other.MAPEMedian == report.MAPEMedian {
		t.Errorf("another seed gives the same error, %g (%v)", other.MAPEMedian, err)
	}
}

func TestEvaluateRefuses(t *testing.T) {
	for name, test := range map[string]struct{ samples, draws int }{
		"no samples": {0, 1}, "no draws": {5, 0}, "nothing left to judge by": {48, 1},
	} {
		t.Run(name, func(t *testing.T) {
			if report, err := Evaluate(made(), test.samples, test.draws, 1); err == nil {
				t.Errorf("got %+v", report)
			}
		})
	}
}

func TestRepeatsOfAShape(t *testing.T) {
	shape := predictor.Shape{Workers: 2, Nodes: 2, Batch: 1}
	table := Table{"app", []Setting{
		{"a", shape, 1, 0.5}, {"b", shape, 2, 0.5}, {"c", shape, 4, 0.5},
		{"d", predictor.Shape{Workers: 1, Nodes: 1, Batch: 1}, 9, 0.5},
	}}
	// 1 is judged by 3, 2 by 2.5 and 4 by 1.5.
	if got, want := *repeat(table.Settings), (2+0.25+0.625)/3; math.Abs(got-want) > 1e-12 {
		t.Errorf("repeats differ by %g, want %g", got, want)
	}
	merged := table.ByShape().WithoutSync()
	if len(merged.Settings) != 2 || merged.Settings[0].Step != 2 || merged.Settings[0].Sync != 0 {
		t.Errorf("by shape: %+v", merged.Settings)
	}
}

// Whatever a file holds, what is read can be evaluated, or the error says why not.
func FuzzRead(f *testing.F) {
	f.Add("placement,local_bsz,step_time,sync_time\n1,4,0.5,0.1\n124,4,1e300,1\n2,1e300,1e-300,0\n")
	f.Add("num_nodes,num_replicas,local_bsz,step_time,sync_time\n6,24,32,0.25,0.125\n")
	f.Add(`{"k80": {"('LM (batch size 5)', 8)": {"null": 1e-300}}}`)
	f.Fuzz(func(t *testing.T, text string) {
		tables, _, err := Read("app", 4, strings.NewReader(text))
		if err != nil {
			return
		}
		for _, table := range tables {
			report, err := Evaluate(table, 1, 1, 1)
			if err == nil && !(report.MAPEMedian >= 0 && report.Coverage90 >= 0 && report.Coverage90 <= 1) {
				t.Errorf("%+v", report)
			}
		}
	})
}
