package learn

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	apiequality "k8s.io/apimachinery/pkg/api/equality"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/util/retry"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/predictor"
)

// ErrNotOwned says that there is a profile of the name that a job's own would have, and it is not the
// job's: someone has made it for a purpose of theirs, so it is left alone.
var ErrNotOwned = errors.New("the profile belongs to someone else")

// Store keeps what runs have learned in TrainingProfiles.
type Store struct {
	Client client.Client
	// Fresh reads what the API server has, not what a cache has; absent, Client reads.
	Fresh client.Reader

	lessons lessons
}

// tries bounds how often a write is tried that others have come before: in a second or two.
var tries = wait.Backoff{Steps: 8, Duration: 10 * time.Millisecond, Factor: 2, Jitter: 0.5}

// Load is the profile of this name, and the unit that its speeds count; an empty one if there is none. One that a job
// has for itself alone has an owner: it fails with ErrNotOwned if there is one which is not that owner's. An error that
// is ErrGarbled comes with what is left.
func (s *Store) Load(ctx context.Context, owner *metav1.OwnerReference, namespace, name string) (predictor.Profile,
	string, error) {
	var profile v1alpha1.TrainingProfile
	err := s.Client.Get(ctx, client.ObjectKey{Namespace: namespace, Name: name}, &profile)
	switch {
	case apierrors.IsNotFound(err):
		return predictor.Profile{}, "", nil
	case err != nil:
		return predictor.Profile{}, "", fmt.Errorf("read the TrainingProfile %s/%s: %w", namespace, name, err)
	case !owns(owner, &profile):
		return predictor.Profile{}, "", fmt.Errorf("TrainingProfile %s/%s: %w", namespace, name, ErrNotOwned)
	}
	return FromStatus(&profile.Status)
}

// Save adds what a run has measured to the profile of this name, and makes the profile if there is
// none. With an owner it is one that a job has for itself alone: made with that owner, and left alone
// with ErrNotOwned if it is not the job's. Nothing is written if the profile says all this already.
// Several may save at once: each merges into what is there.
func (s *Store) Save(ctx context.Context, owner *metav1.OwnerReference, namespace, name string, rec Record,
	now time.Time) error {
	if len(rec.Speeds)+len(rec.Restarts)+len(rec.Runs) == 0 {
		return nil
	}
	err := retry.OnError(tries, othersFirst(ctx), func() error { return s.save(ctx, owner, namespace, name, rec, now) })
	if err != nil {
		return fmt.Errorf("store what %s has learned in the TrainingProfile %s/%s: %w", rec.Run, namespace, name, err)
	}
	return nil
}

// othersFirst says of an error whether another was first: to write, to create, or to delete.
func othersFirst(ctx context.Context) func(error) bool {
	return func(err error) bool {
		return ctx.Err() == nil && (apierrors.IsConflict(err) || apierrors.IsAlreadyExists(err) || apierrors.IsNotFound(err))
	}
}

// made is the profile of this name, which is made if there is none.
func (s *Store) made(ctx context.Context, owner *metav1.OwnerReference, namespace,
	name string) (*v1alpha1.TrainingProfile, error) {
	var profile v1alpha1.TrainingProfile
	err := s.fresh().Get(ctx, client.ObjectKey{Namespace: namespace, Name: name}, &profile)
	switch {
	case apierrors.IsNotFound(err):
		profile = v1alpha1.TrainingProfile{ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: name}}
		if owner != nil {
			profile.OwnerReferences = []metav1.OwnerReference{*owner}
		}
		return &profile, s.Client.Create(ctx, &profile)
	case err != nil:
		return nil, err
	case !owns(owner, &profile):
		return nil, ErrNotOwned
	}
	return &profile, nil
}

func (s *Store) save(ctx context.Context, owner *metav1.OwnerReference, namespace, name string, rec Record,
	now time.Time) error {
	profile, err := s.made(ctx, owner, namespace, name)
	if err != nil || profile.DeletionTimestamp != nil { // it is to be forgotten
		return err
	}
	merged := mergeRecord(profile.Status, rec, now)
	if apiequality.Semantic.DeepEqual(merged, profile.Status) {
		return nil
	}
	profile.Status = merged
	// The update carries the resourceVersion that was read, so it is refused if another was first.
	return s.Client.Status().Update(ctx, profile)
}

func (s *Store) fresh() client.Reader {
	if s.Fresh != nil {
		return s.Fresh
	}
	return s.Client
}

// owns says whether the owner, if one is asked for, owns the profile.
func owns(owner *metav1.OwnerReference, profile *v1alpha1.TrainingProfile) bool {
	return owner == nil || slices.ContainsFunc(profile.OwnerReferences, func(o metav1.OwnerReference) bool {
		return o.UID == owner.UID
	})
}
