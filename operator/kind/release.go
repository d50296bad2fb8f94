package kind

import (
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/takt-dev/takt/elastic/resize"
	"github.com/takt-dev/takt/operator/kind/written"
	"github.com/takt-dev/takt/operator/wrapping"
)

// Release is how Takt lets go of a job.
type Release struct {
	At time.Time
	// Without are annotations of the job that go as well.
	Without []string
	// Resume has it run, whoever has suspended it.
	Resume bool
	// Scheduler is one that goes as well. Templates that name it, and can be changed, name none any more.
	Scheduler string
	// SuspendedByUser leaves a job suspended that StoppedByTakt cannot tell from one that Takt keeps from starting.
	SuspendedByUser bool
}

// StoppedByTakt says that the job would run, had Takt not stopped it, or kept it from starting. A job that was
// held when it was created, and that somebody has resumed and suspended since, looks the same: the status of its
// ElasticJob tells them apart.
func (j Job) StoppedByTakt() bool {
	return j.Suspended && (j.Asked.Suspended || j.Asked.Epoch == 0 && j.Held)
}

// ScaledByOthers says that the job has another size than Takt has asked it for.
func (j Job) ScaledByOthers() bool { return j.Asked.Epoch > 0 && j.Size != j.Asked.Workers }

// Resumes says whether the job runs again once Takt lets go of it.
func (j Job) Resumes(r Release) bool {
	return j.StoppedByTakt() && !r.SuspendedByUser || r.Resume && j.Suspended
}

// LetGo writes what goes with a job that Takt lets go of, apart from its templates, and returns the size that it is to
// have. A job that runs again and was on its way from one size to another has the one that it was to come back at, or
// that somebody has given it since. The patch stays empty if there is nothing to change.
func (t Tree) LetGo(meta *metav1.ObjectMeta, j Job, r Release) (size resize.Workers, err error) {
	if meta.UID == "" || meta.ResourceVersion == "" {
		return 0, errNotRead
	}
	size = j.Size
	if j.Resumes(r) {
		ask := j.Asked
		ask.Suspended, ask.At = false, r.At
		switch {
		case j.ScaledByOthers():
			ask.Workers = j.Size
		case j.ReturnsTo > j.Fixed:
			ask.Workers, size = j.ReturnsTo, j.ReturnsTo
		}
		if ask.Epoch > 0 {
			text, err := written.EncodeAsk(meta.UID, ask,
				written.Before{Size: j.Written, Suspended: j.SubmittedSuspended})
			if err != nil {
				return 0, err
			}
			t.At("metadata", "annotations")[AskAnnotation] = text
		}
	}
	for _, key := range append([]string{ReturnsAnnotation, HeldAnnotation, PinnedAnnotation, LastCallAnnotation,
		wrapping.FaultAnnotation}, r.Without...) {
		if _, there := meta.Annotations[key]; there {
			t.At("metadata", "annotations")[key] = nil
		}
	}
	return size, nil
}

// Unscheduled takes from a template the name of the scheduler that goes, if it has that.
func (t Tree) Unscheduled(r Release, template *corev1.PodTemplateSpec, path ...string) {
	if r.Scheduler != "" && template.Spec.SchedulerName == r.Scheduler {
		t.At(path...).At("spec")["schedulerName"] = nil
	}
}

// Guard has the patch refused for any other job than the one that was read. An empty one stays so, as nil.
func (t Tree) Guard(meta *metav1.ObjectMeta) ([]byte, error) {
	if len(t) == 0 {
		return nil, nil
	}
	t.At("metadata")["uid"], t.At("metadata")["resourceVersion"] = meta.UID, meta.ResourceVersion
	return t.Bytes()
}
