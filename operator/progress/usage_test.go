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
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// busy is a worker that requests two cores.
func busy(name string) *corev1.Pod {
	pod := worker(name)
	pod.Spec.Containers[1].Resources.Requests = corev1.ResourceList{corev1.ResourceCPU: resource.MustParse("2")}
	pod.Spec.Containers[0].Resources.Limits = corev1.ResourceList{corev1.ResourceCPU: resource.MustParse("500m")}
	return pod
}

// podMetrics is an answer of metrics.k8s.io, of pods and their cores in turn.
func podMetrics(of ...string) http.HandlerFunc {
	var items []string
	for i := 0; i+1 < len(of); i += 2 {
		items = append(items, fmt.Sprintf(`{"metadata": {"name": %q, "namespace": "team"}, "timestamp": "2026-11-21T17:59:30Z", "window": "30s",
			"containers": [{"name": "pytorch", "usage": {"cpu": %q, "memory": "1Gi"}}]}`, of[i], of[i+1]))
	}
	return answersJSON(`{"kind": "PodMetricsList", "apiVersion": "metrics.k8s.io/v1beta1", "metadata": {}, "items": [` +
		strings.Join(items, ",") + `]}`)
}

func TestUsageIsRead(t *testing.T) {
	const cpuPath = "/apis/metrics.k8s.io/v1beta1/namespaces/team/pods"
	const gpuPath = customGroup + "/v1beta2/namespaces/team/pods/*/DCGM_FI_DEV_GPU_UTIL"
	percent := func(p float64) *float64 { return &p }
	forbidden := func(w http.ResponseWriter, _ *http.Request) { refuses(w, 403, metav1.StatusReasonForbidden) }
	cases := map[string]struct {
		cpu, gpu http.HandlerFunc
		pods     []*corev1.Pod
		want     Usage
		wantErr  error
	}{
		"both": {
			cpu:  podMetrics("resnet-worker-0", "1", "resnet-worker-1", "2500m", "stranger", "64"),
			gpu:  values("v1beta2", "resnet-worker-0", "90", "resnet-worker-1", "70500m", "stranger", "0"),
			want: Usage{GPUPercent: percent(80.25), CPUPercent: percent(70), At: sixOClock.Add(-30 * time.Second)},
		},
		"only the CPUs": {
			cpu: podMetrics("resnet-worker-0", "1"), want: Usage{CPUPercent: percent(40), At: sixOClock.Add(-30 * time.Second)},
		},
		"only the GPUs": {gpu: values("v1beta2", "resnet-worker-1", "3"), want: Usage{GPUPercent: percent(3), At: sixOClock}},
		"nothing requested": {
			cpu: podMetrics("resnet-worker-0", "1"), pods: []*corev1.Pod{worker("resnet-worker-0")}, wantErr: ErrNone,
		},
		"neither":       {wantErr: ErrNone},
		"of others":     {cpu: podMetrics("stranger", "1"), gpu: values("v1beta2", "stranger", "1"), wantErr: ErrNone},
		"a sum of GPUs": {gpu: values("v1beta2", "resnet-worker-0", "400"), wantErr: ErrLie},
		"not allowed":   {cpu: forbidden, gpu: forbidden, wantErr: ErrUnreachable},
		"metrics-server is down": {
			cpu:     func(w http.ResponseWriter, _ *http.Request) { refuses(w, 503, metav1.StatusReasonServiceUnavailable) },
			wantErr: ErrNone,
		},
		"one not allowed": {
			cpu: forbidden, gpu: values("v1beta2", "resnet-worker-1", "3"), want: Usage{GPUPercent: percent(3), At: sixOClock},
		},
		"no worker": {pods: []*corev1.Pod{}, wantErr: ErrNone},
	}
	for name, test := range cases {
		t.Run(name, func(t *testing.T) {
			api := serveAPI(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				switch {
				case r.URL.Path == cpuPath && test.cpu != nil:
					if got := r.URL.Query().Get("labelSelector"); !strings.Contains(got, "training.kubeflow.org/job-name=resnet") {
						t.Errorf("selected by %q", got)
					}
					test.cpu(w, r)
				case r.URL.Path == gpuPath && test.gpu != nil:
					test.gpu(w, r)
				default:
					refuses(w, 404, metav1.StatusReasonNotFound)
				}
			}))
			target := resnet(busy("resnet-worker-0"), busy("resnet-worker-1"))
			if test.pods != nil {
				target.Pods = test.pods
			}
			got, err := NewUsageReader(api.metrics, api.rest(), "", wide, time.Now).Read(t.Context(), target)
			if !errors.Is(err, test.wantErr) {
				t.Fatalf("%v, want %v", err, test.wantErr)
			}
			got.At = got.At.UTC()
			if diff := cmp.Diff(test.want, got); err == nil && diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

func TestIdleness(t *testing.T) {
	rule := IdleRule{BelowPercent: 5, For: 10 * time.Minute}
	type reading struct {
		minute  int
		percent float64 // below 0: not known
	}
	cases := map[string]struct {
		readings []reading
		want     bool
	}{
		"no reading":               {},
		"one reading":              {readings: []reading{{0, 0}}},
		"long enough":              {readings: []reading{{0, 0}, {5, 4.2}, {10, 1}}, want: true},
		"not long enough":          {readings: []reading{{0, 0}, {9, 0}}},
		"busy in between":          {readings: []reading{{0, 0}, {5, 5}, {10, 0}, {14, 0}}},
		"idle again":               {readings: []reading{{0, 0}, {5, 90}, {10, 0}, {15, 0}, {20, 0}}, want: true},
		"busy at the end":          {readings: []reading{{0, 0}, {5, 0}, {10, 0}, {15, 50}}},
		"not known in between":     {readings: []reading{{0, 0}, {5, -1}, {10, 0}}, want: true},
		"not known at the end":     {readings: []reading{{0, 0}, {5, 0}, {10, -1}}},
		"a gap":                    {readings: []reading{{0, 0}, {11, 0}, {20, 0}}},
		"an old reading":           {readings: []reading{{0, 0}, {10, 0}, {5, 90}}, want: true},
		"the same reading":         {readings: []reading{{0, 0}, {0, 90}, {10, 0}}, want: true},
		"one that goes backwards":  {readings: []reading{{10, 0}, {0, 0}}},
		"at the limit is not idle": {readings: []reading{{0, 5}, {5, 5}, {10, 5}}},
	}
	for name, test := range cases {
		t.Run(name, func(t *testing.T) {
			var state Idleness
			for _, r := range test.readings {
				usage := Usage{At: sixOClock.Add(time.Duration(r.minute) * time.Minute)}
				if r.percent >= 0 {
					usage.GPUPercent = &r.percent
				}
				state = state.Fed(usage, rule)
			}
			if got, sentence := state.Idle(4, rule); got != test.want || got == (sentence == "") {
				t.Errorf("%v (%q), want %v", got, sentence, test.want)
			}
			if got, _ := state.Idle(0, rule); got {
				t.Error("a job without GPUs is idle")
			}
		})
	}
}

// Where nobody tells of GPUs, CPUs tell whether anything is done at all.
func TestIdlenessByCPUs(t *testing.T) {
	rule := IdleRule{BelowPercent: 5, For: 10 * time.Minute}
	type reading struct {
		minute int
		gpus   bool
		used   float64
	}
	cases := map[string]struct {
		readings []reading
		want     string
	}{
		"of CPUs":   {[]reading{{0, false, 1}, {10, false, 3}}, "even the CPUs that it asks for: at most 3 %"},
		"busy CPUs": {[]reading{{0, false, 1}, {5, false, 40}, {10, false, 1}}, ""},
		"GPUs tell more": {
			[]reading{{0, true, 80}, {5, false, 1}, {9, false, 1}, {10, true, 80}, {15, false, 1}}, "",
		},
		"GPUs are told of anew":   {[]reading{{0, false, 1}, {8, false, 1}, {10, true, 1}}, ""},
		"idle by GPUs after that": {[]reading{{0, false, 1}, {8, true, 2}, {18, true, 1}}, "what it holds: at most 2 %"},
		"GPUs are lost sight of":  {[]reading{{0, true, 80}, {11, false, 1}, {21, false, 1}}, "even the CPUs"},
	}
	for name, test := range cases {
		t.Run(name, func(t *testing.T) {
			var state Idleness
			for _, r := range test.readings {
				usage := Usage{At: sixOClock.Add(time.Duration(r.minute) * time.Minute)}
				if r.gpus {
					usage.GPUPercent = &r.used
				} else {
					usage.CPUPercent = &r.used
				}
				state = state.Fed(usage, rule)
			}
			if got, sentence := state.Idle(4, rule); got != (test.want != "") || !strings.Contains(sentence, test.want) {
				t.Errorf("%v (%q), want %q", got, sentence, test.want)
			}
		})
	}
}

func TestIdlenessInWords(t *testing.T) {
	rule := IdleRule{BelowPercent: 5, For: 10 * time.Minute}
	state := Idleness{since: sixOClock, last: sixOClock.Add(72 * time.Minute), peak: 3.1}
	for gpus, want := range map[int]string{
		4: "It holds 4 GPUs and hardly uses what it holds: at most 3 % since 2026-11-21 18:00 UTC, and less than 5 % " +
			"counts as idle. See what it waits for, such as its data; or stop it.",
		1: "It holds a GPU and hardly uses what it holds: at most 3 % since 2026-11-21 18:00 UTC, and less than 5 % " +
			"counts as idle. See what it waits for, such as its data; or stop it.",
	} {
		if _, got := state.Idle(gpus, rule); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// A metric that the operator may not read is not asked for again and again, for each job.
func TestAMetricThatIsRefusedRests(t *testing.T) {
	asked := 0
	api := serveAPI(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case strings.HasPrefix(r.URL.Path, "/apis/metrics.k8s.io/"):
			podMetrics("resnet-worker-0", "1")(w, r)
		case strings.HasSuffix(r.URL.Path, "/"+DefaultGPUMetric):
			asked++
			refuses(w, 403, metav1.StatusReasonForbidden)
		default:
			values("v1beta2")(w, r)
		}
	}))
	now := time.Now()
	reader := NewUsageReader(api.metrics, api.rest(), "", wide, func() time.Time { return now })
	for range 3 {
		if use, err := reader.Read(t.Context(), resnet(busy("resnet-worker-0"))); err != nil || use.CPUPercent == nil {
			t.Errorf("%v, the use is %+v", err, use)
		}
	}
	if asked != 1 {
		t.Errorf("it was asked for %d times", asked)
	}
	now = now.Add(askAgain)
	if _, err := reader.Read(t.Context(), resnet(busy("resnet-worker-0"))); err != nil || asked != 2 {
		t.Errorf("%v; after %v it was asked for %d times", err, askAgain, asked)
	}
}
