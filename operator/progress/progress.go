package progress

import (
	"context"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"

	"github.com/takt-dev/takt/api/v1alpha1"
)

// Source is a place to read progress from. Each reading is bounded in time and size.
type Source interface {
	Name() v1alpha1.ProgressSource
	// Read fails with ErrNone where the job tells no progress by this source, and with errNotOffered, which is one too,
	// where it does not have the source at all and nobody was asked. It may say even then when the job last saved its
	// state.
	Read(ctx context.Context, t Target) (Sample, error)
}

// Listener is a source that is not asked for each pod where many are silent together, and knows when they are not any
// more.
type Listener interface {
	Source
	// Answers says that a pod answers again, which was not read since.
	Answers(pod *corev1.Pod) bool
	// IsRead takes that pods were read, whatever came of it.
	IsRead(pods []*corev1.Pod)
}

// Target is the job that is read.
type Target struct {
	Namespace, Name string
	// Resource is what the API server calls jobs of this kind, RESOURCE.GROUP. Where
	// it is empty, custom metrics are read of the pods alone.
	Resource    schema.GroupResource
	Annotations map[string]string // of the job
	Spec        v1alpha1.ProgressSpec
	// Container is what the container that trains is called in jobs of this kind, as a rule; empty if there is no such
	// rule.
	Container string
	// Pods are the workers that run, in the order of their index.
	Pods []*corev1.Pod
	// UID is that of the job itself: another job of the same name has nothing to do with it.
	UID types.UID
	// Last is the source by which the job is known to be as far as it is, though Reader may have
	// forgotten; empty if nothing is known to be done.
	Last v1alpha1.ProgressSource
	// Counts says that Last was seen to count, though Reader may have forgotten.
	Counts bool
	// Said is what Last has said since these pods train, though Reader may have forgotten.
	Said Said
	// Again is after how long it is read again at the latest, and Next when it is likely to be, if this reading fails in a
	// way that may pass: meanwhile others may ask a silent node for it, and it for others. Where both are zero it is asked
	// for by itself.
	Again, Next time.Duration
	// Now is when it is read. Reader fills it in.
	Now time.Time
	// Work is how much there is to do. Reader finds it in the annotation, for sources that do not know.
	Work Work
}

// Said is what a source has said of the whole, and how much of that was done at a moment. The zero value says nothing.
type Said struct {
	Work
	Done float64
	At   time.Time
}

// Sample is one reading.
type Sample struct {
	Source v1alpha1.ProgressSource
	// At is when the progress was as it says. A source that cannot tell leaves it zero, and Reader
	// fills in the time of the reading.
	At time.Time
	// Done and Total count in Unit. Where only a share is known, Unit is Share and Total is 1.
	Done, Total float64
	Unit        string
	// SavedAt is when the job last saved its state; zero if that is not known.
	SavedAt time.Time
	// Beforehand says that nobody has seen this counter advance: somebody may have written it to say how
	// much there is to do, and never will again.
	Beforehand bool
	// Beside is what is told beside the counter of how much there is to do.
	Beside Plan
}

// Plan is how many epochs there are in all, and how many steps; 0 is what nobody says.
type Plan struct{ Epochs, Steps float64 }

// Share is the unit of a progress of which only the share that is done is known.
const Share = "share"
