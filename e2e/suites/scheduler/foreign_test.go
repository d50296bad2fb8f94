package scheduler

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/takt-dev/takt/e2e/lib/cluster"
	"github.com/takt-dev/takt/e2e/lib/schedulerprocess"
	"github.com/takt-dev/takt/e2e/lib/world"
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
	arg := func(section, name, value string) func(config, args object) {
		return func(_, args object) { args[section].(object)[name] = value }
	}
	without := func(i int) func(config, args object) {
		return func(config, _ object) {
			all := config["profiles"].([]any)[0].(object)["plugins"].(object)["multiPoint"].(object)
			all["enabled"] = slices.Delete(all["enabled"].([]any), i, i+1)
		}
	}
	for _, c := range []struct {
		change func(config, args object)
		want   string
	}{
		{arg("gangs", "hold", "-3s"), `gangs.hold is "-3s", but must be between 1s and 15m0s`},
		{arg("gangs", "holds", "3s"), `unknown field "gangs.holds"`},
		{arg("order", "patience", "long"), `order.patience is "long", but must be between 0s and 24h0m0s`},
		{without(1), "enables plugin Takt but not TaktGate: enable both"},
	} {
		s := schedulerprocess.New(t, schedulerprocess.Options{
			Cluster: cluster.Shared(), Name: w.Namespace, Change: []func(config, args object){c.change},
		})
		s.Run()
		if err := s.Ended(); err == nil || !strings.Contains(strings.ReplaceAll(s.Said(), `\"`, `"`), c.want) {
			t.Errorf("it ended with %v, and did not say %s:\n%s", err, c.want, s.Said())
		}
	}
}

// Thousands of pods may be held back, and each event of the cluster is put to each of those whose plugin it
// may concern.
func TestSchedulerIsAskedAboutThoseInTheQueueOnly(t *testing.T) {
	t.Parallel()
	w := world.New(t, world.Options{})
	w.Nodes(1, 4)
	s := scheduled(t, w)
	plain(w, "other", 1)
	w.Eventually("another pod has a GPU", world.Soon, func() error { return onNode(w, "other") })
	big := gang(t, w, change{job: "big", to: 4})
	told(w, big, 3)
	if err := w.Client.Delete(t.Context(), w.Pod("other")); err != nil {
		t.Fatal(err)
	}
	placed(w, big)
	const asked = "scheduler_queueing_hint_execution_duration_seconds_count"
	var text string
	w.Eventually("the one that speaks for the gang is asked about", world.Soon, func() (err error) {
		text, err = s.Get("/metrics")
		if err == nil && !regexp.MustCompile(asked+`\{[^}]*plugin="Takt"`).MatchString(text) {
			err = errors.New("nobody was")
		}
		return err
	})
	if !strings.Contains(text, `scheduler_unschedulable_pods{plugin="TaktGate"`) {
		t.Error("nobody was held back")
	}
	if regexp.MustCompile(asked + `\{[^}]*plugin="TaktGate"`).MatchString(text) {
		t.Error("those that are held back are asked about")
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
	unusable := func(by int) float64 { return s.Metric(fmt.Sprintf(`takt_scheduler_gpus_unusable{pod_gpus="%d"}`, by)) }
	if two, eight := unusable(2), unusable(8); two < 1 || eight < 5 {
		t.Errorf("pods of 2 GPUs cannot use %v, those of 8 %v", two, eight)
	}
}
