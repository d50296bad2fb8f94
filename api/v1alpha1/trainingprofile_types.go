package v1alpha1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// TrainingProfile is what was learned of one piece of training code: how
// fast it trains with how many workers on which GPUs, and what a restart
// costs. Every job that names it adds to it and is predicted from it. It
// outlives its jobs; deleting it forgets what was learned.
//
// +kubebuilder:object:root=true
// +kubebuilder:subresource:status
// +kubebuilder:resource:shortName=tp,categories={takt}
// +kubebuilder:printcolumn:name="Jobs",type=integer,JSONPath=`.status.jobs`
// +kubebuilder:printcolumn:name="Unit",type=string,JSONPath=`.status.unit`
// +kubebuilder:printcolumn:name="Updated",type=date,JSONPath=`.status.updatedAt`
// +kubebuilder:printcolumn:name="Age",type=date,JSONPath=`.metadata.creationTimestamp`
// +kubebuilder:validation:XValidation:rule="size(self.metadata.name) <= 63 && !format.dns1123Label().validate(self.metadata.name).hasValue()",message="metadata.name must be a DNS label of at most 63 characters (lower case letters, digits and '-'), because jobs name their profile in a label; choose a shorter or plainer name"
type TrainingProfile struct {
	metav1.TypeMeta `json:",inline"`
	// metadata is the standard object metadata. The name is at most 63
	// characters long.
	// +optional
	metav1.ObjectMeta `json:"metadata,omitempty"`

	// status is what was learned. Takt alone writes it; to copy a profile to
	// another cluster, use kubectl replace --subresource=status.
	// +optional
	Status TrainingProfileStatus `json:"status,omitzero"`
}

// TrainingProfileList is a list of TrainingProfiles.
//
// +kubebuilder:object:root=true
type TrainingProfileList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`
	Items           []TrainingProfile `json:"items"`
}

// TrainingProfileStatus is what was learned of one piece of training code.
type TrainingProfileStatus struct {
	// conditions tell what is wrong with the profile, if anything is.
	// +optional
	// +listType=map
	// +listMapKey=type
	// +patchStrategy=merge
	// +patchMergeKey=type
	Conditions []metav1.Condition `json:"conditions,omitempty" patchStrategy:"merge" patchMergeKey:"type"`

	// unit is what the speeds count, such as steps, samples or epochs.
	// +optional
	// +kubebuilder:validation:MaxLength=32
	Unit string `json:"unit,omitempty"`

	// jobs is the number of jobs that were learned from.
	// +optional
	Jobs int32 `json:"jobs"`

	// updatedAt is when something was last learned.
	// +optional
	UpdatedAt Time `json:"updatedAt,omitempty"`

	// speeds are the speeds that were measured, one for each run, GPU type,
	// number of workers and number of nodes. Of too many the newest stay.
	// +optional
	// +listType=map
	// +listMapKey=run
	// +listMapKey=gpu
	// +listMapKey=workers
	// +listMapKey=nodes
	// +kubebuilder:validation:MaxItems=512
	Speeds []MeasuredSpeed `json:"speeds,omitempty"`

	// restarts are what it cost to start, to grow or shrink live, and to
	// restart, one for each run and kind.
	// +optional
	// +listType=map
	// +listMapKey=run
	// +listMapKey=kind
	// +kubebuilder:validation:MaxItems=96
	Restarts []MeasuredRestart `json:"restarts,omitempty"`

	// runs are how long jobs took that have finished, whether they told their
	// progress or not. Of too many the newest stay.
	// +optional
	// +listType=map
	// +listMapKey=run
	// +kubebuilder:validation:MaxItems=32
	Runs []MeasuredRun `json:"runs,omitempty"`
}

// MeasuredRun is how long a job took that has finished.
type MeasuredRun struct {
	// run is the job: the name of its ElasticJob and the beginning of its UID.
	// +required
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=80
	Run string `json:"run"`
	// took is how long it had each of its sizes.
	// +required
	// +listType=atomic
	// +kubebuilder:validation:MinItems=1
	// +kubebuilder:validation:MaxItems=16
	Took []TimeAtSize `json:"took"`
	// closingMilliseconds is how much of that came after its last step: it
	// evaluated, saved, and ended its processes. Absent if nobody could
	// tell.
	// +optional
	// +kubebuilder:validation:Minimum=0
	ClosingMilliseconds *int64 `json:"closingMilliseconds,omitempty"`
	// updatedAt is when it was finished.
	// +required
	UpdatedAt Time `json:"updatedAt"`
}

// TimeAtSize is how long a job had a size.
type TimeAtSize struct {
	// gpu is the product name of the GPUs, as its nodes are labelled.
	// +required
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=63
	GPU string `json:"gpu"`
	// workers is the number of workers.
	// +required
	// +kubebuilder:validation:Minimum=1
	Workers int32 `json:"workers"`
	// nodes is the number of nodes that the workers were on.
	// +required
	// +kubebuilder:validation:Minimum=1
	Nodes int32 `json:"nodes"`
	// seconds is how long.
	// +required
	// +kubebuilder:validation:Minimum=1
	Seconds int64 `json:"seconds"`
}

// MeasuredSpeed is the speed at one size.
type MeasuredSpeed struct {
	// run is the job that measured it: the name of its ElasticJob and the
	// beginning of its UID.
	// +required
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=80
	Run string `json:"run"`
	// gpu is the product name of the GPUs, as its nodes are labelled, such as
	// NVIDIA-A100-SXM4-80GB.
	// +required
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=63
	GPU string `json:"gpu"`
	// workers is the number of workers.
	// +required
	// +kubebuilder:validation:Minimum=1
	Workers int32 `json:"workers"`
	// nodes is the number of nodes that the workers were on.
	// +required
	// +kubebuilder:validation:Minimum=1
	Nodes int32 `json:"nodes"`
	// perSecond is the typical number of units per second.
	// +required
	// +kubebuilder:validation:XValidation:rule="self.matches('[1-9]')",message="perSecond must be more than zero"
	PerSecond Decimal `json:"perSecond"`
	// spread is the width of the middle half of the measurements, in units per
	// second.
	// +optional
	Spread Decimal `json:"spread,omitempty"`
	// count is the number of measurements.
	// +required
	// +kubebuilder:validation:Minimum=1
	Count int64 `json:"count"`
	// total is how much there was to do in all, in the same units. Absent if
	// nobody knew.
	// +optional
	Total Decimal `json:"total,omitempty"`
	// countedBy is the number of workers of which total was first told: where
	// workers share the steps of a training, more of them count fewer.
	// +optional
	// +kubebuilder:validation:Minimum=1
	CountedBy int32 `json:"countedBy,omitempty"`
	// everyMilliseconds is the usual time from one report of the progress to
	// the next. Absent if nobody could tell.
	// +optional
	// +kubebuilder:validation:Minimum=1
	EveryMilliseconds int64 `json:"everyMilliseconds,omitempty"`
	// updatedAt is when this size was last measured.
	// +required
	UpdatedAt Time `json:"updatedAt"`
}

// RestartKind is what was done to a job.
//
// +kubebuilder:validation:Enum=Start;Live;Cold
type RestartKind string

const (
	// RestartStart is the start of a job that had no worker.
	RestartStart RestartKind = "Start"
	// RestartLive is a change of size of the running training.
	RestartLive RestartKind = "Live"
	// RestartCold is a stop and a start at another size.
	RestartCold RestartKind = "Cold"
)

// MeasuredRestart is what one kind of restart costs.
type MeasuredRestart struct {
	// run is the job that measured it: the name of its ElasticJob and the
	// beginning of its UID.
	// +required
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=80
	Run string `json:"run"`
	// kind is what was done: Start, Live or Cold.
	// +required
	Kind RestartKind `json:"kind"`
	// pauseMilliseconds is how long no worker made progress, typically.
	// +required
	// +kubebuilder:validation:Minimum=0
	PauseMilliseconds int64 `json:"pauseMilliseconds"`
	// lostMilliseconds is how much work had to be done again, typically, as the
	// time it took.
	// +required
	// +kubebuilder:validation:Minimum=0
	LostMilliseconds int64 `json:"lostMilliseconds"`
	// fromScratch is how many of the latest restarts were not seen to keep
	// anything that had been trained, as of a job that saves no checkpoints: what
	// they have lost tells nothing of what a later one loses.
	// +optional
	// +kubebuilder:validation:Minimum=0
	FromScratch int64 `json:"fromScratch,omitempty"`
	// count is the number of measurements.
	// +required
	// +kubebuilder:validation:Minimum=1
	Count int64 `json:"count"`
	// updatedAt is when this was last measured.
	// +required
	UpdatedAt Time `json:"updatedAt"`
}
