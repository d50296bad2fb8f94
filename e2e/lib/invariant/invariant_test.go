package invariant

import (
	"fmt"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/takt-dev/takt/api/v1alpha1"
)

var noon = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)

func condition(name string, after time.Duration) metav1.Condition {
	return metav1.Condition{
		Type: name, Status: metav1.ConditionTrue, ObservedGeneration: 1, Reason: "Because",
		LastTransitionTime: metav1.NewTime(noon.Add(after)),
	}
}

// judge compares what is found with the only thing that should be; nothing if want is empty.
func judge(t *testing.T, got []string, want string) {
	t.Helper()
	switch {
	case want == "" && len(got) > 0:
		t.Errorf("it finds %q where nothing is wrong", got)
	case want != "" && (len(got) != 1 || !strings.Contains(got[0], want)):
		t.Errorf("it finds %q, want just %q", got, want)
	}
}

func TestTheStatusOfAnElasticJobAgreesWithItself(t *testing.T) {
	cases := map[string]struct {
		change  func(before, now *v1alpha1.ElasticJob)
		missing bool // the object was not seen before
		want    string
	}{
		"as it should be": {},
		"never seen":      {missing: true},
		"ahead": {
			change: func(_, j *v1alpha1.ElasticJob) { j.Status.ObservedGeneration = 2 }, want: "ahead of generation",
		},
		"back": {
			change: func(_, j *v1alpha1.ElasticJob) { j.Status.ObservedGeneration = 0 }, want: "went back from 1 to 0",
		},
		"beyond the range": {
			change: func(_, j *v1alpha1.ElasticJob) { j.Status.Workers.Desired = 9 }, want: "9 workers are desired",
		},
		"none desired": {change: func(_, j *v1alpha1.ElasticJob) { j.Status.Workers.Desired = 0 }},
		"succeeded and failed": {change: func(_, j *v1alpha1.ElasticJob) {
			j.Status.Conditions = []metav1.Condition{condition("Succeeded", 0), condition("Failed", 0)}
			j.Status.Verdict = v1alpha1.VerdictMissed
		}, want: "Succeeded and Failed"},
		"at risk and on track": {
			change: func(_, j *v1alpha1.ElasticJob) { j.Status.Verdict = v1alpha1.VerdictAtRisk }, want: "and yet it is OnTrack",
		},
		"on track and late": {
			change: func(_, j *v1alpha1.ElasticJob) { j.Status.Summary.Slack = "-51s" }, want: "its slack is -51s",
		},
		"met, but not done": {
			change: func(_, j *v1alpha1.ElasticJob) { j.Status.Verdict = v1alpha1.VerdictMet }, want: "without having succeeded",
		},
		"late for nothing": {change: func(_, j *v1alpha1.ElasticJob) { j.Status.Deadline = "" }, want: "has no deadline"},
		"speechless": {
			change: func(_, j *v1alpha1.ElasticJob) { j.Status.Message = "" }, want: "without a sentence",
		},
		"without a reason": {
			change: func(_, j *v1alpha1.ElasticJob) { j.Status.Conditions[0].Reason = "" }, want: "has no reason",
		},
		"of its own making": {change: func(_, j *v1alpha1.ElasticJob) {
			j.Status.Conditions = append(j.Status.Conditions, condition("Happy", 0))
		}, want: "nobody knows the condition Happy"},
		"has what it has": {change: func(_, j *v1alpha1.ElasticJob) {
			j.Status.Message = "The deadline is promised. It has 2 workers, as before: more would not make it faster."
		}},
		"has what is to come": {change: func(_, j *v1alpha1.ElasticJob) {
			j.Status.Message = "The deadline is promised. It has 4 workers: that is what its deadline takes."
		}, want: `"It has 4 workers" is said, and 2 workers run`},
		"is to have it": {change: func(_, j *v1alpha1.ElasticJob) {
			j.Status.Message = "It is to have 4 workers: that is what its deadline takes."
		}},
		"risen from the dead": {change: func(b, _ *v1alpha1.ElasticJob) {
			b.Status.Conditions = append(b.Status.Conditions, condition("Failed", 0))
		}, want: "was Failed, and is no more"},
		"restless": {change: func(_, j *v1alpha1.ElasticJob) {
			j.Status.Conditions[0].LastTransitionTime = metav1.NewTime(noon.Add(time.Hour))
		}, want: "claims to have changed"},
	}
	for name, test := range cases {
		t.Run(name, func(t *testing.T) {
			before := &v1alpha1.ElasticJob{
				ObjectMeta: metav1.ObjectMeta{Name: "resnet", UID: "1", Generation: 1},
				Status: v1alpha1.ElasticJobStatus{
					ObservedGeneration: 1, Verdict: v1alpha1.VerdictOnTrack, Message: "It will do.", Deadline: "2026-11-21T18:00:00Z",
					Conditions: []metav1.Condition{condition("Running", 0), condition("OnTrack", 0)},
					Workers:    v1alpha1.WorkerStatus{Running: 2, Desired: 2, Min: 1, Max: 4},
				},
			}
			now := before.DeepCopy()
			if test.change != nil {
				test.change(before, now)
			}
			if test.missing {
				before = nil
			}
			judge(t, ElasticJob(before, now), test.want)
		})
	}
}

func TestTheRecordOfAResizeOnlyGrows(t *testing.T) {
	cases := map[string]struct {
		before, now string // conditions
		spec        int32
		want        string
	}{
		"begins":                  {"", "Proposed", 4, ""},
		"goes on":                 {"Proposed Placed", "Proposed Placed Ready", 4, ""},
		"turns round":             {"Proposed Placed", "Proposed Placed RollingBack RolledBack", 4, ""},
		"out of order":            {"Ready", "Ready Placed", 4, "Placed comes after Ready"},
		"ends twice":              {"Succeeded", "Succeeded Failed", 4, "Failed comes after Succeeded"},
		"forgets":                 {"Proposed Placed", "Placed", 4, "what it had on record has changed"},
		"another size":            {"Proposed", "Proposed", 5, "its spec has changed"},
		"of its own making":       {"", "Happy", 4, "nobody knows the condition Happy"},
		"over, and nothing after": {"Proposed Succeeded", "Proposed Succeeded", 4, ""},
	}
	for name, test := range cases {
		t.Run(name, func(t *testing.T) {
			record := func(text string, to int32) *v1alpha1.Resize {
				r := &v1alpha1.Resize{ObjectMeta: metav1.ObjectMeta{Name: "resnet-1", UID: "1", Generation: 1}}
				r.Spec = v1alpha1.ResizeSpec{ElasticJob: "resnet", Epoch: 1, From: 2, To: to}
				for i, name := range strings.Fields(text) {
					r.Status.Conditions = append(r.Status.Conditions, condition(name, time.Duration(i)*time.Second))
				}
				return r
			}
			got := Resize(record(test.before, 4), record(test.now, test.spec))
			if name == "ends twice" { // which breaks a second rule as well
				got = got[:1]
			}
			judge(t, got, test.want)
		})
	}
}

func TestTheRecordOfAResizeSaysWhatIsToCome(t *testing.T) {
	says := func(message string) *v1alpha1.Resize {
		return &v1alpha1.Resize{Spec: v1alpha1.ResizeSpec{ElasticJob: "resnet", Epoch: 1, From: 2, To: 4, Message: message}}
	}
	judge(t, Resize(nil, says("It is to have 4 workers: that is what its deadline takes.")), "")
	judge(t, Resize(nil, says("It has 4 workers: that is what its deadline takes.")), "it is a change")
}

func TestAColdResizeStopsTheJobBeforeNewPodsArePlaced(t *testing.T) {
	record := func(mode v1alpha1.ResizeMode) *v1alpha1.Resize {
		r := &v1alpha1.Resize{ObjectMeta: metav1.ObjectMeta{Name: "resnet-1", Generation: 1}}
		r.Spec = v1alpha1.ResizeSpec{ElasticJob: "resnet", Epoch: 1, From: 2, To: 4, Mode: mode}
		for i, name := range []string{"Proposed", "Committed", "Placed", "Ready", "Succeeded"} {
			r.Status.Conditions = append(r.Status.Conditions, condition(name, time.Duration(i)*time.Second))
		}
		return r
	}
	judge(t, Resize(nil, record(v1alpha1.ResizeCold)), "")
	judge(t, Resize(nil, record(v1alpha1.ResizeLive)), "Placed comes after Committed")
}

func TestAJobIsResizedOnceAtATime(t *testing.T) {
	open := func(job string, epoch int64, made int) *v1alpha1.Resize {
		return &v1alpha1.Resize{
			ObjectMeta: metav1.ObjectMeta{
				Name: fmt.Sprintf("%s-%d", job, epoch), CreationTimestamp: metav1.Unix(int64(made), 0),
			},
			Spec: v1alpha1.ResizeSpec{ElasticJob: job, Epoch: epoch},
		}
	}
	done := func(job string, epoch int64, made, over int) *v1alpha1.Resize {
		r := open(job, epoch, made)
		end := condition("Succeeded", 0)
		end.LastTransitionTime = metav1.Unix(int64(over), 0)
		r.Status.Conditions = []metav1.Condition{end}
		return r
	}
	judge(t, Resizes([]*v1alpha1.Resize{open("resnet", 2, 5), done("resnet", 1, 0, 5), open("bert", 1, 0)}), "")
	judge(t, Resizes([]*v1alpha1.Resize{open("resnet", 1, 0), open("resnet", 2, 5)}), "at the same time")
	judge(t, Resizes([]*v1alpha1.Resize{done("resnet", 2, 5, 6), open("resnet", 1, 0)}), "at the same time")
	judge(t, Resizes([]*v1alpha1.Resize{done("resnet", 2, 4, 6), done("resnet", 1, 0, 5)}),
		"resnet-2 was made at 00:00:04, and resnet-1 was over at 00:00:05")
}

func TestANodeHoldsNoMoreThanItHas(t *testing.T) {
	pod := func(node, gpus string, phase corev1.PodPhase) *corev1.Pod {
		return &corev1.Pod{
			Spec: corev1.PodSpec{NodeName: node, Containers: []corev1.Container{{
				Resources: corev1.ResourceRequirements{Limits: corev1.ResourceList{GPU: resource.MustParse(gpus)}},
			}}},
			Status: corev1.PodStatus{Phase: phase},
		}
	}
	nodes := map[string]int64{"a": 8}
	judge(t,
		Capacity(nodes, []*corev1.Pod{pod("a", "4", "Running"), pod("a", "4", "Pending"), pod("a", "4", "Failed"),
			pod("b", "4", "Running")}), "")
	judge(t, Capacity(nodes, []*corev1.Pod{pod("a", "4", "Running"), pod("a", "5", "Pending")}),
		"pods hold 9 GPUs, and it has 8")
}
