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

	"github.com/takt-dev/takt/api/v1alpha1"
)

// serveLogs serves the log of resnet-worker-0.
func serveLogs(t *testing.T, handler http.HandlerFunc) apiServer {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /api/v1/namespaces/team/pods/resnet-worker-0/log", handler)
	return serveAPI(t, mux)
}

func TestLogsAreReadThroughTheAPI(t *testing.T) {
	var query string
	api := serveLogs(t, func(w http.ResponseWriter, r *http.Request) {
		query = r.URL.Query().Encode()
		fmt.Fprint(w, stamped("Saved checkpoint", "step 420/1000"))
	})
	got, err := NewLogs(api.kubernetes.CoreV1(), wide).Read(t.Context(),
		resnet(worker("resnet-worker-0"), worker("resnet-worker-1")))
	if err != nil {
		t.Fatal(err)
	}
	want := Sample{Done: 420, Total: 1000, Unit: "steps", At: sixOClock.Add(time.Second), SavedAt: sixOClock}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if want := "container=pytorch&limitBytes=1048576&tailLines=500&timestamps=true"; query != want {
		t.Errorf("asked for %s, want %s", query, want)
	}
}

func TestContainerThatTrains(t *testing.T) {
	defaulted := worker("resnet-worker-0", "kubectl.kubernetes.io/default-container", "sidecar")
	wrong := worker("resnet-worker-0", "kubectl.kubernetes.io/default-container", "gone")
	plain := worker("resnet-worker-0")
	plain.Spec.Containers = []corev1.Container{{Name: "main"}, {Name: "other"}}
	besides := worker("resnet-worker-0")
	besides.Spec.Containers = []corev1.Container{{Name: "logs"}, {Name: "train", Resources: corev1.ResourceRequirements{
		Limits: corev1.ResourceList{"nvidia.com/gpu": resource.MustParse("1")},
	}}}
	for want, pod := range map[string]*corev1.Pod{"pytorch": wrong, "sidecar": defaulted, "main": plain, "": {},
		"train": besides} {
		if got := Trainer(pod, "pytorch"); got != want {
			t.Errorf("%q trains, want %q", got, want)
		}
	}
}

// The API server cuts the newest off an answer that is too long.
func TestLongLogsAreAskedForAgain(t *testing.T) {
	line := strings.Repeat("x", 100)
	var asked []string
	serveTail := func(lines int) apiServer {
		asked = nil
		return serveLogs(t, func(w http.ResponseWriter, r *http.Request) {
			tail := r.URL.Query().Get("tailLines")
			asked = append(asked, tail)
			text := stamped(strings.Split(strings.Repeat(line+"\n", lines)+"step 420/1000", "\n")...)
			if tail == "5" && lines < 500 {
				text = stamped("step 420/1000")
			}
			fmt.Fprint(w, text[:min(len(text), 10_000)])
		})
	}
	limits := Limits{Timeout: time.Minute, MaxBytes: 10_000}
	got, err := NewLogs(serveTail(400).kubernetes.CoreV1(), limits).Read(t.Context(), resnet(worker("resnet-worker-0")))
	if err != nil || got.Done != 420 {
		t.Errorf("%+v, %v", got, err)
	}
	if diff := cmp.Diff([]string{"500", "50", "5"}, asked); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if _, err := NewLogs(serveTail(600).kubernetes.CoreV1(), limits).Read(t.Context(),
		resnet(worker("resnet-worker-0"))); !errors.Is(err, ErrGarbage) ||
		!strings.Contains(err.Error(), "longer than 10000 bytes") {
		t.Error(err)
	}
}

func TestLogsFail(t *testing.T) {
	cases := map[string]struct {
		handler http.HandlerFunc
		timeout time.Duration
		want    error
		says    string
	}{
		"no progress": {handler: func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, stamped("hello")) },
			want: ErrNone, says: `such as "step 420/1000"`},
		"nothing": {handler: func(http.ResponseWriter, *http.Request) {}, want: ErrNone},
		"not started": {handler: func(w http.ResponseWriter,
			_ *http.Request) {
			refuses(w, 400, metav1.StatusReasonBadRequest)
		}, want: ErrNone, says: "container pytorch"},
		"not allowed": {handler: func(w http.ResponseWriter,
			_ *http.Request) {
			refuses(w, 403, metav1.StatusReasonForbidden)
		}, want: ErrUnreachable, says: "allow it to get pods/log"},
		"gone": {handler: func(w http.ResponseWriter,
			_ *http.Request) {
			refuses(w, 404, metav1.StatusReasonNotFound)
		}, want: ErrUnreachable, says: "its node keeps none, or the pod is gone"},
		"a node without": {handler: http.NotFound, want: ErrUnreachable,
			says: "of pod resnet-worker-0: its node keeps none, or the pod is gone"},
		"node is down": {handler: func(w http.ResponseWriter,
			_ *http.Request) {
			refuses(w, 500, metav1.StatusReasonInternalError)
		}, want: ErrUnreachable},
		"endless garbage": {handler: endless("\x00\xff"), want: ErrGarbage},
		"drop by drop": {
			handler: func(w http.ResponseWriter, r *http.Request) {
				fmt.Fprint(w, stamped("step 420/1000"))
				_ = http.NewResponseController(w).Flush()
				<-r.Context().Done()
			},
			timeout: 50 * time.Millisecond, want: ErrTimeout, says: "breaks off",
		},
	}
	for name, test := range cases {
		t.Run(name, func(t *testing.T) {
			limits := Limits{Timeout: time.Minute, MaxBytes: 10_000}
			if test.timeout > 0 {
				limits.Timeout = test.timeout
			}
			got, err := NewLogs(serveLogs(t, test.handler).kubernetes.CoreV1(), limits).Read(t.Context(),
				resnet(worker("resnet-worker-0")))
			if !errors.Is(err, test.want) || !strings.Contains(err.Error(), test.says) {
				t.Errorf("%+v, %v, want an error that is %q and says %q", got, err, test.want, test.says)
			}
		})
	}
	if _, err := NewLogs(nil, wide).Read(t.Context(), resnet()); !errors.Is(err, ErrNone) {
		t.Errorf("without a worker: %v", err)
	}
	if _, err := NewLogs(nil, wide).Read(t.Context(),
		Target{Spec: v1alpha1.ProgressSpec{Total: "many"}, Pods: resnet(worker("w")).Pods}); !errors.Is(err, ErrGarbage) {
		t.Errorf("with a total that is no number: %v", err)
	}
}

// An epoch may be longer than what is read of the log. By the time that another process reads it, its name is gone.
func TestAnEpochIsRememberedThatIsGoneFromTheLog(t *testing.T) {
	steps := stamped("420/1000 ━━━━━━━━━━ 6s 44ms/step - loss: 0.42", "430/1000 ━━━━━━━━━━ 6s 44ms/step - loss: 0.42")
	read := Said{Work: Work{10, "epochs"}, Done: 4.4, At: sixOClock}
	began := sixOClock.Add(-time.Hour)
	for name, test := range map[string]struct {
		last v1alpha1.ProgressSource
		said Said
		want Sample
	}{
		"by the log": {v1alpha1.ProgressLogs, read,
			Sample{Done: 4.43, Total: 10, Unit: "epochs", At: sixOClock.Add(time.Second)}},
		"by another source": {v1alpha1.ProgressPrometheus, read, Sample{}},
		"in another unit":   {v1alpha1.ProgressLogs, Said{Work: Work{10_000, "steps"}, Done: 4400, At: sixOClock}, Sample{}},
		"never":             {"", Said{}, Sample{}},
		"before it began anew, perhaps from an earlier epoch": {v1alpha1.ProgressLogs,
			Said{Work: read.Work, Done: 4.4, At: began.Add(-time.Second)}, Sample{}},
	} {
		t.Run(name, func(t *testing.T) {
			api := serveLogs(t, func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, steps) })
			target := resnet(worker("resnet-worker-0"))
			target.Pods[0].Status.StartTime = &metav1.Time{Time: began}
			target.Last, target.Said = test.last, test.said
			logs := NewLogs(api.kubernetes.CoreV1(), wide)
			for range 2 {
				got, err := logs.Read(t.Context(), target)
				if diff := cmp.Diff(test.want, got); diff != "" || (err == nil) != (got.Total > 0) {
					t.Errorf("%v, -want +got:\n%s", err, diff)
				}
			}
		})
	}
}

// Many a training says how much there is to do once. By the time that another process reads it, the line is gone.
func TestATotalIsRememberedThatIsGoneFromTheLog(t *testing.T) {
	steps := stamped("step 420 loss=0.42", "step 430 loss=0.42")
	for name, test := range map[string]struct {
		log  string
		last v1alpha1.ProgressSource
		said Work
		want Sample
	}{
		"steps": {steps, v1alpha1.ProgressLogs, Work{1000, "steps"},
			Sample{Done: 430, Total: 1000, Unit: "steps", At: sixOClock.Add(time.Second)}},
		"epochs": {stamped("Epoch 3 loss=0.42", "Epoch 4 loss=0.42"), v1alpha1.ProgressLogs, Work{10, "epochs"},
			Sample{Done: 4, Total: 10, Unit: "epochs", At: sixOClock.Add(time.Second)}},
		"said otherwise since": {stamped("step 420/900", "step 430/900"), v1alpha1.ProgressLogs, Work{1000, "steps"},
			Sample{Done: 430, Total: 900, Unit: "steps", At: sixOClock.Add(time.Second)}},
		"of another unit":        {steps, v1alpha1.ProgressLogs, Work{10, "epochs"}, Sample{}},
		"less than what is done": {steps, v1alpha1.ProgressLogs, Work{425, "steps"}, Sample{}},
		"by another source":      {steps, v1alpha1.ProgressPrometheus, Work{1000, "steps"}, Sample{}},
		"never":                  {steps, "", Work{}, Sample{}},
	} {
		t.Run(name, func(t *testing.T) {
			api := serveLogs(t, func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, test.log) })
			target := resnet(worker("resnet-worker-0"))
			target.Last, target.Said = test.last, Said{Work: test.said}
			logs := NewLogs(api.kubernetes.CoreV1(), wide)
			for range 2 {
				got, err := logs.Read(t.Context(), target)
				if diff := cmp.Diff(test.want, got); diff != "" || (err == nil) != (got.Total > 0) {
					t.Errorf("%v, -want +got:\n%s", err, diff)
				}
			}
		})
	}
}
