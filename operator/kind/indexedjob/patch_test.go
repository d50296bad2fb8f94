package indexedjob

import (
	"errors"
	"testing"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/elastic/resize"
	"github.com/takt-dev/takt/operator/kind"
	"github.com/takt-dev/takt/operator/kind/written"
)

const started = `{"epoch":7,"stage":"Forward","first":0,"pods":2,"job":"u-1","late":true}`

func TestAStartMarksTheTemplate(t *testing.T) {
	b := running(rests)
	after := resized(t, b, forward(2))
	want := b.DeepCopy()
	want.Annotations[kind.AskAnnotation], _ = written.EncodeAsk("u-1", forward(2),
		written.Before{Size: 2, Suspended: true})
	want.Spec.Suspend = new(false)
	want.Spec.Template.Labels = map[string]string{
		"app": "training", v1alpha1.EpochLabel: "7", v1alpha1.ElasticJobLabel: "bert", v1alpha1.RoleLabel: "worker",
	}
	want.Spec.Template.Annotations = map[string]string{
		v1alpha1.GangAnnotation: started, v1alpha1.NumberedByAnnotation: "batch.kubernetes.io/job-completion-index",
		SizeAnnotation: "2",
	}
	same(t, want, after)
	same(t, forward(2), job{}.Read(after).Asked)
}

// The API server refuses any other change of a Job that runs.
func TestAResizeOfAJobThatRunsLeavesItsTemplateAlone(t *testing.T) {
	for _, size := range []resize.Workers{1, 4} {
		b := running()
		after := resized(t, b, forward(size))
		same(t, b.Spec.Template, after.Spec.Template)
		same(t, int32(size), *after.Spec.Parallelism)
		same(t, int32(size), *after.Spec.Completions)
	}
	stop := resize.Ask{Epoch: 7, Stage: resize.Forward, Workers: 4, Suspended: true, At: asked}
	after := resized(t, running(), stop)
	same(t, running().Spec.Template, after.Spec.Template)
	same(t, true, *after.Spec.Suspend)
}

func TestAStartWaitsUntilTheJobHasComeToRest(t *testing.T) {
	for name, c := range map[string]struct {
		status batchv1.JobStatus
		want   error
		marks  bool
	}{
		"never started":  {batchv1.JobStatus{}, nil, true},
		"just suspended": {batchv1.JobStatus{StartTime: new(metav1.NewTime(created))}, kind.ErrNotYet, false},
		"with pods":      {batchv1.JobStatus{Active: 1}, kind.ErrNotYet, false},
		"before Kubernetes 1.36": {batchv1.JobStatus{StartTime: new(metav1.NewTime(created)),
			Conditions: []batchv1.JobCondition{{Type: batchv1.JobSuspended, Status: corev1.ConditionTrue}}}, nil, false},
	} {
		t.Run(name, func(t *testing.T) {
			b := running(rests, func(b *batchv1.Job) { b.Status = c.status })
			patch, err := job{}.Patch(b, forward(2), target)
			if !errors.Is(err, c.want) {
				t.Fatalf("%v, want %v", err, c.want)
			}
			if err == nil {
				after := patched(t, b, &batchv1.Job{}, patch)
				same(t, c.marks, after.Spec.Template.Labels[v1alpha1.EpochLabel] != "")
			}
		})
	}
}

func TestPodsThatComeLaterAreMarkedOneByOne(t *testing.T) {
	grow := resize.Ask{Epoch: 8, Stage: resize.Forward, Workers: 4, At: asked}
	b := resized(t, running(rests), forward(2))
	b.Status = running().Status
	grown := resized(t, b, grow)
	const late = `{"epoch":8,"stage":"Forward","first":2,"pods":2,"job":"u-1","late":true}`
	same(t, late, grown.Annotations[v1alpha1.GangAnnotation])
	shrunk := resized(t, grown, resize.Ask{Epoch: 9, Stage: resize.Forward, Workers: 3, At: asked})
	regrown := resized(t, resized(t, b, resize.Ask{Epoch: 9, Stage: resize.Forward, Workers: 1, At: asked}),
		resize.Ask{Epoch: 10, Stage: resize.Forward, Workers: 2, At: asked})
	const again = `{"epoch":10,"stage":"Forward","first":1,"pods":1,"job":"u-1","late":true}`
	pod := func(index, node string, of *batchv1.Job) *corev1.Pod {
		p := &corev1.Pod{ObjectMeta: *of.Spec.Template.ObjectMeta.DeepCopy(), Spec: corev1.PodSpec{NodeName: node}}
		p.Labels[batchv1.JobNameLabel], p.Labels[batchv1.JobCompletionIndexAnnotation] = "bert", index
		return p
	}
	for name, c := range map[string]struct {
		job         *batchv1.Job
		index, node string
		epoch, gang string // "" leaves the pod as it is
	}{
		"the first that it was started with": {grown, "0", "", "", ""},
		"the last of them, made anew":        {grown, "1", "", "", ""},
		"the first that has come":            {grown, "2", "", "8", late},
		"the last that has come":             {grown, "3", "", "8", late},
		"one that is placed":                 {grown, "3", "node", "", ""},
		"one made anew after a shrink":       {shrunk, "2", "", "9", started},
		"one that comes back":                {regrown, "1", "", "10", again},
		"one that had not gone":              {regrown, "0", "", "", ""},
		"of a Job that was never marked":     {resized(t, running(), grow), "3", "", "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			p := pod(c.index, c.node, c.job)
			patch, err := job{}.Marks(c.job, p)
			if err != nil {
				t.Fatal(err)
			}
			if c.epoch == "" {
				if patch != nil {
					t.Errorf("It is marked: %s", patch)
				}
				return
			}
			after := patched(t, p, &corev1.Pod{}, patch)
			same(t, c.epoch, after.Labels[v1alpha1.EpochLabel])
			same(t, c.gang, after.Annotations[v1alpha1.GangAnnotation])
			if again, err := (job{}).Marks(c.job, after); again != nil || err != nil {
				t.Errorf("It is marked again: %s, %v", again, err)
			}
		})
	}
}

func TestAJobThatIsLetGoOf(t *testing.T) {
	stop := func(workers resize.Workers) resize.Ask {
		return resize.Ask{Epoch: 8, Stage: resize.Forward, Workers: workers, Suspended: true, At: asked}
	}
	runs := resized(t, running(rests), forward(2))
	runs.Status = running().Status
	stopped := resized(t, runs, stop(4))
	stopped.Status = running(rests).Status
	for name, c := range map[string]struct {
		job       *batchv1.Job
		suspended bool
		marked    bool
		workers   int32
	}{
		"runs: its template has to stay": {runs, false, true, 2},
		"stopped":                        {stopped, false, false, 4},
		"suspended by its user":          {running(rests), true, false, 2},
	} {
		t.Run(name, func(t *testing.T) {
			patch, err := job{}.Release(c.job, kind.Release{At: ended})
			if err != nil {
				t.Fatal(err)
			}
			free := c.job
			if patch != nil {
				free = patched(t, c.job, &batchv1.Job{}, patch)
			}
			same(t, c.suspended, suspended(free))
			same(t, c.workers, *free.Spec.Parallelism)
			same(t, c.workers, *free.Spec.Completions)
			same(t, c.marked, free.Spec.Template.Labels[v1alpha1.EpochLabel] != "")
			if size := free.Spec.Template.Annotations[SizeAnnotation]; size != "" && c.marked == false {
				same(t, "4", size)
			}
			if again, err := (job{}).Release(free, kind.Release{At: ended}); again != nil || err != nil {
				t.Errorf("once more: %s, %v", again, err)
			}
		})
	}
	hasty := resized(t, runs, stop(2))
	if _, err := (job{}).Release(hasty, kind.Release{At: ended}); !errors.Is(err, kind.ErrNotYet) {
		t.Errorf("It is let go of before it rests: %v", err)
	}
}
