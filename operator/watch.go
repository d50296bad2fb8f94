package operator

import (
	"context"
	"fmt"

	autoscalingv2 "k8s.io/api/autoscaling/v2"
	corev1 "k8s.io/api/core/v1"
	toolscache "k8s.io/client-go/tools/cache"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/operator/changes"
)

// listen wakes the planner when something changes that a plan depends on.
func (o *Operator) listen(ctx context.Context, c cache.Cache) error {
	for _, each := range []struct {
		object  client.Object
		matters func(before, after any) bool
	}{
		{&corev1.Node{}, changes.NodeMatters(o.rooms.GPUs)},
		{&corev1.Pod{}, changes.PodMatters(o.rooms.GPUs)},
		{&corev1.ResourceQuota{}, changes.Always},
		{&v1alpha1.TrainingQueue{}, changes.GenerationMatters},
		{&corev1.Namespace{}, changes.LabelsMatter}, // by which a queue chooses who may use it
		{&autoscalingv2.HorizontalPodAutoscaler{}, changes.GenerationMatters},
		{&v1alpha1.ElasticJob{}, changes.ElasticJobMatters},
		{&v1alpha1.Resize{}, changes.ResizeMatters},
		{&v1alpha1.TrainingProfile{}, func(before, after any) bool {
			return o.rooms.Shared.Matters(before, after, o.rooms.Now())
		}},
	} {
		if err := o.listenTo(ctx, c, each.object, each.matters); err != nil {
			return err
		}
	}
	return o.listenForRoom(ctx, c)
}

func (o *Operator) listenTo(ctx context.Context, c cache.Cache, object client.Object,
	matters func(before, after any) bool) error {
	informer, err := c.GetInformer(ctx, object, cache.BlockUntilSynced(false))
	if err != nil {
		return fmt.Errorf("watching %T: %w", object, err)
	}
	goneMatters := changes.PodGoneMatters(o.rooms.GPUs)
	kickIf := func(before, after any) {
		if matters(before, after) {
			o.rooms.Planner.Hear(after)
		}
	}
	_, err = informer.AddEventHandler(toolscache.ResourceEventHandlerFuncs{
		AddFunc:    func(added any) { kickIf(nil, added) },
		UpdateFunc: kickIf,
		DeleteFunc: func(gone any) {
			if goneMatters(gone) {
				o.rooms.Planner.Hear(gone)
			}
		},
	})
	return err
}

// listenForRoom wakes the planner when a pod without GPUs leaves room that some job may wait for.
func (o *Operator) listenForRoom(ctx context.Context, c cache.Cache) error {
	informer, err := c.GetInformer(ctx, &corev1.Pod{}, cache.BlockUntilSynced(false))
	if err != nil {
		return fmt.Errorf("watching pods: %w", err)
	}
	leaves := changes.LeavesRoom(o.rooms.GPUs)
	hear := func(before, after any) {
		if node := leaves(before, after); node != "" {
			o.rooms.Planner.HearRoom(node)
		}
	}
	_, err = informer.AddEventHandler(toolscache.ResourceEventHandlerFuncs{
		UpdateFunc: hear,
		DeleteFunc: func(gone any) { hear(gone, nil) },
	})
	return err
}
