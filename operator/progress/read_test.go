package progress

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/takt-dev/takt/api/v1alpha1"
)

// ten is the time between two readings.
const ten = 10 * time.Second

// scripted is a source that answers as it is told to.
type scripted struct {
	name   v1alpha1.ProgressSource
	answer Sample
	err    error
	asked  *[]v1alpha1.ProgressSource
}

func (s *scripted) Name() v1alpha1.ProgressSource { return s.name }

func (s *scripted) Read(context.Context, Target) (Sample, error) {
	*s.asked = append(*s.asked, s.name)
	return s.answer, s.err
}

// stage is a reader of scripted sources that have nothing to tell, in the wrong order.
func stage() (reader *Reader, sources map[v1alpha1.ProgressSource]*scripted, asked *[]v1alpha1.ProgressSource) {
	asked = &[]v1alpha1.ProgressSource{}
	sources = map[v1alpha1.ProgressSource]*scripted{}
	var all []Source
	for i := range order {
		source := &scripted{name: order[len(order)-1-i], err: fail(ErrNone, "nothing"), asked: asked}
		sources[source.name] = source
		all = append(all, source)
	}
	return readerOf(all...), sources, asked
}

const (
	agent, annotation   = v1alpha1.ProgressAgent, v1alpha1.ProgressAnnotation
	prom, logs, customs = v1alpha1.ProgressPrometheus, v1alpha1.ProgressLogs, v1alpha1.ProgressCustomMetrics
)

func TestSourcesAreTriedInOrder(t *testing.T) {
	half := Sample{Done: 1, Total: 2}
	cases := map[string]struct {
		tells map[v1alpha1.ProgressSource]error // nil: a sample
		want  []v1alpha1.ProgressSource         // that are asked
		err   error
	}{
		"none":               {want: order[:], err: ErrNone},
		"the first":          {tells: map[v1alpha1.ProgressSource]error{agent: nil, logs: nil}, want: order[:1]},
		"the last":           {tells: map[v1alpha1.ProgressSource]error{customs: nil}, want: order[:]},
		"one is unreachable": {tells: map[v1alpha1.ProgressSource]error{agent: ErrUnreachable, logs: nil}, want: order[:4]},
		"one takes too long": {tells: map[v1alpha1.ProgressSource]error{prom: ErrTimeout, logs: nil}, want: order[:4]},
		"all are unreachable": {
			tells: map[v1alpha1.ProgressSource]error{agent: ErrUnreachable, logs: ErrTimeout}, want: order[:],
			err: ErrUnreachable,
		},
		"garbage": {
			tells: map[v1alpha1.ProgressSource]error{annotation: ErrGarbage, logs: nil}, want: order[:2], err: ErrGarbage,
		},
		"a lie": {
			tells: map[v1alpha1.ProgressSource]error{prom: ErrLie, logs: nil}, want: order[:3], err: ErrLie,
		},
		"a lie of the agent, which hides nobody": {
			tells: map[v1alpha1.ProgressSource]error{agent: ErrLie, logs: nil}, want: order[:4],
		},
		"a lie of the agent, and nothing else": {
			tells: map[v1alpha1.ProgressSource]error{agent: ErrLie}, want: order[:], err: ErrLie,
		},
		"garbage behind": {tells: map[v1alpha1.ProgressSource]error{agent: ErrTimeout, annotation: ErrGarbage},
			want: order[:2], err: ErrGarbage},
	}
	for name, test := range cases {
		t.Run(name, func(t *testing.T) {
			reader, sources, asked := stage()
			for source, err := range test.tells {
				sources[source].answer, sources[source].err = half, err
			}
			got, err := reader.Read(t.Context(), resnet(), sixOClock)
			if !errors.Is(err, test.err) {
				t.Fatalf("%v, want %v", err, test.err)
			}
			if diff := cmp.Diff(test.want, *asked); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
			if err == nil && (got.Source != test.want[len(test.want)-1] || !got.At.Equal(sixOClock)) {
				t.Errorf("%+v", got)
			}
		})
	}
}

func TestTheSourceOfAJobIsRemembered(t *testing.T) {
	reader, sources, asked := stage()
	read := func(wantErr error, want ...v1alpha1.ProgressSource) {
		t.Helper()
		*asked = nil
		if _, err := reader.Read(t.Context(), resnet(), sixOClock); !errors.Is(err, wantErr) {
			t.Errorf("%v, want %v", err, wantErr)
		}
		if diff := cmp.Diff(want, *asked); diff != "" {
			t.Errorf("-want +got:\n%s", diff)
		}
	}
	half := Sample{Done: 1, Total: 2}
	sources[logs].answer, sources[logs].err = half, nil
	read(nil, order[:4]...)
	read(nil, annotation, logs)

	// One hiccup, or two, do not change the source; a third does.
	sources[customs].answer, sources[customs].err = half, nil
	sources[logs].err = ErrUnreachable
	read(ErrUnreachable, annotation, logs)
	sources[logs].err = nil
	read(nil, annotation, logs)
	sources[logs].err = ErrUnreachable
	for range patience {
		read(ErrUnreachable, annotation, logs)
	}
	read(nil, order[:]...)
	sources[logs].err = nil
	read(nil, annotation, customs)

	// What somebody has to mend stays reported.
	sources[customs].err = ErrGarbage
	read(ErrGarbage, annotation, customs)
	read(ErrGarbage, annotation, customs)

	// One that has nothing any more makes room for the others at once.
	sources[customs].err = ErrNone
	read(nil, annotation, customs, agent, prom, logs)

	reader.Forget(types.NamespacedName{Namespace: "team", Name: "resnet"})
	sources[agent].answer, sources[agent].err = half, nil
	read(nil, agent)
	read(nil, agent)

	for _, source := range sources {
		source.err = ErrNone
	}
	read(ErrNone, order[:]...)
	reader.Forget(types.NamespacedName{Namespace: "team", Name: "resnet"})
	if len(reader.memory) != 0 {
		t.Errorf("remembers %v", reader.memory)
	}
}

func TestMemoryIsBounded(t *testing.T) {
	reader, sources, _ := stage()
	sources[agent].answer, sources[agent].err = Sample{Done: 1, Total: 2}, nil
	for i := range maxMemory + 10 {
		if _, err := reader.Read(t.Context(), Target{Name: fmt.Sprint(i)}, sixOClock); err != nil {
			t.Fatal(err)
		}
	}
	if len(reader.memory) != maxMemory {
		t.Errorf("%d jobs are remembered", len(reader.memory))
	}
}

func TestOnlyTheChosenSourceIsRead(t *testing.T) {
	reader, sources, asked := stage()
	sources[agent].answer, sources[agent].err = Sample{Done: 1, Total: 2}, nil
	target := resnet()
	target.Spec.Source = logs
	if _, err := reader.Read(t.Context(), target, sixOClock); !errors.Is(err, ErrNone) ||
		!strings.HasPrefix(err.Error(), "progress from Logs: ") {
		t.Error(err)
	}
	if diff := cmp.Diff([]v1alpha1.ProgressSource{logs}, *asked); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if _, err := readerOf().Read(t.Context(), target, sixOClock); !errors.Is(err, ErrMissing) {
		t.Errorf("of a source that is not there: %v", err)
	}
}

func TestReadingEndsWithItsContext(t *testing.T) {
	reader, sources, asked := stage()
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	sources[agent].err = unanswered(context.Canceled, "it does not answer")
	if _, err := reader.Read(ended, resnet(), sixOClock); !errors.Is(err, context.Canceled) || len(*asked) != 1 {
		t.Errorf("%v after asking %v", err, *asked)
	}
}

func TestSamplesAreChecked(t *testing.T) {
	good := func(change func(*Sample)) Sample {
		s := Sample{Done: 420, Total: 1000, Unit: "steps", At: sixOClock, SavedAt: sixOClock}
		change(&s)
		return s
	}
	cases := map[string]struct {
		sample Sample
		says   string // "" if it is good
	}{
		"good":                       {sample: good(func(*Sample) {})},
		"nothing done":               {sample: good(func(s *Sample) { s.Done = 0 })},
		"all done":                   {sample: good(func(s *Sample) { s.Done = 1000.0001 })},
		"a clock that is ahead":      {sample: good(func(s *Sample) { s.At = sixOClock.Add(time.Minute) })},
		"done is not a number":       {good(func(s *Sample) { s.Done = math.NaN() }), "what is done is NaN"},
		"done is infinite":           {good(func(s *Sample) { s.Done = math.Inf(1) }), "what is done is +Inf"},
		"total is not a number":      {good(func(s *Sample) { s.Total = math.NaN() }), "the total is NaN"},
		"total is infinite":          {good(func(s *Sample) { s.Total = math.Inf(1) }), "the total is +Inf"},
		"total is nothing":           {good(func(s *Sample) { s.Total = 0 }), "must be more than zero"},
		"total is next to nothing":   {good(func(s *Sample) { s.Done, s.Total = 0, 5e-324 }), "must be more than zero"},
		"total is less than nothing": {good(func(s *Sample) { s.Total = -1 }), "must be more than zero"},
		"less than nothing":          {good(func(s *Sample) { s.Done = -1 }), "less than nothing"},
		"more than all": {
			good(func(s *Sample) { s.Done = 1001 }), "1001 of 1000 are done, which is more than all",
		},
		"from the future": {good(func(s *Sample) { s.At = sixOClock.Add(61 * time.Second) }), "in the future"},
		"saved in the future": {good(func(s *Sample) { s.SavedAt = sixOClock.Add(61 * time.Second) }),
			"the state is said to be saved at 2026-11-21T18:01:01Z, which is in the future"},
		"a long unit":             {good(func(s *Sample) { s.Unit = strings.Repeat("x", 1<<20) }), "at most 32 bytes"},
		"a unit that is no text":  {good(func(s *Sample) { s.Unit = "\xff" }), "its unit is"},
		"a unit of several lines": {good(func(s *Sample) { s.Unit = "a\nb" }), "its unit is"},
	}
	for name, test := range cases {
		t.Run(name, func(t *testing.T) {
			reader, sources, _ := stage()
			sources[prom].answer, sources[prom].err = test.sample, nil
			_, err := reader.Read(t.Context(), resnet(), sixOClock)
			if test.says == "" {
				if err != nil {
					t.Error(err)
				}
				return
			}
			if !errors.Is(err, ErrLie) || !strings.HasPrefix(err.Error(), "progress from Prometheus: ") ||
				!strings.Contains(err.Error(), test.says) || len(err.Error()) > 500 {
				t.Errorf("%v does not say %q", err, test.says)
			}
		})
	}
}

func TestCheckpointAnnotationGoesWithEverySource(t *testing.T) {
	for name, test := range map[string]struct {
		text  string
		saved time.Time // as the source says
		want  time.Time
	}{
		"alone":              {text: "2026-11-21T18:00:00Z", want: sixOClock},
		"newer":              {text: "2026-11-21T18:00:00Z", saved: sixOClock.Add(-time.Hour), want: sixOClock},
		"older":              {text: "2026-11-21T17:00:00Z", saved: sixOClock, want: sixOClock},
		"no time":            {text: "just now"},
		"no time, and saved": {text: "just now", saved: sixOClock, want: sixOClock},
		"in seconds":         {text: "1795284000", want: sixOClock},
		"in the future":      {text: "2026-11-21T19:00:00Z"},
		"future, and saved":  {text: "2026-11-21T19:00:00Z", saved: sixOClock, want: sixOClock},
		"with a time's zone": {text: " 2026-11-21T19:00:00+01:00", want: sixOClock},
	} {
		t.Run(name, func(t *testing.T) {
			reader, sources, _ := stage()
			sources[logs].answer, sources[logs].err = Sample{Done: 1, Total: 2, SavedAt: test.saved}, nil
			target := resnet()
			target.Annotations = map[string]string{CheckpointAnnotation: test.text}
			got, err := reader.Read(t.Context(), target, sixOClock)
			if err != nil || !got.SavedAt.Equal(test.want) {
				t.Errorf("%+v, %v", got, err)
			}
		})
	}
}

// readerOf is a reader of sources that have a place in the order.
func readerOf(sources ...Source) *Reader {
	reader, err := NewReader(ten, sources...)
	if err != nil {
		panic(err)
	}
	return reader
}

func TestASourceWithoutAPlaceInTheOrderIsRefused(t *testing.T) {
	if _, err := NewReader(ten, Annotation{}, &scripted{name: "Rumours"}); err == nil ||
		!strings.Contains(err.Error(), "Rumours") {
		t.Errorf("It is taken: %v", err)
	}
}

// The last word of a worker that has ended is what it has written, whatever has told its progress before: its agent is
// gone with it. Nothing rests then for having failed before.
func TestOfAWorkerThatHasEndedTheOutputIsRead(t *testing.T) {
	for _, named := range []v1alpha1.ProgressSource{"", agent} {
		pod := worker("resnet-worker-0", AgentPortAnnotation, serve(t, says(MetricDone+" 5\n"+MetricTotal+" 9\n")))
		target, asked := resnet(pod), []v1alpha1.ProgressSource{}
		target.Spec.Source = named
		output := &scripted{name: logs, answer: Sample{Done: 9, Total: 9}, asked: &asked}
		reader := readerOf(NewAgent(wide), output)
		if got, err := reader.Read(t.Context(), target, sixOClock); err != nil || got.Source != agent || got.Done != 5 {
			t.Errorf("while it runs it tells %+v, %v", got, err)
		}
		rests := reader.recall(target).record(logs)
		rests.err, rests.restsTo = ErrTimeout, sixOClock.Add(time.Hour)
		pod.Status.Phase = corev1.PodSucceeded
		got, err := reader.Read(t.Context(), target, sixOClock.Add(ten))
		if err != nil || got.Source != logs || got.Done != 9 {
			t.Errorf("once it has ended it tells %+v, %v", got, err)
		}
	}
}
