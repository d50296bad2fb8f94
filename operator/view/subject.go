package view

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/elastic"
	"github.com/takt-dev/takt/elastic/resize"
	"github.com/takt-dev/takt/operator/capacity"
	"github.com/takt-dev/takt/operator/kind"
	"github.com/takt-dev/takt/operator/memory"
	"github.com/takt-dev/takt/operator/shorthand"
	"github.com/takt-dev/takt/operator/wrapping"
)

// Subject is an ElasticJob with all that belongs to it, at one moment. What it points to is shared
// with the cache, and not to be changed.
type Subject struct {
	ElasticJob *v1alpha1.ElasticJob
	Kind       kind.Kind     // nil if its kind is not served
	Object     client.Object // nil if there is no such job
	mayHold    string        // the key on it that may be meant to keep its size
	Job        kind.Job
	Pods       []Worker                // in the order of their index
	rest       []*corev1.Pod           // pods of the job that do not train
	replaced   map[types.UID]bool      // those of them that others have come in the place of
	Past       []*v1alpha1.Resize      // in the order of their epoch
	newest     int64                   // epoch of all Resizes of this name, even of an ElasticJob that is gone
	failedAt   time.Time               // when a pod of it last failed; zero if nobody knows of any
	Known      *memory.Job             // nil if there is no job
	Taken      *v1alpha1.ElasticJob    // another that the job belongs to
	queue      *v1alpha1.TrainingQueue // nil if there is none of its name
	Class      v1alpha1.ServiceClass   // what its queue gives jobs that do not say it themselves

	After     []Predecessor                // those of spec.after that have not succeeded
	Succeeded []v1alpha1.PredecessorStatus // those that have, or were seen to
}

// Worker is a pod that trains.
type Worker struct {
	Index resize.Index
	Pod   *corev1.Pod
}

// Active is the Resize that is under way, if there is one.
func (s *Subject) Active() *v1alpha1.Resize {
	for _, r := range s.Past {
		if !r.Over() {
			return r
		}
	}
	return nil
}

// Epoch is one that was never used for the job, as far as anything is left of that: what was last asked of it, a
// record, or a pod.
func (s *Subject) Epoch() int64 {
	used := max(int64(s.Job.Asked.Epoch), s.newest) // a Resize gives way to whatever was asked after it
	believed := max(used, mostEpochs)
	for _, w := range s.Pods {
		if of, err := strconv.ParseInt(w.Pod.Labels[v1alpha1.EpochLabel], 10, 64); err == nil && of <= believed {
			used = max(used, of)
		}
	}
	return used + 1
}

// mostEpochs are more than a job comes to, changed every second for three years. Whoever labels a pod with a greater
// one would leave none for Takt.
const mostEpochs = 100_000_000

// Size is how many workers the job has, as declared.
func (s *Subject) Size() resize.Workers {
	if s.Job.Suspended {
		return 0
	}
	return s.Job.Size
}

// Ends says that a job is at its end, and keeps the workers that it has. A resize under way is taken back first.
func (s *Subject) Ends() bool { return s.Job.AtItsEnd != "" && s.Active() == nil }

// Left is how many workers of a job there still are: of one that is at its end, those that have not finished.
func (s *Subject) Left() resize.Workers {
	if !s.Ends() {
		return s.Size()
	}
	return max(s.Size()-s.Job.Finished, 1)
}

// SuspendedByUser says that the job is stopped, and not by Takt. One that was suspended when it was
// first seen waits to be started.
func (s *Subject) SuspendedByUser() bool {
	if !s.Job.Suspended || s.Job.Asked.Suspended {
		return false
	}
	said := &s.ElasticJob.Status
	return said.SuspendedByUser() || s.Job.Asked.Epoch > 0 || said.NotSuspended()
}

// OfEarlierJob says that an ElasticJob belongs to a job that is gone, of the name of one that is there.
// It goes as well, and what it knows of progress and promises is not that of its successor.
func OfEarlierJob(ej *v1alpha1.ElasticJob, job types.UID) bool {
	earlier := false
	for _, owner := range ej.OwnerReferences {
		if owner.UID == job {
			return false
		}
		earlier = earlier || owner.Kind == ej.Spec.JobRef.Kind && owner.Name == ej.Spec.JobRef.Name
	}
	return earlier
}

// Running are the workers that run and stay.
func (s *Subject) Running() []*corev1.Pod {
	var pods []*corev1.Pod
	for _, w := range s.Pods {
		if w.Pod.Status.Phase == corev1.PodRunning && w.Pod.DeletionTimestamp == nil {
			pods = append(pods, w.Pod)
		}
	}
	return pods
}

// AtBarrier says that a worker that runs is not let in yet, so that the others train without it.
func (s *Subject) AtBarrier() bool { return slices.ContainsFunc(s.Running(), wrapping.Waits) }

// Began is when the first of the workers that run began; zero if none does.
func (s *Subject) Began() time.Time {
	var first time.Time
	for _, pod := range s.Running() {
		if at := pod.Status.StartTime; at != nil && (first.IsZero() || at.Time.Before(first)) {
			first = at.Time
		}
	}
	return first
}

// Holding is how many workers have a node, until they have ended there.
func (s *Subject) Holding() int {
	n := 0
	for _, w := range s.Pods {
		if w.Pod.Spec.NodeName != "" && !HasEnded(w.Pod) {
			n++
		}
	}
	return n
}

// GPUsPerWorker is how many GPUs each worker has: as many as those that have come to nodes, in the mean, or as the
// template says where none has. Whoever changes the template of a job that trains changes none of its pods. A leader
// may have fewer.
func (s *Subject) GPUsPerWorker(o capacity.Options) elastic.GPUs {
	sum, placed := elastic.GPUs(0), elastic.GPUs(0)
	for _, w := range s.Pods {
		leads := resize.Workers(w.Index) < s.Job.Fixed && s.Job.Size > s.Job.Fixed
		if w.Pod.Spec.NodeName != "" && !leads && resize.Workers(w.Index) < s.Job.Size && !HasEnded(w.Pod) {
			sum, placed = sum+capacity.GPUs(&w.Pod.Spec, o), placed+1
		}
	}
	if placed == 0 {
		return capacity.GPUs(&s.Job.Worker.Spec, o)
	}
	return max((sum+placed-1)/placed, 1)
}

// GPUs is how many GPUs so many of its workers have.
func (s *Subject) GPUs(workers elastic.Workers, o capacity.Options) elastic.GPUs {
	return elastic.Job{GPUsPerWorker: s.GPUsPerWorker(o), Leaders: s.Leaders(o)}.GPUs(workers)
}

// Leads says of a worker that it is one of those that take no GPU.
func (s *Subject) Leads(w Worker, o capacity.Options) bool {
	return elastic.Workers(w.Index) < s.Leaders(o)
}

// Using is how many workers hold GPUs: of those that have a node, the ones that take some.
func (s *Subject) Using(o capacity.Options) (n elastic.Workers) {
	for _, w := range s.Pods {
		if w.Pod.Spec.NodeName != "" && !HasEnded(w.Pod) && !s.Leads(w, o) {
			n++
		}
	}
	return n
}

// Leaders is how many of its workers take no GPU: its leader, where it asks for none.
func (s *Subject) Leaders(o capacity.Options) elastic.Workers {
	if s.Job.Leader == nil || s.Job.Size <= s.Job.Fixed || capacity.GPUs(&s.Job.Leader.Spec, o) > 0 {
		return 0
	}
	if s.Ends() { // until all have ended, somebody has its GPUs
		return elastic.Workers(min(s.Job.Fixed, s.Left()-1))
	}
	return elastic.Workers(s.Job.Fixed)
}

// Deadline is the moment that the job is held to: its own, or that of its queue; false for a best-effort job. Whatever
// has become of the queue since, a promise stands, and what was said of the end.
func (s *Subject) Deadline() (time.Time, bool) {
	spec, st, created := s.ElasticJob.Spec, &s.ElasticJob.Status, s.ElasticJob.CreationTimestamp
	if at, err := spec.Deadline.Time(); err == nil {
		return at, true
	}
	if after, err := spec.DeadlineAfter.Duration(); err == nil {
		return created.Add(after), true
	}
	if s.DeadlineStands() {
		at, err := st.Deadline.Time()
		return at, err == nil
	}
	if after, err := s.Class.DeadlineAfter.Duration(); err == nil {
		since, kept := shorthand.Since(s.Job.UID, s.Job.Labels[shorthand.QueueLabel], s.Job.Annotations)
		if !kept || since.After(created.Time) || s.ElasticJob.Labels[shorthand.MadeLabel] == "" {
			since = created.Time
		}
		return since.Add(after), true
	}
	return time.Time{}, false
}

// DeadlineStands says of a deadline that is not the job's own that it is what was said of it last, whatever its queue
// gives its jobs by now.
func (s *Subject) DeadlineStands() bool {
	st := &s.ElasticJob.Status
	return st.Over() || st.DeadlineQueue != "" && st.Promised != ""
}

// IsPromised says whether the owner of the job was told that a deadline is promised: this one, or an earlier one. That
// stands while the job cannot be planned for, such as while its queue is deleted and made anew, and until a plan says
// otherwise.
func (s *Subject) IsPromised(deadline time.Time) bool {
	st := &s.ElasticJob.Status
	c := meta.FindStatusCondition(st.Conditions, v1alpha1.ConditionAdmitted)
	aside := c != nil && (c.Reason == memory.ReasonQuota || c.Reason == memory.ReasonNoNode) // it is not planned for
	if c == nil || c.Reason != ReasonPromised && !aside && (c.Status == metav1.ConditionTrue || OfPlan(c.Reason)) {
		return false
	}
	was, err := st.Promised.Time()
	if err != nil {
		return c.Reason == ReasonPromised
	}
	return !deadline.Before(was)
}

// HasOwnDeadline says that somebody has given the job a deadline, and not its queue.
func (s *Subject) HasOwnDeadline() bool {
	return s.ElasticJob.Spec.Deadline != "" || s.ElasticJob.Spec.DeadlineAfter != ""
}

// OnlyPromised says that the job is to start with a promise only, if it has a deadline: by its own word, or its
// queue's.
func (s *Subject) OnlyPromised() bool {
	return cmp.Or(s.ElasticJob.Spec.Guarantee, s.Class.Guarantee) == v1alpha1.GuaranteePromise
}

// RunName is how a run of a job is called in profiles.
func RunName(ej *v1alpha1.ElasticJob, job types.UID) string {
	return fmt.Sprintf("%s-%.8s", ej.Name, job)
}

// Tried says that the job was stopped since it began, or could not start.
func (s *Subject) Tried() bool {
	return slices.ContainsFunc(s.Past, func(r *v1alpha1.Resize) bool {
		end := r.Ending()
		return end != nil && (r.Spec.To == 0 || r.Spec.From == 0 && end.Type != v1alpha1.ConditionSucceeded)
	})
}

// NamedBy says that pods are made with the epoch of a Resize: the scheduler waits for one that is not there.
func NamedBy(template *corev1.PodTemplateSpec, r *v1alpha1.Resize) bool {
	return template != nil && template.Labels[v1alpha1.EpochLabel] == strconv.FormatInt(r.Spec.Epoch, 10)
}
