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

	"github.com/takt-dev/takt/cli/golden"
	"github.com/takt-dev/takt/simulator"
	"github.com/takt-dev/takt/simulator/policies"
)

const traceHeader = "job_id,submit_time,iteration,model_name,ddl,batch_size,num_gpu,duration\n"

// madeUp is a folder with a trace of 40 jobs and the speeds of their models.
func madeUp(t *testing.T) (trace, speeds string) {
	t.Helper()
	var rows strings.Builder
	for i := range 40 {
		at := i * 100
		fmt.Fprintf(&rows, "job-%d,%d,%d,%s,%d,64,%d,100\n", i, at, 500+i*37%900, []string{"even", "odd"}[i%2],
			at+400+i*13%800, 1+i%4)
	}
	return folder(t, map[string]string{
		"jobs.csv":        traceHeader + rows.String(),
		"speeds/even.csv": "global_batch_size,1,2,4\n64,1,1.9,3.4\n",
		"speeds/odd.csv":  "global_batch_size,1,2,4,8\n64,0.8,1.5,2.8,5\n",
	})
}

func folder(t *testing.T, files map[string]string) (trace, speeds string) {
	t.Helper()
	root := t.TempDir()
	for name, text := range files {
		path := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return filepath.Join(root, "jobs.csv"), filepath.Join(root, "speeds")
}

// simulate calls takt sim on eight GPUs, and gives what its JSON holds.
func simulate(t *testing.T, trace, speeds string, more ...string) []map[string]any {
	t.Helper()
	args := append([]string{"sim", "--trace", trace, "--throughputs", speeds, "--gpus", "8", "-o", "json"}, more...)
	got := call(t, "", args...)
	if got.code != exitDone {
		t.Fatalf("it ends with %d: %s", got.code, got.stderr)
	}
	var results []map[string]any
	if err := json.Unmarshal([]byte(got.stdout), &results); err != nil {
		t.Fatalf("this is no array of objects: %v: %s", err, got.stdout)
	}
	return results
}

func TestSimFields(t *testing.T) {
	trace, speeds := madeUp(t)
	want := []string{
		"policy", "jobs", "met", "metRatio", "bound", "metOverBound", "promised", "lateAfterPromise", "declined",
		"resizesPerJob",
		"gpuHoursUsed", "gpuHoursLost", "waitingSeconds", "completionSeconds", "unfinished", "guesses", "cost", "gpus",
		"bestEffortMeanJCTSeconds", "decisionMillis", "wallSeconds",
	}
	slices.Sort(want)
	results := simulate(t, trace, speeds, "--policy", "takt,fifo")
	for i, policy := range []string{"takt", "fifo"} {
		if diff := cmp.Diff(want, slices.Sorted(maps.Keys(results[i]))); diff != "" {
			t.Errorf("-want +got:\n%s", diff)
		}
		if results[i]["policy"] != policy || results[i]["jobs"] != 40.0 || results[i]["bestEffortMeanJCTSeconds"] != nil {
			t.Errorf("result %d is %v, want 40 jobs with a deadline under %s", i, results[i], policy)
		}
		for _, spans := range []string{"waitingSeconds", "completionSeconds"} {
			if diff := cmp.Diff([]string{"mean", "p95"},
				slices.Sorted(maps.Keys(results[i][spans].(map[string]any)))); diff != "" {
				t.Errorf("%s: -want +got:\n%s", spans, diff)
			}
		}
		millis := results[i]["decisionMillis"].(map[string]any)
		if diff := cmp.Diff([]string{"p50", "p99"}, slices.Sorted(maps.Keys(millis))); diff != "" {
			t.Errorf("-want +got:\n%s", diff)
		}
	}
}

// What is simulated depends on the arguments alone, and not on how the policies share the machine.
func TestSimIsDeterministic(t *testing.T) {
	trace, speeds := madeUp(t)
	for name, more := range map[string][]string{
		"oracle":   {"--predictor", "oracle"},
		"learning": {"--predictor", "learning"},
	} {
		t.Run(name, func(t *testing.T) {
			more = append(more, "--noise", "0.2", "--best-effort", "0.25", "--failures", "2h", "--seed", "7")
			together := timeless(simulate(t, trace, speeds, append(more, "--policy", "all")...))
			for i, policy := range policies.Names() {
				alone := timeless(simulate(t, trace, speeds, append(more, "--policy", policy)...))
				if diff := cmp.Diff(together[i], alone[0]); diff != "" {
					t.Errorf("%s alone does not do what it does beside others:\n%s", policy, diff)
				}
			}
			more[len(more)-1] = "8"
			other := timeless(simulate(t, trace, speeds, append(more, "--policy", policies.Names()[0])...))
			if cmp.Equal(together[:1], other) {
				t.Error("another seed changes nothing")
			}
		})
	}
}

// timeless leaves out what is measured with a clock.
func timeless(results []map[string]any) []map[string]any {
	for _, r := range results {
		delete(r, "decisionMillis")
		delete(r, "wallSeconds")
	}
	return results
}

// One job has the only GPU, the next waits for it, and nobody can run the third.
func TestSimTellsHowLongJobsWaitAndTake(t *testing.T) {
	trace, speeds := folder(t, map[string]string{
		"jobs.csv": traceHeader +
			"a,0,3600,good,9000,64,1,3600\nb,1800,1800,good,9000,64,1,1800\nc,0,100,good,1000,32,1,100\n",
		"speeds/good.csv": "global_batch_size,1\n64,1\n",
	})
	got := call(t, "", "sim", "--trace", trace, "--throughputs", speeds, "--gpus", "1", "--resize-cost", "0s",
		"--policy", "fifo")
	for _, want := range []string{
		"POLICY  MET  jobs  bound  promised  late  declined    mean     p95  mean   p95  ended  per job   used   lost ",
		"fifo      2  66.7  100.0         0     0         0     15m     30m    1h    1h      1     0.67      2      0 ",
	} {
		if !strings.Contains(got.stdout, want) {
			t.Errorf("it says\n%s\nand not\n%s", got.stdout, want)
		}
	}
}

func TestSimGuarantee(t *testing.T) {
	trace, speeds := madeUp(t)
	for _, test := range []struct {
		guarantee string
		allOfMet  bool // all who met their deadlines were promised them
	}{{"best-effort", false}, {"promise", true}} {
		got := simulate(t, trace, speeds, "--guarantee", test.guarantee)[0]
		if met, promised := got["met"].(float64), got["promised"].(float64); met == 0 || (met == promised) != test.allOfMet {
			t.Errorf("with %s %v jobs met their deadlines, and %v were promised them", test.guarantee, met, promised)
		}
	}
}

func TestSimBestEffort(t *testing.T) {
	trace, speeds := madeUp(t)
	for share, want := range map[string]float64{"0": 40, "0.25": 30, "1": 0} {
		t.Run(share, func(t *testing.T) {
			got := simulate(t, trace, speeds, "--best-effort", share)[0]
			if got["jobs"] != want {
				t.Errorf("%v jobs have a deadline, want %v", got["jobs"], want)
			}
			if took := got["bestEffortMeanJCTSeconds"]; (took != nil) != (want < 40) {
				t.Errorf("best-effort jobs took %v on average", took)
			}
		})
	}
}

func TestSimWithMistakesInTheInput(t *testing.T) {
	trace, speeds := folder(t, map[string]string{
		"jobs.csv": traceHeader + "a,0,100,good,1000,64,1,100\nb,soon,100,good,never,64,1,100\n" +
			"c,0,100,good,1000,32,1,100\nd,0,100,../jobs,1000,64,1,100\n",
		"speeds/good.csv": "global_batch_size,1,2\n64,1,2\n128,x,1\n",
		"speeds/none.csv": "no table, but no model of the trace either",
	})
	want := []string{
		"takt: " + trace +
			`: line 3 is left out: submit_time is "soon": it must be a number; ddl is "never": it must be a number`,
		"takt: " + filepath.Join(speeds, "good.csv") + `: line 3 is left out: 1 is "x": it must be a number`,
		"takt: " + trace + `: 1 job of model "../jobs" will never run: there is no "../jobs.csv" in ` + speeds,
		"takt: " + trace + `: 1 job of model "good" will never run: its table has no row for the batch size 32`,
	}
	args := []string{"sim", "--trace", trace, "--throughputs", speeds, "--gpus", "2"}
	got := call(t, "", args...)
	if diff := cmp.Diff(strings.Join(want, "\n")+"\n", got.stderr); diff != "" || got.code != exitDone {
		t.Errorf("it ends with %d, and complains -want +got:\n%s", got.code, diff)
	}
	if result := simulate(t, trace, speeds)[0]; result["jobs"] != 3.0 || result["met"] != 1.0 ||
		result["metOverBound"] != 1.0 {
		t.Errorf("of the jobs that never run two are counted, and cannot be met: %v", result)
	}

	got = call(t, "", append(args, "--strict")...)
	want = append(want, "takt: --strict refuses this input for 4 mistakes: mend what is told above, or leave --strict out")
	if diff := cmp.Diff(strings.Join(want, "\n")+"\n", got.stderr); diff != "" || got.code != exitFailed ||
		got.stdout != "" {
		t.Errorf("with --strict it ends with %d, and complains -want +got:\n%s", got.code, diff)
	}
}

func TestManyMistakesAreToldInBrief(t *testing.T) {
	trace, speeds := folder(t, map[string]string{
		"jobs.csv": traceHeader + strings.Repeat("a\n", 500), "speeds/good.csv": "global_batch_size,1\n64,1\n",
	})
	got := call(t, "", "sim", "--trace", trace, "--throughputs", speeds, "--gpus", "2")
	if lines := strings.Count(got.stderr, "\n"); lines != 11 || !strings.HasSuffix(got.stderr, "takt: and 490 more\n") {
		t.Errorf("it says in %d lines:\n%s", lines, got.stderr)
	}
}

func TestSimOfFilesThatCannotBeUsed(t *testing.T) {
	trace, speeds := madeUp(t)
	for name, test := range map[string]struct{ trace, speeds, want string }{
		"no trace": {
			"nowhere.csv", speeds, "nowhere.csv: no such file or directory: --trace has to name the CSV file with the jobs",
		},
		"no folder": {trace, "nowhere",
			"nowhere: no such file or directory: --throughputs has to name the folder with the tables of speeds"},
		"another table": {
			filepath.Join(speeds, "odd.csv"), speeds, "odd.csv: the header is of no known trace: for one format it lacks job_id",
		},
		"no table of speed": {
			trace, brokenSpeeds(t), "odd.csv: the header is of no table of speeds: it lacks global_batch_size",
		},
	} {
		t.Run(name, func(t *testing.T) {
			got := call(t, "", "sim", "--trace", test.trace, "--throughputs", test.speeds, "--gpus", "2")
			if got.code != exitFailed || !strings.Contains(got.stderr, test.want) {
				t.Errorf("it ends with %d and says %q, want %q", got.code, got.stderr, test.want)
			}
		})
	}
}

func brokenSpeeds(t *testing.T) string {
	_, speeds := folder(t, map[string]string{"speeds/odd.csv": "a,b\n1,2\n"})
	return speeds
}

// Two jobs that need the GPU for an hour each: on one GPU the second waits until its deadline has passed.
func TestSimComparesSizesOfACluster(t *testing.T) {
	trace, speeds := folder(t, map[string]string{
		"jobs.csv": strings.TrimSpace(traceHeader) +
			",gpu_type\na,0,3600,good,4000,64,1,3600,A100\nb,0,3600,good,4000,64,1,3600,T4\n",
		"speeds/good.csv": "global_batch_size,1\n64,1\n",
	})
	got := call(t, "", "sim", "--trace", trace, "--throughputs", speeds, "--gpus", "1, 2", "--policy", "fifo,edf",
		"--resize-cost", "0s",
		"--price", "A100=2,*=0.5", "-o", "json", "--gpu-type", "all")
	var results []simulator.Result
	if err := json.Unmarshal([]byte(got.stdout), &results); err != nil {
		t.Fatalf("%v: %s %s", err, got.stdout, got.stderr)
	}
	type row struct {
		GPUs           int
		Policy         string
		Met            int
		Waiting, Took  float64
		GPUHours, Cost float64
	}
	var rows []row
	for _, r := range results {
		rows = append(rows, row{r.GPUs, r.Policy, r.Met, r.Waiting.Mean, r.Completion.Mean, r.GPUHoursUsed, *r.Cost})
	}
	want := []row{
		{1, "fifo", 1, 1800, 5400, 2, 2.5}, {1, "edf", 1, 1800, 5400, 2, 2.5},
		{2, "fifo", 2, 0, 3600, 2, 2.5}, {2, "edf", 2, 0, 3600, 2, 2.5},
	}
	if diff := cmp.Diff(want, rows); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if without := simulate(t, trace, speeds, "--gpu-type", "all")[0]; without["cost"] != nil {
		t.Errorf("without a price it costs %v", without["cost"])
	}
}

func TestSimRefusesToLeaveJobsOutOfTheCost(t *testing.T) {
	trace, speeds := folder(t, map[string]string{
		"jobs.csv": strings.TrimSpace(traceHeader) +
			",gpu_type\na,0,3600,good,4000,64,1,3600,A100\nb,0,3600,good,4000,64,1,3600,\n",
		"speeds/good.csv": "global_batch_size,1\n64,1\n",
	})
	for prices, want := range map[string]string{
		"T4=1":   `--price has none for the GPUs of job "a": add A100=1, or *=1 for all others`,
		"A100=1": `--price has none for job "b", of which the trace does not tell its gpu_type: add one for all others, as in *=1`,
	} {
		got := call(t, "", "sim", "--trace", trace, "--throughputs", speeds, "--gpus", "1", "--price", prices)
		if got.code != exitFailed || got.stderr != "takt: "+want+"\n" {
			t.Errorf("with --price %s it ends with %d and says %q, want %q", prices, got.code, got.stderr, want)
		}
	}
}

func TestSimCountsGuesses(t *testing.T) {
	trace, speeds := folder(t, map[string]string{
		"jobs.csv": strings.TrimSpace(traceHeader) + ",guess\na,0,3600,good,4000,64,1,3600,1\nb,0,3600,good,,64,1,3600,\n" +
			"c,0,3600,good,,64,1,3600,0\nd,0,3600,good,,64,1,3600,maybe\n",
		"speeds/good.csv": "global_batch_size,1\n64,1\n",
	})
	got := call(t, "", "sim", "--trace", trace, "--throughputs", speeds, "--gpus", "1")
	if want := "Of the 3 jobs 1 was never measured: its work and its speeds " +
		"are guesses."; !strings.Contains(got.stdout, want) {
		t.Errorf("it does not say %q:\n%s", want, got.stdout)
	}
	want := `line 5 is left out: guess is "maybe": it must be 1 for a job that was never measured, else 0 or nothing`
	if !strings.Contains(got.stderr, want) {
		t.Errorf("it says %q, want %q", got.stderr, want)
	}
	if result := simulate(t, trace, speeds)[0]; result["guesses"] != 1.0 || result["jobs"] != 1.0 ||
		result["bestEffortMeanJCTSeconds"] == nil {
		t.Errorf("one is a guess, and those without a deadline are best-effort: %v", result)
	}
}

// docs/cli.md shows this.
func TestSimShowsSizesInOneTable(t *testing.T) {
	t.Chdir("../..")
	got := call(t, "", strings.Fields("sim --trace docs/examples/jobs.csv --throughputs docs/examples/speeds --gpus "+
		"16,24,32 --policy takt,fifo --price 2.50")...)
	golden.File(t, "cmd/takt/testdata/sizes.txt", got.stdout)
}

// Two jobs that need the GPU for an hour each, and have two and a half: with half of that the second is late. One
// without a deadline has none.
func TestSimWithOtherDeadlines(t *testing.T) {
	trace, speeds := folder(t, map[string]string{
		"jobs.csv": strings.TrimSpace(traceHeader) +
			"\na,100,3600,good,9100,64,1,3600\nb,100,3600,good,9100,64,1,3600\nc,100,10,good,,64,1,10\n",
		"speeds/good.csv": "global_batch_size,1\n64,1\n",
	})
	for part, want := range map[string]float64{"1": 2, "0.5": 1, "0.1": 0, "2": 2} {
		got := simulate(t, trace, speeds, "--gpus", "1", "--policy", "fifo", "--deadlines", part, "--resize-cost", "0s")[0]
		if got["met"] != want || got["jobs"] != 2.0 {
			t.Errorf("with %s of the time %v of %v are met, want %v", part, got["met"], got["jobs"], want)
		}
	}
}
