package learn

import (
	"context"
	"fmt"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/util/retry"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/takt-dev/takt/api/v1alpha1"
)

// resizesLive is the condition of a profile that is False once a worker which was told to leave has ended the whole
// job, and absent before. It stays for as long as the profile does.
const (
	resizesLive = "ResizesLive"
	exitsZero   = "LeaverExitedWithZero"
)

// EndsByLeaving says whether a job of this profile was ended by a worker that was told to leave.
func (s *Store) EndsByLeaving(ctx context.Context, namespace, name string) (bool, error) {
	var profile v1alpha1.TrainingProfile
	err := s.Client.Get(ctx, client.ObjectKey{Namespace: namespace, Name: name}, &profile)
	if err != nil && !apierrors.IsNotFound(err) {
		return false, fmt.Errorf("read the TrainingProfile %s/%s: %w", namespace, name, err)
	}
	return meta.IsStatusConditionFalse(profile.Status.Conditions, resizesLive), nil
}

// NoteEndsByLeaving keeps that a job of this profile was ended so. The profile is made if there is none.
func (s *Store) NoteEndsByLeaving(ctx context.Context, namespace, name, message string, now time.Time) error {
	err := retry.OnError(tries, othersFirst(ctx), func() error {
		profile, err := s.made(ctx, nil, namespace, name)
		if err != nil || profile.DeletionTimestamp != nil {
			return err
		}
		if !meta.SetStatusCondition(&profile.Status.Conditions, metav1.Condition{
			Type: resizesLive, Status: metav1.ConditionFalse, Reason: exitsZero, Message: message,
			LastTransitionTime: metav1.NewTime(now),
		}) {
			return nil
		}
		return s.Client.Status().Update(ctx, profile)
	})
	if err != nil {
		return fmt.Errorf("keep in the TrainingProfile %s/%s that a leaving worker ends its jobs: %w", namespace, name, err)
	}
	return nil
}
