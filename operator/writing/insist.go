package writing

import (
	"context"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/takt-dev/takt/operator/kind"
)

// insists is how often a write is made again at once, before that is left to the next look at the job.
const insists = 5

// Insistent writes to jobs of one kind to which others write all the time.
type Insistent struct {
	Client client.Client
	Live   client.Reader
	Kind   kind.Kind
	// Matters says whether a change of a job is one that what is written goes by.
	Matters func(before, after any) bool
}

// Write makes a write that is refused unless the job is still as it was read. Where somebody has written to it
// meanwhile, and that does not matter, it is read and written anew at once: a training that tells its progress on its
// job each second would be in the way for ever where the API server takes as long.
func (i Insistent) Write(ctx context.Context, object client.Object, write func(client.Object) error) error {
	for left := insists; ; left-- {
		err := write(object)
		if left == 0 || !apierrors.IsConflict(err) {
			return err
		}
		fresh := i.Kind.New()
		if failed := i.Live.Get(ctx, client.ObjectKeyFromObject(object), fresh); failed != nil {
			return failed
		}
		if fresh.GetUID() != object.GetUID() || i.Matters(object, fresh) {
			return err
		}
		object = fresh
	}
}

// Release lets go of a job.
func (i Insistent) Release(ctx context.Context, object client.Object, r kind.Release) error {
	return i.Write(ctx, object, func(object client.Object) error {
		patch, err := i.Kind.Release(object, r)
		if err != nil || patch == nil {
			return err
		}
		return PatchJob(ctx, i.Client, i.Kind, i.Kind.Read(object), Merge(patch))
	})
}
