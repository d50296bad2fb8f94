package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/takt-dev/takt/simulator/accuracy"
)

// measured is a folder with a table in each of the known formats.
func measured(t *testing.T) string {
	t.Helper()
	var placements, throughputs strings.Builder
	for i := range 16 {
		workers, batch := 1+i%4, 16*(1+i/4)
		step := 0.1 + 0.01*float64(batch) + 0.02*float64(workers-1)
		fmt.Fprintf(&placements, "%d,%d,%g,%g\n", workers, batch, step, 0.02*float64(workers-1))
		fmt.Fprintf(&throughputs, `"('LM (batch size %d)', %d)": {"null": %g},`, batch, workers, float64(workers)/step)
	}
	trace, _ := folder(t, map[string]string{
		"bert/placements.csv": "placement,local_bsz,step_time,sync_time\n" + placements.String() + "0,16,1,0\n",
		"vgg.csv":             "global_batch_size,1,2,4\n64,1,1.9,3.4\n128,0.5,1,1.9\n",
		"all.json":            `{"v100": {` + throughputs.String() + `"('A3C', 1)": {"null": 3}}}`,
		"other.csv":           "a,b\n1,2\n",
	})
	return filepath.Dir(trace)
}

func TestPredictFields(t *testing.T) {
	data := measured(t)
	args := []string{"predict", "--data", data + "/bert/placements.csv", data + "/vgg.csv", data + "/all.json",
		"--samples", "4", "--draws", "3", "-o", "json"}
	got := call(t, "", args...)
	if got.code != exitDone {
		t.Fatalf("it ends with %d: %s", got.code, got.stderr)
	}
	wantStderr := "takt: " + data +
		`/bert/placements.csv: line 18 is left out: placement is "0": it must be a digit from 1 to 9 for each node` +
		"\ntakt: v100/A3C is left out: with 1 configuration it has too few to give 4 and judge by the others\n"
	if diff := cmp.Diff(wantStderr, got.stderr); diff != "" {
		t.Errorf("stderr: -want +got:\n%s", diff)
	}
	var reports []map[string]any
	if err := json.Unmarshal([]byte(got.stdout), &reports); err != nil {
		t.Fatal(err)
	}
	var apps []string
	for _, r := range reports {
		apps = append(apps, r["app"].(string))
		for _, field := range []string{"app", "samples", "mapeMedian", "mapeP90", "coverage90", "baselineMapeMedian"} {
			if _, ok := r[field]; !ok {
				t.Errorf("there is no %s in %v", field, slices.Sorted(maps.Keys(r)))
			}
		}
		if r["samples"] != 4.0 {
			t.Errorf("%v samples were given, want 4", r["samples"])
		}
	}
	if diff := cmp.Diff([]string{"bert", "vgg", "v100/LM"}, apps); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if again := call(t, "", args...); again.stdout != got.stdout {
		t.Errorf("two runs with the same seed differ:\n%s", cmp.Diff(got.stdout, again.stdout))
	}
	if other := call(t, "", append(args, "--seed", "2")...); other.stdout == got.stdout {
		t.Error("another seed changes nothing")
	}
	if plain := call(t, "", append(args, "--whole-steps")...); plain.stdout == got.stdout {
		t.Error("to know nothing of the exchange of gradients changes nothing")
	}
}

func TestPredictForPeople(t *testing.T) {
	data := measured(t)
	t.Chdir(data + "/bert")
	got := call(t, "", "predict", "--data", "placements.csv", "--samples", "4", "--draws", "3")
	lines := strings.Split(got.stdout, "\n")
	if len(lines) != 7 || !strings.HasPrefix(lines[4], "JOB   MEASURED") ||
		!strings.HasPrefix(lines[5], "bert        16  ") {
		t.Errorf("it prints\n%s%s", got.stdout, got.stderr)
	}
}

func TestPredictOfFilesThatCannotBeUsed(t *testing.T) {
	data := measured(t)
	if err := os.WriteFile(data+"/empty.csv", nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for file, want := range map[string]string{
		"other.csv": "other.csv is no table of AdaptDL, ElasticFlow or Gavel: the header is of no known table of step times",
		"empty.csv": "empty.csv is no table of AdaptDL, ElasticFlow or Gavel: the file holds nothing",
		"gone.csv":  "gone.csv: no such file",
		"vgg.csv":   "there is nothing to judge by: ask for fewer --samples, or give more data",
	} {
		t.Run(file, func(t *testing.T) {
			got := call(t, "", "predict", "--data", filepath.Join(data, file))
			if got.code != exitFailed || got.stdout != "" || !strings.Contains(got.stderr, want) {
				t.Errorf("it ends with %d, and says %q %q, want %q", got.code, got.stdout, got.stderr, want)
			}
		})
	}
}

// Other jobs of the files teach what the network does where that is asked for, and each job is predicted by itself
// where not.
func TestPredictAfterOthers(t *testing.T) {
	tables := map[string]string{}
	for i, app := range []string{"bert", "vgg", "resnet"} {
		var rows strings.Builder
		for _, placement := range []string{"1", "2", "4", "22", "44", "222", "444", "2222", "4444", "44444"} {
			for _, batch := range []int{8, 16, 32} {
				waits := []float64{0.02, 0.8, 0.4, 0.45, 0.5}[len(placement)-1]
				fmt.Fprintf(&rows, "%s,%d,%g,0\n", placement, batch, 0.05+0.01*float64((i+1)*batch)+waits)
			}
		}
		tables[app+"/placements.csv"] = "placement,local_bsz,step_time,sync_time\n" + rows.String()
	}
	trace, _ := folder(t, tables)
	data := filepath.Dir(trace)
	errs := func(more ...string) (sum float64) {
		args := []string{"predict", "--samples", "4", "--draws", "5", "-o", "json", "--data"}
		for _, app := range []string{"bert", "vgg", "resnet"} {
			args = append(args, filepath.Join(data, app, "placements.csv"))
		}
		got := call(t, "", append(args, more...)...)
		var reports []accuracy.Report
		if err := json.Unmarshal([]byte(got.stdout), &reports); err != nil || len(reports) != 3 {
			t.Fatalf("%v, %+v", err, got)
		}
		for _, r := range reports {
			sum += r.MAPEMedian
		}
		return sum
	}
	if alone, taught := errs(), errs("--others", "15"); taught > 0.95*alone {
		t.Errorf("alone the jobs err by %g in sum, and after others by %g", alone, taught)
	}
}
