package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	clientgoscheme "k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/e2e/lib/training"
)

// watcher sees what is in the cluster.
type watcher struct {
	cache  cache.Cache
	client client.Client
}

// watch makes a watcher; it sees until the context ends.
func watch(ctx context.Context, config *rest.Config) (*watcher, error) {
	scheme := runtime.NewScheme()
	if err := errors.Join(clientgoscheme.AddToScheme(scheme), v1alpha1.AddToScheme(scheme)); err != nil {
		return nil, err
	}
	c, err := client.New(config, client.Options{Scheme: scheme})
	if err != nil {
		return nil, fmt.Errorf("cannot reach the cluster: %w", err)
	}
	watched, err := cache.New(config, cache.Options{Scheme: scheme, Mapper: c.RESTMapper()})
	if err != nil {
		return nil, fmt.Errorf("cannot watch the cluster: %w", err)
	}
	for _, object := range []client.Object{
		&v1alpha1.ElasticJob{}, &v1alpha1.Resize{}, &corev1.Pod{}, &corev1.Node{}, emptyJob(),
	} {
		if _, err := watched.GetInformer(ctx, object, cache.BlockUntilSynced(false)); err != nil {
			return nil, fmt.Errorf("cannot watch the cluster: %w", err)
		}
	}
	go func() { _ = watched.Start(ctx) }()
	if !watched.WaitForCacheSync(ctx) {
		return nil, errors.New("cannot watch the cluster")
	}
	return &watcher{cache: watched, client: c}, nil
}

func emptyJob() *unstructured.Unstructured {
	job := &unstructured.Unstructured{}
	job.SetGroupVersionKind(pytorchJob)
	return job
}

// look sees what there is of the first parts of a story.
func (e *watcher) look(ctx context.Context, of story, submitted int, begun time.Time) (scene, error) {
	s := scene{at: time.Now(), begun: begun, story: of}
	for _, p := range of.parts[:submitted] {
		j := job{part: p}
		var elastic v1alpha1.ElasticJob
		name := client.ObjectKey{Namespace: namespace, Name: p.name}
		if err := e.cache.Get(ctx, name, &elastic); err == nil {
			j.elastic = &elastic
		} else if client.IgnoreNotFound(err) != nil {
			return s, err
		}
		object := emptyJob()
		if err := e.cache.Get(ctx, name, object); client.IgnoreNotFound(err) != nil {
			return s, err
		}
		j.done = share(object.GetAnnotations()[training.ProgressAnnotation])
		switch {
		case j.finished():
			j.done = 1
		case of.real && j.elastic != nil: // nobody but Takt reads what it prints
			j.done = float64(j.elastic.Status.Progress.PartsPerMillion) / 1e6
		}
		s.jobs = append(s.jobs, j)
	}
	var resizes v1alpha1.ResizeList
	var pods corev1.PodList
	var nodes corev1.NodeList
	if err := errors.Join(e.cache.List(ctx, &resizes), e.cache.List(ctx, &pods), e.cache.List(ctx, &nodes)); err != nil {
		return s, err
	}
	s.seeResizes(resizes.Items)
	s.seeNodes(nodes.Items, pods.Items)
	return s, nil
}

func (s *scene) seeResizes(resizes []v1alpha1.Resize) {
	slices.SortFunc(resizes, func(a, b v1alpha1.Resize) int { return cmp.Compare(a.Spec.Epoch, b.Spec.Epoch) })
	for _, r := range resizes {
		for i := range s.jobs {
			if s.jobs[i].name == r.Spec.ElasticJob {
				s.jobs[i].resizes = append(s.jobs[i].resizes, r)
			}
		}
	}
}

// seeNodes draws the map of the GPUs.
func (s *scene) seeNodes(nodes []corev1.Node, pods []corev1.Pod) {
	slices.SortFunc(nodes, func(a, b corev1.Node) int { return strings.Compare(a.Name, b.Name) })
	slices.SortFunc(pods, func(a, b corev1.Pod) int { return strings.Compare(a.Name, b.Name) })
	for _, n := range nodes {
		count := n.Status.Allocatable["nvidia.com/gpu"]
		gpus := slices.Repeat([]rune{free}, int(count.Value()))
		taken := 0
		for _, pod := range pods {
			index := slices.IndexFunc(s.jobs, func(j job) bool { return strings.HasPrefix(pod.Name, j.name+"-worker-") })
			ended := pod.Status.Phase == corev1.PodSucceeded || pod.Status.Phase == corev1.PodFailed
			if index < 0 || ended || pod.Spec.NodeName != n.Name {
				continue
			}
			running := pod.Status.Phase == corev1.PodRunning && pod.DeletionTimestamp == nil
			for range min(s.jobs[index].gpus, len(gpus)-taken) {
				gpus[taken] = letter(index, running)
				taken++
			}
		}
		s.nodes = append(s.nodes, node{gpus})
	}
}

// share reads how far a job says that it is, as in 420/1000 steps at 2026-11-21T18:00:00Z.
func share(report string) float64 {
	count, _, _ := strings.Cut(report, " ")
	done, total, _ := strings.Cut(count, "/")
	of, err := strconv.ParseFloat(total, 64)
	if err != nil || of <= 0 {
		return 0
	}
	is, err := strconv.ParseFloat(done, 64)
	if err != nil {
		return 0
	}
	return is / of
}
