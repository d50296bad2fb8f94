package agent

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
)

func TestProgressIsTold(t *testing.T) {
	for name, test := range map[string]struct {
		orders []string
		heard  string // to the last order
		want   string
		source string
	}{
		"by what it prints": {[]string{"say done 3 of 7"}, "done 3 of 7", `takt_progress_done{unit="steps"} 3`, "output"},
		"by the script": {[]string{`send /v1/progress {"step": 420, "total": 1000, "unit": "batches"}`}, "200 {}",
			`takt_progress_done{unit="batches"} 420`, "script"},
		"as to Kubeflow": {
			[]string{`send /kubeflow/status {"trainerStatus": {"progressPercentage": 41, "estimatedRemainingSeconds": 77, "lastUpdatedTime": "2026-11-24T18:00:00+00:00", ` +
				`"metrics": [{"name": "loss", "value": "0.5"}, {"name": "current_step", "value": "420"}, {"name": "total_steps", "value": "1000"}, {"name": "current_epoch", "value": "1.26"}]}}`},
			"200 {}", `takt_progress_done{unit="steps"} 420`, "kubeflow",
		},
		"as to Kubeflow, by the percent": {
			[]string{`send /kubeflow/status {"trainerStatus": {"progressPercentage": 42}}`},
			"200 {}", `takt_progress_done{unit="share"} 0.42`, "kubeflow-share",
		},
		// Hugging Face begins so, also where it goes on from a checkpoint: it has not told yet where that is.
		"as to Kubeflow, before the first step": {
			[]string{
				`send /kubeflow/status {"trainerStatus": {"progressPercentage": 7}}`,
				`send /kubeflow/status {"trainerStatus": {"progressPercentage": 0, "metrics": [{"name": "total_steps", "value": "1000"}]}}`,
			},
			"200 {}", `takt_progress_done{unit="share"} 0.07`, "kubeflow-share",
		},
		"by the better of two": {
			[]string{`send /v1/progress {"step": 420, "total": 1000}`, "say done 3 of 7"},
			"done 3 of 7", `takt_progress_done{unit="steps"} 420`, "script",
		},
		"by the one that knows the total": {
			[]string{`send /v1/progress {"step": 420}`, "say done 3 of 7"},
			"done 3 of 7", `takt_progress_done{unit="steps"} 3`, "output",
		},
	} {
		t.Run(name, func(t *testing.T) {
			w := wrap(t, letIn)
			for _, order := range test.orders {
				w.tell("%s", order)
				if order != test.orders[len(test.orders)-1] {
					w.line()
				}
			}
			w.hears(test.heard)
			w.metric(test.want)
			w.metric(fmt.Sprintf("takt_progress_source{source=%q} 1", test.source))
			w.tell("exit 0")
			w.exits(0)
		})
	}
}

func TestDLRoversFileIsRead(t *testing.T) {
	for name, named := range map[string]bool{"that the job names": true, "that the agent names": false} {
		t.Run(name, func(t *testing.T) {
			w := prepare(t, letIn)
			if named {
				w.agent.Env = append(w.agent.Env, "RUNTIME_METRICS_PATH="+w.path("metrics.json"))
			}
			w.begin()
			w.tell("env RUNTIME_METRICS_PATH")
			var path string
			if _, err := fmt.Sscan(w.line(), &path); err != nil || named && path != w.path("metrics.json") {
				t.Fatalf("the file is %q (%v)", path, err)
			}
			if err := os.WriteFile(path, []byte(`{"step": 420, "timestamp": 1795521600}`), 0o600); err != nil {
				t.Fatal(err)
			}
			w.metric(`takt_progress_done{unit="steps"} 420`)
			w.metric("takt_progress_timestamp_seconds 1795521600.000000")
		})
	}
}

func TestKubeflowsVariablesAreLeftAsTheyAre(t *testing.T) {
	w := prepare(t, letIn)
	w.agent.Env = append(w.agent.Env, "KUBEFLOW_TRAINER_SERVER_URL=https://trainer.example")
	w.begin()
	w.tell("env KUBEFLOW_TRAINER_SERVER_URL")
	w.hears("https://trainer.example true")
	w.tell("env KUBEFLOW_TRAINER_SERVER_TOKEN")
	w.hears(" false")
}

func TestNothingIsLeftBehind(t *testing.T) {
	w := wrap(t, letIn)
	w.tell("env KUBEFLOW_TRAINER_SERVER_TOKEN")
	var token string
	if _, err := fmt.Sscan(w.line(), &token); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(token); err != nil {
		t.Error(err)
	}
	w.tell("exit 0")
	w.exits(0)
	if _, err := os.Stat(filepath.Dir(token)); !os.IsNotExist(err) {
		t.Errorf("the folder of %s is left behind (%v)", token, err)
	}
}

func TestATrainingOutlivesWhateverReadsItsOutput(t *testing.T) {
	w := wrap(t, letIn)
	w.tell("say break the reading")
	w.hears("break the reading")
	w.says("it is broken. Its progress is not found there any more")
	w.tell("say done 3 of 7")
	w.hears("done 3 of 7")
	w.tell(`send /v1/progress {"step": 420}`)
	w.hears("200 {}")
	w.metric(`takt_progress_done{unit="steps"} 420`)
	w.tell("exit 0")
	w.exits(0)
}

// A counter that goes on beyond what it was to count up to still counts: a training that has become larger, say, has
// fewer steps to do, and does not stand still.
func TestACounterBeyondItsTotalGoesOn(t *testing.T) {
	w := wrap(t, letIn)
	w.tell("say done 6 of 7")
	w.metric(`takt_progress_done{unit="steps"} 6`)
	w.tell("say done 8 of 7")
	w.metric(`takt_progress_done{unit="steps"} 8`)
	w.tell(`send /v1/progress {"step": 9, "total": 7}`)
	w.metric(`takt_progress_done{unit="steps"} 9`)
	w.tell("exit 0")
	w.exits(0)
}
