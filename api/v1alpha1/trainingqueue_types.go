package v1alpha1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// TrainingQueue is a tenant's share of the GPUs: what it is sure of, what it
// may use at most, and how it stands beside the others when there is more to
// share. Deadlines are promised within the guarantee, and beyond it only on
// GPUs that nobody else is guaranteed.
//
// +kubebuilder:object:root=true
// +kubebuilder:subresource:status
// +kubebuilder:resource:scope=Cluster,shortName=tq,categories={takt}
// +kubebuilder:printcolumn:name="Guaranteed",type=integer,JSONPath=`.spec.guaranteed`
// +kubebuilder:printcolumn:name="Limit",type=integer,JSONPath=`.spec.limit`
// +kubebuilder:printcolumn:name="Weight",type=integer,JSONPath=`.spec.weight`
// +kubebuilder:printcolumn:name="Priority",type=integer,JSONPath=`.spec.priority`
// +kubebuilder:printcolumn:name="Used",type=integer,JSONPath=`.status.used`
// +kubebuilder:printcolumn:name="Borrowed",type=integer,JSONPath=`.status.borrowed`
// +kubebuilder:printcolumn:name="Running",type=integer,JSONPath=`.status.running`
// +kubebuilder:printcolumn:name="Waiting",type=integer,JSONPath=`.status.waiting`
// +kubebuilder:printcolumn:name="Age",type=date,JSONPath=`.metadata.creationTimestamp`
// +kubebuilder:validation:XValidation:rule="size(self.metadata.name) <= 63 && !format.dns1123Label().validate(self.metadata.name).hasValue()",message="metadata.name must be a DNS label of at most 63 characters (lower case letters, digits and '-'), because jobs name their queue in a label; choose a shorter or plainer name"
type TrainingQueue struct {
	metav1.TypeMeta `json:",inline"`
	// metadata is the standard object metadata. The name is at most 63
	// characters long.
	// +optional
	metav1.ObjectMeta `json:"metadata,omitempty"`

	// spec is the share.
	// +required
	Spec TrainingQueueSpec `json:"spec"`
	// status is what the queue uses at present. Takt alone writes it.
	// +optional
	Status TrainingQueueStatus `json:"status,omitzero"`
}

// TrainingQueueList is a list of TrainingQueues.
//
// +kubebuilder:object:root=true
type TrainingQueueList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`
	Items           []TrainingQueue `json:"items"`
}

// TrainingQueueSpec is a share of the GPUs.
//
// +kubebuilder:validation:XValidation:rule="!has(self.guaranteed) || !has(self.limit) || self.guaranteed <= self.limit",message="guaranteed must not be greater than limit: lower guaranteed or raise limit"
// +kubebuilder:validation:XValidation:rule="self.borrowing != 'Forbid' || self.guaranteed > 0",message="a queue that may not borrow has only what it is guaranteed, and this one is guaranteed nothing: raise guaranteed, or set borrowing to Allow"
type TrainingQueueSpec struct {
	// guaranteed is the number of GPUs that the queue can have at any time;
	// others may use them while it does not, and give them back when it asks.
	// Defaults to 0.
	// +optional
	// +default=0
	// +kubebuilder:default=0
	// +kubebuilder:validation:Minimum=0
	Guaranteed *int32 `json:"guaranteed,omitempty"`

	// limit is the number of GPUs that the queue can have at most: its
	// guarantee and what it borrows. 0 closes the queue. Without it the queue
	// may use all there are.
	// +optional
	// +kubebuilder:validation:Minimum=0
	Limit *int32 `json:"limit,omitempty"`

	// weight is the queue's part of what is left once every guarantee is met: a
	// queue of weight 2 gets twice what a queue of weight 1 gets. 1 or more;
	// defaults to 1.
	// +optional
	// +default=1
	// +kubebuilder:default=1
	// +kubebuilder:validation:Minimum=1
	Weight *int32 `json:"weight,omitempty"`

	// priority decides between queues before weights do: the jobs of a higher
	// priority come first. It never takes another queue's guarantee. Defaults to
	// 0.
	// +optional
	// +default=0
	// +kubebuilder:default=0
	Priority *int32 `json:"priority,omitempty"`

	// borrowing says whether the queue may use GPUs beyond its guarantee while
	// nobody needs them: Allow or Forbid. Defaults to Allow.
	// +optional
	// +default="Allow"
	// +kubebuilder:default=Allow
	Borrowing Borrowing `json:"borrowing,omitempty"`

	// jobs is the class of service of the queue: what its jobs are given that do
	// not say it themselves. A change counts for jobs that are there, too, but
	// for deadlines that are promised, and for jobs that have ended.
	// +optional
	Jobs ServiceClass `json:"jobs,omitzero"`

	// namespaceSelector chooses the namespaces that may use the queue by their
	// labels. Without it, every namespace may; with it, those that match.
	// +optional
	NamespaceSelector *NamespaceSelector `json:"namespaceSelector,omitempty"`
}

// ServiceClass is what the jobs of a queue are given that do not say it
// themselves.
type ServiceClass struct {
	// guarantee is that of jobs which name none: BestEffort or Promise.
	// Defaults to BestEffort.
	// +optional
	Guarantee Guarantee `json:"guarantee,omitempty"`
	// deadlineAfter is the time that a job may take which has no deadline of its
	// own, counted from the creation of its ElasticJob, or of the first that Takt
	// has made of the job in this queue: a positive duration in hours, minutes and
	// seconds, such as 24h. Without it, such a job is best-effort. A job that
	// others wait for goes by their deadlines instead.
	// +optional
	// +kubebuilder:validation:XValidation:rule="self.matches('[1-9]')",message="deadlineAfter must be longer than zero"
	DeadlineAfter Duration `json:"deadlineAfter,omitempty"`
	// maxWait is how long a job waits, at most, that has no deadline which it may
	// still meet: a positive duration in hours, minutes and seconds, such as 4h.
	// It waits from its submission on, or from when those before it have
	// succeeded, or from when it was stopped. Then its turn comes: as soon as
	// there is room for its smallest size, it starts before all that have no
	// promise, and keeps that size for as long. Promises come before its start,
	// and so does what those have that run for a deadline; nothing is stopped for
	// it. It is not for jobs that may not be interrupted.
	// +optional
	// +kubebuilder:validation:XValidation:rule="self.matches('[1-9]')",message="maxWait must be longer than zero"
	MaxWait Duration `json:"maxWait,omitempty"`
}

// ConditionGuaranteed of a TrainingQueue is False while there are fewer GPUs
// than all queues are guaranteed together.
const ConditionGuaranteed = "Guaranteed"

// Borrowing says whether a queue may use GPUs beyond its guarantee.
//
// +kubebuilder:validation:Enum=Allow;Forbid
type Borrowing string

const (
	// BorrowingAllow lets a queue use idle GPUs beyond its guarantee.
	BorrowingAllow Borrowing = "Allow"
	// BorrowingForbid keeps a queue within its guarantee.
	BorrowingForbid Borrowing = "Forbid"
)

// NamespaceSelector chooses namespaces by their labels. It reads like every
// label selector of Kubernetes; all its parts must match.
//
// +kubebuilder:validation:XValidation:rule="has(self.matchLabels) || has(self.matchExpressions)",message="an empty selector chooses nothing: give matchLabels or matchExpressions, or leave namespaceSelector out to let every namespace use the queue"
type NamespaceSelector struct {
	// matchLabels are labels that a namespace must have, with these values.
	// +optional
	// +kubebuilder:validation:MinProperties=1
	// +kubebuilder:validation:MaxProperties=32
	// +kubebuilder:validation:XValidation:rule="self.all(k, !format.qualifiedName().validate(k).hasValue())",message="matchLabels has a key that no label can have: a key is a name such as team or example.com/team"
	// +kubebuilder:validation:XValidation:rule="self.all(k, !format.labelValue().validate(self[k]).hasValue())",message="matchLabels has a value that no label can have: at most 63 letters, digits, '-', '_' and '.', beginning and ending with a letter or digit"
	MatchLabels map[string]LabelValue `json:"matchLabels,omitempty"`
	// matchExpressions are conditions on the labels of a namespace.
	// +optional
	// +listType=atomic
	// +kubebuilder:validation:MinItems=1
	// +kubebuilder:validation:MaxItems=16
	MatchExpressions []NamespaceRequirement `json:"matchExpressions,omitempty"`
}

// LabelValue is the value of a label.
//
// +kubebuilder:validation:MaxLength=63
type LabelValue string

// NamespaceRequirement is one condition on the labels of a namespace.
//
// +kubebuilder:validation:XValidation:rule="self.operator in ['In', 'NotIn'] ? has(self.values) && size(self.values) > 0 : !has(self.values) || size(self.values) == 0",message="values must be given with the operators In and NotIn, and left out with Exists and DoesNotExist"
type NamespaceRequirement struct {
	// key is the label that the condition is about.
	// +required
	// +kubebuilder:validation:MaxLength=317
	// +kubebuilder:validation:XValidation:rule="!format.qualifiedName().validate(self).hasValue()",message="key must be a label key: a name such as team or example.com/team"
	Key string `json:"key"`
	// operator is In, NotIn, Exists or DoesNotExist.
	// +required
	// +kubebuilder:validation:Enum=In;NotIn;Exists;DoesNotExist
	Operator metav1.LabelSelectorOperator `json:"operator"`
	// values are what the label is compared with, for In and NotIn.
	// +optional
	// +listType=atomic
	// +kubebuilder:validation:MaxItems=32
	// +kubebuilder:validation:XValidation:rule="self.all(v, !format.labelValue().validate(v).hasValue())",message="values has a value that no label can have: at most 63 letters, digits, '-', '_' and '.', beginning and ending with a letter or digit"
	Values []LabelValue `json:"values,omitempty"`
}

// TrainingQueueStatus is what a queue uses at present.
type TrainingQueueStatus struct {
	// observedGeneration is the generation of the spec that this status answers.
	// +optional
	ObservedGeneration int64 `json:"observedGeneration,omitempty"`

	// conditions tell what is wrong with the queue, if anything is.
	// +optional
	// +listType=map
	// +listMapKey=type
	// +patchStrategy=merge
	// +patchMergeKey=type
	Conditions []metav1.Condition `json:"conditions,omitempty" patchStrategy:"merge" patchMergeKey:"type"`

	// used is the number of GPUs that jobs of the queue hold.
	// +optional
	Used int32 `json:"used"`
	// borrowed is how many of these are beyond the guarantee.
	// +optional
	Borrowed int32 `json:"borrowed"`
	// promised is the number of GPUs needed to keep the promises made to jobs of
	// the queue.
	// +optional
	Promised int32 `json:"promised"`
	// running is the number of jobs of the queue that hold GPUs.
	// +optional
	Running int32 `json:"running"`
	// waiting is the number of jobs of the queue that wait for GPUs.
	// +optional
	Waiting int32 `json:"waiting"`
	// cost is what the GPUs of the jobs of the queue cost that are there, in the
	// currency of the prices in the settings of the operator. It is absent unless
	// all of them have a price.
	// +optional
	Cost QueueCostStatus `json:"cost,omitzero"`
}

// QueueCostStatus is what the GPUs of the jobs of a queue cost.
type QueueCostStatus struct {
	// soFar is what they have cost, such as 12.40.
	// +optional
	SoFar Amount `json:"soFar,omitempty"`
	// expected is what they will have cost at the end of each, as it is planned;
	// those that nobody can tell of count with what they have cost.
	// +optional
	Expected Amount `json:"expected,omitempty"`
	// perDeadlineMet is what those have cost that had a deadline and have ended,
	// for each deadline that was met.
	// +optional
	PerDeadlineMet Amount `json:"perDeadlineMet,omitempty"`
}
