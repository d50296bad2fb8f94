package v1alpha1

import (
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Resize is one change of the size of one job, carried out as a transaction
// between the operator and the scheduler: the new pods are placed all
// together or not at all, let into the training all at once, and the change
// is verified or rolled back. Takt creates it, names it after its ElasticJob
// and epoch (resnet-3), and keeps the newest of each job as the record of
// what was done, why, and what it cost.
//
// +kubebuilder:object:root=true
// +kubebuilder:subresource:status
// +kubebuilder:resource:shortName=rz,categories={takt}
// +kubebuilder:printcolumn:name="Job",type=string,JSONPath=`.spec.elasticJob`
// +kubebuilder:printcolumn:name="From",type=integer,JSONPath=`.spec.from`
// +kubebuilder:printcolumn:name="To",type=integer,JSONPath=`.spec.to`
// +kubebuilder:printcolumn:name="Reason",type=string,JSONPath=`.spec.reason`
// +kubebuilder:printcolumn:name="Phase",type=string,JSONPath=`.status.reached`
// +kubebuilder:printcolumn:name="Pause",type=string,JSONPath=`.status.cost.pause`
// +kubebuilder:printcolumn:name="Lost",type=string,JSONPath=`.status.cost.lost`
// +kubebuilder:printcolumn:name="Message",type=string,priority=1,JSONPath=`.status.conditions[-1:].message`
// +kubebuilder:printcolumn:name="Age",type=date,JSONPath=`.metadata.creationTimestamp`
// +kubebuilder:validation:XValidation:rule="self.metadata.name.startsWith(self.spec.elasticJob) && self.metadata.name.substring(size(self.spec.elasticJob)).matches('^-[1-9][0-9]{0,8}$') && int(self.metadata.name.substring(size(self.spec.elasticJob) + 1)) == self.spec.epoch",message="the name of a Resize is that of its ElasticJob and its epoch, joined by '-', such as resnet-3: change metadata.name, or spec.elasticJob and spec.epoch"
type Resize struct {
	metav1.TypeMeta `json:",inline"`
	// metadata is the standard object metadata.
	// +optional
	metav1.ObjectMeta `json:"metadata,omitempty"`

	// spec is the change. It cannot be changed: a newer decision is a new
	// Resize.
	// +required
	// +kubebuilder:validation:XValidation:rule="self == oldSelf",message="the spec of a Resize cannot be changed: it is the record of one decision; a newer decision is a new Resize"
	Spec ResizeSpec `json:"spec"`
	// status is how far the change has come. The operator and the scheduler
	// write it.
	// +optional
	// +default={}
	// +kubebuilder:default={}
	Status ResizeStatus `json:"status,omitzero"`
}

// ResizeList is a list of Resizes.
//
// +kubebuilder:object:root=true
type ResizeList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`
	Items           []Resize `json:"items"`
}

// ResizeSpec is one change of size, as decided.
//
// +kubebuilder:validation:XValidation:rule="self.from != self.to",message="from and to are the same size: there is nothing to change"
// +kubebuilder:validation:XValidation:rule="!has(self.acceptable) || (self.to > self.from && self.acceptable > self.from && self.acceptable <= self.to)",message="acceptable is for a growing job only, and must be greater than from and at most to"
type ResizeSpec struct {
	// elasticJob is the name of the ElasticJob, in the same namespace.
	// +required
	// +kubebuilder:validation:MaxLength=63
	// +kubebuilder:validation:XValidation:rule="!format.dns1123Label().validate(self).hasValue()",message="elasticJob must be the name of an ElasticJob: a DNS label of 1 to 63 characters"
	ElasticJob string `json:"elasticJob"`

	// epoch counts the resizes of the job from 1. The new pods carry it.
	// +required
	// +kubebuilder:validation:Minimum=1
	// +kubebuilder:validation:Maximum=999999999
	Epoch int64 `json:"epoch"`

	// from is the number of workers before. 0 starts the job.
	// +required
	// +kubebuilder:validation:Minimum=0
	From int32 `json:"from"`

	// to is the number of workers after. 0 stops the job.
	// +required
	// +kubebuilder:validation:Minimum=0
	To int32 `json:"to"`

	// acceptable is the smallest size to settle for when the new pods cannot all
	// be placed. Without it the change is all or nothing.
	// +optional
	// +kubebuilder:validation:Minimum=1
	Acceptable *int32 `json:"acceptable,omitempty"`
	// sizes are those that the job may settle for, where not every one from
	// acceptable up to the new size will do.
	// +optional
	// +listType=atomic
	// +kubebuilder:validation:MaxItems=64
	// +kubebuilder:validation:items:Minimum=1
	Sizes []int32 `json:"sizes,omitempty"`

	// mode is how the change is made. Live: workers join or leave the running
	// training. Cold: the job saves its state, stops, and starts again at its
	// new size.
	// +required
	Mode ResizeMode `json:"mode"`

	// reason is why the size is changed.
	// +required
	Reason ResizeReason `json:"reason"`

	// message is the reason in a sentence.
	// +optional
	// +kubebuilder:validation:MaxLength=1024
	Message string `json:"message,omitempty"`

	// placeWithinSeconds is how long the scheduler may take to place all new
	// pods before the change is rolled back. Defaults to 120.
	// +optional
	// +default=120
	// +kubebuilder:default=120
	// +kubebuilder:validation:Minimum=1
	// +kubebuilder:validation:Maximum=86400
	PlaceWithinSeconds *int32 `json:"placeWithinSeconds,omitempty"`

	// priority is that of the queue of the job. The scheduler places what has
	// more of it first. Defaults to 0.
	// +optional
	// +default=0
	// +kubebuilder:default=0
	Priority *int32 `json:"priority,omitempty"`
	// startBy is when the new workers have to start at the latest, if the job is
	// to meet its deadline. The scheduler places first what has the least time
	// left. Absent where there is no deadline, or no estimate yet.
	// +optional
	StartBy Time `json:"startBy,omitempty"`
	// waitingSince is since when the job has had no worker and wanted some. Who
	// waits longer is placed first. Absent for a job that runs.
	// +optional
	WaitingSince Time `json:"waitingSince,omitempty"`
	// nodeSelector keeps new workers on the kind of GPUs that was planned for,
	// beside what the job asks for itself. Absent where there is but one kind.
	// +optional
	// +kubebuilder:validation:MaxProperties=32
	NodeSelector map[string]LabelValue `json:"nodeSelector,omitempty"`
}

// ResizeMode is how a change of size is made.
//
// +kubebuilder:validation:Enum=Live;Cold
type ResizeMode string

const (
	// ResizeLive means that workers join or leave the running training.
	ResizeLive ResizeMode = "Live"
	// ResizeCold means that the job stops and starts again at its new size.
	ResizeCold ResizeMode = "Cold"
)

// ResizeReason is why a size is changed.
//
// +kubebuilder:validation:Enum=Started;Stopped;DeadlineRisk;SpareCapacity;GivenBack;RangeChanged;NodeLeaves
type ResizeReason string

const (
	// ReasonStarted means that the job was admitted and begins.
	ReasonStarted ResizeReason = "Started"
	// ReasonStopped means that the job was suspended, or must wait.
	ReasonStopped ResizeReason = "Stopped"
	// ReasonDeadlineRisk means that the job needs more workers to be finished in
	// time.
	ReasonDeadlineRisk ResizeReason = "DeadlineRisk"
	// ReasonSpareCapacity means that GPUs were idle that the job can use.
	ReasonSpareCapacity ResizeReason = "SpareCapacity"
	// ReasonGivenBack means that others need the GPUs more, or have a right to
	// them.
	ReasonGivenBack ResizeReason = "GivenBack"
	// ReasonRangeChanged means that the size was outside the range that is now
	// asked for.
	ReasonRangeChanged ResizeReason = "RangeChanged"
	// ReasonNodeLeaves means that there is notice that nodes go which have
	// workers of the job.
	ReasonNodeLeaves ResizeReason = "NodeLeaves"
)

// Conditions of a Resize, in the order in which they come about (a Cold one
// is Committed before it is Placed); with Succeeded and Failed. Each is
// appended once, so the last of the list is the phase.
const (
	// ConditionProposed is True once the job has been asked for its new size.
	ConditionProposed = "Proposed"
	// ConditionPlaced is True once every new pod has a node.
	ConditionPlaced = "Placed"
	// ConditionReady is True once every new pod waits at the start barrier.
	ConditionReady = "Ready"
	// ConditionCommitted is True once the new pods were let in, or the leavers
	// told to go.
	ConditionCommitted = "Committed"
	// ConditionRollingBack is True once the change was given up and the job is
	// on its way back to the size it had. Its reason says why.
	ConditionRollingBack = "RollingBack"
	// ConditionRestarting is True once the workers are started anew, because the
	// training did not go on by itself.
	ConditionRestarting = "Restarting"
	// ConditionRolledBack is True once the job is back at the size it had.
	ConditionRolledBack = "RolledBack"
)

// ResizeStatus is how far a change of size has come.
type ResizeStatus struct {
	// observedGeneration is the generation of the spec that this status answers.
	// +optional
	ObservedGeneration int64 `json:"observedGeneration,omitempty"`

	// conditions are Proposed, Placed, Ready, Committed and then Succeeded (a
	// Cold change is Committed, which stops the job, before Placed); or, where
	// that fails, RollingBack or Restarting, and then RolledBack or Failed. They
	// are appended as they come about, so all are True, and the last one is the
	// phase.
	// +optional
	// +kubebuilder:validation:MaxItems=16
	// +kubebuilder:validation:XValidation:rule="self.all(c, c.status == 'True')",message="a condition of a Resize is added when it has come about, with status True: say in status.placement what does not fit, and add RolledBack or Failed when it is over"
	// +listType=map
	// +listMapKey=type
	// +patchStrategy=merge
	// +patchMergeKey=type
	Conditions []metav1.Condition `json:"conditions,omitempty" patchStrategy:"merge" patchMergeKey:"type"`

	// reached is how far the change has come, for people to see: the type of the
	// last condition, and UnderWay as long as none is on record. The first of
	// them may wait for the next, so that both are one write.
	// +optional
	// +default="UnderWay"
	// +kubebuilder:default=UnderWay
	// +kubebuilder:validation:MaxLength=316
	Reached string `json:"reached,omitempty"`

	// asked is the size that the job has been asked for, once it has settled for
	// less than spec.to, for not all new pods could be placed. The scheduler
	// expects that many fewer pods.
	// +optional
	// +kubebuilder:validation:Minimum=1
	Asked *int32 `json:"asked,omitempty"`

	// placement is the scheduler's answer.
	// +optional
	Placement PlacementStatus `json:"placement,omitzero"`

	// pods are the new pods, in the order of their index.
	// +optional
	// +listType=map
	// +listMapKey=name
	// +kubebuilder:validation:MaxItems=10000
	Pods []GangPod `json:"pods,omitempty"`

	// cost is what the change took, as far as it was seen. Where the training
	// was not seen to go on, it is what it has cost so far, at least.
	// +optional
	Cost ResizeCost `json:"cost,omitzero"`
}

// PlacementStatus is what the scheduler found for the new pods.
type PlacementStatus struct {
	// fits is how many of the new pods could be placed together when last
	// looked.
	// +optional
	// +kubebuilder:validation:Minimum=0
	Fits int32 `json:"fits"`
	// message says why not more fit, and who holds the GPUs.
	// +optional
	// +kubebuilder:validation:MaxLength=1024
	Message string `json:"message,omitempty"`
	// observedAt is when this was found.
	// +optional
	ObservedAt Time `json:"observedAt,omitempty"`
}

// GangPod is one new pod of a Resize.
type GangPod struct {
	// name of the pod.
	// +required
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=253
	Name string `json:"name"`
	// node that the pod was placed on; empty while it has none.
	// +optional
	// +kubebuilder:validation:MaxLength=253
	Node string `json:"node,omitempty"`
	// ready says that the pod waits at the start barrier.
	// +optional
	Ready bool `json:"ready,omitempty"`
}

// ResizeCost is what a change of size took.
type ResizeCost struct {
	// pause is how long no worker made progress, such as 9s.
	// +optional
	Pause Duration `json:"pause,omitempty"`
	// lost is the work since the last checkpoint that had to be done again, as
	// the time it took. Time in which nothing was trained is no part of it.
	// +optional
	Lost Duration `json:"lost,omitempty"`
}

// ResizeEnds are the conditions that end a Resize.
var ResizeEnds = []string{ConditionSucceeded, ConditionRolledBack, ConditionFailed}

// Ending is the condition that ended it; nil while it is under way.
func (r *Resize) Ending() *metav1.Condition {
	for i := range r.Status.Conditions {
		if c := &r.Status.Conditions[i]; slices.Contains(ResizeEnds, c.Type) {
			return c
		}
	}
	return nil
}

// Over says whether it has ended.
func (r *Resize) Over() bool { return r.Ending() != nil }
