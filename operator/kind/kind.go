package kind

import (
	"errors"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/elastic/resize"
	"github.com/takt-dev/takt/operator/kind/written"
	"github.com/takt-dev/takt/operator/wrapping"
)

// Kind is one kind of training job.
type Kind interface {
	GroupVersionKind() schema.GroupVersionKind
	// New is an empty object to be read into, and NewList a list of them.
	New() client.Object
	NewList() client.ObjectList
	// Templates are those of the pods of a job; none for an object of another kind.
	Templates(object any) []*corev1.PodTemplateSpec
	// Read is what an object of this kind says.
	Read(job client.Object) Job
	// Ignores says why Takt has nothing to do with an object, though it is of this kind; empty if it has.
	Ignores(job client.Object) string
	// Missing says what has to be installed for a cluster to know this kind.
	Missing() string
	// Owner is the job of this kind that a pod belongs to; false if it belongs to none. There may be objects in between.
	Owner(pod client.Object) (Owner, bool)
	// Words are what people know of it by.
	Words() Words
	// Index is the index of a pod among the workers of its job, of which fixed cannot be taken away;
	// false for one that does not train, such as a parameter server. The pod does not tell by itself
	// whether its job has a master, and with it what its index is: that is why fixed is asked for.
	Index(pod *corev1.Pod, fixed resize.Workers) (resize.Index, bool)
	// Patch is a merge patch that asks the job for a size. It carries the UID and the resourceVersion
	// of the job as it was read, so that it is refused for any other. It fails with ErrNotYet where the job has to come to
	// rest first.
	Patch(job client.Object, ask resize.Ask, to Target) ([]byte, error)
	// Release is a merge patch that lets go of the job, guarded like that of Patch; nil if nothing of Takt
	// is on it that would have to go.
	Release(job client.Object, r Release) ([]byte, error)
}

// Words are what people look for who are told of a job of some kind.
type Words struct {
	Controller string // what makes its pods
	Size       string // the field, wherever it is in the spec, that says how many workers there are
	Sizes      string // all fields that say so, for people
	// Others are the parts of the spec in which a field of that name says how many others there are.
	Others   []string
	Suspends string // the field by which it is suspended
	Lifetime string // the field that says for how long it may run
	Retries  string // the field that says how many failures it may have
	Refuses  string // the reason of its events which say that a pod of it cannot be made
}

// Wrapped is a kind of which Takt's agent can start the training.
type Wrapped interface {
	// LetIn is a merge patch that has the workers train as they come which a job makes from now on, guarded like that of
	// Patch; nil if they do.
	LetIn(job client.Object) ([]byte, error)
	// Unwrap is a merge patch that has those train without the agent which a job makes from now on, and keeps why on the
	// job, guarded like that of Patch; nil if they do.
	Unwrap(job client.Object, why string) ([]byte, error)
}

// MarksPods is of a kind whose template cannot be changed while the job runs. What the template does not say of pods
// that come then is written on each of them.
type MarksPods interface {
	// Marks is a merge patch of a pod that lacks what its template could not say; nil if it lacks nothing.
	Marks(job client.Object, pod *corev1.Pod) ([]byte, error)
}

// ErrNotYet says that a job has to come to rest before it can be asked for anything.
var ErrNotYet = errors.New("the job has not come to rest yet")

// Owner is a job, as what belongs to it says.
type Owner struct {
	Name string
	UID  types.UID
}

// Controlled is the owner of an object that a job of some kind has made itself.
func Controlled(object client.Object, by schema.GroupVersionKind) (Owner, bool) {
	owner := metav1.GetControllerOf(object)
	if owner == nil || owner.Kind != by.Kind {
		return Owner{}, false
	}
	made, err := schema.ParseGroupVersion(owner.APIVersion)
	return Owner{owner.Name, owner.UID}, err == nil && made.Group == by.Group
}

// Target is what goes with a size that a job is asked for.
type Target struct {
	ElasticJob string
	// Least and Most are the sizes that the job is ever going to have.
	Least, Most resize.Workers
	// ReturnsTo is the size that a job which is now suspended is going to be started at again; 0 if it
	// is to stay suspended.
	ReturnsTo resize.Workers
	// NodeSelector is added to that of the workers when the job starts or grows; and to that of its leader, unless that
	// takes no GPU, so that it may be anywhere.
	NodeSelector   map[string]v1alpha1.LabelValue
	LeaderAnywhere bool
	// Agent is what becomes of the agent in the templates of its pods.
	Agent wrapping.Intent
}

// What Takt writes on jobs and on the templates of their pods.
const (
	AskAnnotation = written.AskAnnotation // on the job: the resize.Ask that was last written
	// ReturnsAnnotation is on a job that is suspended for a while: the size that it is to come back at.
	ReturnsAnnotation = "takt.dev/returns-to"
	// PinnedAnnotation is on a job whose templates Takt has given a node selector: what that is.
	PinnedAnnotation = "takt.dev/pinned"
	// LastCallAnnotation is on a job whose rendezvous Takt has told how long to wait for others: how many seconds.
	LastCallAnnotation = "takt.dev/last-call"
	// HeldAnnotation is on a job that config/admission or takt submit has suspended when it was created.
	HeldAnnotation = written.HeldAnnotation
)
