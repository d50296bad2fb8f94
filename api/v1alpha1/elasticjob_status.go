package v1alpha1

import (
	"time"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Conditions of an ElasticJob. All are positive: True is the good or the
// named state.
const (
	// ConditionAdmitted is True once the job may run: its queue takes it, and
	// its deadline is promised or it needs no promise.
	ConditionAdmitted = "Admitted"
	// ConditionRunning is True while the job has running workers. Its reason is
	// WorkersCannotRun while one of them cannot run until that is mended, whether
	// or not others do.
	ConditionRunning = "Running"
	// ConditionResizing is True while a Resize of the job is under way.
	ConditionResizing = "Resizing"
	// ConditionOnTrack is True while the job is expected to meet its deadline.
	ConditionOnTrack = "OnTrack"
	// ConditionSuspended is True while the job is stopped and keeps no GPU.
	ConditionSuspended = "Suspended"
	// ReasonSuspendedByUser is that of ConditionSuspended where it is not Takt that
	// has stopped the job.
	ReasonSuspendedByUser = "SuspendedByUser"
	// ReasonNotSuspended is that of ConditionSuspended where the job was seen, and
	// was not suspended.
	ReasonNotSuspended = "NotSuspended"
	// ConditionSucceeded is True once the job has finished its work. On a
	// Resize: the job trains at its new size.
	ConditionSucceeded = "Succeeded"
	// ConditionFailed is True once the job has failed. On a Resize: it could be
	// neither finished nor rolled back.
	ConditionFailed = "Failed"
)

// Verdict is the answer to "will it be finished in time?".
//
// +kubebuilder:validation:Enum=Estimating;OnTrack;AtRisk;Infeasible;Met;Missed;BestEffort;LeftAlone
type Verdict string

const (
	// VerdictEstimating means that too little has been seen of the job to
	// predict it.
	VerdictEstimating Verdict = "Estimating"
	// VerdictOnTrack means that even the pessimistic estimate is before the
	// deadline.
	VerdictOnTrack Verdict = "OnTrack"
	// VerdictAtRisk means that the pessimistic estimate is past the deadline.
	VerdictAtRisk Verdict = "AtRisk"
	// VerdictInfeasible means that no size that the job may have would do.
	VerdictInfeasible Verdict = "Infeasible"
	// VerdictMet means that the job finished in time.
	VerdictMet Verdict = "Met"
	// VerdictMissed means that the deadline passed before the job was finished.
	VerdictMissed Verdict = "Missed"
	// VerdictBestEffort means that the job has no deadline to be judged by.
	VerdictBestEffort Verdict = "BestEffort"
	// VerdictLeftAlone means that Takt does nothing with the job, with a deadline
	// or without; message says what to change.
	VerdictLeftAlone Verdict = "LeftAlone"
)

// ElasticJobStatus is what Takt has observed of a job and expects of it.
type ElasticJobStatus struct {
	// observedGeneration is the generation of the spec that this status answers.
	// +optional
	ObservedGeneration int64 `json:"observedGeneration,omitempty"`

	// conditions are Admitted, Running, Resizing, OnTrack, Suspended, Succeeded
	// and Failed.
	// +optional
	// +listType=map
	// +listMapKey=type
	// +patchStrategy=merge
	// +patchMergeKey=type
	Conditions []metav1.Condition `json:"conditions,omitempty" patchStrategy:"merge" patchMergeKey:"type"`

	// verdict says whether the job will be finished in time: Estimating,
	// OnTrack, AtRisk, Infeasible, Met, Missed, BestEffort or LeftAlone.
	// +optional
	Verdict Verdict `json:"verdict,omitempty"`

	// message is the verdict in a sentence, with what would change it.
	// +optional
	// +kubebuilder:validation:MaxLength=1024
	Message string `json:"message,omitempty"`

	// deadline is the moment that the job is held to: spec.deadline, or the
	// creation of this object plus spec.deadlineAfter or what its queue gives.
	// +optional
	Deadline Time `json:"deadline,omitempty"`

	// deadlineQueue is the TrainingQueue that gives the job its deadline, if it
	// has none of its own.
	// +optional
	// +kubebuilder:validation:MaxLength=63
	DeadlineQueue string `json:"deadlineQueue,omitempty"`

	// promised is the deadline that was promised, if one was. A later one is
	// promised as well; to bring it forward asks for another promise.
	// +optional
	Promised Time `json:"promised,omitempty"`

	// pool is the kind of GPUs that the job has, or is planned to have.
	// +optional
	// +kubebuilder:validation:MaxLength=1024
	Pool string `json:"pool,omitempty"`

	// after are those of spec.after that were seen to succeed. They count, though
	// they may be gone since, until the job ends or does not wait for them.
	// +optional
	// +listType=map
	// +listMapKey=name
	// +kubebuilder:validation:MaxItems=16
	After []PredecessorStatus `json:"after,omitempty"`

	// workers is the size of the job, now and as decided.
	// +optional
	Workers WorkerStatus `json:"workers,omitzero"`

	// progress is how much of the job is done, and how that is known.
	// +optional
	Progress ProgressStatus `json:"progress,omitzero"`

	// prediction is when the job will be finished: as it is planned, or at the
	// size that it has where that is sooner.
	// +optional
	Prediction PredictionStatus `json:"prediction,omitzero"`

	// cost is what the GPUs of the job cost, in the currency of the prices in the
	// settings of the operator. It is absent unless all of them have a price.
	// +optional
	Cost CostStatus `json:"cost,omitzero"`

	// summary is the same in words, for the columns of kubectl get. Programs
	// should read the fields beside it.
	// +optional
	Summary ElasticJobSummary `json:"summary,omitzero"`

	// memory is what Takt goes on from when it is started anew: what the job
	// counts, how fast it was, how it pauses, how often it reports, and what was
	// planned for it. It is Takt's own, and its form may change; the profile says
	// what was learned.
	// +optional
	// +kubebuilder:validation:MaxLength=8192
	Memory string `json:"memory,omitempty"`
}

// PredecessorStatus is a job that was seen to succeed.
type PredecessorStatus struct {
	// name is that of its ElasticJob.
	// +required
	// +kubebuilder:validation:MaxLength=63
	Name string `json:"name"`
	// succeededAt is when it did.
	// +optional
	SucceededAt Time `json:"succeededAt,omitempty"`
}

// WorkerStatus is the size of a job in workers.
type WorkerStatus struct {
	// running is how many workers train at present.
	// +optional
	Running int32 `json:"running"`
	// desired is how many workers the job should have, as last decided.
	// +optional
	Desired int32 `json:"desired"`
	// min is the smallest size the job may have, from the spec or from the job
	// itself.
	// +optional
	Min int32 `json:"min"`
	// max is the greatest size the job may have, from the spec or from the job
	// itself.
	// +optional
	Max int32 `json:"max"`
}

// ProgressStatus is how much of a job is done.
type ProgressStatus struct {
	// partsPerMillion is the share of the work that is done: 420000 is 42 %.
	// +optional
	// +kubebuilder:validation:Minimum=0
	// +kubebuilder:validation:Maximum=1000000
	PartsPerMillion int32 `json:"partsPerMillion"`
	// source is where this is known from, such as Agent, Annotation, Prometheus
	// or Logs.
	// +optional
	// +kubebuilder:validation:MaxLength=63
	Source string `json:"source,omitempty"`
	// observedAt is when the job last reported progress.
	// +optional
	ObservedAt Time `json:"observedAt,omitempty"`
	// lastCheckpointAt is when the job last saved its state.
	// +optional
	LastCheckpointAt Time `json:"lastCheckpointAt,omitempty"`
}

// PredictionStatus is when a job will be finished: as it is planned, or at the
// size that it has where that is sooner.
type PredictionStatus struct {
	// startsAt is when a job that waits is to start: as it is planned, or once
	// there is room for it, if those that run end when they are expected to and
	// nobody comes before it. It is absent for a job that has workers or is given
	// some now, and where nobody can tell.
	// +optional
	StartsAt Time `json:"startsAt,omitempty"`
	// eta is the most likely moment: it is as likely to finish before as after
	// it.
	// +optional
	ETA Time `json:"eta,omitempty"`
	// earliest is the optimistic end of the estimate: one run in twenty would be
	// faster.
	// +optional
	Earliest Time `json:"earliest,omitempty"`
	// latest is the pessimistic end of the estimate: one run in twenty would be
	// slower. The message goes by it. The verdict goes by an end that one run in
	// ten misses, so a job may be OnTrack that would be late by this.
	// +optional
	Latest Time `json:"latest,omitempty"`
	// onTimePercent is the probability of meeting the deadline.
	// +optional
	// +kubebuilder:validation:Minimum=0
	// +kubebuilder:validation:Maximum=100
	OnTimePercent *int32 `json:"onTimePercent,omitempty"`
	// sufficientWorkers is the smallest size that meets the deadline at the
	// pessimistic end. It is absent where no size does.
	// +optional
	SufficientWorkers *int32 `json:"sufficientWorkers,omitempty"`
}

// CostStatus is what the GPUs of a job cost.
type CostStatus struct {
	// soFar is what the time has cost for which its workers have run, such as
	// 12.40.
	// +optional
	SoFar Amount `json:"soFar,omitempty"`
	// expected is what it will have cost at its end, as it is planned.
	// +optional
	Expected Amount `json:"expected,omitempty"`
}

// ElasticJobSummary is the status of an ElasticJob in words.
type ElasticJobSummary struct {
	// job is the kind and the name of the job, such as PyTorchJob/resnet.
	// +optional
	// +kubebuilder:validation:MaxLength=128
	Job string `json:"job,omitempty"`
	// workers is the size now and the greatest size, such as 4/8.
	// +optional
	// +kubebuilder:validation:MaxLength=32
	Workers string `json:"workers,omitempty"`
	// progress is the share of the work that is done, such as 42%.
	// +optional
	// +kubebuilder:validation:MaxLength=8
	Progress string `json:"progress,omitempty"`
	// slack is the time between the ETA and the deadline, such as 39m; it is
	// negative when the ETA is past the deadline.
	// +optional
	// +kubebuilder:validation:MaxLength=16
	Slack string `json:"slack,omitempty"`
	// cost is what the job has cost, and will have cost at its end, such as
	// 12.40/31.00.
	// +optional
	// +kubebuilder:validation:MaxLength=64
	Cost string `json:"cost,omitempty"`
	// misspelt are the keys on the job that Takt cannot use as they are written,
	// such as takt.dev/deadlin; message says what to write instead.
	// +optional
	// +kubebuilder:validation:MaxLength=64
	Misspelt string `json:"misspelt,omitempty"`
}

// Ended is since when it is said that the job has finished or failed; false if it is not.
func (s *ElasticJobStatus) Ended() (time.Time, bool) {
	for _, end := range []string{ConditionSucceeded, ConditionFailed} {
		if c := meta.FindStatusCondition(s.Conditions, end); c != nil && c.Status == metav1.ConditionTrue {
			return c.LastTransitionTime.Time, true
		}
	}
	return time.Time{}, false
}

// Over says that the job has finished or failed.
func (s *ElasticJobStatus) Over() bool {
	_, over := s.Ended()
	return over
}

// SuspendedByUser says that somebody else than Takt has stopped the job.
func (s *ElasticJobStatus) SuspendedByUser() bool {
	stopped := meta.FindStatusCondition(s.Conditions, ConditionSuspended)
	return stopped != nil && stopped.Reason == ReasonSuspendedByUser
}

// NotSuspended says that the job was seen, and that nobody had stopped it.
func (s *ElasticJobStatus) NotSuspended() bool {
	stopped := meta.FindStatusCondition(s.Conditions, ConditionSuspended)
	return stopped != nil && stopped.Reason == ReasonNotSuspended
}

// Awaited are the names of those that have to succeed yet before the job starts,
// as far as anybody has seen. One that has begun waits for none.
func (j *ElasticJob) Awaited() []string {
	if j.Status.Over() || j.Status.Workers.Running > 0 || j.Status.Progress.PartsPerMillion > 0 ||
		j.Status.NotSuspended() {
		return nil
	}
	succeeded := map[string]bool{}
	for _, p := range j.Status.After {
		succeeded[p.Name] = true
	}
	var names []string
	for _, p := range j.Spec.After {
		if !succeeded[p.Name] {
			names = append(names, p.Name)
		}
	}
	return names
}
