package main

import (
	"fmt"
	"strings"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/takt-dev/takt/api/v1alpha1"
)

var noon = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)

func at(seconds int) time.Time { return noon.Add(time.Duration(seconds) * time.Second) }

// example is a scene in the middle: one job has finished, one is resized, one cannot make it.
func example() scene {
	s := scene{at: at(63), begun: noon, story: simulated}
	for i, verdict := range []v1alpha1.Verdict{"BestEffort", "Met", "Infeasible", "OnTrack", ""} {
		s.jobs = append(s.jobs, job{part: simulated.parts[i], done: 0.07 + 0.13*float64(i)})
		if verdict != "" {
			s.jobs[i].elastic = &v1alpha1.ElasticJob{Status: v1alpha1.ElasticJobStatus{
				Verdict: verdict, Message: "So it is.",
				Workers: v1alpha1.WorkerStatus{Running: 2, Max: int32(simulated.parts[i].most)},
			}}
		}
	}
	for i, deadline := range map[int]int{1: 110, 2: 80, 3: 100} {
		s.jobs[i].elastic.Status.Deadline = v1alpha1.NewTime(at(deadline))
		s.jobs[i].elastic.Status.Prediction.ETA = v1alpha1.NewTime(at(deadline - 20 + 60*(i%2)))
	}
	done := &s.jobs[1]
	done.done = 1
	done.elastic.Status.Conditions = []metav1.Condition{{Type: v1alpha1.ConditionSucceeded, Status: metav1.ConditionTrue}}
	done.elastic.Status.Prediction.ETA = v1alpha1.NewTime(at(61))
	s.jobs[0].resizes = []v1alpha1.Resize{resizeOf("search", 1, 0, 1, "Succeeded", ""),
		resizeOf("search", 2, 1, 12, "Succeeded", "2.4s")}
	for i := range s.jobs[0].resizes {
		r := &s.jobs[0].resizes[i]
		r.Status.Placement = v1alpha1.PlacementStatus{Fits: r.Spec.To - r.Spec.From, ObservedAt: v1alpha1.NewTime(at(2))}
	}
	s.jobs[2].resizes = []v1alpha1.Resize{resizeOf("llama", 1, 0, 2, "Succeeded", "")}
	s.jobs[3].resizes = []v1alpha1.Resize{resizeOf("bert", 1, 2, 4, "Committed", "")}
	for range 5 {
		s.nodes = append(s.nodes, node{[]rune("AAAABBBB")})
	}
	for range 3 {
		s.nodes = append(s.nodes, node{[]rune("ccccDDDD")}, node{[]rune("........")})
	}
	return s
}

func resizeOf(name string, epoch, from, to int, phase, pause string) v1alpha1.Resize {
	r := v1alpha1.Resize{
		ObjectMeta: metav1.ObjectMeta{Name: fmt.Sprintf("%s-%d", name, epoch)},
		Spec: v1alpha1.ResizeSpec{
			ElasticJob: name, Epoch: int64(epoch), From: int32(from), To: int32(to),
			Reason: v1alpha1.ReasonDeadlineRisk, Message: "It needs them.",
		},
	}
	for word := range strings.FieldsSeq(phase) {
		r.Status.Conditions = append(r.Status.Conditions, metav1.Condition{Type: word, Status: metav1.ConditionTrue,
			Message: "So it was."})
	}
	r.Status.Cost.Pause = v1alpha1.Duration(pause)
	return r
}
