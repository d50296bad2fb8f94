package operator

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/tools/events"
	"sigs.k8s.io/controller-runtime/pkg/client/interceptor"

	"github.com/takt-dev/takt/elastic"
	"github.com/takt-dev/takt/operator/capacity"
	"github.com/takt-dev/takt/operator/settings"
	"github.com/takt-dev/takt/operator/telling"
)

// outsider is a pod of one GPU whose scheduler has said for a minute that it lacks one.
func outsider(name string) *corev1.Pod {
	template := oneGPU()
	pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "team", Name: name, UID: "pod-other"}, Spec: template.Spec}
	pod.Status.Phase = corev1.PodPending
	pod.Status.Conditions = []corev1.PodCondition{{
		Type: corev1.PodScheduled, Status: corev1.ConditionFalse, Reason: corev1.PodReasonUnschedulable,
		Message: "0/1 nodes are available: 1 Insufficient nvidia.com/gpu.", LastTransitionTime: metav1.NewTime(start.Add(-time.Minute)),
	}}
	return pod
}

// GPUs are kept free for a pod that waits for them. One that does not use them waits for something else, is told so,
// and takes none from promised jobs any more.
func TestAPodThatDoesNotUseItsRoomGetsNoMore(t *testing.T) {
	job := pytorchJob("resnet", 1)
	o := stopped(t, interceptor.Funcs{}, elasticJob("resnet"), job, worker0(job, "node"), outsider("other"), gpuNode("node", "2"))
	o.gpus.After = 10 * time.Second
	o.settings.Outsiders.UsedWithin = metav1.Duration{Duration: 2 * time.Minute}
	sink := events.NewFakeRecorder(10)
	o.events = telling.NewRecorder(sink, o.now)
	o.furnish()
	wanted := func(after time.Duration) []elastic.Demand {
		t.Helper()
		o.now = func() time.Time { return start.Add(after) }
		sc, err := o.observe(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		return sc.snapshot.Demands
	}
	one := []elastic.Demand{{Pool: "A100", GPUs: 1}}
	for _, after := range []time.Duration{0, time.Minute, 2 * time.Minute} { // the last tells it
		if diff := cmp.Diff(one, wanted(after)); diff != "" {
			t.Errorf("after %s (-want +got):\n%s", after, diff)
		}
	}
	if told := <-sink.Events; !strings.Contains(told, "RoomUnused") || !strings.Contains(told, "for 2m, and it has not used them") {
		t.Errorf("told: %s", told)
	}
	for _, after := range []time.Duration{3 * time.Minute, time.Hour} {
		if got := wanted(after); len(got) > 0 {
			t.Errorf("after %s: %v", after, got)
		}
	}
	if len(sink.Events) > 0 {
		t.Errorf("told again: %s", <-sink.Events)
	}
}

// A pod that is made anew for one that did not use its room waits for the same, and gets no room again. Once one of
// them finds a node, the others may have theirs.
func TestAPodThatIsMadeAnewWaitsForTheSame(t *testing.T) {
	made := func(uid types.UID, node string) *corev1.Pod {
		pod := outsider(string(uid))
		pod.UID, pod.Spec.NodeName = uid, node
		pod.OwnerReferences = []metav1.OwnerReference{{Kind: "Job", Name: "import", UID: "import", Controller: new(true)}}
		return pod
	}
	const within = 2 * time.Minute
	u := &outsiders{}
	for i, step := range []struct {
		after       time.Duration
		roomy, all  []*corev1.Pod
		tells, idle bool
	}{
		{0, []*corev1.Pod{made("1", "")}, []*corev1.Pod{made("1", "")}, false, false},
		{time.Minute, nil, nil, false, false}, // it is gone
		{90 * time.Second, []*corev1.Pod{made("2", "")}, []*corev1.Pod{made("2", "")}, false, false},
		{2 * time.Minute, []*corev1.Pod{made("2", "")}, []*corev1.Pod{made("2", "")}, true, true},
		{150 * time.Second, nil, nil, false, true},
		{3 * time.Minute, nil, []*corev1.Pod{made("3", "")}, false, true},
		{4 * time.Minute, nil, []*corev1.Pod{made("3", "node")}, false, false},
		{5 * time.Minute, []*corev1.Pod{made("4", "")}, []*corev1.Pod{made("3", "node"), made("4", "")}, false, false},
		{6 * time.Minute, nil, []*corev1.Pod{made("3", "node")}, false, false},
		{time.Hour, []*corev1.Pod{made("5", "")}, []*corev1.Pod{made("5", "")}, false, false},
	} {
		told := u.note(start.Add(step.after), within, step.roomy, step.all)
		if got := u.isIdle(made("next", "")); len(told) > 0 != step.tells || got != step.idle {
			t.Errorf("step %d: idle: %t, told: %t; want %t, %t", i, got, len(told) > 0, step.idle, step.tells)
		}
	}
}

// What pods have that Takt does not look after is bounded, by what is set and by what queues are guaranteed.
func TestWhatJobsLeaveToOtherPods(t *testing.T) {
	node := gpuNode("node", "8")
	held := outsider("holds")
	held.Spec.NodeName, held.Status.Phase = "node", corev1.PodRunning
	pods := []*corev1.Pod{held}
	for range 5 {
		pods = append(pods, outsider("waits"))
	}
	supply := capacity.Read(capacity.Cluster{Now: start, Nodes: []*corev1.Node{node}, Pods: pods}, capacity.Options{
		Resources: []corev1.ResourceName{"nvidia.com/gpu"}, After: time.Second,
	})
	queues := []elastic.Queue{{Name: "research", Guaranteed: 6}, {Name: "idle", Guaranteed: 8}}
	jobs := []elastic.Job{{Queue: "research", GPUsPerWorker: 2, Sizes: []elastic.Size{{Workers: 1}, {Workers: 2}}}}
	for name, c := range map[string]struct {
		set  settings.Outsiders
		want elastic.GPUs
	}{
		"all but what a queue is guaranteed and can use": {settings.Outsiders{}, 3},
		"also of that":                      {settings.Outsiders{OverGuarantees: true}, 5},
		"a bound":                           {settings.Outsiders{Most: map[string]int64{"*": 2}}, 2},
		"a bound of the pool itself":        {settings.Outsiders{Most: map[string]int64{"*": 2, "": 1}}, 1},
		"none":                              {settings.Outsiders{Most: map[string]int64{"": 0}}, 0},
		"a reserve, of which one is in use": {settings.Outsiders{Reserve: map[string]int64{"": 6}, Most: map[string]int64{"": 0}}, 5},
	} {
		t.Run(name, func(t *testing.T) {
			got := elastic.GPUs(0)
			for _, d := range demands(c.set, supply, queues, jobs) {
				got += d.GPUs
			}
			if got != c.want {
				t.Errorf("%d GPUs, want %d", got, c.want)
			}
		})
	}
}
