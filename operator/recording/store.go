package recording

import (
	"context"
	"fmt"
	"strconv"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/log"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/records"
)

const (
	// mostNamespaces is of how many namespaces there are records; with the most bytes of each, that bounds them all.
	mostNamespaces = 200
	// forgetAfter is how long after the last end of a job its namespace makes room first for others.
	forgetAfter = 100 * 24 * time.Hour

	endedAnnotation = "takt.dev/last-ended"
	hoursAnnotation = "takt.dev/gpu-hours"
)

// uncached has a write not begin to watch what it writes: the operator may not watch ConfigMaps.
const uncached = client.DisableReadYourWritesConsistency

// Store keeps records in ConfigMaps, one for each namespace of jobs.
type Store struct {
	Client    client.Client
	Live      client.Reader // ConfigMaps are not cached: nobody but this reads them
	Namespace string        // of the ConfigMaps; empty if there is none to keep them in
	Now       func() time.Time
}

// Add adds records to those of a namespace. To add them twice does no harm.
func (s *Store) Add(ctx context.Context, namespace string, more []records.Record, limits records.Limits) error {
	var there corev1.ConfigMap
	err := s.Live.Get(ctx, client.ObjectKey{Namespace: s.Namespace, Name: v1alpha1.RecordsName(namespace)}, &there)
	isNew := apierrors.IsNotFound(err)
	if err != nil && !isNew {
		return fmt.Errorf("reading the records of namespace %s: %w", namespace, err)
	}
	kept, bad := records.Decode(there.BinaryData[v1alpha1.RecordsKey])
	if bad > 0 {
		log.FromContext(ctx).Info("Some records of jobs make no sense, and are dropped", "namespace", namespace, "lines", bad)
	}
	all, text, err := records.Merge(kept, more, limits)
	if err != nil || text == nil {
		return err
	}
	share := records.ShareOf(namespace, all)
	if isNew {
		if room, err := s.makeRoom(ctx, share); err != nil || !room {
			return err
		}
		there = corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{
			Namespace: s.Namespace, Name: v1alpha1.RecordsName(namespace), Labels: map[string]string{
				v1alpha1.RecordsLabel: namespace,
			},
		}}
	}
	there.BinaryData = map[string][]byte{v1alpha1.RecordsKey: text}
	there.Annotations = map[string]string{
		endedAnnotation: share.Last.UTC().Format(time.RFC3339),
		hoursAnnotation: strconv.FormatFloat(share.GPUHours, 'f', 1, 64),
	}
	if isNew {
		err = s.Client.Create(ctx, &there, uncached)
	} else {
		err = s.Client.Update(ctx, &there, uncached) // refused if another was first
	}
	if err != nil {
		return fmt.Errorf("keeping the records of namespace %s: %w", namespace, err)
	}
	return nil
}

// makeRoom says whether there is room for one more namespace, which may take that of another.
func (s *Store) makeRoom(ctx context.Context, newcomer records.Share) (bool, error) {
	list := metav1.PartialObjectMetadataList{}
	list.SetGroupVersionKind(corev1.SchemeGroupVersion.WithKind("ConfigMapList"))
	if err := s.Live.List(ctx, &list, client.InNamespace(s.Namespace),
		client.HasLabels{v1alpha1.RecordsLabel}); err != nil {
		return false, fmt.Errorf("listing the records of all namespaces: %w", err)
	}
	if len(list.Items) < mostNamespaces {
		return true, nil
	}
	var shares []records.Share
	for i := range list.Items {
		shares = append(shares, shareOf(&list.Items[i]))
	}
	yields := records.Yields(shares, newcomer, forgetAfter, s.Now())
	log.FromContext(ctx).Info("There are records of too many namespaces: those of one go", "namespace", yields.Namespace,
		"most", mostNamespaces)
	for i := range list.Items {
		if list.Items[i].Labels[v1alpha1.RecordsLabel] == yields.Namespace {
			uid := list.Items[i].UID
			return true, client.IgnoreNotFound(s.Client.Delete(ctx, &list.Items[i], client.Preconditions{UID: &uid}, uncached))
		}
	}
	return false, nil
}

// shareOf is what an object says of the records that it has. One that says nothing has nothing that anybody would miss.
func shareOf(object *metav1.PartialObjectMetadata) records.Share {
	s := records.Share{Namespace: object.Labels[v1alpha1.RecordsLabel]}
	s.Last, _ = time.Parse(time.RFC3339, object.Annotations[endedAnnotation])
	s.GPUHours, _ = strconv.ParseFloat(object.Annotations[hoursAnnotation], 64)
	return s
}
