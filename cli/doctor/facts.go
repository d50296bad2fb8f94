package doctor

import (
	"time"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/version"
)

// Facts are what was found in a cluster.
type Facts struct {
	Now           time.Time
	Version       string // of Kubernetes
	Release       version.Release
	OwnKinds      Kinds // of Takt
	TrainingKinds Kinds
	Namespace     string // of the operator
	Operator      Program
	Scheduler     Program
	// NamesScheduler are jobs whose pods are to be placed by Takt's scheduler.
	NamesScheduler []string
	// Unattended are training jobs that what makes their pods has not looked at for long.
	Unattended []string
	// Rights are those of whoever asks, and OperatorRights those of the operator; nil if they cannot be asked for.
	Rights, OperatorRights []Right
	// Snapshot says why the snapshot could not be had; empty if it could.
	Snapshot string
	// Jobs are those of Takt that may be seen.
	Jobs []v1alpha1.ElasticJob
}

// Kinds are kinds of objects, and which of them the cluster has.
type Kinds struct{ Wanted, Missing []string }

// None says that it has none of them.
func (k Kinds) None() bool { return len(k.Missing) == len(k.Wanted) }

// Program is a program that has a leader.
type Program struct {
	// Hidden says that whoever asks may not see it.
	Hidden bool
	// Found says that it has ever run here, or is to run.
	Found bool
	Alive bool
	// Holder leads, and Since is when that was last heard of.
	Holder string
	Since  time.Time
	// Ready of Wanted replicas; both 0 where it is no Deployment.
	Ready, Wanted int32
}

// Right is something that somebody may do, or not.
type Right struct {
	What string
	May  bool
	// For is what it is needed for.
	For string
}
