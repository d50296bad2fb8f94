package planning_test

import (
	"fmt"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/tools/events"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/interceptor"

	"github.com/takt-dev/takt/operator/fixture"
	"github.com/takt-dev/takt/operator/rooms"
	"github.com/takt-dev/takt/operator/telling"
)

// tenant makes pods that wait for GPUs, each under another name.
type tenant struct {
	*rooms.Rooms
	t    *testing.T
	at   time.Duration
	made int
}

func newTenant(t *testing.T) *tenant {
	o := fixture.Stopped(t, interceptor.Funcs{}, fixture.ElasticJob("resnet"), fixture.PyTorchJob("resnet", 1),
		fixture.Node("node", "16"))
	o.GPUs.After = 10 * time.Second
	o.Settings.Outsiders.UsedWithin = metav1.Duration{Duration: 2 * time.Minute}
	n := &tenant{Rooms: o, t: t}
	o.Now = func() time.Time { return fixture.Start.Add(n.at) }
	o.Events = telling.NewRecorder(events.NewFakeRecorder(10_000), o.Now)
	o.Furnish()
	return n
}

func (n *tenant) makes(gpus int) *corev1.Pod {
	n.made++
	pod := fixture.Outsider(fmt.Sprintf("pod-%d", n.made))
	pod.UID, pod.CreationTimestamp = types.UID(pod.Name), metav1.NewTime(n.Now())
	pod.Spec.Containers[0].Resources.Limits = corev1.ResourceList{"nvidia.com/gpu": resource.MustParse(fmt.Sprint(gpus))}
	if err := n.Client.Create(n.t.Context(), pod); err != nil {
		n.t.Fatal(err)
	}
	return pod
}

func (n *tenant) deletes(pod *corev1.Pod) {
	if err := n.Client.Delete(n.t.Context(), pod); err != nil {
		n.t.Fatal(err)
	}
}

// uses has a pod get a node.
func (n *tenant) uses(pod *corev1.Pod) {
	got := pod.DeepCopy()
	got.Spec.NodeName, got.Status.Phase, got.Status.Conditions = "node", corev1.PodRunning, nil
	if err := n.Client.Patch(n.t.Context(), got, client.MergeFrom(pod)); err != nil {
		n.t.Fatal(err)
	}
}

// has is how many GPUs are kept free for pods at present.
func (n *tenant) has() int {
	sc, err := n.Planner.Observe(n.t.Context())
	if err != nil {
		n.t.Fatal(err)
	}
	gpus := 0
	for _, d := range sc.Snapshot.Demands {
		gpus += int(d.GPUs)
	}
	return gpus
}

// Who makes pods anew that do not use their room, whatever they are called, how large they are, or how long they wait,
// takes GPUs from promised jobs for a small part of the time alone.
func TestATenantWhoMakesNewPodsTakesNoGPUsForEver(t *testing.T) {
	const look, span = 20 * time.Second, 12 * time.Hour
	for name, test := range map[string]struct {
		lives time.Duration
		sizes []int
	}{
		"each waits longer than its room is kept": {3 * time.Minute, []int{1}},
		"each is gone before its room is":         {100 * time.Second, []int{1}},
		"each is of another size":                 {3 * time.Minute, []int{1, 2, 3, 4, 5, 6, 7, 8}},
		"all sizes at once":                       {100 * time.Second, []int{1, 2, 3, 4, 5, 0}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			n := newTenant(t)
			var pods []*corev1.Pod
			looks, with := 0, 0
			for ; n.at < span; n.at += look {
				if n.at%test.lives < look {
					for _, pod := range pods {
						n.deletes(pod)
					}
					pods = nil
					if sizes := test.sizes; sizes[len(sizes)-1] == 0 {
						for _, size := range sizes[:len(sizes)-1] {
							pods = append(pods, n.makes(size))
						}
					} else {
						pods = append(pods, n.makes(sizes[n.made%len(sizes)]))
					}
				}
				looks++
				if n.has() > 0 {
					with++
				}
			}
			if share := float64(with) / float64(looks); share > 0.1 {
				t.Errorf("GPUs are kept free in %.0f %% of the time", 100*share)
			}
		})
	}
}

// A namespace has pods of one size that use their room, and one of another that is made anew all the time and does not:
// those that use theirs have it whenever they come. So has a pod that comes after a single one that did not.
func TestPodsThatUseTheirRoomHaveItAtOnce(t *testing.T) {
	n := newTenant(t)
	var stuck, honest *corev1.Pod
	for look := 0; n.at < 6*time.Hour; n.at += 20 * time.Second {
		if look%9 == 0 {
			if stuck != nil {
				n.deletes(stuck)
			}
			stuck = n.makes(1)
		}
		without := n.has()
		switch look % 30 {
		case 5:
			if honest = n.makes(8); n.has() != without+8 {
				t.Fatalf("after %s: no room for a pod though those before used theirs", n.at)
			}
		case 7:
			n.uses(honest)
		case 20:
			n.deletes(honest)
		}
		look++
	}
}
