package indexedjob

import (
	"encoding/json"
	"fmt"
	"strconv"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/elastic"
	"github.com/takt-dev/takt/elastic/resize"
	"github.com/takt-dev/takt/operator/kind"
	"github.com/takt-dev/takt/operator/kind/written"
)

// SizeAnnotation is on the template of a Job, and so on its pods: how many workers it was started with. A script that
// has to know reads it through the downward API.
const SizeAnnotation = "takt.dev/size"

// template is where the template of a Job is.
var template = []string{"spec", "template"}

// Patch asks the Job for a size. A start marks the template. While the Job runs nobody can change that: what belongs
// together is written on the Job, and Marks has it for each pod.
func (job) Patch(object client.Object, ask resize.Ask, to kind.Target) ([]byte, error) {
	b, err := typed(object)
	if err != nil {
		return nil, err
	}
	if ask.Workers < 1 {
		return nil, fmt.Errorf("ask Job %s for %s: it must be at least 1", b.Name, elastic.CountOf(ask.Workers, "worker"))
	}
	t, err := asking(b, ask, to)
	if err != nil {
		return nil, fmt.Errorf("ask Job %s for %s: %w", b.Name, elastic.CountOf(ask.Workers, "worker"), err)
	}
	return t.Bytes()
}

func asking(b *batchv1.Job, ask resize.Ask, to kind.Target) (kind.Tree, error) {
	t, err := kind.Asking(&b.ObjectMeta, ask, to, size(b), suspended(b))
	if err != nil {
		return nil, err
	}
	spec := t.At("spec")
	spec["suspend"], spec["parallelism"], spec["completions"] = ask.Suspended, ask.Workers, ask.Workers
	starts, there := suspended(b) && !ask.Suspended, size(b)
	if starts {
		there = 0
	}
	gang, err := kind.Gang(b.UID, ask, there, true)
	if err != nil {
		return nil, err
	}
	notes := t.At("metadata", "annotations")
	if _, noted := b.Annotations[v1alpha1.GangAnnotation]; noted {
		notes[v1alpha1.GangAnnotation] = nil
	}
	switch can, err := canMark(b); {
	case !starts && gang != "":
		notes[v1alpha1.GangAnnotation] = gang
	case starts && err != nil:
		return nil, err
	case starts && can:
		t.Mark(ask, to, kind.Pods{Role: v1alpha1.RoleWorker, NumberedBy: batchv1.JobCompletionIndexAnnotation, Gang: gang},
			template...)
		t.At(template...).At("metadata", "annotations")[SizeAnnotation] = strconv.Itoa(int(ask.Workers))
		return t, t.Pin(&b.ObjectMeta, to, starts, kind.Template{Path: template, Is: &b.Spec.Template})
	}
	return t, nil
}

// canMark says whether the API server lets the template of a suspended Job be marked. It does before the first start,
// and, from Kubernetes 1.36 on, whenever the Job has come to rest; until then it is asked again.
func canMark(b *batchv1.Job) (bool, error) {
	rests := condition(b, batchv1.JobSuspended) != nil
	switch {
	case b.Status.Active > 0, b.Status.StartTime != nil && !rests:
		return false, kind.ErrNotYet
	default:
		return b.Status.StartTime == nil, nil
	}
}

// Marks are for pods that the gang on the template says nothing of: those that have come to a Job that ran already.
// They have the epoch of what was last asked, as if the template had it. Their numbers are above those of that gang, or
// among those that this ask has brought about.
func (job) Marks(object client.Object, pod *corev1.Pod) ([]byte, error) {
	b, err := typed(object)
	if err != nil {
		return nil, err
	}
	index, numbered := job{}.Index(pod, 0)
	asked := written.DecodeAsk(b.UID, b.Annotations[kind.AskAnnotation])
	epoch, marked := pod.Labels[v1alpha1.EpochLabel]
	if of := strconv.Itoa(int(asked.Epoch)); !numbered || !marked || asked.Epoch == 0 || epoch == of {
		return nil, nil
	}
	started, late := gangOf(b.Spec.Template.Annotations), gangOf(b.Annotations)
	comes := late.Epoch == int64(asked.Epoch) && late.Job == b.UID && int32(index) >= late.First
	if pod.Spec.NodeName != "" || !comes && int32(index) < started.First+started.Pods {
		return nil, nil
	}
	t := kind.Tree{}
	metadata := t.At("metadata")
	metadata["uid"] = pod.UID
	metadata.At("labels")[v1alpha1.EpochLabel] = strconv.Itoa(int(asked.Epoch))
	if comes {
		metadata.At("annotations")[v1alpha1.GangAnnotation] = b.Annotations[v1alpha1.GangAnnotation]
	}
	return t.Bytes()
}

// gangOf reads the gang in annotations; one of no pods, if there is none.
func gangOf(annotations map[string]string) (gang v1alpha1.Gang) {
	if json.Unmarshal([]byte(annotations[v1alpha1.GangAnnotation]), &gang) != nil {
		return v1alpha1.Gang{}
	}
	return gang
}

// Release lets go of a Job. The template keeps what a start has marked it with, unless it can be changed: a Job that
// runs on is marked until it ends, which costs a pod that takes the place of another a minute in takt-scheduler.
func (k job) Release(object client.Object, r kind.Release) ([]byte, error) {
	b, err := typed(object)
	if err != nil {
		return nil, err
	}
	t, j := kind.Tree{}, k.Read(b)
	workers, err := t.LetGo(&b.ObjectMeta, j, r)
	if err != nil {
		return nil, err
	}
	if suspended(b) {
		if err := unmark(t, b, workers, j.Resumes(r)); err != nil {
			return nil, err
		}
	}
	if _, noted := b.Annotations[v1alpha1.GangAnnotation]; noted {
		t.At("metadata", "annotations")[v1alpha1.GangAnnotation] = nil
	}
	if j.Resumes(r) {
		t.At("spec")["suspend"] = false
	}
	if workers != j.Size {
		t.At("spec")["parallelism"], t.At("spec")["completions"] = workers, workers
	}
	return t.Guard(&b.ObjectMeta)
}

// unmark takes from the template what Takt has written there, if that can be done now, and has to be.
func unmark(t kind.Tree, b *batchv1.Job, workers resize.Workers, resumes bool) error {
	can, err := canMark(b)
	if err != nil && resumes {
		return err
	}
	if !can || err != nil {
		return nil //nolint:nilerr // it runs on as it is, whatever its template says
	}
	t.Unmark(&b.ObjectMeta, &b.Spec.Template, template...)
	was := b.Spec.Template.Annotations[SizeAnnotation]
	if is := strconv.Itoa(int(workers)); was != "" && was != is {
		t.At(template...).At("metadata", "annotations")[SizeAnnotation] = is
	}
	return nil
}
