package resizing_test

import (
	"context"
	"fmt"
	"maps"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	kubeflow "github.com/kubeflow/training-operator/pkg/apis/kubeflow.org/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/interceptor"

	"github.com/takt-dev/takt/agent/contract"
	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/operator/fixture"
	"github.com/takt-dev/takt/operator/hearing"
	"github.com/takt-dev/takt/operator/progress"
	"github.com/takt-dev/takt/operator/resizing"
	"github.com/takt-dev/takt/operator/rooms"
	"github.com/takt-dev/takt/operator/wrapping"
)

const agentImage = "registry/takt-agent:1"

// withCommand has the workers of a job say what they run.
func withCommand(job *kubeflow.PyTorchJob) {
	job.Spec.PyTorchReplicaSpecs["Worker"].Template.Spec.Containers[0].Command = []string{"torchrun", "train.py"}
}

// wrappedWorkers are those of a job with the agent in them, of an epoch.
func wrappedWorkers(job *kubeflow.PyTorchJob, n int, epoch string, annotations map[string]string) []client.Object {
	var pods []client.Object
	for i := range n {
		pod := fixture.Worker0(job, "node")
		pod.Name, pod.UID = fmt.Sprintf("%s-worker-%d", job.Name, i), types.UID(fmt.Sprintf("pod-%s-%d", job.Name, i))
		pod.Labels[kubeflow.ReplicaIndexLabel], pod.Labels[v1alpha1.EpochLabel] = fmt.Sprint(i), epoch
		pod.Annotations = maps.Clone(annotations)
		pod.CreationTimestamp = metav1.NewTime(fixture.Start.Add(-time.Hour))
		pods = append(pods, pod)
	}
	return pods
}

// listening gives an operator ears for agents that say this, and tells when one has answered.
func listening(o *rooms.Rooms, says func(*corev1.Pod) progress.Word) <-chan struct{} {
	var clock atomic.Int64
	heard := make(chan struct{}, 100)
	o.Agents = &hearing.Agents{
		Now: func() time.Time { return fixture.Start.Add(time.Duration(clock.Add(int64(time.Second)))) },
		Ask: func(_ context.Context, pod *corev1.Pod) (progress.Word, error) { return says(pod), nil },
	}
	o.Furnish()
	o.Resizer.Again = func(types.NamespacedName) { heard <- struct{}{} }
	return heard
}

// hears does steps of resnet-3 until an agent has answered: one may find it being asked already.
func hears(t *testing.T, o *rooms.Rooms, heard <-chan struct{}) {
	t.Helper()
	for range 1000 {
		step(t, o, "resnet-3")
		select {
		case <-heard:
			return
		case <-time.After(time.Millisecond):
		}
	}
	t.Fatal("no agent is asked")
}

func step(t *testing.T, o *rooms.Rooms, resize string) {
	t.Helper()
	if _, err := o.Resizer.Reconcile(t.Context(), fixture.Request(resize)); err != nil {
		t.Fatal(err)
	}
}

var letInFor2 = map[string]string{contract.AgentAnnotation: wrapping.Injected, contract.LetInAnnotation: "2"}

// A worker whose agent does not know yet that it is to leave would end the whole job by exiting with 0.
func TestWorkersLeaveOnceTheyKnow(t *testing.T) {
	ej, job := fixture.ElasticJob("resnet"), fixture.PyTorchJob("resnet", 3)
	r := fixture.ResizeOf(ej, 3, 3, 2, v1alpha1.ConditionProposed, v1alpha1.ConditionCommitted)
	objects := append(wrappedWorkers(job, 3, "2", letInFor2), ej, job, r, fixture.Node("node", "8"))
	o := fixture.Stopped(t, interceptor.Funcs{}, objects...)
	var drains atomic.Bool
	heard := listening(o, func(*corev1.Pod) progress.Word { return progress.Word{Drains: drains.Load()} })
	replicas := func() int32 {
		return *fixture.Get(t, o, "resnet", &kubeflow.PyTorchJob{}).Spec.PyTorchReplicaSpecs["Worker"].Replicas
	}

	step(t, o, "resnet-3")
	mark, err := contract.ParseRequest(fixture.Get(t, o, "resnet-worker-2",
		&corev1.Pod{}).Annotations[contract.DrainingAnnotation])
	if err != nil || !mark.At().Equal(fixture.Start) {
		t.Fatalf("the mark says that it was made at %v (%v)", mark.At(), err)
	}
	hears(t, o, heard)
	hears(t, o, heard)
	if n := replicas(); n != 3 {
		t.Fatalf("before its agent knows that it is to leave there are %d replicas", n)
	}
	drains.Store(true)
	for range 10 { // the first answers may be older
		if hears(t, o, heard); replicas() != 3 {
			break
		}
	}
	if n := replicas(); n != 2 {
		t.Errorf("once its agent knows there are %d replicas", n)
	}
	if _, marked := fixture.Get(t, o, "resnet-worker-1", &corev1.Pod{}).Annotations[contract.DrainingAnnotation]; marked {
		t.Error("one that stays is told to leave")
	}
}

// Those who leave are forgotten by the others before these save their state, and nobody else is told.
func TestWorkersStepAsideBeforeTheCheckpoint(t *testing.T) {
	ej, job := fixture.ElasticJob("resnet"), fixture.PyTorchJob("resnet", 3)
	r := fixture.ResizeOf(ej, 3, 3, 2, v1alpha1.ConditionProposed)
	r.Status.Conditions[0].LastTransitionTime = metav1.NewTime(fixture.Start)
	objects := append(wrappedWorkers(job, 3, "2", letInFor2), ej, job, r, fixture.Node("node", "8"))
	o := fixture.Stopped(t, interceptor.Funcs{}, objects...)
	request := contract.RequestAt(fixture.Start)
	var forgotten atomic.Bool
	heard := listening(o, func(*corev1.Pod) progress.Word {
		word := progress.Word{CanSave: true, AsideRead: request}
		if forgotten.Load() {
			word.AsideOver, word.AsideTook = request, 17*time.Second
		}
		return word
	})
	says := func(worker int, key string) string {
		return fixture.Get(t, o, fmt.Sprintf("resnet-worker-%d", worker), &corev1.Pod{}).Annotations[key]
	}
	until := func(worker int, key string) {
		t.Helper()
		for range 1000 { // some answers are older
			if step(t, o, "resnet-3"); says(worker, key) != "" {
				return
			}
			hears(t, o, heard)
		}
		t.Fatalf("worker %d is never told %s", worker, key)
	}
	until(2, contract.StepAsideAnnotation)
	if got := says(2, contract.StepAsideAnnotation); got != request.String() {
		t.Errorf("the last is told to step aside by %q, want %q", got, request)
	}
	if got := says(1, contract.StepAsideAnnotation); got != "" {
		t.Errorf("one that stays is told to step aside by %q", got)
	}
	for !heedsAside(t, o, 2) {
		hears(t, o, heard) // maybe another
	}
	for _, after := range []time.Duration{0, 0, 18 * time.Second, 18 * time.Second} {
		o.Now = func() time.Time { return fixture.Start.Add(after) }
		hears(t, o, heard)
	}
	if got := says(0, contract.SaveAnnotation); got != "" {
		t.Errorf("before they are forgotten the training is asked to save its state by %q", got)
	}
	forgotten.Store(true)
	until(0, contract.SaveAnnotation)
	if got, want := says(0, contract.SaveAnnotation), contract.RequestAt(o.Now()).String(); got != want {
		t.Errorf("once they are, it is asked by %q, want %q", got, want)
	}
}

// heedsAside says whether the agent of a worker is known to have read that it is to step aside.
func heedsAside(t *testing.T, o *rooms.Rooms, worker int) bool {
	t.Helper()
	s, err := o.View.Look(t.Context(), fixture.Get(t, o, "resnet", &v1alpha1.ElasticJob{}))
	if err != nil || s.Active() == nil {
		t.Fatalf("%+v: %v", s, err)
	}
	return o.Resizer.Observed(t.Context(), s, s.Active()).Pods[worker].HeedsAside
}

// All who train get the same request, and a process that comes later goes on with it.
func TestACheckpointIsAskedForOnce(t *testing.T) {
	ej, job := fixture.ElasticJob("resnet"), fixture.PyTorchJob("resnet", 3)
	r := fixture.ResizeOf(ej, 3, 3, 2, v1alpha1.ConditionProposed)
	objects := append(wrappedWorkers(job, 3, "2", letInFor2), ej, job, r, fixture.Node("node", "8"))
	o := fixture.Stopped(t, interceptor.Funcs{}, objects...)
	word := progress.Word{CanSave: true}
	heard := listening(o, func(*corev1.Pod) progress.Word { return word })
	requests := func() (all []string) {
		for i := range 3 {
			all = append(all, fixture.Get(t, o, fmt.Sprintf("resnet-worker-%d", i),
				&corev1.Pod{}).Annotations[contract.SaveAnnotation])
		}
		return all
	}
	hears(t, o, heard)
	want := contract.RequestAt(fixture.Start).String()
	if got := requests(); got[0] != want || got[1] != want || got[2] != want {
		t.Fatalf("they are asked by %q, want %q", got, want)
	}
	// The process has ended before it asked the last, and the next begins a while later.
	last := fixture.Get(t, o, "resnet-worker-2", &corev1.Pod{})
	delete(last.Annotations, contract.SaveAnnotation)
	if err := o.Client.Update(t.Context(), last); err != nil {
		t.Fatal(err)
	}
	o.Now = func() time.Time { return fixture.Start.Add(3 * time.Second) }
	o.Memory.Keep(nil)
	hears(t, o, heard)
	if got := requests(); got[0] != want || got[2] != want {
		t.Errorf("the next process asks by %q, want %q", got, want)
	}
	committed := func() bool {
		stored := fixture.Get(t, o, "resnet-3", &v1alpha1.Resize{})
		return len(stored.Status.Conditions) > 1
	}
	word = progress.Word{CanSave: true, Answered: contract.RequestAt(fixture.Start)}
	o.Now = func() time.Time { return fixture.Start.Add(time.Minute) } // longer than for an answer
	hears(t, o, heard)
	word = progress.Word{CanSave: true, Answered: contract.RequestAt(fixture.Start),
		SavedAt: fixture.Start.Add(50 * time.Second)}
	for range 10 { // the first answers may be older
		if hears(t, o, heard); committed() {
			break
		}
	}
	if !committed() {
		t.Error("once it has saved its state the workers are not told to go")
	}
}

// Nobody waits for ever for what nobody could have asked for.
func TestARequestFromTheFutureIsNone(t *testing.T) {
	ej, job := fixture.ElasticJob("resnet"), fixture.PyTorchJob("resnet", 3)
	r := fixture.ResizeOf(ej, 3, 3, 2, v1alpha1.ConditionProposed)
	forged := maps.Clone(letInFor2)
	forged[contract.SaveAnnotation] = contract.RequestAt(fixture.Start.Add(24 * time.Hour)).String()
	objects := append(wrappedWorkers(job, 3, "2", forged), ej, job, r, fixture.Node("node", "8"))
	o := fixture.Stopped(t, interceptor.Funcs{}, objects...)
	heard := listening(o, func(*corev1.Pod) progress.Word { return progress.Word{CanSave: true} })
	hears(t, o, heard)
	if got := fixture.Get(t, o, "resnet-worker-0",
		&corev1.Pod{}).Annotations[contract.SaveAnnotation]; got != contract.RequestAt(fixture.Start).String() {
		t.Errorf("it is asked by %q", got)
	}
}

// Where nobody may pull the image of the agent, the job is started without it.
func TestAJobWhoseAgentCannotComeIsStartedWithout(t *testing.T) {
	ej, job := fixture.ElasticJob("resnet"), fixture.PyTorchJob("resnet", 2, withCommand, func(p *kubeflow.PyTorchJob) {
		p.Spec.RunPolicy.Suspend = new(true)
	})
	r := fixture.ResizeOf(ej, 1, 0, 2)
	o := fixture.Stopped(t, interceptor.Funcs{}, ej, job, r, fixture.Node("node", "8"))
	o.Settings.Agent.Image = agentImage
	o.Furnish()
	command := func() string {
		return strings.Join(fixture.Get(t, o, "resnet",
			&kubeflow.PyTorchJob{}).Spec.PyTorchReplicaSpecs["Worker"].Template.Spec.Containers[0].Command, " ")
	}
	step(t, o, "resnet-1")
	if got := command(); got != "/takt/agent exec -- torchrun train.py" {
		t.Fatalf("it is begun with %q", got)
	}
	for _, object := range wrappedWorkers(job, 2, "1", map[string]string{contract.AgentAnnotation: wrapping.Injected}) {
		pod := object.(*corev1.Pod)
		pod.Status = corev1.PodStatus{Phase: corev1.PodPending, StartTime: &metav1.Time{Time: fixture.Start},
			InitContainerStatuses: []corev1.ContainerStatus{
				{Name: wrapping.Installer, State: corev1.ContainerState{Waiting: &corev1.ContainerStateWaiting{
					Reason: "ImagePullBackOff", Message: "denied",
				}}},
			}}
		if err := o.Client.Create(t.Context(), pod); err != nil {
			t.Fatal(err)
		}
	}
	step(t, o, "resnet-1")
	if got := command(); !strings.HasPrefix(got, "/takt/agent") {
		t.Fatalf("it does not wait for the image: %q", got)
	}
	o.Now = func() time.Time { return fixture.Start.Add(2 * time.Minute) }
	step(t, o, "resnet-1")
	begun := fixture.Get(t, o, "resnet", &kubeflow.PyTorchJob{})
	fault, kept := wrapping.DecodeFault(begun.UID, begun.Annotations[wrapping.FaultAnnotation])
	if got := command(); got != "torchrun train.py" || !kept || !strings.Contains(fault.Said, "ImagePullBackOff: denied") {
		t.Fatalf("it is begun with %q, and keeps %+v", got, fault)
	}
	o = successor(o)
	step(t, o, "resnet-1")
	var left corev1.PodList
	if err := o.Client.List(t.Context(), &left, client.InNamespace("team")); err != nil || len(left.Items) > 0 {
		t.Errorf("%d pods wait for the agent still (%v)", len(left.Items), err)
	}
}

// A worker that has come in the place of another, long after the start, waits for an agent whose image may not be
// pulled any more: it is made anew without, and those that train are left alone.
func TestAWorkerWhoseAgentCannotComeIsMadeAnewWithout(t *testing.T) {
	for name, c := range map[string]struct {
		from, after time.Duration
		resizes     bool
		want        bool
	}{
		"in time":                    {0, 30 * time.Second, false, false},
		"too late":                   {0, 2 * time.Minute, false, true},
		"a fault of a moment":        {time.Hour, time.Hour, false, false},
		"a fault that has come late": {time.Hour, time.Hour + 2*time.Minute, false, true},
		"within a resize":            {0, 2 * time.Minute, true, false},
	} {
		t.Run(name, func(t *testing.T) {
			ej := fixture.ElasticJob("resnet")
			job := fixture.PyTorchJob("resnet", 2, withCommand, func(p *kubeflow.PyTorchJob) {
				template := &p.Spec.PyTorchReplicaSpecs["Worker"].Template
				template.Labels = map[string]string{v1alpha1.EpochLabel: "2"}
				wrapping.Into(template, "pytorch", wrapping.Intent{Image: agentImage})
			})
			pods := wrappedWorkers(job, 2, "2", map[string]string{
				contract.AgentAnnotation: wrapping.Injected, contract.LetInAnnotation: "2"})
			pods[0].(*corev1.Pod).Status = corev1.PodStatus{Phase: corev1.PodPending,
				StartTime: &metav1.Time{Time: fixture.Start}, InitContainerStatuses: []corev1.ContainerStatus{{
					Name: wrapping.Installer, State: corev1.ContainerState{Waiting: &corev1.ContainerStateWaiting{
						Reason: "ImagePullBackOff", Message: "denied",
					}}}}}
			end := v1alpha1.ConditionSucceeded
			if c.resizes {
				end = v1alpha1.ConditionProposed
			}
			o := fixture.Stopped(t, interceptor.Funcs{}, append(pods, ej, job, fixture.Node("node", "8"),
				fixture.ResizeOf(ej, 2, 0, 2, end))...)
			if !resizing.Concerns(pods[0].(*corev1.Pod)) {
				t.Error("nobody looks at it")
			}
			for after := c.from; after <= c.after; after += 10 * time.Second {
				o.Now = func() time.Time { return fixture.Start.Add(after) }
				for range 2 { // the job is asked first
					result, err := o.Attendant.Reconcile(t.Context(), fixture.Request("resnet"))
					if err != nil {
						t.Fatal(err)
					}
					if name == "in time" && result.RequeueAfter != 10*time.Second {
						t.Errorf("it is looked at again in %s", result.RequeueAfter)
					}
				}
			}
			begun := fixture.Get(t, o, "resnet", &kubeflow.PyTorchJob{})
			command := strings.Join(begun.Spec.PyTorchReplicaSpecs["Worker"].Template.Spec.Containers[0].Command, " ")
			fault, kept := wrapping.DecodeFault(begun.UID, begun.Annotations[wrapping.FaultAnnotation])
			if (command == "torchrun train.py") != c.want || kept != c.want ||
				kept && (fault.Image != agentImage || !strings.Contains(fault.Said, "ImagePullBackOff: denied")) {
				t.Errorf("the job makes pods with %q, and keeps %+v", command, fault)
			}
			var left corev1.PodList
			if err := o.Client.List(t.Context(), &left, client.InNamespace("team")); err != nil ||
				(len(left.Items) == 1) != c.want || left.Items[len(left.Items)-1].Name != "resnet-worker-1" {
				t.Errorf("%d pods are left (%v)", len(left.Items), err)
			}
		})
	}
}

// successor is an operator that has just begun, where another has ended.
func successor(o *rooms.Rooms) *rooms.Rooms {
	o.Memory.Keep(nil)
	o.Furnish()
	return o
}

// A worker that has replaced another is let in, and one that stays is not told to leave; while a resize is under way
// that is the resize's to say.
func TestWhoComesAndStaysOutsideOfAResizeTrains(t *testing.T) {
	waits := map[string]string{contract.AgentAnnotation: wrapping.Injected, contract.LetInAnnotation: "1"}
	marked := map[string]string{
		contract.AgentAnnotation: wrapping.Injected, contract.LetInAnnotation: "2", contract.DrainingAnnotation: "true",
	}
	const notSeen = "it waits for one that is not seen"
	for name, test := range map[string]struct {
		annotations map[string]string
		ended       bool
		epoch       string
		young       bool
		size        int32
		want        map[string]string
	}{
		"it waits":             {waits, true, "2", true, 3, letInFor2},
		"it waits in a resize": {waits, false, "2", true, 3, waits},
		notSeen:                {waits, true, "3", true, 3, waits},
		"it waits for one that is gone": {waits, true, "3", false, 3,
			map[string]string{contract.AgentAnnotation: wrapping.Injected, contract.LetInAnnotation: "3"}},
		"it was told to leave": {marked, true, "2", false, 3, letInFor2},
		"it is to leave":       {marked, false, "2", false, 3, marked},
		"it leaves":            {marked, true, "2", false, 2, marked},
	} {
		t.Run(name, func(t *testing.T) {
			ej, job := fixture.ElasticJob("resnet"), fixture.PyTorchJob("resnet", test.size)
			r := fixture.ResizeOf(ej, 2, 2, 3, v1alpha1.ConditionProposed)
			if test.ended {
				r = fixture.ResizeOf(ej, 2, 2, 3, v1alpha1.ConditionSucceeded)
			}
			pods := wrappedWorkers(job, 3, test.epoch, test.annotations)
			if test.young {
				pods[2].SetCreationTimestamp(metav1.NewTime(fixture.Start))
			}
			o := fixture.Stopped(t, interceptor.Funcs{}, append(pods, ej, job, r, fixture.Node("node", "8"))...)
			result, err := o.Attendant.Reconcile(t.Context(), fixture.Request("resnet"))
			if err != nil {
				t.Fatal(err)
			}
			if again := result.RequeueAfter > 0; again != (name == notSeen) {
				t.Errorf("it is looked at again in %s", result.RequeueAfter)
			}
			if got := fixture.Get(t, o, "resnet-worker-2", &corev1.Pod{}).Annotations; !maps.Equal(got, test.want) {
				t.Errorf("it carries %v, want %v", got, test.want)
			}
		})
	}
}

// Once a resize is over its job says itself that who replaces a worker is let in. While one is under way, and before
// its record is known, it does not: they would join one by one.
func TestAJobLetsInWhoReplacesAWorker(t *testing.T) {
	for name, test := range map[string]struct {
		ended bool
		asked string // the epoch that the job was last asked in
		want  string
	}{
		"it is over":      {true, "2", "2"},
		"it is under way": {false, "2", ""},
		"another begins":  {true, "3", ""},
	} {
		t.Run(name, func(t *testing.T) {
			ej, job := fixture.ElasticJob("resnet"), fixture.PyTorchJob("resnet", 3, withCommand, func(p *kubeflow.PyTorchJob) {
				template := &p.Spec.PyTorchReplicaSpecs["Worker"].Template
				template.Labels = map[string]string{v1alpha1.EpochLabel: test.asked}
				wrapping.Into(template, "pytorch", wrapping.Intent{Image: agentImage})
				ask := fmt.Sprintf(`{"job":%q,"epoch":%s,"stage":"Forward","workers":3}`, p.UID, test.asked)
				p.Annotations = map[string]string{"takt.dev/ask": ask}
			})
			r := fixture.ResizeOf(ej, 2, 2, 3, v1alpha1.ConditionProposed)
			if test.ended {
				r = fixture.ResizeOf(ej, 2, 2, 3, v1alpha1.ConditionSucceeded)
			}
			o := fixture.Stopped(t, interceptor.Funcs{}, append(wrappedWorkers(job, 3, "2", letInFor2), ej, job, r,
				fixture.Node("node", "8"))...)
			for range 2 { // the second finds nothing to do
				if _, err := o.Attendant.Reconcile(t.Context(), fixture.Request("resnet")); err != nil {
					t.Fatal(err)
				}
			}
			template := fixture.Get(t, o, "resnet", &kubeflow.PyTorchJob{}).Spec.PyTorchReplicaSpecs["Worker"].Template
			if got := template.Annotations[contract.LetInAnnotation]; got != test.want {
				t.Errorf("it lets in those of epoch %q, want %q", got, test.want)
			}
			wrapping.Out(&template)
			if _, left := template.Annotations[contract.LetInAnnotation]; left {
				t.Error("it says so when the agent is gone")
			}
		})
	}
}
