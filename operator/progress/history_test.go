package progress

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/takt-dev/takt/api/v1alpha1"
)

// told is what a source tells in one reading: so much of its total, or an error.
type told struct {
	done, total float64
	unit        string
	err         error
}

// steadily advances by so much with every reading, from nothing.
func steadily(by, total float64, unit string) func(int) told {
	return func(i int) told { return told{done: by * float64(i+1), total: total, unit: unit} }
}

// still is always at the same step.
func still(done, total float64) func(int) told {
	return func(int) told { return told{done: done, total: total, unit: "steps"} }
}

// until follows one script for some readings, then another.
func until(n int, first, then func(int) told) func(int) told {
	return func(i int) told {
		if i < n {
			return first(i)
		}
		return then(i)
	}
}

func fails(err error) func(int) told { return func(int) told { return told{err: err} } }

// play reads a job again and again, every ten seconds, and gives what was read each time as one line. The
// annotation is what is written on the job; the other sources follow scripts.
func play(t *testing.T, readings int, target Target, note func(i int) string,
	scripts map[v1alpha1.ProgressSource]func(int) told) []string {
	t.Helper()
	asked := &[]v1alpha1.ProgressSource{}
	all := []Source{Annotation{}}
	sources := map[v1alpha1.ProgressSource]*scripted{}
	for name := range scripts {
		sources[name] = &scripted{name: name, asked: asked}
		all = append(all, sources[name])
	}
	reader := readerOf(all...)
	var lines []string
	for i := range readings {
		for name, script := range scripts {
			says := script(i)
			sources[name].answer, sources[name].err = Sample{Done: says.done, Total: says.total, Unit: says.unit}, says.err
		}
		target.Annotations = nil
		if note != nil {
			target.Annotations = map[string]string{ProgressAnnotation: note(i)}
		}
		got, err := reader.Read(t.Context(), target, sixOClock.Add(time.Duration(i)*ten))
		line := fmt.Sprintf("%s %.6g/%g %s", got.Source, got.Done, got.Total, got.Unit)
		if err != nil {
			line = err.Error()
		}
		if got.Beforehand {
			line += ", beforehand"
		}
		lines = append(lines, line)
	}
	return lines
}

func always(text string) func(int) string { return func(int) string { return text } }

func TestAnAnnotationThatNeverAdvancesGivesTheTotalOnly(t *testing.T) {
	nothing := fails(fail(ErrNone, "no progress"))
	for name, test := range map[string]struct {
		note string
		logs func(int) told
		want []string
	}{
		"beside steps": {"0/90000 steps", steadily(100, 90000, "steps"),
			[]string{"Logs 100/90000 steps", "Logs 200/90000 steps", "Logs 300/90000 steps"}},
		"beside epochs": {"0/90000 steps", steadily(1, 10, "epochs"),
			[]string{"Logs 9000/90000 steps", "Logs 18000/90000 steps", "Logs 27000/90000 steps"}},
		"beside a share": {"0/90000 steps", steadily(.25, 1, Share),
			[]string{"Logs 22500/90000 steps", "Logs 45000/90000 steps", "Logs 67500/90000 steps"}},
		"without a unit": {
			"0/90000", steadily(1, 10, "epochs"), []string{"Logs 1/10 epochs", "Logs 2/10 epochs", "Logs 3/10 epochs"},
		},
		"of less than the job counts up to": {"0/80000 steps", steadily(30000, 90000, "steps"),
			[]string{"Logs 30000/80000 steps", "Logs 60000/80000 steps", "Logs 80000/80000 steps"}},
		"a share": {"0%", steadily(100, 90000, "steps"),
			[]string{"Logs 100/90000 steps", "Logs 200/90000 steps", "Logs 300/90000 steps"}},
		"alone": {"0/90000 steps", nothing, []string{"Annotation 0/90000 steps, beforehand",
			"Annotation 0/90000 steps, beforehand", "Annotation 0/90000 steps, beforehand"}},
		"before the log begins": {"0/90000 steps", until(2, nothing, steadily(100, 90000, "steps")),
			[]string{"Annotation 0/90000 steps, beforehand", "Annotation 0/90000 steps, beforehand", "Logs 300/90000 steps"}},
	} {
		t.Run(name, func(t *testing.T) {
			got := play(t, 3, resnet(), always(test.note), map[v1alpha1.ProgressSource]func(int) told{logs: test.logs})
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

// A log that is written to seldom is newer than what was there before it.
func TestWhatWasWrittenBeforehandIsDatedSo(t *testing.T) {
	pod := worker("resnet-worker-0")
	began := metav1.NewTime(sixOClock.Add(-time.Hour))
	pod.Status.StartTime = &began
	target := resnet(pod)
	for i, want := range []time.Time{began.Time, sixOClock.Add(ten)} {
		reader := readerOf(Annotation{})
		for j := range i + 1 {
			target.Annotations = map[string]string{ProgressAnnotation: fmt.Sprintf("%d/90000 steps", j)}
			got, err := reader.Read(t.Context(), target, sixOClock.Add(time.Duration(j)*ten))
			if j == i && (err != nil || !got.At.Equal(want)) {
				t.Errorf("after %d advances it is as of %v, want %v: %v", j, got.At, want, err)
			}
		}
	}
}

// What somebody wrote beforehand is no reset where the source of a job is silent.
func TestAnAnnotationThatNeverAdvancesTakesNoPlaceOfASource(t *testing.T) {
	for name, fault := range map[string]error{"it has nothing": fail(ErrNone, "no progress"),
		"it does not answer": ErrUnreachable} {
		t.Run(name, func(t *testing.T) {
			script := map[v1alpha1.ProgressSource]func(int) told{logs: until(2, steadily(100, 90000, "steps"), fails(fault))}
			for i, line := range play(t, 10, resnet(), always("0/90000 steps"), script)[2:] {
				if line[:5] == "Annot" {
					t.Errorf("reading %d: %s", i+2, line)
				}
			}
		})
	}
	t.Run("after a restart of the operator", func(t *testing.T) {
		target := resnet()
		target.Last = logs
		got := play(t, 6, target, always("0/90000 steps"), map[v1alpha1.ProgressSource]func(int) told{
			logs: until(5, fails(ErrUnreachable), steadily(100, 90000, "steps")),
		})
		if got[5] != "Logs 600/90000 steps" || got[0][:5] == "Annot" || got[4][:5] == "Annot" {
			t.Error(got)
		}
	})
}

func TestAnAnnotationThatAdvancesIsASource(t *testing.T) {
	nothing := map[v1alpha1.ProgressSource]func(int) told{logs: fails(fail(ErrNone, "no progress"))}
	counts := func(i int) string { return fmt.Sprintf("%d/1000 steps", 10*i) }
	got := play(t, 3, resnet(), counts, nothing)
	if diff := cmp.Diff([]string{"Annotation 0/1000 steps, beforehand", "Annotation 10/1000 steps",
		"Annotation 20/1000 steps"}, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}

	pod := worker("resnet-worker-0")
	began := metav1.NewTime(sixOClock.Add(-time.Minute))
	pod.Status = corev1.PodStatus{StartTime: &began}
	for note, want := range map[string]string{
		"10/1000 steps at 2026-11-21T17:59:30Z": "Annotation 10/1000 steps",
		"0/1000 steps at 2026-11-21T17:59:30Z":  "Annotation 0/1000 steps, beforehand",
		"10/1000 steps at 2026-11-21T17:58:30Z": "Annotation 10/1000 steps, beforehand",
		"10/1000 steps":                         "Annotation 10/1000 steps, beforehand",
	} {
		if got := play(t, 1, resnet(pod), always(note), nothing)[0]; got != want {
			t.Errorf("%s is read as %s, want %s", note, got, want)
		}
	}
}

func TestASourceThatAdvancesWins(t *testing.T) {
	steps := func(by float64) func(int) told { return steadily(by, 90000, "steps") }
	for name, test := range map[string]struct {
		note     func(int) string
		scripts  map[v1alpha1.ProgressSource]func(int) told
		readings int
		want     string // at the end
		switches int
	}{
		"over one that never does": {nil, map[v1alpha1.ProgressSource]func(int) told{prom: still(0, 1000), logs: steps(100)},
			12, "Logs 1200/90000 steps", 1},
		"over one that stops": {nil, map[v1alpha1.ProgressSource]func(int) told{
			prom: until(5, steps(100), still(500, 90000)), logs: steps(100)}, 20, "Logs 2000/90000 steps", 1},
		"not over one that does as well": {nil, map[v1alpha1.ProgressSource]func(int) told{prom: steps(100),
			logs: steps(100)}, 60, "Prometheus 6000/90000 steps", 0},
		"not over one that pauses as all do": {nil, map[v1alpha1.ProgressSource]func(int) told{
			prom: until(5, steps(100), until(30, still(500, 90000), steps(100))),
			logs: until(5, steps(100), until(30, still(500, 90000), steps(100)))}, 60, "Prometheus 6000/90000 steps", 0},
		"back to one that is only slower": {nil, map[v1alpha1.ProgressSource]func(int) told{
			prom: func(i int) told { return told{done: float64(i / 6 * 600), total: 90000, unit: "steps"} }, logs: steps(100)},
			60, "Prometheus 5400/90000 steps", 2},
		"an annotation that is kept up to date": {func(i int) string { return fmt.Sprintf("%d/90000 steps", 100*i) },
			map[v1alpha1.ProgressSource]func(int) told{logs: steps(100)}, 20, "Annotation 1900/90000 steps", 1},
		"not an annotation that is corrected by hand": {func(i int) string {
			return fmt.Sprintf("%d/90000 steps", 100*min(i/10, 2))
		},
			map[v1alpha1.ProgressSource]func(int) told{logs: steps(100)}, 60, "Logs 6000/90000 steps", 0},
		"an annotation that is written by hand now and then": {func(i int) string {
			return fmt.Sprintf("%d/90000 steps", 100*(i/50*50))
		},
			map[v1alpha1.ProgressSource]func(int) told{logs: steps(100)}, 600, "Logs 60000/90000 steps", 0},
		"not over one that waits for an evaluation": {nil, map[v1alpha1.ProgressSource]func(int) told{
			prom: until(5, steps(5000), until(18, still(25000, 90000), steps(5000))),
			logs: until(5, steps(5000), until(18, steadily(1, 90, "steps"), steps(5000)))}, 18,
			"Prometheus 25000/90000 steps", 0},
		"back to one that goes on": {nil, map[v1alpha1.ProgressSource]func(int) told{
			agent: until(5, steps(100), until(25, still(500, 90000), steps(100))), logs: steps(100)}, 60,
			"Agent 6000/90000 steps", 2},
	} {
		t.Run(name, func(t *testing.T) {
			got := play(t, test.readings, resnet(), test.note, test.scripts)
			switches := 0
			for i, line := range got[1:] {
				if line[:4] != got[i][:4] {
					switches++
				}
			}
			if last := got[len(got)-1]; last != test.want || switches != test.switches {
				t.Errorf("%d switches, and %s at last; want %d and %s\n%v", switches, last, test.switches, test.want, got)
			}
		})
	}
}

// Two sources that advance in turn must not be changed for one another again and again.
func TestSourcesDoNotFlap(t *testing.T) {
	inTurn := func(odd int) func(int) told {
		return func(i int) told {
			rounds, rest := i/40, i%40
			done := 20 * rounds
			if rest/20 == odd {
				done += rest % 20
			} else if rest/20 > odd {
				done += 20
			}
			return told{done: float64(done), total: 90000, unit: "steps"}
		}
	}
	got := play(t, 2000, resnet(), nil, map[v1alpha1.ProgressSource]func(int) told{prom: inTurn(0), logs: inTurn(1)})
	switches := 0
	for i, line := range got[1:] {
		if line[:4] != got[i][:4] {
			switches++
		}
	}
	if switches < 1 || switches > mostSwitches+1 {
		t.Errorf("the source changes %d times", switches)
	}
}

// hung does not answer before its time is over.
type hung struct {
	name  v1alpha1.ProgressSource
	asked int
}

func (h *hung) Name() v1alpha1.ProgressSource { return h.name }

func (h *hung) Read(ctx context.Context, _ Target) (Sample, error) {
	h.asked++
	<-ctx.Done()
	return Sample{}, unanswered(ctx.Err(), "it does not answer")
}

// patient answers if it has time.
type patient struct{ scripted }

func (p *patient) Read(ctx context.Context, t Target) (Sample, error) {
	if err := ctx.Err(); err != nil {
		return Sample{}, unanswered(err, "there is no time left")
	}
	return p.scripted.Read(ctx, t)
}

func TestASourceThatDoesNotAnswerLeavesTimeForTheOthers(t *testing.T) {
	asked := &[]v1alpha1.ProgressSource{}
	agents, endpoint := &hung{name: agent}, &hung{name: prom}
	log := &patient{scripted{name: logs, answer: Sample{Done: 1, Total: 2}, asked: asked}}
	reader := readerOf(agents, endpoint, log)
	ctx, cancel := context.WithTimeout(t.Context(), time.Second/2)
	defer cancel()
	if got, err := reader.Read(ctx, resnet(), sixOClock); err != nil || got.Source != logs {
		t.Errorf("%+v, %v", got, err)
	}
}

func TestASourceThatDoesNotAnswerRests(t *testing.T) {
	for name, chosen := range map[string]v1alpha1.ProgressSource{"among others": "", "chosen by name": prom} {
		t.Run(name, func(t *testing.T) {
			endpoint := &hung{name: prom}
			reader := readerOf(endpoint)
			target := resnet(worker("resnet-worker-0"))
			target.Spec.Source = chosen
			read := func(i int) error {
				ctx, cancel := context.WithTimeout(t.Context(), time.Millisecond)
				defer cancel()
				_, err := reader.Read(ctx, target, sixOClock.Add(time.Duration(i)*ten))
				return err
			}
			var at []int
			for i := range 80 {
				before := endpoint.asked
				if err := read(i); !errors.Is(err, ErrTimeout) {
					t.Fatalf("reading %d: %v", i, err)
				}
				if endpoint.asked > before {
					at = append(at, i)
				}
			}
			if diff := cmp.Diff([]int{0, 1, 2, 4, 8, 16, 32, 48, 64}, at); diff != "" {
				t.Errorf("it is asked at other readings, -want +got:\n%s", diff)
			}
			// Another worker is another endpoint.
			target.Pods[0].UID = "another"
			before := endpoint.asked
			if _ = read(80); endpoint.asked != before+1 {
				t.Error("a new worker is not asked at once")
			}
		})
	}
}
