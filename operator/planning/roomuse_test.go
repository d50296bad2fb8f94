package planning

import (
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

// A pod that is made anew for one that did not use its room waits for the same, and gets no room again. Once one of
// them finds a node, the others may have theirs.
func TestAPodThatIsMadeAnewWaitsForTheSame(t *testing.T) {
	made := func(uid types.UID, node string) *corev1.Pod {
		return &corev1.Pod{ObjectMeta: metav1.ObjectMeta{UID: uid,
			OwnerReferences: []metav1.OwnerReference{{Kind: "Job", Name: "import", UID: "import", Controller: new(true)}},
		}, Spec: corev1.PodSpec{NodeName: node}}
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
		told := u.note(present.Add(step.after), within, step.roomy, step.all)
		if got := u.isIdle(made("next", "")); len(told) > 0 != step.tells || got != step.idle {
			t.Errorf("step %d: idle: %t, told: %t; want %t, %t", i, got, len(told) > 0, step.idle, step.tells)
		}
	}
}
