package v1alpha1

import "k8s.io/apimachinery/pkg/types"

// What the pods of a resize carry, by which the scheduler knows which of them
// belong together.
const (
	// EpochLabel is the epoch of the resize that brought the pod about.
	EpochLabel = "takt.dev/epoch"
	// ElasticJobLabel is the ElasticJob that the pod belongs to. With the epoch
	// it is the name of the Resize: resnet-3.
	ElasticJobLabel = "takt.dev/job"
	// RoleLabel is what the pod is in its job: RoleWorker or RoleLeader.
	RoleLabel = "takt.dev/role"
	// NumberedByAnnotation is the label of the pod in which it has its number among
	// those of its role, from 0: whoever makes the pods numbers them.
	NumberedByAnnotation = "takt.dev/numbered-by"
	// GangAnnotation is a Gang, as JSON.
	GangAnnotation = "takt.dev/gang"
	// DrainingAnnotation is on a pod that is told to leave the training.
	DrainingAnnotation = "takt.dev/draining"
	// AgentAnnotation is on a pod of which the agent wraps the container. It waits
	// at the start barrier until it has a LetInAnnotation.
	AgentAnnotation = "takt.dev/agent"
	// LetInAnnotation is the epoch in which the barrier was opened for the pod.
	LetInAnnotation = "takt.dev/let-in"
)

// The values of RoleLabel.
const (
	// RoleWorker is a pod that trains, and may come and go.
	RoleWorker = "worker"
	// RoleLeader is one that trains, and without which the others cannot.
	RoleLeader = "leader"
)

// What people write on the template of the pods of a job, for the scheduler.
// The value is a level of how the cluster is built: node, rack, zone, or as
// the scheduler is configured.
const (
	// TopologyRequiredAnnotation is the level at which all workers must be in one
	// domain.
	TopologyRequiredAnnotation = "takt.dev/topology-required"
	// TopologyPreferredAnnotation is the narrowest level at which it matters
	// whether they are; none if it does not matter at all. Without it, all do.
	TopologyPreferredAnnotation = "takt.dev/topology-preferred"
)

// Gang says which new pods of a job belong together. It is written on the
// template of the pods by the very patch that brings them about, and is of no
// meaning on pods of another epoch.
//
// +kubebuilder:object:generate=false
type Gang struct {
	// Epoch is that of the resize.
	Epoch int64 `json:"epoch"`
	// Stage is how the resize was under way: Forward, Back or Restart.
	Stage string `json:"stage"`
	// First is the replica index of the first worker of the gang. Those before it
	// train already; where it is 0, the leader of the job, if there is one,
	// belongs to the gang as well.
	First int32 `json:"first"`
	// Pods is how many pods the gang has.
	Pods int32 `json:"pods"`
	// Job is the UID of the training job. Pods of another have it from a manifest
	// that was copied, and are of no gang. Absent: it is not told.
	Job types.UID `json:"job,omitempty"`
	// Late says that the template of the pods cannot be changed while their job
	// runs. A pod above those of the gang has come for a later resize, and so has
	// one that a later resize brings back: they are told of it once they are there.
	Late bool `json:"late,omitempty"`
}
