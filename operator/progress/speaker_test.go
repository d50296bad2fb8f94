package progress

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/takt-dev/takt/api/v1alpha1"
)

// choir is a source that each worker has. It tells what was said by the one that is read.
type choir struct {
	says  map[string]Sample // by the name of a pod
	saved map[string]time.Time
	asked []string
}

func (*choir) Name() v1alpha1.ProgressSource { return logs }

func (c *choir) Read(_ context.Context, t Target) (Sample, error) {
	name := t.Pods[0].Name
	c.asked = append(c.asked, name)
	if said, ok := c.says[name]; ok {
		return said, nil
	}
	return Sample{SavedAt: c.saved[name]}, fail(ErrNone, "nothing")
}

// crew are workers of one job.
func crew(n int) (pods []*corev1.Pod) {
	for i := range n {
		pod := worker(fmt.Sprintf("resnet-worker-%d", i))
		pod.UID = types.UID(pod.Name)
		pods = append(pods, pod)
	}
	return pods
}

// step is what a training says that has done so many steps by then.
func step(n float64, at time.Time) Sample { return Sample{Done: n, Total: 1000, Unit: "steps", At: at} }

func TestTheWorkerIsReadThatTells(t *testing.T) {
	for name, speaks := range map[string]int{"the first": 0, "the last, as of Megatron": 7, "any": 3} {
		t.Run(name, func(t *testing.T) {
			source, now := &choir{says: map[string]Sample{}}, sixOClock
			reader, pods := readerOf(source), crew(8)
			for look := range 12 { // it compiles
				if _, err := reader.Read(t.Context(), resnet(pods...), now); err == nil {
					t.Fatalf("look %d tells something", look)
				}
				now = now.Add(ten)
			}
			heard := 0
			for look := range 60 {
				source.says[pods[speaks].Name] = step(float64(look+1), now)
				if got, err := reader.Read(t.Context(), resnet(pods...), now); err == nil && got.Done == float64(look+1) {
					heard++
				}
				now = now.Add(ten)
			}
			if heard < 30 {
				t.Errorf("it is heard in %d of 60 looks", heard)
			}
			source.asked = nil
			if _, _ = reader.Read(t.Context(), resnet(pods...), now); source.asked[0] != pods[speaks].Name ||
				len(source.asked) > 2 { // the first may tell of checkpoints
				t.Errorf("%v are asked, of whom one is known to tell", source.asked)
			}
		})
	}
}

// After a restart another worker may have the first rank.
func TestAfterARestartAnotherWorkerMayTell(t *testing.T) {
	for name, test := range map[string]struct {
		from, to         int
		before, speaking int // workers, and which of them tells afterwards
	}{
		"a growth moves it":          {from: 4, to: 8, before: 0, speaking: 5},
		"a shrink moves it":          {from: 8, to: 4, before: 0, speaking: 2},
		"the last is another one":    {from: 4, to: 8, before: 3, speaking: 7},
		"the last leaves":            {from: 8, to: 4, before: 7, speaking: 3},
		"it stays where it was":      {from: 4, to: 8, before: 0, speaking: 0},
		"no worker comes, but it is": {from: 4, to: 4, before: 0, speaking: 1},
	} {
		t.Run(name, func(t *testing.T) {
			source, now := &choir{says: map[string]Sample{}}, sixOClock
			reader, pods := readerOf(source), crew(8)
			for look := range 30 {
				source.says[pods[test.before].Name] = step(float64(100+look), now)
				_, _ = reader.Read(t.Context(), resnet(pods[:test.from]...), now)
				now = now.Add(ten)
			}
			heard := 0
			for look := range 30 {
				if look > 2 {
					source.says[pods[test.speaking].Name] = step(float64(90+look), now) // it went back to a checkpoint
				}
				got, err := reader.Read(t.Context(), resnet(pods[:test.to]...), now)
				if err == nil && got.Done == float64(90+look) {
					heard++
				}
				now = now.Add(ten)
			}
			if heard < 20 {
				t.Errorf("it is heard in %d of 30 looks", heard)
			}
		})
	}
}

// Where the one leaves that has told, another may have told before, when it had the first rank: what it said then is no
// word of the workers that train now, who share the steps in another way.
func TestWhoSpokeBeforeTheRestartMayNotSpeakAfterIt(t *testing.T) {
	source, now := &choir{says: map[string]Sample{}}, sixOClock
	reader, pods := readerOf(source), crew(8)
	source.says[pods[1].Name] = step(50, now.Add(-time.Hour))
	for look := range 30 {
		source.says[pods[7].Name] = step(float64(100+look), now)
		_, _ = reader.Read(t.Context(), resnet(pods...), now)
		now = now.Add(ten)
	}
	heard := 0
	for look := range 60 {
		if look > 2 {
			source.says[pods[3].Name] = Sample{Done: float64(260 + look), Total: 2000, Unit: "steps", At: now}
		}
		got, err := reader.Read(t.Context(), resnet(pods[:4]...), now)
		if err == nil && got.Total == 2000 {
			heard++
		}
		now = now.Add(ten)
	}
	if heard < 40 {
		t.Errorf("it is heard in %d of 60 looks", heard)
	}
}

// A process that has just begun finds what each worker has said at any time. What one has said before another began is
// no word of those that train now.
func TestAFreshProcessDoesNotListenToWhoHasFallenSilent(t *testing.T) {
	for name, began := range map[string]func(pod *corev1.Pod, at metav1.Time){
		"workers were added": func(pod *corev1.Pod, at metav1.Time) { pod.Status.StartTime = &at },
		"all fell, and were started in place": func(pod *corev1.Pod, at metav1.Time) {
			c := corev1.ContainerStatus{Name: "pytorch"}
			c.State.Running = &corev1.ContainerStateRunning{StartedAt: at}
			pod.Status.ContainerStatuses = []corev1.ContainerStatus{c}
		},
	} {
		t.Run(name, func(t *testing.T) {
			source, now := &choir{says: map[string]Sample{}}, sixOClock
			reader, pods := readerOf(source), crew(8)
			for i, pod := range pods {
				pod.Status.StartTime = new(metav1.NewTime(now.Add(-2 * time.Hour)))
				if i > 3 {
					began(pod, metav1.NewTime(now.Add(-10*time.Minute)))
				}
			}
			source.says[pods[0].Name] = step(50, now.Add(-time.Hour))
			heard := 0
			for look := range 30 {
				source.says[pods[7].Name] = Sample{Done: float64(260 + look), Total: 2000, Unit: "steps", At: now}
				if got, err := reader.Read(t.Context(), resnet(pods...), now); err == nil && got.Total == 2000 {
					heard++
				}
				now = now.Add(ten)
			}
			if heard < 28 {
				t.Errorf("it is heard in %d of 30 looks", heard)
			}
		})
	}
}

// Megatron tells its progress by the last rank, and its checkpoints by the first.
func TestTheFirstMayTellOfCheckpoints(t *testing.T) {
	now := sixOClock.Add(time.Hour)
	source := &choir{
		says:  map[string]Sample{"resnet-worker-3": step(10, now)},
		saved: map[string]time.Time{"resnet-worker-0": sixOClock},
	}
	got, err := readerOf(source).Read(t.Context(), resnet(crew(4)...), now)
	if err != nil || got.Done != 10 || !got.SavedAt.Equal(sixOClock) {
		t.Errorf("%+v, %v", got, err)
	}
	source.saved["resnet-worker-0"] = now.Add(time.Hour) // its clock is wrong
	if got, err := readerOf(source).Read(t.Context(), resnet(crew(4)...), now); err != nil || !got.SavedAt.IsZero() {
		t.Errorf("%+v, %v", got, err)
	}
}

// Where all workers tell the same, the first is read: it stays longest.
func TestTheFirstIsReadWhereAllTell(t *testing.T) {
	source, now := &choir{says: map[string]Sample{}}, sixOClock
	reader, pods := readerOf(source), crew(4)
	for look := range 60 {
		for i, pod := range pods {
			source.says[pod.Name] = step(float64(100*(look/20)), now.Add(time.Duration(i)*time.Millisecond))
		}
		size := 4
		if look > 30 {
			size = 2
		}
		source.asked = nil
		if _, err := reader.Read(t.Context(), resnet(pods[:size]...), now); err != nil {
			t.Fatal(err)
		}
		if source.asked[0] != pods[0].Name {
			t.Fatalf("look %d asks %v first", look, source.asked)
		}
		now = now.Add(ten)
	}
}

// What nobody tells is asked for no more often than before, but for a few of the others.
func TestASilentTrainingIsNotAskedAllTheTime(t *testing.T) {
	source, now := &choir{}, sixOClock
	reader, pods := readerOf(source), crew(64)
	for range 360 {
		_, _ = reader.Read(t.Context(), resnet(pods...), now)
		now = now.Add(ten)
	}
	if len(source.asked) > 45*5/2 || len(slices.Compact(slices.Sorted(slices.Values(source.asked)))) < 30 {
		t.Errorf("it is asked %d times, of %d workers", len(source.asked),
			len(slices.Compact(slices.Sorted(slices.Values(source.asked)))))
	}
}
