package progress

import (
	"bytes"
	"net/http"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	kubeflow "github.com/kubeflow/training-operator/pkg/apis/kubeflow.org/v1"

	"github.com/takt-dev/takt/agent/contract"
	"github.com/takt-dev/takt/agent/known"
	"github.com/takt-dev/takt/agent/metrics"
	"github.com/takt-dev/takt/api/v1alpha1"
)

// What the agent serves is what the operator reads.
func TestTheAgentItselfIsRead(t *testing.T) {
	at := time.Date(2026, 11, 24, 18, 0, 0, 250e6, time.UTC)
	for name, test := range map[string]struct {
		source known.Source
		told   known.Count
		saved  time.Time
		want   Sample
	}{
		"all that there is": {
			known.Output, known.Count{Done: 420, Total: 1000, Unit: "steps", At: at}, at.Add(-time.Minute),
			Sample{Done: 420, Total: 1000, Unit: "steps", At: at, SavedAt: at.Add(-time.Minute)},
		},
		"a share": {
			known.KubeflowPart, known.Count{Done: 0.42, Total: 1, Unit: known.Share, At: at}, time.Time{},
			Sample{Done: 0.42, Total: 1, Unit: Share, At: at},
		},
		"the beginning": {
			known.Script, known.Count{Total: 1000, Unit: "steps", At: at}, time.Time{},
			Sample{Total: 1000, Unit: "steps", At: at},
		},
		"many steps": {
			known.Script, known.Count{Done: 123456789, Total: 1e12, Unit: "samples", At: at}, time.Time{},
			Sample{Done: 123456789, Total: 1e12, Unit: "samples", At: at},
		},
	} {
		t.Run(name, func(t *testing.T) {
			run := known.NewRun()
			if err := run.Told(test.source, test.told); err != nil {
				t.Fatal(err)
			}
			if !test.saved.IsZero() {
				run.Saved(test.saved)
			}
			var text bytes.Buffer
			if err := metrics.Write(&text, run.View()); err != nil {
				t.Fatal(err)
			}
			pod := worker("resnet-worker-0", contract.PortAnnotation, serve(t, func(w http.ResponseWriter, r *http.Request) {
				if r.URL.Path != contract.MetricsPath {
					t.Errorf("%s is read", r.URL.Path)
				}
				says(text.String())(w, r)
			}))
			got, err := NewAgent(wide).Read(t.Context(), resnet(pod))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

// Both sides have these words of their own, since neither the API nor the agent may import the other.
func TestTheWordsAreTheSame(t *testing.T) {
	for _, words := range [][2]string{
		{v1alpha1.AgentAnnotation, contract.AgentAnnotation},
		{v1alpha1.LetInAnnotation, contract.LetInAnnotation},
		{v1alpha1.DrainingAnnotation, contract.DrainingAnnotation},
		{v1alpha1.EpochLabel, contract.EpochLabel},
		{v1alpha1.GangAnnotation, contract.GangAnnotation},
		{kubeflow.ReplicaIndexLabel, contract.IndexLabel},
		{AgentPortAnnotation, contract.PortAnnotation},
		{MetricDone, contract.MetricDone},
		{MetricTotal, contract.MetricTotal},
		{MetricDoneAt, contract.MetricDoneAt},
		{MetricSavedAt, contract.MetricSavedAt},
		{Share, known.Share},
	} {
		if words[0] != words[1] {
			t.Errorf("the operator says %s, and the agent %s", words[0], words[1])
		}
	}
}

// What the agent says of itself is heard as it says it.
func TestTheWordOfTheAgentIsHeard(t *testing.T) {
	at := time.Date(2026, 11, 24, 18, 0, 0, 250e6, time.UTC)
	request := contract.RequestAt(at)
	for name, test := range map[string]struct {
		happens func(*known.Run)
		want    Word
	}{
		"nothing":        {func(*known.Run) {}, Word{}},
		"it waits":       {func(r *known.Run) { r.Waiting() }, Word{Waits: true}},
		"it is to leave": {func(r *known.Run) { r.Draining(true) }, Word{Drains: true}},
		"it is to stay":  {func(r *known.Run) { r.Draining(true); r.Draining(false) }, Word{}},
		"it has saved":   {func(r *known.Run) { r.Saved(at) }, Word{SavedAt: at}},
		"it has asked": {func(r *known.Run) { r.SavePossible(); r.SaveRead(request); r.SaveAnswered(request, at) },
			Word{CanSave: true, Read: request, Answered: request}},
		"it could not ask": {func(r *known.Run) { r.SaveRead(request); r.SaveDeclined(request) },
			Word{Read: request, Declined: request}},
	} {
		t.Run(name, func(t *testing.T) {
			run := known.NewRun()
			test.happens(run)
			var text bytes.Buffer
			if err := metrics.Write(&text, run.View()); err != nil {
				t.Fatal(err)
			}
			got, err := NewAgent(wide).Ask(t.Context(),
				worker("resnet-worker-0", contract.PortAnnotation, serve(t, says(text.String()))))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
	if _, err := NewAgent(wide).Ask(t.Context(), worker("resnet-worker-0", "a", "b")); err == nil {
		t.Error("a pod without the agent is asked")
	}
}

// A node whose clock is wrong dates an old checkpoint as one that was just made, or a new one as an old one.
func TestWhatTheAgentDatesIsReadByOurClock(t *testing.T) {
	saved := time.Now().Truncate(time.Second).Add(-time.Minute)
	for _, ahead := range []time.Duration{0, 2 * time.Minute, -2 * time.Minute} {
		run := known.NewRun()
		run.Saved(saved.Add(ahead))
		var text bytes.Buffer
		if err := metrics.Write(&text, run.View()); err != nil {
			t.Fatal(err)
		}
		port := serve(t, func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Date", time.Now().Add(ahead).UTC().Format(http.TimeFormat))
			says(text.String())(w, r)
		})
		got, err := NewAgent(wide).Ask(t.Context(), worker("resnet-worker-0", contract.PortAnnotation, port))
		if err != nil {
			t.Fatal(err)
		}
		if off := got.SavedAt.Sub(saved).Abs(); off > 30*time.Second { // a slow answer widens it
			t.Errorf("by a clock that is ahead by %v, it was saved %v off", ahead, off)
		}
	}
}

// Clocks are the same as long as they may be.
func TestHowFarAClockIsAhead(t *testing.T) {
	began := time.Date(2026, 11, 24, 18, 0, 0, 5e8, time.UTC)
	came := began.Add(3 * time.Second)
	for dated, want := range map[string]time.Duration{
		"": 0, "soon": 0,
		"Tue, 24 Nov 2026 18:00:00 GMT": 0, "Tue, 24 Nov 2026 18:00:03 GMT": 0,
		"Tue, 24 Nov 2026 18:00:04 GMT": 500 * time.Millisecond, "Tue, 24 Nov 2026 18:02:03 GMT": 119500 * time.Millisecond,
		"Tue, 24 Nov 2026 17:59:59 GMT": -500 * time.Millisecond, "Tue, 24 Nov 2026 17:58:00 GMT": -119500 * time.Millisecond,
	} {
		if got := aheadBy(dated, began, came); got != want {
			t.Errorf("%q: %v, want %v", dated, got, want)
		}
	}
}
