package v1alpha1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// ElasticJob says when one training job must be finished and between which
// sizes it may be resized to get there. Takt fills in the status: how far
// the job is, when it will be finished as it is planned, and a verdict. A
// job with the annotation takt.dev/deadline or the label takt.dev/queue gets
// its ElasticJob by itself; a field that somebody sets on the ElasticJob wins
// over what is written on the job. Deleting the ElasticJob lets go of the job
// and leaves it running as it is, until what is written on the job changes.
//
// +kubebuilder:object:root=true
// +kubebuilder:subresource:status
// +kubebuilder:resource:shortName=ej,categories={all,takt}
// +kubebuilder:printcolumn:name="Job",type=string,JSONPath=`.status.summary.job`
// +kubebuilder:printcolumn:name="Workers",type=string,JSONPath=`.status.summary.workers`
// +kubebuilder:printcolumn:name="Progress",type=string,JSONPath=`.status.summary.progress`
// +kubebuilder:printcolumn:name="Deadline",type=string,JSONPath=`.status.deadline`
// +kubebuilder:printcolumn:name="ETA",type=string,JSONPath=`.status.prediction.eta`
// +kubebuilder:printcolumn:name="Slack",type=string,JSONPath=`.status.summary.slack`
// +kubebuilder:printcolumn:name="Verdict",type=string,JSONPath=`.status.verdict`
// +kubebuilder:printcolumn:name="Misspelt",type=string,JSONPath=`.status.summary.misspelt`
// +kubebuilder:printcolumn:name="Queue",type=string,priority=1,JSONPath=`.spec.queue`
// +kubebuilder:printcolumn:name="Cost",type=string,priority=1,JSONPath=`.status.summary.cost`
// +kubebuilder:printcolumn:name="Why",type=string,priority=1,JSONPath=`.status.message`
// +kubebuilder:printcolumn:name="Age",type=date,JSONPath=`.metadata.creationTimestamp`
// +kubebuilder:validation:XValidation:rule="size(self.metadata.name) <= 63 && !format.dns1123Label().validate(self.metadata.name).hasValue()",message="metadata.name must be a DNS label of at most 63 characters (lower case letters, digits and '-'), because the names of its Resizes and the labels of its pods are derived from it; choose a shorter or plainer name"
// +kubebuilder:validation:XValidation:rule="!has(self.spec.after) || !self.spec.after.exists(a, a.name == self.metadata.name)",message="spec.after names this job itself: it would never start. Take that name out"
type ElasticJob struct {
	metav1.TypeMeta `json:",inline"`
	// metadata is the standard object metadata. The name is at most 63
	// characters long.
	// +optional
	metav1.ObjectMeta `json:"metadata,omitempty"`

	// spec is what is asked for: which job, by when, and between which sizes.
	// +required
	Spec ElasticJobSpec `json:"spec"`
	// status is what Takt has observed and expects. Takt alone writes it.
	// +optional
	Status ElasticJobStatus `json:"status,omitzero"`
}

// ElasticJobList is a list of ElasticJobs.
//
// +kubebuilder:object:root=true
type ElasticJobList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`
	Items           []ElasticJob `json:"items"`
}

// ElasticJobSpec is what a person asks for one training job.
//
// +kubebuilder:validation:XValidation:rule="!(has(self.deadline) && has(self.deadlineAfter))",message="give deadline or deadlineAfter, not both. If you gave deadlineAfter alone, deadline comes from the annotation takt.dev/deadline of the job: give the moment as deadline instead, or write the time span in the annotation"
type ElasticJobSpec struct {
	// jobRef names the training job, in the same namespace. It may be created
	// before or after the ElasticJob. It cannot be changed: delete this
	// ElasticJob and create another.
	// +required
	// +kubebuilder:validation:XValidation:rule="self == oldSelf",message="jobRef cannot be changed: delete this ElasticJob (its job keeps running) and create one for the other job"
	JobRef JobReference `json:"jobRef"`

	// queue is the name of the TrainingQueue whose GPUs the job uses. Defaults
	// to "default".
	// +optional
	// +default="default"
	// +kubebuilder:default=default
	// +kubebuilder:validation:MaxLength=63
	// +kubebuilder:validation:XValidation:rule="!format.dns1123Label().validate(self).hasValue()",message="queue must be the name of a TrainingQueue: a DNS label such as research or team-a"
	Queue string `json:"queue,omitempty"`

	// deadline is the moment by which the job must be finished, as an RFC 3339
	// time with a zone, such as 2026-11-21T18:00:00Z. It may be changed while
	// the job runs. A deadline in the past is accepted, and judged Missed. Give
	// either deadline or deadlineAfter; with neither the job has that of its
	// queue, or is best-effort if the queue has none for its jobs.
	// +optional
	// +kubebuilder:validation:XValidation:rule="!self.matches('^[0-9.]+[hms]')",message="this is a time span, not a moment: use deadlineAfter for it"
	Deadline Time `json:"deadline,omitempty"`

	// deadlineAfter is the time the job may take, counted from the creation of
	// the ElasticJob: a positive duration in hours, minutes and seconds, such as
	// 6h or 1h30m. Give either deadline or deadlineAfter. The annotation
	// takt.dev/deadline: 6h of the job becomes a deadline instead, which counts
	// from when it was written. Beside that deadlineAfter is refused: give
	// deadline, or change the annotation.
	// +optional
	// +kubebuilder:validation:XValidation:rule="self.matches('[1-9]')",message="deadlineAfter must be longer than zero"
	DeadlineAfter Duration `json:"deadlineAfter,omitempty"`

	// guarantee says what to do while the deadline cannot be promised.
	// BestEffort: start the job as it is planned, or on what is free, and promise
	// its deadline as soon as that turns nobody away. Promise: start it only when
	// its deadline can be kept without breaking the promise to another. Defaults
	// to what the queue says for its jobs, and that to BestEffort. Without a
	// deadline it has no effect.
	// +optional
	Guarantee Guarantee `json:"guarantee,omitempty"`

	// after names the ElasticJobs of the same namespace that have to succeed
	// before the job starts, at most 16. Until then it stays suspended as it was
	// submitted, and is promised nothing; those before it that have no deadline
	// are planned so that its own can be met. Of one that has failed, or is not
	// there, the verdict says what to do: the job waits, and is never started on a
	// guess. A job that has begun is not stopped for it.
	// +optional
	// +listType=map
	// +listMapKey=name
	// +kubebuilder:validation:MaxItems=16
	After []Predecessor `json:"after,omitempty"`
	// priority puts the job before those of its queue that have a lower one,
	// where not all deadlines can be kept: it is planned before them, and is given
	// what is left over before them. It never puts a job before one of another
	// queue, and never takes back a promise. From -1000 to 1000; defaults to 0.
	// +optional
	// +kubebuilder:validation:Minimum=-1000
	// +kubebuilder:validation:Maximum=1000
	Priority *int32 `json:"priority,omitempty"`

	// workers is the range of sizes that the job may have. A Master or a Chief
	// counts as a worker. What is not given is taken from the job's own
	// elasticPolicy, else from its replicas.
	// +optional
	Workers WorkerRange `json:"workers,omitzero"`

	// interruptible says whether Takt may stop or restart the job once it runs.
	// false: it is started once, at the size that its deadline takes or that it
	// was written for, and keeps its GPUs until it ends; nobody else's deadline
	// counts on them before. Every resize is a restart, so it is never resized.
	// Defaults to true, but for a job that something else has made, such as
	// a step of a workflow: to that it may have failed when it is stopped.
	// +optional
	Interruptible *bool `json:"interruptible,omitempty"`

	// agent says whether Takt's agent is put into the pods of the job, where it
	// can be: it has new workers join at the same moment, and keeps one that
	// leaves from ending the job. It comes and goes when the job is started, or
	// resized by a restart, and never while it trains. Defaults to what the
	// settings of the operator say: true, unless they say otherwise, or neither
	// they nor the operator's Deployment name its image.
	// +optional
	Agent *bool `json:"agent,omitempty"`

	// profile is the name of the TrainingProfile, in the same namespace, that
	// this job learns from and adds to. Give runs of the same code the same
	// profile: the next one is predicted from its first second. Without it the
	// job learns for itself alone.
	// +optional
	// +kubebuilder:validation:MaxLength=63
	// +kubebuilder:validation:XValidation:rule="!format.dns1123Label().validate(self).hasValue()",message="profile must be a DNS label of at most 63 characters, such as resnet50-imagenet: lower case letters, digits and '-'"
	Profile string `json:"profile,omitempty"`

	// expected is how long somebody expects the whole training to take. Plan and
	// verdict go by it until the job itself, or earlier runs of its profile, tell
	// better; nothing is promised on it.
	// +optional
	Expected ExpectedRun `json:"expected,omitzero"`

	// progress says where to read how far the job is. Without it Takt looks for
	// itself, in the order Agent, Annotation, Prometheus, Logs. CustomMetrics are
	// read only where they are named.
	// +optional
	Progress ProgressSpec `json:"progress,omitzero"`

	// ttlAfterFinished is how long this ElasticJob stays once its job has finished
	// or failed: a positive duration in hours, minutes and seconds, such as 24h.
	// Then it is deleted, with its Resizes; the job stays, and is not looked after
	// anew. What it has taught its profile stays, and so does what takt trace
	// reads. The time counts from the condition Succeeded or Failed. Defaults to
	// what the settings of the operator say, which keep it as long as its job
	// unless they say otherwise.
	// +optional
	// +kubebuilder:validation:XValidation:rule="self.matches('[1-9]')",message="ttlAfterFinished must be longer than zero"
	TTLAfterFinished Duration `json:"ttlAfterFinished,omitempty"`
}

// Predecessor is a job that has to succeed before another starts.
type Predecessor struct {
	// name of an ElasticJob of the same namespace. One that was made from what is
	// written on a training job has the name of that.
	// +required
	// +kubebuilder:validation:MaxLength=63
	// +kubebuilder:validation:XValidation:rule="!format.dns1123Label().validate(self).hasValue()",message="after[].name must be the name of an ElasticJob: lower case letters, digits and '-'"
	Name string `json:"name"`
}

// JobReference names a training job in the namespace of the ElasticJob.
//
// +kubebuilder:validation:XValidation:rule="(self.apiVersion == 'batch/v1') == (self.kind == 'Job')",message="jobRef.apiVersion must be batch/v1 for a Job, and kubeflow.org/v1 for a PyTorchJob or TFJob"
// +kubebuilder:validation:XValidation:rule="self.kind == 'Job' || size(self.name) <= 54 && !format.dns1035Label().validate(self.name).hasValue()",fieldPath=".name",message="jobRef.name must be the name of a training job: 1 to 54 lower case letters, digits and '-', beginning with a letter; with a longer one the job could not name its pods"
// +kubebuilder:validation:XValidation:rule="self.kind != 'Job' || size(self.name) <= 58 && !format.dns1123Label().validate(self.name).hasValue()",fieldPath=".name",message="jobRef.name must be the name of a Job: 1 to 58 lower case letters, digits and '-'; with a longer one the Job could not name its pods"
type JobReference struct {
	// apiVersion of the job: kubeflow.org/v1, or batch/v1 for a Job.
	// +required
	// +kubebuilder:validation:Enum=kubeflow.org/v1;batch/v1
	APIVersion string `json:"apiVersion"`
	// kind of the job: PyTorchJob, TFJob, or Job with completionMode: Indexed.
	// +required
	// +kubebuilder:validation:Enum=PyTorchJob;TFJob;Job
	Kind string `json:"kind"`
	// name of the job: at most 54 characters, as its pods and their services
	// are called NAME-worker-0. That of a Job may have 58, and begin with a
	// digit: its pods are called NAME-0.
	// +required
	// +kubebuilder:validation:MaxLength=253
	Name string `json:"name"`
}

// String is the job as it is shown: PyTorchJob/resnet.
func (r JobReference) String() string { return r.Kind + "/" + r.Name }

// Guarantee says what to do while a deadline cannot be promised.
//
// +kubebuilder:validation:Enum=Promise;BestEffort
type Guarantee string

const (
	// GuaranteePromise starts a job only when its deadline can be promised.
	GuaranteePromise Guarantee = "Promise"
	// GuaranteeBestEffort starts a job even where its deadline cannot be
	// promised.
	GuaranteeBestEffort Guarantee = "BestEffort"
)

// ExpectedRun is how long a training takes with a number of workers, as
// somebody guesses who knows it.
//
// +kubebuilder:validation:XValidation:rule="has(self.duration) == has(self.workers)",message="give both expected.duration, such as 6h, and expected.workers, such as 4: how long the whole training takes with so many workers"
type ExpectedRun struct {
	// duration is how long the whole training takes, from its first start to its
	// end: a positive duration in hours, minutes and seconds, such as 6h or
	// 1h30m.
	// +optional
	// +kubebuilder:validation:XValidation:rule="self.matches('[1-9]')",message="expected.duration must be longer than zero"
	Duration Duration `json:"duration,omitempty"`
	// workers is the number of workers with which it takes so long.
	// +optional
	// +kubebuilder:validation:Minimum=1
	Workers *int32 `json:"workers,omitempty"`
}

// WorkerRange is a range of sizes, both ends included, and which of them the job
// may have.
//
// +kubebuilder:validation:XValidation:rule="!has(self.sizes) || self.sizes.exists(n, (!has(self.min) || n >= self.min) && (!has(self.max) || n <= self.max) && (!has(self.multipleOf) || n % self.multipleOf == 0))",message="none of workers.sizes is within workers.min and workers.max and a multiple of workers.multipleOf: name one that is"
// +kubebuilder:validation:XValidation:rule="!has(self.multipleOf) || !has(self.max) || self.max / self.multipleOf * self.multipleOf >= (has(self.min) && self.min > 1 ? self.min : 1)",message="no multiple of workers.multipleOf is within workers.min and workers.max: raise max, or lower min"
// +kubebuilder:validation:XValidation:rule="!has(self.min) || !has(self.max) || self.min <= self.max",message="workers.min must not be greater than workers.max: lower min or raise max"
type WorkerRange struct {
	// min is the least number of workers that the job can train with. 0 or more.
	// +optional
	// +kubebuilder:validation:Minimum=0
	Min *int32 `json:"min,omitempty"`
	// max is the greatest number of workers that the job can make use of. 1 or
	// more.
	// +optional
	// +kubebuilder:validation:Minimum=1
	Max *int32 `json:"max,omitempty"`
	// sizes are the numbers of workers that the job can train with, where not
	// every one from min to max will do, such as 1, 2, 4 and 8. Without min and
	// max they are its range.
	// +optional
	// +listType=atomic
	// +kubebuilder:validation:MinItems=1
	// +kubebuilder:validation:MaxItems=64
	// +kubebuilder:validation:items:Minimum=1
	Sizes []int32 `json:"sizes,omitempty"`
	// multipleOf is what each size is a multiple of, such as 8 where the job is to
	// have whole nodes of eight workers.
	// +optional
	// +kubebuilder:validation:Minimum=1
	MultipleOf *int32 `json:"multipleOf,omitempty"`
}
