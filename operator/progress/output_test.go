package progress

import (
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"

	"github.com/takt-dev/takt/api/v1alpha1"
)

// A line that is read again says nothing new: else a counter would seem to begin anew.
func TestOutputIsReadOnce(t *testing.T) {
	bar := func(done, total int) string {
		return fmt.Sprintf("%3d%%|###   | %d/%d [00:10<00:15, 38.1it/s]", 100*done/total, done, total)
	}
	at := func(second int, text string) string {
		return sixOClock.Add(time.Duration(second)*time.Second).Format(time.RFC3339Nano) + " " + text
	}
	type reading struct {
		text  string
		found bool
		want  Sample
	}
	dated := func(s Sample, second int) Sample {
		s.At = sixOClock.Add(time.Duration(second) * time.Second)
		return s
	}
	for name, readings := range map[string][]reading{
		"the same again": {
			{stamped(bar(0, 4), bar(2, 4), bar(4, 4)), true, dated(steps(4, 4), 2)},
			{stamped(bar(0, 4), bar(2, 4), bar(4, 4)), true, dated(steps(4, 4), 2)},
		},
		"several lines of one time": {
			{at(0, bar(0, 4)+"\n") + at(0, bar(4, 4)+"\n"), true, dated(steps(4, 4), 0)},
			{at(0, bar(0, 4)+"\n") + at(0, bar(4, 4)+"\n") + at(0, "and that was it\n"), true, dated(steps(4, 4), 0)},
		},
		"a line that goes on": {
			{at(0, "\r"+bar(0, 4)+"\r"+bar(4, 4)+"\r"), true, dated(steps(4, 4), 0)},
			{at(0, "\r"+bar(0, 4)+"\r"+bar(4, 4)+"\r\n") + at(1, "step 9/10\n"), true, dated(steps(9, 10), 1)},
		},
		"a piece that goes on": {
			{at(0, "\r"+bar(1, 4)+"\r"+bar(2, 4)[:20]), true, dated(steps(1, 4), 0)},
			{at(0, "\r"+bar(1, 4)+"\r"+bar(2, 4)+"\r"+bar(3, 4)[:20]), true, dated(steps(2, 4), 0)},
		},
		"a clock that was set back": {
			{stampedFrom(60, "step 1/10"), true, dated(steps(1, 10), 60)},
			{stampedFrom(0, "step 2/10"), true, dated(steps(2, 10), 0)},
		},
		"no longer in the end": {
			{stamped("step 1/10"), true, dated(steps(1, 10), 0)},
			{stampedFrom(1, "step one", "step two"), false, Sample{}},
			{stampedFrom(3, "step 2/10"), true, dated(steps(2, 10), 3)},
		},
		"what Takt's agent says beside the training": {
			{stamped("Namespace(epochs=9)", "takt-agent: It waits to be let in at the start barrier of epoch 1, for 15m0s."),
				false, Sample{}},
		},
		"what it says behind a bar": {
			{at(0, "\r"+bar(2, 4)+"takt-agent: The start barrier of epoch 3/4 was not opened.\n"), true, dated(steps(2, 4), 0)},
		},
		"a counter that begins anew": {
			{stamped(bar(0, 4), bar(4, 4)), true, dated(steps(4, 4), 1)},
			{stampedFrom(2, bar(0, 4), bar(1, 4)), false, Sample{}},
		},
	} {
		t.Run(name, func(t *testing.T) {
			var out output
			for i, reading := range readings {
				got, found := out.tell(reading.text, 0, Work{})
				if !found {
					got = Sample{}
				}
				if diff := cmp.Diff(reading.want, got); diff != "" || found != reading.found {
					t.Errorf("reading %d: found %t, -want +got:\n%s", i, found, diff)
				}
			}
		})
	}
}

// A log that counts, and does not say up to what, is told apart from one that says nothing.
func TestLogsSayWhatIsInDoubt(t *testing.T) {
	api := serveLogs(t, func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, stamped("epoch 3")) })
	_, err := NewLogs(api.kubernetes.CoreV1(), wide).Read(t.Context(), resnet(worker("resnet-worker-0")))
	want := "the last 500 lines of container pytorch of pod resnet-worker-0 do not show for sure how far the job is: " +
		"epochs are counted, 3 of them at last, and nothing says how many there are in all; the annotation " +
		"takt.dev/progress can say how much there is to do"
	if !errors.Is(err, ErrNone) || !errors.Is(err, ErrUnsure) || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
}

// A counter that is complete and begins anew, and one that goes on far beyond its total, refute the total that they
// told before. What another source tells says nothing of it.
func TestATotalIsRefutedByItsOwnSource(t *testing.T) {
	const log, agent, written = v1alpha1.ProgressLogs, v1alpha1.ProgressAgent, v1alpha1.ProgressAnnotation
	var lines []string
	for done := 10; done <= 150; done += 10 {
		of := 1 + (done-1)%100
		lines = append(lines, fmt.Sprintf("Training: %3d%%|███       | %d/100 [05:00<10:00,  1.61it/s]", of, of))
	}
	api := serveLogs(t, func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, stamped(lines...)) })
	_, part := NewLogs(api.kubernetes.CoreV1(), wide).Read(t.Context(), resnet(worker("resnet-worker-0")))
	beyond := func(done float64) error { return check(Sample{Done: done, Total: 1000, At: sixOClock}, sixOClock) }
	for name, test := range map[string]struct {
		err  error
		by   v1alpha1.ProgressSource
		told v1alpha1.ProgressSource
		want bool
	}{
		"it begins anew":               {part, log, log, true},
		"the agent reads the same":     {part, log, agent, true},
		"somebody has written another": {part, log, written, false},
		"it goes on":                   {beyond(1200), written, written, true},
		"one step more":                {beyond(1001), written, written, false},
		"another goes on":              {beyond(1200), log, written, false},
		"it is in doubt":               {fail(ErrUnsure, "epochs are counted"), log, log, false},
		"nobody answers":               {fail(ErrTimeout, "nobody answers"), log, log, false},
	} {
		t.Run(name, func(t *testing.T) {
			err := fmt.Errorf("reading: %w", &SourceError{test.by, test.err})
			if got := Refutes(err, test.told); test.err == nil || got != test.want {
				t.Errorf("%v refutes it: %t", err, got)
			}
		})
	}
}

// What is in doubt is said, and not that the job tells nothing.
func TestADoubtIsToldWhateverElseTellsNothing(t *testing.T) {
	reader, sources, _ := stage()
	sources[logs].err = fail(ErrUnsure, "it counts a part")
	if _, err := reader.Read(t.Context(), resnet(), sixOClock); !errors.Is(err, ErrUnsure) ||
		!strings.Contains(err.Error(), "it counts a part") {
		t.Errorf("it is said: %v", err)
	}
}

// The command line of a worker often says what its log does not: how many epochs there are.
func TestLogsAreUnderstoodWithTheCommandLine(t *testing.T) {
	api := serveLogs(t, func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprint(w, stamped("Epoch: [3][ 100/400]\tTime  0.2 ( 0.3)"))
	})
	want := epochs(3.25, 90)
	want.At = sixOClock
	for _, says := range []struct {
		args string
		env  []corev1.EnvVar
	}{
		{args: "--epochs 90 /data"},
		{env: []corev1.EnvVar{{Name: "EPOCHS", Value: "90"}, {Name: "DATA", Value: "/data"}}},
	} {
		pod := worker("resnet-worker-0")
		pod.Spec.Containers[1].Command = strings.Fields("torchrun main.py")
		pod.Spec.Containers[1].Args, pod.Spec.Containers[1].Env = strings.Fields(says.args), says.env
		got, err := NewLogs(api.kubernetes.CoreV1(), wide).Read(t.Context(), resnet(pod))
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%v: -want +got:\n%s", says, diff)
		}
	}
}
