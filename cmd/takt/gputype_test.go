package main

import (
	"strings"
	"testing"
)

// Jobs on several kinds of GPUs are no jobs of one pool, unless somebody says so.
func TestSimReplaysOneKindOfGPU(t *testing.T) {
	trace, speeds := folder(t, map[string]string{
		"jobs.csv": strings.TrimSpace(traceHeader) + ",gpu_type,after\na,0,3600,good,4000,64,1,3600,A100,\n" +
			"b,0,3600,good,4000,64,1,3600,T4,\nc,0,3600,good,9000,64,1,3600,A100,a b\nd,0,3600,good,4000,64,1,3600,,\n",
		"speeds/good.csv": "global_batch_size,1\n64,1\n",
	})
	for kind, want := range map[string]string{
		"": "jobs.csv has jobs on A100 and T4, and takt sim replays a cluster with one kind of GPU: choose it, as in " +
			"--gpu-type A100, or have all taken for one kind by --gpu-type all\n",
		"H100": "jobs.csv has no job on H100, but on A100 and T4: name one of these with --gpu-type\n",
	} {
		got := call(t, "", "sim", "--trace", trace, "--throughputs", speeds, "--gpus", "1", "--gpu-type", kind)
		if got.code != exitFailed || got.stdout != "" || !strings.HasSuffix(got.stderr, want) {
			t.Errorf("with --gpu-type %q it ends with %d, and says %q, want %q", kind, got.code, got.stderr, want)
		}
	}
	for kind, want := range map[string]float64{"A100": 2, "T4": 1, "all": 4} {
		if jobs := simulate(t, trace, speeds, "--gpu-type", kind)[0]["jobs"]; jobs != want {
			t.Errorf("with --gpu-type %s it has %v jobs, want %g", kind, jobs, want)
		}
	}
	got := call(t, "", "sim", "--trace", trace, "--throughputs", speeds, "--gpus", "1", "--gpu-type", "A100")
	for _, want := range []string{"1 job without a gpu_type: left out, as --gpu-type is A100\n",
		"1 job after others that are not on A100: here these are not waited for\n"} {
		if !strings.Contains(got.stderr, want) {
			t.Errorf("it does not say %q, but %q", want, got.stderr)
		}
	}
	if !strings.Contains(strings.ReplaceAll(got.stdout, "\n", " "), "Kind of GPU A100") {
		t.Errorf("it does not say of which kind its GPUs are:\n%s", got.stdout)
	}
	plain, _ := madeUp(t)
	none := call(t, "", "sim", "--trace", plain, "--throughputs", speeds, "--gpus", "1", "--gpu-type", "A100")
	if none.code != exitFailed || !strings.Contains(none.stderr, "leave --gpu-type out") {
		t.Errorf("of a trace without kinds it says %q", none.stderr)
	}
}
