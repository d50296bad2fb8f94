// Package adapter knows the kinds of training jobs: how each says what it is, and what has to be
// written to it. A new kind is one more file with one more Kind.
package adapter

import (
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/elastic/resize"
)

// Kind is one kind of training job.
type Kind interface {
	GroupVersionKind() schema.GroupVersionKind
	// New is an empty object to be read into, and NewList a list of them.
	New() client.Object
	NewList() client.ObjectList
	// Read is what an object of this kind says.
	Read(job client.Object) Job
	// Index is the index of a pod among the workers of its job, of which fixed cannot be taken away;
	// false for one that does not train, such as a parameter server. The pod does not tell by itself
	// whether its job has a master, and with it what its index is: that is why fixed is asked for.
	Index(pod *corev1.Pod, fixed resize.Workers) (resize.Index, bool)
	// Patch is a merge patch that asks the job for a size. It carries the UID and the resourceVersion
	// of the job as it was read, so that it is refused for any other.
	Patch(job client.Object, ask resize.Ask, to Target) ([]byte, error)
	// Release is a merge patch that lets go of the job, guarded like that of Patch; nil if nothing of Takt
	// is on it that would have to go.
	Release(job client.Object, r Release) ([]byte, error)
}

// Target is what goes with a size that a job is asked for.
type Target struct {
	ElasticJob string
	// Least and Most are the sizes that the job is ever going to have.
	Least, Most resize.Workers
	// ReturnsTo is the size that a job which is now suspended is going to be started at again; 0 if it
	// is to stay suspended.
	ReturnsTo resize.Workers
	// NodeSelector is added to that of the workers when the job starts or grows.
	NodeSelector map[string]v1alpha1.LabelValue
	// LastCall is how long a rendezvous waits for latecomers once enough workers have come; rounded
	// up to seconds, and only written where the job says nothing of it. 0 leaves it as it is: a short
	// last call is right only where a barrier lets all workers in at the same moment.
	LastCall time.Duration
}

// Job is a training job, whatever its kind.
type Job struct {
	Kind            string // such as PyTorchJob
	Namespace, Name string
	UID             types.UID
	Labels          map[string]string
	Annotations     map[string]string
	CreatedAt       time.Time

	// Size is the number of pods that train, as declared; Fixed of them, those with the lowest
	// indices, cannot be taken away, such as a master.
	Size, Fixed resize.Workers
	// Written is the size that it was written for: the one that it had before Takt gave it any, or that somebody
	// has given it since.
	Written resize.Workers
	// Least and Most are the range of sizes that the job declares itself; both are Size if it does
	// not. Most is at least Least, and Least at least 1.
	Least, Most resize.Workers
	Mode        resize.Mode
	Suspended   bool
	State       resize.JobState
	EndedAt     time.Time // when it finished or failed
	Message     string    // what the job says of its end
	Asked       resize.Ask
	// ReturnsTo is what Target said when the job was last suspended by Takt; 0 once it is not.
	ReturnsTo resize.Workers
	// Held says that the job was to start when it was created, and was suspended for Takt to find its size.
	Held bool

	// Ceiling is the size that the workers which run now cannot outgrow; 0 is none.
	Ceiling resize.Workers
	// Floor is the size that the workers which run now cannot go below; 0 is none.
	Floor resize.Workers
	// Bounded says that both hold for those that are started next, too.
	Bounded bool

	// Worker is what a worker's pod looks like, as declared; nil if the job has none. Not to be
	// changed.
	Worker *corev1.PodTemplateSpec
	// Leader is the same for the pod that cannot be taken away; nil if the job has none.
	Leader *corev1.PodTemplateSpec
	// StartedAt is since when its controller counts Lasts, which is how long it lets the job run; 0 is as long as it takes.
	// Both begin anew when it goes on after it was suspended.
	StartedAt time.Time
	Lasts     time.Duration
	// Objections are why the job cannot be managed as it is, whether it is suspended or not.
	Objections []Objection
	// OnlyCold are why its workers cannot join and leave while it trains, though they could in others of its
	// kind: it is resized by a restart. Those that Patch mends go with the first.
	OnlyCold []Objection
}

// Objection is a reason for leaving a job alone, or for resizing it by a restart.
type Objection struct {
	Reason  string // in CamelCase, as of a condition
	Message string // what is the matter, and what to change
	// Mendable says that Patch makes it safe when it starts the job.
	Mendable bool
}

// What Takt writes on jobs and on the templates of their pods.
const (
	AskAnnotation = "takt.dev/ask" // on the job: the resize.Ask that was last written
	// ReturnsAnnotation is on a job that is suspended for a while: the size that it is to come back at.
	ReturnsAnnotation = "takt.dev/returns-to"
	// PinnedAnnotation is on a job whose templates Takt has given a node selector: what that is.
	PinnedAnnotation = "takt.dev/pinned"
	// HeldAnnotation is on a job that config/admission has suspended when it was created.
	HeldAnnotation = "takt.dev/held"
)
