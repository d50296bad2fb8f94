package plugin

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/sets"
	"k8s.io/client-go/rest"
	fwk "k8s.io/kube-scheduler/framework"
	"k8s.io/kubernetes/pkg/scheduler/framework"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/scheduler/gang"
	"github.com/takt-dev/takt/scheduler/order"
	"github.com/takt-dev/takt/scheduler/pack"
	"github.com/takt-dev/takt/scheduler/settings"
)

// indexLabel is where the pods of these tests have their index.
const indexLabel = "example.com/index"

var noon = time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)

func worker(change ...func(*corev1.Pod)) *corev1.Pod {
	pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{
		Namespace: "team", Name: "resnet-worker-2", UID: "u2", CreationTimestamp: metav1.NewTime(noon),
		Labels: map[string]string{
			v1alpha1.ElasticJobLabel: "resnet", v1alpha1.EpochLabel: "3", v1alpha1.RoleLabel: v1alpha1.RoleWorker,
			indexLabel: "2",
		},
		Annotations: map[string]string{
			v1alpha1.GangAnnotation:       `{"epoch":3,"stage":"Forward","first":2,"pods":4}`,
			v1alpha1.NumberedByAnnotation: indexLabel,
		},
	}}
	for _, c := range change {
		c(pod)
	}
	return pod
}

// late gives a pod an index, and the template of a job that cannot be changed while it runs.
func late(index int) func(*corev1.Pod) {
	return func(p *corev1.Pod) {
		p.Labels[indexLabel] = strconv.Itoa(index)
		p.Annotations[v1alpha1.GangAnnotation] = `{"epoch":3,"stage":"Forward","first":2,"pods":4,"late":true}`
	}
}

func TestReadsWhatAPodSaysOfItsGang(t *testing.T) {
	want := gang.Pod{
		UID: "u2", Name: "resnet-worker-2", Change: gang.Change{Namespace: "team", Job: "resnet", Epoch: 3}, Index: 2,
		Made:     noon,
		Declared: gang.Declared{Epoch: 3, Stage: "Forward", First: 2, Pods: 4},
	}
	for name, c := range map[string]struct {
		pod    *corev1.Pod
		change func(*gang.Pod)
	}{
		"a new worker": {worker(), func(*gang.Pod) {}},
		"a leader": {worker(func(p *corev1.Pod) { p.Labels[v1alpha1.RoleLabel] = v1alpha1.RoleLeader }),
			func(p *gang.Pod) { p.Leader = true }},
		"one that has a node": {worker(func(p *corev1.Pod) { p.Spec.NodeName = "n" }), func(p *gang.Pod) { p.Node = "n" }},
		"one that is told to go": {worker(func(p *corev1.Pod) { p.Annotations[v1alpha1.DrainingAnnotation] = "true" }),
			func(p *gang.Pod) { p.Leaving = true }},
		"one that a job has made": {worker(func(p *corev1.Pod) {
			p.OwnerReferences = []metav1.OwnerReference{
				{Kind: "ConfigMap", UID: "c"}, {Kind: "PyTorchJob", UID: "job-1", Controller: new(true)},
			}
		}), func(p *gang.Pod) { p.Owner = "job-1" }},
		"one of a template that cannot be changed": {worker(late(6)), func(p *gang.Pod) { p.Index, p.Late = 6, true }},
		"one that is marked since": {worker(late(6), func(p *corev1.Pod) { p.Labels[v1alpha1.EpochLabel] = "4" }),
			func(p *gang.Pod) { p.Index, p.Late, p.Change.Epoch = 6, true, 4 }},
		"one that nobody numbers": {worker(func(p *corev1.Pod) {
			delete(p.Annotations,
				v1alpha1.NumberedByAnnotation)
		}), func(p *gang.Pod) { p.Index = 0 }},
		"one that has ended": {
			worker(func(p *corev1.Pod) { p.Status.Phase = corev1.PodFailed }), func(p *gang.Pod) { p.Leaving = true },
		},
		"one that is gated": {worker(
			func(p *corev1.Pod) { p.Spec.SchedulingGates = []corev1.PodSchedulingGate{{Name: "g"}} }), func(p *gang.Pod) {
			p.Gated = true
		}},
		"one whose devices are yet to be claimed": {worker(func(p *corev1.Pod) {
			p.Spec.ResourceClaims = []corev1.PodResourceClaim{{Name: "gpu", ResourceClaimTemplateName: new("gpu")}}
		}), func(p *gang.Pod) { p.Gated = true }},
		"one whose devices are claimed": {worker(func(p *corev1.Pod) {
			p.Spec.ResourceClaims = []corev1.PodResourceClaim{
				{Name: "gpu", ResourceClaimTemplateName: new("gpu")}, {Name: "net", ResourceClaimName: new("net")},
			}
			p.Status.ResourceClaimStatuses = []corev1.PodResourceClaimStatus{{Name: "gpu"}}
		}), func(*gang.Pod) {}},
		"one that has changed": {
			worker(func(p *corev1.Pod) { p.Generation = 2 }), func(p *gang.Pod) { p.Generation = 2 },
		},
		"nonsense is no gang": {worker(func(p *corev1.Pod) { p.Annotations[v1alpha1.GangAnnotation] = "{" }),
			func(p *gang.Pod) { p.Declared = gang.Declared{} }},
		"nor are no pods": {worker(func(p *corev1.Pod) { p.Annotations[v1alpha1.GangAnnotation] = `{"epoch":3,"pods":0}` }),
			func(p *gang.Pod) { p.Declared = gang.Declared{} }},
	} {
		t.Run(name, func(t *testing.T) {
			want := want
			c.change(&want)
			if diff := cmp.Diff(want, read(c.pod)); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

// told is a worker of job-1 whose template says that it is one of some job.
func told(pod *corev1.Pod, job string) {
	pod.OwnerReferences = []metav1.OwnerReference{{Kind: "PyTorchJob", UID: "job-1", Controller: new(true)}}
	pod.Annotations[v1alpha1.GangAnnotation] = fmt.Sprintf(`{"epoch":3,"stage":"Forward","first":2,"pods":4,"job":%q}`,
		job)
}

func TestPodsOfOtherGangsAreLeftToThem(t *testing.T) {
	ignore, include := &sharedState{settings: settings.Default()}, &sharedState{settings: settings.Default()}
	include.settings.Gangs.Foreign = settings.Include
	group := "g"
	for name, c := range map[string]struct {
		change           func(*corev1.Pod)
		ignored, include bool
	}{
		"ours": {func(*corev1.Pod) {}, true, true},
		"of scheduler-plugins": {
			func(p *corev1.Pod) { p.Labels["scheduling.x-k8s.io/pod-group"] = "g" }, false, true,
		},
		"of its first release": {
			func(p *corev1.Pod) { p.Labels["pod-group.scheduling.sigs.k8s.io"] = "g" }, false, true,
		},
		"of Kubernetes": {
			func(p *corev1.Pod) { p.Spec.SchedulingGroup = &corev1.PodSchedulingGroup{PodGroupName: &group} }, false, false,
		},
		"of Volcano": {
			func(p *corev1.Pod) { p.Annotations["scheduling.k8s.io/group-name"] = "g" }, false, true,
		},
		"a plain pod":                      {func(p *corev1.Pod) { p.Labels = nil }, false, false},
		"of its own job":                   {func(p *corev1.Pod) { told(p, "job-1") }, true, true},
		"with the manifest of another job": {func(p *corev1.Pod) { told(p, "job-2") }, false, false},
		"a pod of a job that Takt leaves alone": {
			func(p *corev1.Pod) { delete(p.Labels, v1alpha1.EpochLabel) }, false, false,
		},
	} {
		pod := worker(c.change)
		if got := ignore.member(pod); got != c.ignored {
			t.Errorf("%s: it is a member: %v, want %v", name, got, c.ignored)
		}
		if got := include.member(pod); got != c.include {
			t.Errorf("%s, if all are to be: it is a member: %v, want %v", name, got, c.include)
		}
	}
}

func TestReadsAResize(t *testing.T) {
	r := &v1alpha1.Resize{ObjectMeta: metav1.ObjectMeta{CreationTimestamp: metav1.NewTime(noon)}}
	r.Spec = v1alpha1.ResizeSpec{From: 2, To: 8, Priority: new(int32(5)), StartBy: v1alpha1.NewTime(noon.Add(time.Hour)),
		WaitingSince: v1alpha1.NewTime(noon.Add(-time.Hour))}
	want := gang.Record{Pods: 8, Kept: 2, Urgency: order.Urgency{Since: noon.Add(-time.Hour), StartBy: noon.Add(time.Hour),
		Priority: 5}, Until: noon.Add(abandoned)}
	if diff := cmp.Diff(want, recordOf(r)); diff != "" {
		t.Errorf("a new one, -want +got:\n%s", diff)
	}
	r.Status.Asked = new(int32(5))
	r.Spec.PlaceWithinSeconds = new(int32(3600))
	r.Status.Conditions = []metav1.Condition{
		{Type: v1alpha1.ConditionRollingBack, LastTransitionTime: metav1.NewTime(noon.Add(time.Minute))},
	}
	want.Fewer, want.TurnedRound, want.Until = 3, true, noon.Add(time.Hour+time.Minute+abandoned)
	if diff := cmp.Diff(want, recordOf(r)); diff != "" {
		t.Errorf("one that turns round, -want +got:\n%s", diff)
	}
	r.Spec.From, r.Spec.To, r.Status = 8, 2, v1alpha1.ResizeStatus{}
	if got := recordOf(r); got.Leaving != 2 || got.Kept != 2 || got.Fewer != 0 {
		t.Errorf("one to 2 workers is %+v", got)
	}
	for _, end := range []string{v1alpha1.ConditionSucceeded, v1alpha1.ConditionFailed, v1alpha1.ConditionRolledBack} {
		r.Status.Conditions = []metav1.Condition{{Type: end}}
		if got := recordOf(r); !got.Over || !got.Until.IsZero() {
			t.Errorf("one that is %s is not over", end)
		}
	}
	for name, c := range map[string]struct {
		from, to int32
		asked    *int32
		end      string
		want     int
	}{
		"grown":               {2, 8, nil, v1alpha1.ConditionSucceeded, 8},
		"settled for fewer":   {2, 8, new(int32(5)), v1alpha1.ConditionSucceeded, 5},
		"shrunk":              {8, 2, nil, v1alpha1.ConditionSucceeded, 2},
		"taken back":          {8, 2, nil, v1alpha1.ConditionRolledBack, 8},
		"stopped":             {8, 0, nil, v1alpha1.ConditionSucceeded, 8},
		"failed in between":   {2, 8, new(int32(5)), v1alpha1.ConditionFailed, 8},
		"shrinking as yet":    {8, 2, nil, v1alpha1.ConditionCommitted, 8},
		"settled, on its way": {2, 8, new(int32(5)), v1alpha1.ConditionCommitted, 8},
	} {
		r := &v1alpha1.Resize{Spec: v1alpha1.ResizeSpec{From: c.from, To: c.to}}
		r.Status.Asked, r.Status.Conditions = c.asked, []metav1.Condition{{Type: c.end}}
		if got := recordOf(r).Pods; got != c.want {
			t.Errorf("%s: the job has at most %d pods, want %d", name, got, c.want)
		}
	}
}

func TestWishes(t *testing.T) {
	h := &sharedState{settings: settings.Default()}
	for name, c := range map[string]struct {
		required, preferred string
		want                pack.Wish
	}{
		"nothing is said":    {"", "", pack.Wish{Within: pack.Anywhere, Apart: []int{8, 24, 72}}},
		"one rack":           {"rack", "", pack.Wish{Within: 1, Apart: []int{8, 24, 72}}},
		"one node":           {"node", "", pack.Wish{Within: pack.OneNode, Apart: []int{8, 24, 72}}},
		"racks matter":       {"", "rack", pack.Wish{Within: pack.Anywhere, Apart: []int{0, 24, 72}}},
		"nodes matter":       {"", "node", pack.Wish{Within: pack.Anywhere, Apart: []int{8, 24, 72}}},
		"nothing matters":    {"", "none", pack.Wish{Within: pack.Anywhere, Apart: []int{0, 0, 0}}},
		"zone, if in a zone": {"zone", "zone", pack.Wish{Within: 2, Apart: []int{0, 0, 72}}},
	} {
		t.Run(name, func(t *testing.T) {
			pod := worker(func(p *corev1.Pod) {
				p.Annotations[v1alpha1.TopologyRequiredAnnotation] = c.required
				p.Annotations[v1alpha1.TopologyPreferredAnnotation] = c.preferred
			})
			got, why := h.wishOf([]*corev1.Pod{worker(), pod})
			if diff := cmp.Diff(c.want, got); diff != "" || why != "" {
				t.Errorf("%s, -want +got:\n%s", why, diff)
			}
		})
	}
	for annotation, word := range map[string]string{v1alpha1.TopologyRequiredAnnotation: "none",
		v1alpha1.TopologyPreferredAnnotation: "row"} {
		_, why := h.wishOf([]*corev1.Pod{worker(func(p *corev1.Pod) { p.Annotations[annotation] = word })})
		if !strings.Contains(why, fmt.Sprintf("%s of the pods says %q", annotation, word)) {
			t.Errorf("%s: %s is answered by %q", annotation, word, why)
		}
	}
}

// A pod of one GPU goes where it mends an odd number; one of eight to a whole node; and never is a score out
// of the framework's range.
func TestScore(t *testing.T) {
	best := func(takes int) int {
		at := -1
		for free := takes; free <= 8; free++ {
			if at < 0 || score(free, takes) > score(at, takes) {
				at = free
			}
		}
		return at
	}
	for takes, want := range map[int]int{1: 1, 2: 2, 4: 4, 8: 8} {
		if got := best(takes); got != want {
			t.Errorf("a pod of %d GPUs goes to a node with %d free, want %d", takes, got, want)
		}
	}
	if score(8, 1) >= score(3, 1) || score(3, 1) <= score(4, 1) {
		t.Error("a pod of one GPU breaks into a whole node, or leaves an odd GPU")
	}
	for free := range 20 {
		for takes := 1; takes <= free; takes++ {
			if s := score(free, takes); s < 0 || s > 100 {
				t.Errorf("the score of %d GPUs of %d is %d", takes, free, s)
			}
		}
	}
}

func TestTheRestIsToldAsOne(t *testing.T) {
	got := most(map[string]int{"a": 1, "b": 5, "c": 2, "d": 2, "e": 9}, 3)
	want := []counted{{"e", 9}, {"b", 5}, {"c", 2}, {"others", 3}}
	if diff := cmp.Diff(want, got, cmp.AllowUnexported(counted{})); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

func TestReportsAreNotTooMany(t *testing.T) {
	r := newReporter(nil, 5*time.Second)
	a := gang.Change{Namespace: "team", Job: "a", Epoch: 1}
	told := func(fits int, ago time.Duration) {
		r.told[a] = answer{fits: fits, at: noon.Add(-ago)}
		r.news[a] = answer{fits: 3}
	}
	r.news[a] = answer{fits: 3}
	if len(r.due(noon)) != 1 {
		t.Error("the first is not told at once")
	}
	for _, c := range []struct {
		fits int
		ago  time.Duration
		want int
	}{{3, 4 * time.Second, 0}, {3, 5 * time.Second, 1}, {2, 900 * time.Millisecond, 0}, {2, time.Second, 1}} {
		told(c.fits, c.ago)
		if got := len(r.due(noon)); got != c.want {
			t.Errorf("%d were told to fit %v ago: %d are due, want %d", c.fits, c.ago, got, c.want)
		}
	}
	told(2, time.Second)
	failed := r.told[a]
	failed.failed = 1
	r.told[a] = failed
	if len(r.due(noon)) != 0 {
		t.Error("what could not be written is written again at once")
	}
	told(3, 0)
	r.finish(a)
	if len(r.due(noon)) != 1 {
		t.Error("the last word about one that is over is not told at once")
	}
	r.told[a] = failed
	if len(r.due(noon)) != 0 {
		t.Error("the last word, which could not be written, is written again at once")
	}
	r.forget(a)
	if len(r.due(noon.Add(time.Hour))) != 0 {
		t.Error("one that is forgotten is told")
	}
	r.write(t.Context(), a) // it was due, and forgotten before its turn came: nobody is asked
}

// reporterTo tells an API server that answers like that.
func reporterTo(t *testing.T, answer http.HandlerFunc) *reporter {
	t.Helper()
	server := httptest.NewServer(answer)
	t.Cleanup(server.Close)
	client, err := resizeClient(&rest.Config{Host: server.URL})
	if err != nil {
		t.Fatal(err)
	}
	return newReporter(client, 5*time.Second)
}

func TestALastWordThatIsRefusedIsGivenUpInTheEnd(t *testing.T) {
	asked := 0
	r := reporterTo(t, func(w http.ResponseWriter, _ *http.Request) {
		asked++
		http.Error(w, "you may not", http.StatusForbidden)
	})
	a := gang.Change{Namespace: "team", Job: "a", Epoch: 1}
	later := func() int { return len(r.due(time.Now().Add(time.Hour))) }
	r.tell(a, 3, "Three fit.")
	for range enough {
		if r.write(t.Context(), a); later() != 1 {
			t.Error("it is given up, though the Resize is not over")
		}
	}
	r.finish(a)
	if r.write(t.Context(), a); later() != 0 {
		t.Errorf("it is still to be told after it was refused %d times", asked)
	}
	if asked != enough+1 {
		t.Errorf("it was tried %d times", asked)
	}
}

// What was found by a trial may come when its Resize is gone.
func TestNothingIsKeptOfAResizeThatIsGone(t *testing.T) {
	r := reporterTo(t, http.NotFound)
	a := gang.Change{Namespace: "team", Job: "a", Epoch: 1}
	r.forget(a)
	r.tell(a, 3, "Three fit.")
	if r.write(t.Context(), a); len(r.news)+len(r.told) > 0 {
		t.Errorf("there is still %v to be told, and %v was", r.news, r.told)
	}
}

func TestThoseWhoHearOfRoomAreWokenTogether(t *testing.T) {
	h := &sharedState{book: gang.NewBook(gang.DefaultLimits()), room: map[gang.UID]bool{"a": true}, roomNews: noon}
	a := workerOf("a")
	h.book.Recorded(read(a).Change, gang.Record{}, noon)
	h.book.Saw(read(a), noon)
	if got := h.speakersToWake(noon.Add(moment - 1)); len(got) > 0 {
		t.Errorf("%v are woken before the others can have heard of it", got)
	}
	h.room["b"] = true
	if got := h.speakersToWake(noon.Add(moment)); len(got) != 2 {
		t.Errorf("%v are woken, want both", got)
	}
	later := noon.Add(time.Minute)
	h.inVain("a", later, later.Add(time.Second))
	h.inVain("a", later.Add(time.Second), later.Add(2*time.Second))
	h.room["a"] = true
	if got := h.speakersToWake(later.Add(2*(1+share)*time.Second - 1)); len(got) > 0 {
		t.Errorf("%v are woken, though trials take all the time", got)
	}
	if got := h.speakersToWake(later.Add(2 * (1 + share) * time.Second)); len(got) != 1 {
		t.Errorf("%v are woken, want the one that has heard of room", got)
	}
	for i := range 100 { // a stream of newcomers that are tried in vain
		later = noon.Add(time.Duration(10+i) * time.Minute)
		h.inVain("a", later, later.Add(time.Second))
	}
	h.room["a"] = true
	if got := h.speakersToWake(later.Add((1 + share) * time.Second)); len(got) != 1 {
		t.Errorf("%v are woken, though what was tried long ago is made up for", got)
	}
	h.inVain("a", later, later.Add(time.Hour))
	h.room["a"] = true
	if got := h.speakersToWake(later.Add(time.Hour + mostLeft)); len(got) != 1 {
		t.Errorf("%v are woken after the longest pause", got)
	}
}

func TestAPodInPlaceOfAnotherIsTold(t *testing.T) {
	var told []string
	h := handler(func(p *corev1.Pod) { told = append(told, "is "+string(p.UID)) }, func(p *corev1.Pod) {
		told = append(told, "gone "+string(p.UID))
	})
	old, changed := worker(), worker(func(p *corev1.Pod) { p.Generation = 2 })
	h.OnUpdate(old, changed)
	h.OnUpdate(changed, worker(func(p *corev1.Pod) { p.UID = "u3" }))
	if diff := cmp.Diff([]string{"is u2", "gone u2", "is u3"}, told); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// The queue's own copy of a pod may be older than what the book was told of it.
func TestWhatTheQueueKnowsOfAPodIsNotBelievedOverWhatIsKnown(t *testing.T) {
	h := &sharedState{
		book: gang.NewBook(gang.DefaultLimits()), pods: map[gang.UID]*corev1.Pod{}, wake: map[gang.UID]bool{},
		buried: map[gang.UID]time.Time{}, woken: make(chan struct{}, 1), profiles: sets.New("takt"),
	}
	alone := worker(func(p *corev1.Pod) { // whom nobody else is wanted with
		p.Spec.SchedulerName = "takt"
		p.Annotations[v1alpha1.GangAnnotation] = `{"epoch":3,"stage":"Forward","first":2,"pods":1}`
	})
	gated := alone.DeepCopy()
	gated.Spec.SchedulingGates = []corev1.PodSchedulingGate{{Name: "wait"}}
	h.book.Recorded(read(alone).Change, gang.Record{}, noon)
	gate := &Gate{state: func() *sharedState { return h }}
	if gate.PreEnqueue(t.Context(), &corev1.Pod{}).IsSuccess() {
		t.Error("somebody is let in before it is known what pods there are")
	}
	h.ready.Store(true)
	if gate.PreEnqueue(t.Context(), gated).IsSuccess() {
		t.Error("a gated pod is a gang that is complete")
	}
	h.saw(alone)
	if status := gate.PreEnqueue(t.Context(), gated); !status.IsSuccess() {
		t.Errorf("it is held back for what it was before: %v", status)
	}
	there := alone.DeepCopy()
	there.Spec.NodeName = "a"
	h.saw(there)
	there.Labels = nil
	if h.saw(there); !h.book.Bound(uidOf(there)) {
		t.Error("one that has its node is forgotten when its labels are taken off it")
	}
	h.gone(there)
	if h.saw(alone); h.book.Knows(uidOf(alone)) {
		t.Error("one that is gone has come back")
	}
}

func TestWithoutTheirLeaderNoWorkersAreOfUse(t *testing.T) {
	pods := []gang.Pod{{UID: "m", Leader: true}, {UID: "w0"}, {UID: "w1"}}
	for want, nodes := range map[int]map[gang.UID]string{
		0: {"w0": "a", "w1": "a"},
		2: {"m": "a", "w1": "b"},
	} {
		if got := useful(pods, nodes); got != want {
			t.Errorf("of %v, %d are said to be of use, want %d", nodes, got, want)
		}
	}
}

// All others wait while a gang is tried, and each kind of pod takes as long as all of another kind.
func TestAGangOfManyDifferentPodsIsNotTried(t *testing.T) {
	h := &sharedState{settings: settings.Default(), pods: map[gang.UID]*corev1.Pod{}}
	var pods []gang.Pod
	for i := range 100 {
		pod := worker(func(p *corev1.Pod) {
			p.UID = types.UID(fmt.Sprint(i))
			p.Spec.Containers = []corev1.Container{{Resources: corev1.ResourceRequirements{
				Requests: corev1.ResourceList{corev1.ResourceCPU: *resource.NewMilliQuantity(int64(i), resource.DecimalSI)},
			}}}
		})
		h.pods[uidOf(pod)] = pod
		pods = append(pods, gang.Pod{UID: uidOf(pod)})
	}
	tr := &trial{t: &Takt{sharedState: h}} // which no other plugin could be asked by
	if why, err := tr.gather(pods); err != nil || !strings.Contains(why, "more than 16 different things or places") {
		t.Errorf("it is told %q (%v)", why, err)
	}
}

// Where as many are bound as may be, a member waits; and not for ever.
func TestSoManyMembersAreBoundAtATime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := &sharedState{
			settings: settings.Default(), bindings: make(chan struct{}, 1), book: gang.NewBook(gang.DefaultLimits()),
		}
		takt := &Takt{sharedState: h}
		enter := func(ctx context.Context) (state fwk.CycleState, waited time.Duration, status *fwk.Status) {
			state, began := framework.NewCycleState(), time.Now()
			status = takt.PreBind(ctx, state, worker(), "n")
			return state, time.Since(began), status
		}
		first, waited, status := enter(t.Context())
		if waited > 0 || !status.IsSuccess() {
			t.Errorf("the first waits for %v: %v", waited, status)
		}
		time.AfterFunc(time.Second, func() { takt.PostBind(t.Context(), first, worker(), "n") })
		second, waited, status := enter(t.Context())
		if waited != time.Second || !status.IsSuccess() {
			t.Errorf("the second waits for %v: %v; want until the first is through", waited, status)
		}
		third, waited, status := enter(t.Context())
		if waited != bindingWait || !status.IsSuccess() {
			t.Errorf("the third waits for %v: %v; want at most %v", waited, status, bindingWait)
		}
		takt.Unreserve(t.Context(), third, worker(), "n") // it held up nobody, so it lets nobody in
		off, cancel := context.WithCancel(t.Context())
		time.AfterFunc(time.Second, cancel)
		if _, waited, status = enter(off); waited != time.Second || status.IsSuccess() {
			t.Errorf("one that is called off waits for %v: %v", waited, status)
		}
		takt.Unreserve(t.Context(), second, worker(), "n")
		takt.Unreserve(t.Context(), second, worker(), "n") // it may be told so twice
		if _, waited, _ = enter(t.Context()); waited > 0 {
			t.Errorf("one waits for %v, though the second has let go", waited)
		}
		began := time.Now()
		takt.PreBind(t.Context(), framework.NewCycleState(), &corev1.Pod{}, "n")
		if waited := time.Since(began); waited > 0 {
			t.Errorf("a plain pod waits for %v", waited)
		}
	})
}

func TestEachOfTheTwoPluginsNeedsTheOther(t *testing.T) {
	takt := &Takt{sharedState: &sharedState{}, handle: profile{}, gated: sets.New("other")}
	if _, err := takt.EventsToRegister(t.Context()); err == nil ||
		!strings.Contains(err.Error(), "profile mine enables plugin Takt but not TaktGate") {
		t.Errorf("Takt alone is answered by %v", err)
	}
	_, gateOf := Factories()
	gate, err := gateOf(t.Context(), nil, profile{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := gate.(*Gate).EventsToRegister(t.Context()); err == nil ||
		!strings.Contains(err.Error(), "profile mine enables plugin TaktGate but not Takt") {
		t.Errorf("the gate alone is answered by %v", err)
	}
	if _, err := gateOf(t.Context(), &runtime.Unknown{}, profile{}); err == nil ||
		!strings.Contains(err.Error(), "TaktGate has no args") {
		t.Errorf("args of the gate are answered by %v", err)
	}
}

// profile is a handle that knows its name, and nothing else.
type profile struct{ fwk.Handle }

func (profile) ProfileName() string { return "mine" }

func TestSaysWhyAResizeIsMissed(t *testing.T) {
	kind := schema.GroupResource{Group: "takt.dev", Resource: "resizes"}
	for name, c := range map[string]struct {
		err  error
		want string
	}{
		"no rights": {apierrors.NewForbidden(kind, "", errors.New("no")),
			"after 1m0s. takt-scheduler may not read Resizes: give it the rights"},
		"no kinds": {apierrors.NewNotFound(kind, ""),
			"after 1m0s. The cluster has no Resizes: install the kinds of Takt with kubectl apply"},
		"a pause": {errors.New("connection refused"), "after 1m0s."},
	} {
		got := missing(gang.Change{Namespace: "team", Job: "resnet", Epoch: 3}, "1m0s", unreadable(c.err))
		if !strings.Contains(got, "Resize resnet-3, which is not there") || !strings.Contains(got, c.want) ||
			c.want == "after 1m0s." && !strings.HasSuffix(got, c.want) {
			t.Errorf("%s: %s", name, got)
		}
	}
}
