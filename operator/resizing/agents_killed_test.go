package resizing_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	kubeflow "github.com/kubeflow/training-operator/pkg/apis/kubeflow.org/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/interceptor"

	"github.com/takt-dev/takt/agent/contract"
	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/e2e/lib/extent"
	"github.com/takt-dev/takt/operator/fixture"
	"github.com/takt-dev/takt/operator/hearing"
	"github.com/takt-dev/takt/operator/progress"
	"github.com/takt-dev/takt/operator/rooms"
	"github.com/takt-dev/takt/operator/wrapping"
)

// tick is how long it takes from one look at a resize to the next.
const tick = 4 * time.Second

// errDied is what a process would see of its writes after it has ended.
var errDied = errors.New("the process has ended")

// wrappedJob is an operator with such a job, its controller and its agents. The process ends right after one of its
// writes, and another begins.
type wrappedJob struct {
	*testing.T
	*rooms.Rooms
	now  time.Time
	kill int // the number of the write after which the process ends

	mutex  sync.Mutex
	writes int // made so far
	dead   bool

	made  int
	wrong []string
}

func newWrappedJob(t *testing.T, kill int) *wrappedJob {
	m := &wrappedJob{T: t, now: fixture.Start, kill: kill}
	write := func(do func() error) error {
		m.mutex.Lock()
		defer m.mutex.Unlock()
		if m.dead {
			return errDied
		}
		err := do()
		if m.writes++; m.writes == m.kill {
			m.dead = true
			return errDied
		}
		return err
	}
	m.Rooms = fixture.Stopped(t, interceptor.Funcs{
		Patch: func(ctx context.Context, c client.WithWatch, o client.Object, p client.Patch,
			options ...client.PatchOption) error {
			return write(func() error { return c.Patch(ctx, o, p, options...) })
		},
		SubResourcePatch: func(ctx context.Context, c client.Client, sub string, o client.Object, p client.Patch,
			options ...client.SubResourcePatchOption) error {
			return write(func() error { return c.SubResource(sub).Patch(ctx, o, p, options...) })
		},
	}, fixture.Node("node", "8"), fixture.ElasticJob("resnet"),
		fixture.PyTorchJob("resnet", 2, withCommand, fixture.SuspendedAtFirst))
	m.begin()
	return m
}

// begin begins another process.
func (m *wrappedJob) begin() {
	m.dead, m.Now = false, func() time.Time { return m.now }
	m.Rooms = fixture.Afresh(m.Rooms)
	m.Settings.Agent.Image = agentImage
	m.Agents = &hearing.Agents{Now: m.Now, Ask: func(_ context.Context, pod *corev1.Pod) (progress.Word, error) {
		live := &corev1.Pod{}
		if err := m.Client.Get(context.WithoutCancel(m.Context()), client.ObjectKeyFromObject(pod), live); err != nil {
			return progress.Word{}, err
		}
		_, marked := live.Annotations[contract.DrainingAnnotation]
		return progress.Word{Drains: marked}, nil
	}}
	m.Furnish()
	m.Resizer.Again = func(types.NamespacedName) {}
}

// workers are the pods that there are, by their index.
func (m *wrappedJob) workers() map[int]*corev1.Pod {
	var pods corev1.PodList
	if err := m.Client.List(m.Context(), &pods); err != nil {
		m.Fatal(err)
	}
	found := map[int]*corev1.Pod{}
	for i := range pods.Items {
		var index int
		if _, err := fmt.Sscan(pods.Items[i].Labels[kubeflow.ReplicaIndexLabel], &index); err != nil {
			m.Fatal(err)
		}
		found[index] = &pods.Items[i]
	}
	return found
}

// control does what training-operator and the kubelet do: it makes the pods that are missing, starts each a little
// later than the one before, and removes those that are too many.
func (m *wrappedJob) control() {
	job := fixture.Get(m.T, m.Rooms, "resnet", &kubeflow.PyTorchJob{})
	spec := job.Spec.PyTorchReplicaSpecs["Worker"]
	size := int(*spec.Replicas)
	if *job.Spec.RunPolicy.Suspend {
		size = 0
	}
	there := m.workers()
	for i, pod := range there {
		switch {
		case i >= size:
			if _, marked := pod.Annotations[contract.DrainingAnnotation]; !marked {
				m.wrong = append(m.wrong, fmt.Sprintf("worker-%d goes and was not told", i))
			}
			m.must(m.Client.Delete(m.Context(), pod))
		case pod.Status.Phase == corev1.PodPending && m.now.Sub(pod.CreationTimestamp.Time) >= time.Duration(i+1)*tick:
			pod.Status.Phase = corev1.PodRunning
			m.must(m.Client.Status().Update(m.Context(), pod))
		}
	}
	for i := range size {
		if there[i] == nil {
			m.made++
			pod := fixture.Worker0(job, "node")
			pod.Name, pod.UID = fmt.Sprintf("resnet-worker-%d", i), types.UID(fmt.Sprintf("pod-%d", m.made))
			maps.Copy(pod.Labels, spec.Template.Labels)
			pod.Annotations = maps.Clone(spec.Template.Annotations)
			pod.Labels[kubeflow.ReplicaIndexLabel], pod.CreationTimestamp = fmt.Sprint(i), metav1.NewTime(m.now)
			pod.Status = corev1.PodStatus{Phase: corev1.PodPending, StartTime: &metav1.Time{Time: m.now}}
			m.must(m.Client.Create(m.Context(), pod))
		}
	}
}

func (m *wrappedJob) must(err error) {
	m.Helper()
	if err != nil {
		m.Fatal(err)
	}
}

// gathered notes a pod that is let in while another of its gang has not come to the barrier.
func (m *wrappedJob) gathered() {
	pods := m.workers()
	for i, pod := range pods {
		if !wrapping.Within(pod) || wrapping.Waits(pod) {
			continue
		}
		for j, other := range pods {
			if other.Labels[v1alpha1.EpochLabel] == pod.Labels[v1alpha1.EpochLabel] && other.Status.Phase == corev1.PodPending {
				m.wrong = append(m.wrong, fmt.Sprintf("worker-%d is let in before worker-%d is there", i, j))
			}
		}
	}
}

// resize plays a Resize to its end, and what comes after it.
func (m *wrappedJob) resize(epoch int64, from, to int32) {
	r := fixture.ResizeOf(fixture.Get(m.T, m.Rooms, "resnet", &v1alpha1.ElasticJob{}), epoch, from, to)
	r.CreationTimestamp = metav1.NewTime(m.now)
	m.must(m.Client.Create(m.Context(), r))
	for range 60 {
		over := fixture.Get(m.T, m.Rooms, r.Name, &v1alpha1.Resize{}).Over()
		var err error
		if over {
			_, err = m.Attendant.Reconcile(m.Context(), fixture.Request("resnet"))
		} else {
			_, err = m.Resizer.Reconcile(m.Context(), fixture.Request(r.Name))
		}
		if err != nil && !errors.Is(err, errDied) {
			m.Fatal(err)
		}
		synctest.Wait()
		if m.dead {
			m.begin()
			continue
		}
		if over {
			break
		}
		m.gathered()
		m.control()
		m.now = m.now.Add(tick)
	}
	if end := fixture.Get(m.T, m.Rooms, r.Name, &v1alpha1.Resize{}).Ending(); end == nil ||
		end.Type != v1alpha1.ConditionSucceeded {
		m.wrong = append(m.wrong, fmt.Sprintf("the change from %d to %d ends as %+v", from, to, end))
	}
}

// Whenever its operator dies, a job with the agent starts, grows and shrinks: nobody is let in before all are there,
// nobody goes who was not told, and in the end all train that are left.
func TestAJobWithTheAgentOutlivesItsOperators(t *testing.T) {
	last := 40
	var kills []int
	for kill := range last {
		kills = append(kills, kill+1)
	}
	for _, kill := range append([]int{0}, extent.Some(t, kills, 6)...) {
		t.Run(fmt.Sprint("write ", kill), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				m := newWrappedJob(t, kill)
				m.resize(1, 0, 2)
				m.resize(2, 2, 4)
				m.resize(3, 4, 3)
				pods := m.workers()
				for i, pod := range pods {
					if _, marked := pod.Annotations[contract.DrainingAnnotation]; marked || wrapping.Waits(pod) {
						m.wrong = append(m.wrong, fmt.Sprintf("worker-%d does not train in the end: %v", i, pod.Annotations))
					}
				}
				template := fixture.Get(t, m.Rooms, "resnet", &kubeflow.PyTorchJob{}).Spec.PyTorchReplicaSpecs["Worker"].Template
				if got := strings.Join(template.Spec.Containers[0].Command, " "); len(pods) != 3 ||
					got != "/takt/agent exec -- torchrun train.py" {
					m.wrong = append(m.wrong, fmt.Sprintf("in the end %d workers run %q", len(pods), got))
				}
				if template.Annotations[contract.LetInAnnotation] != "3" {
					m.wrong = append(m.wrong, "in the end who replaces a worker is not let in")
				}
				for _, wrong := range m.wrong {
					t.Error(wrong)
				}
				if kill == 0 && (m.writes < 10 || m.writes > last) {
					t.Errorf("there are %d writes", m.writes)
				}
			})
		})
	}
}
