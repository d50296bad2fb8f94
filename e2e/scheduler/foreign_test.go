package scheduler

import (
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/takt-dev/takt/e2e/cluster"
	"github.com/takt-dev/takt/e2e/schedule"
	"github.com/takt-dev/takt/e2e/world"
)

// A pod that belongs to a gang of another system is none of Takt's business, even if it carries the labels
// of both; unless that is asked for.
func TestSchedulerLeavesGangsOfOthersAlone(t *testing.T) {
	t.Parallel()
	podGroup := func(pod *corev1.Pod) { pod.Labels["scheduling.x-k8s.io/pod-group"] = "theirs" }
	for name, include := range map[string]bool{"by default": false, "unless asked": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := world.New(t, world.Options{})
			w.Nodes(1, 4)
			scheduled(t, w, func(_, args object) {
				if include {
					args["gangs"].(object)["foreign"] = "Include"
				}
			})
			half := change{job: "half", to: 2, pod: []func(*corev1.Pod){podGroup}}
			propose(t, w, &half)
			half.makePod(w, 0) // and not the other
			if !include {
				w.Eventually("it is placed by itself", world.Soon, func() error { return onNode(w, "half-worker-0") })
				return
			}
			w.Steadily("it waits for the other", 2*time.Second, func() error { return world.Want("bound", bound(w, half), 0) })
			half.makePod(w, 1)
			placed(w, half)
		})
	}
}

func TestSchedulerRefusesArgsThatMakeNoSense(t *testing.T) {
	t.Parallel()
	w := world.New(t, world.Options{})
	for _, c := range []struct{ section, name, value, want string }{
		{"gangs", "hold", "-3s", `gangs.hold is "-3s", but must be between 1s and 15m0s`},
		{"gangs", "holds", "3s", `unknown field "gangs.holds"`},
		{"order", "patience", "long", `order.patience is "long", but must be between 0s and 24h0m0s`},
	} {
		s := schedule.New(t, schedule.Options{Cluster: cluster.Shared(), Name: w.Namespace, Change: []func(config, args object){
			func(_, args object) { args[c.section].(object)[c.name] = c.value },
		}})
		s.Run()
		if err := s.Ended(); err == nil || !strings.Contains(strings.ReplaceAll(s.Said(), `\"`, `"`), c.want) {
			t.Errorf("with %s.%s: %s it ended with %v, and did not say %s:\n%s", c.section, c.name, c.value, err, c.want, s.Said())
		}
	}
}

func TestSchedulerTellsMetrics(t *testing.T) {
	t.Parallel()
	w := world.New(t, world.Options{})
	w.Nodes(1, 8)
	s := scheduled(t, w)
	small := gang(t, w, change{job: "small", to: 3})
	placed(w, small)
	told(w, gang(t, w, change{job: "big", to: 6}), 5)
	text, err := s.Get("/metrics")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{
		"takt_scheduler_gangs_placed_total", "takt_scheduler_gangs_released_total", "takt_scheduler_gang_wait_seconds_count",
		"takt_scheduler_gang_trial_seconds_count", "takt_scheduler_gangs_waiting", "takt_scheduler_gpus_free",
		`takt_scheduler_gpus_unusable{pod_gpus="1"}`, `takt_scheduler_gpus_unusable{pod_gpus="2"}`,
		`takt_scheduler_gpus_unusable{pod_gpus="4"}`, `takt_scheduler_gpus_unusable{pod_gpus="8"}`,
		`takt_scheduler_reports_total{result="written"}`, "scheduler_pending_pods",
	} {
		if !strings.Contains(text, "\n"+name) {
			t.Errorf("/metrics does not tell %s", name)
		}
	}
	if got := s.Metric("takt_scheduler_gangs_placed_total"); got != 1 {
		t.Errorf("%v gangs are said to be placed, want 1", got)
	}
	if got := s.Metric("takt_scheduler_gangs_waiting"); got != 1 {
		t.Errorf("%v gangs are said to wait, want 1", got)
	}
	// Of this world's node five are free: one of them is odd, and none makes up eight.
	if one, eight := s.Metric(`takt_scheduler_gpus_unusable{pod_gpus="2"}`), s.Metric(`takt_scheduler_gpus_unusable{pod_gpus="8"}`); one < 1 || eight < 5 {
		t.Errorf("pods of 2 GPUs cannot use %v, those of 8 %v", one, eight)
	}
}
