package outsiders_test

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/takt-dev/takt/elastic"
	"github.com/takt-dev/takt/elastic/outsiders"
	"github.com/takt-dev/takt/elastic/scenario"
)

// TestScenarios plays the scenarios in testdata, in which pods may have room for two minutes. A line of a scenario is a
// command; what is answered is indented. A pod is NAME[:MAKER[:NAMESPACE[:GPUS]]].
//
//	waits POD               a pod comes, and waits for GPUs
//	placed NAME             it finds a node
//	gone NAME               it is deleted
//	room NAME               there is room for it from now on
//	taken NAME              there is none any more
//	after SPAN              time goes by, and it is looked at once more
//	ask POD                 is room kept for a pod?
func TestScenarios(t *testing.T) {
	scenario.Play(t, func(t *testing.T, text string) string {
		w := world{now: time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)}
		return scenario.Answer(text, func(out *bytes.Buffer, words []string) {
			if len(words) == 2 {
				out.WriteString(w.perform(t, words[0], words[1]))
			}
		})
	})
}

const within = 2 * time.Minute

type world struct {
	outsiders.Room
	now   time.Time
	pods  []outsiders.Pod
	roomy []string // by name
}

func (w *world) perform(t *testing.T, command, of string) string {
	t.Helper()
	at := slices.IndexFunc(w.pods, func(p outsiders.Pod) bool { return p.ID == of })
	switch command {
	case "waits":
		w.pods = append(w.pods, podOf(t, of))
	case "placed":
		w.pods[at].Placed = true
	case "gone":
		w.pods = slices.Delete(w.pods, at, at+1)
	case "room":
		w.roomy = append(w.roomy, of)
	case "taken":
		w.roomy = slices.DeleteFunc(w.roomy, func(name string) bool { return name == of })
	case "after":
		span, err := time.ParseDuration(of)
		if err != nil {
			t.Fatal(err)
		}
		w.now = w.now.Add(span)
		return w.look()
	case "ask":
		return w.ask(podOf(t, of))
	}
	return ""
}

func (w *world) look() string {
	s := outsiders.Seen{Now: w.now, All: slices.Values(w.pods)}
	for _, pod := range w.pods {
		if pod.Placed {
			continue
		}
		if s.Waiting = append(s.Waiting, pod); slices.Contains(w.roomy, pod.ID) {
			s.Roomy = append(s.Roomy, pod)
		}
	}
	said := ""
	for _, pod := range w.Look(within, s) {
		said += fmt.Sprintf("  %s has not used its room\n", pod.ID)
	}
	return said
}

func (w *world) ask(pod outsiders.Pod) string {
	until := w.PausedUntil(pod, w.now)
	switch {
	case w.Idle(pod):
		return "  no: it has not used it\n"
	case !until.IsZero():
		return fmt.Sprintf("  no: others have not used theirs, for %s\n", until.Sub(w.now))
	}
	return "  yes\n"
}

func podOf(t *testing.T, text string) outsiders.Pod {
	t.Helper()
	parts := append(strings.Split(text, ":"), "", "", "")
	pod := outsiders.Pod{ID: parts[0], Maker: parts[0], Namespace: "team", GPUs: 1}
	if parts[1] != "" {
		pod.Maker = parts[1]
	}
	if parts[2] != "" {
		pod.Namespace = parts[2]
	}
	if parts[3] != "" {
		gpus, err := strconv.Atoi(parts[3])
		if err != nil {
			t.Fatal(err)
		}
		pod.GPUs = elastic.GPUs(gpus)
	}
	return pod
}
