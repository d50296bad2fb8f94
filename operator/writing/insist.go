package writing

import (
	"context"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/takt-dev/takt/operator/changes"
	"github.com/takt-dev/takt/operator/kind"
)

// insists is how often a write is made again at once, before that is left to the next look at the job.
const insists = 5

// Insistent writes to jobs of one kind to which others write all the time.
type Insistent struct {
	Client client.Client
	Live   client.Reader
	Kind   kind.Kind
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
		if fresh.GetUID() != object.GetUID() || changes.JobMatters(i.Kind)(object, fresh) {
			return err
		}
		object = fresh
	}
}

// Release lets go of a job, and says whether there was anything to let go of.
func (i Insistent) Release(ctx context.Context, object client.Object, r kind.Release) (released bool, err error) {
	err = i.Write(ctx, object, func(object client.Object) error {
		patch, err := i.Kind.Release(object, r)
		if released = err == nil && patch != nil; !released {
			return err
		}
		return PatchJob(ctx, i.Client, i.Kind, i.Kind.Read(object), Merge(patch))
	})
	return released && err == nil, err
}
