package plugin

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/sets"
	"k8s.io/klog/v2"
	fwk "k8s.io/kube-scheduler/framework"
	"k8s.io/kubernetes/pkg/scheduler/framework"
	"k8s.io/kubernetes/pkg/scheduler/framework/plugins/queuesort"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/scheduler/gang"
	"github.com/takt-dev/takt/scheduler/order"
)

// queued is a pod in the queue since some minutes after noon.
func queued(t *testing.T, pod *corev1.Pod, minutes int) *framework.QueuedPodInfo {
	t.Helper()
	info, err := framework.NewPodInfo(pod)
	if err != nil {
		t.Fatal(err)
	}
	q := &framework.QueuedPodInfo{PodInfo: info}
	q.Timestamp = noon.Add(time.Duration(minutes) * time.Minute)
	return q
}

// TestTheOrderOfTheQueue makes pods of all sorts. Among plain ones, and those that call themselves pods of a gang of
// which there is no Resize, it is as kube-scheduler has it; and among all, it is an order: a heap is lost with anything
// else.
func TestTheOrderOfTheQueue(t *testing.T) {
	for seed := range uint64(20) {
		random := rand.New(rand.NewPCG(seed, 5))
		h := &sharedState{book: gang.NewBook(gang.DefaultLimits()),
			urgency: order.Order{Patience: 4 * time.Minute, HeadStart: 2 * time.Minute}}
		takt := &Takt{sharedState: h}
		var all []*framework.QueuedPodInfo
		recorded := map[*framework.QueuedPodInfo]bool{}
		for i := range 30 {
			pod := &corev1.Pod{
				ObjectMeta: metav1.ObjectMeta{Name: fmt.Sprint("plain-", i), UID: types.UID(fmt.Sprint("plain-", i))},
			}
			switch random.IntN(4) {
			case 0:
				pod = workerOf(fmt.Sprint("forged-", i))
				h.book.Saw(read(pod), noon)
			case 1, 2:
				pod = workerOf(fmt.Sprint("job-", i))
				record := gang.Record{Urgency: order.Urgency{
					Since: noon.Add(time.Duration(random.IntN(9)) * time.Minute), Priority: random.IntN(3) - 1,
				}}
				if random.IntN(2) == 0 {
					record.Urgency.StartBy = noon.Add(time.Duration(random.IntN(20)) * time.Minute)
				}
				h.book.Saw(read(pod), noon)
				h.book.Recorded(read(pod).Change, record, noon)
			}
			pod.Spec.Priority = new(int32(random.IntN(2)))
			all = append(all, queued(t, pod, random.IntN(9)))
			recorded[all[i]] = strings.HasPrefix(pod.Labels[v1alpha1.ElasticJobLabel], "job-")
		}
		before := table(all, func(a, b *framework.QueuedPodInfo) bool { return takt.Less(a, b) })
		for i, a := range all {
			for k, b := range all {
				if stock := new(queuesort.PrioritySort).Less(a, b); !recorded[a] && !recorded[b] && before[i][k] != stock {
					t.Fatalf("seed %d: %s goes before %s: %v; kube-scheduler says otherwise", seed, a.GetPod().Name,
						b.GetPod().Name, !stock)
				}
			}
		}
		if i, k, l, is := noOrder(before); is {
			t.Fatalf("seed %d: %s, %s and %s are in no order", seed, all[i].GetPod().UID, all[k].GetPod().UID,
				all[l].GetPod().UID)
		}
	}
}

// workerOf is a worker of a job.
func workerOf(job string) *corev1.Pod {
	return worker(func(p *corev1.Pod) { p.Labels[v1alpha1.ElasticJobLabel], p.UID = job, types.UID(job) })
}

// table says of each two of all whether the first goes before the second.
func table[T any](all []T, less func(a, b T) bool) [][]bool {
	rows := make([][]bool, len(all))
	for i, a := range all {
		for _, b := range all {
			rows[i] = append(rows[i], less(a, b))
		}
	}
	return rows
}

// noOrder finds three of which what goes before what contradicts itself.
func noOrder(before [][]bool) (i, k, l int, is bool) {
	same := func(i, k int) bool { return !before[i][k] && !before[k][i] }
	for i := range before {
		for k := range before {
			for l := range before {
				if before[i][k] && before[k][l] && !before[i][l] || same(i, k) && same(k, l) && !same(i, l) {
					return i, k, l, true
				}
			}
		}
	}
	return 0, 0, 0, false
}

// Where many gangs are due at the same time, one is not tried before those ahead of it have come through.
func TestGangsComeOneAfterTheOther(t *testing.T) {
	h := &sharedState{book: gang.NewBook(gang.DefaultLimits())}
	takt := &Takt{sharedState: h}
	var all []*framework.QueuedPodInfo
	for i := range 6 {
		pod := worker(func(p *corev1.Pod) {
			p.Labels[v1alpha1.ElasticJobLabel] = []string{"a", "b"}[i%2]
			p.Name, p.UID = fmt.Sprint(p.Labels[v1alpha1.ElasticJobLabel], i), types.UID(fmt.Sprint(i))
		})
		h.book.Saw(read(pod), noon)
		h.book.Recorded(read(pod).Change, gang.Record{Urgency: order.Urgency{Since: noon}}, noon)
		all = append(all, queued(t, pod, i))
	}
	slices.SortFunc(all, func(a, b *framework.QueuedPodInfo) int {
		if takt.Less(a, b) {
			return -1
		}
		return 1
	})
	var names []string
	for _, q := range all {
		names = append(names, q.GetPod().Name)
	}
	if want := []string{"a0", "a2", "a4", "b1", "b3", "b5"}; !slices.Equal(names, want) {
		t.Errorf("they come as %v, want %v", names, want)
	}
}

// Where room is made, who speaks for a gang of a Resize is tried at once; one that no Resize speaks for when
// kube-scheduler would try it.
func TestRoomIsToldToThoseWithAResizeAtOnce(t *testing.T) {
	h := &sharedState{book: gang.NewBook(gang.DefaultLimits()), room: map[gang.UID]bool{}}
	takt := &Takt{sharedState: h, handle: profile{}, gated: sets.New("mine")}
	ours, forged := workerOf("job"), workerOf("forged")
	h.book.Recorded(read(ours).Change, gang.Record{Pods: 1}, noon)
	for _, pod := range []*corev1.Pod{ours, forged} {
		pod.Annotations[v1alpha1.GangAnnotation] = `{"epoch":3,"stage":"Forward","first":2,"pods":1}`
		h.book.Saw(read(pod), noon)
		h.book.Tick(noon.Add(gang.DefaultLimits().Orphan))
	}
	events, err := takt.EventsToRegister(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		pod  *corev1.Pod
		want fwk.QueueingHint
		room bool
	}{{ours, fwk.QueueSkip, true}, {forged, fwk.Queue, false}, {&corev1.Pod{}, fwk.QueueSkip, false}} {
		hint, err := events[0].QueueingHintFn(klog.Background(), c.pod, nil, nil)
		if err != nil || hint != c.want || h.room[uidOf(c.pod)] != c.room {
			t.Errorf("%q: it is answered %v (%v), want %v; it is woken: %v, want %v", c.pod.UID, hint, err, c.want,
				h.room[uidOf(c.pod)], c.room)
		}
	}
}

// A gang that no Resize speaks for is tried in vain as often as kube-scheduler lets it. That leaves no less time to
// those that have one.
func TestWhoHasNoResizeKeepsNobodyWaitingWhoHas(t *testing.T) {
	h := &sharedState{book: gang.NewBook(gang.DefaultLimits()), room: map[gang.UID]bool{"other": true}, roomNews: noon}
	forged := workerOf("forged")
	h.book.Saw(read(forged), noon)
	h.inVain(uidOf(forged), noon, noon.Add(2*time.Second))
	if got := h.speakersToWake(noon.Add(2 * time.Second)); len(got) != 1 {
		t.Errorf("%v are woken after a forged gang was tried in vain, want the other", got)
	}
}
