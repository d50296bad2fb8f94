package training

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// advance lets time pass for all, and begins to write what has come of it. What fails, or finds all
// writers busy, is tried again at the next tick.
func (t *player) advance(ctx context.Context, now time.Time) {
	for k, p := range t.plays {
		p.state = p.spec.Advance(p.state, now)
		if len(p.state.Said) > 0 && len(p.pods) > 0 && t.Logs != nil {
			t.Logs.write(first(p.pods), p.state.Said)
		}
		p.state.Said = nil
		over := p.state.Outcome != ""
		says := p.spec.reportOf(p.state)
		due := says != p.said && (over || now.Sub(p.saidAt) >= t.Every)
		var end []*corev1.Pod
		if over { // those who come after the end are told as well
			end = slices.DeleteFunc(slices.Clone(p.pods), func(pod *corev1.Pod) bool { return p.told[pod.UID] })
		}
		if p.writing || !due && len(end) == 0 {
			continue
		}
		uid, outcome := p.uid, p.state.Outcome
		p.writing = t.writers.TryGo(func() error {
			var err error
			if due {
				err = t.say(ctx, k, uid, says)
			}
			said := due && err == nil
			var told []types.UID
			if err == nil { // nobody reports after the end
				told, err = t.end(ctx, end, outcome)
			}
			if err != nil && ctx.Err() == nil {
				t.Complain(fmt.Errorf("%s: %w", k, err))
			}
			select {
			case <-ctx.Done():
			case t.written <- func() {
				p.writing = false
				if said {
					p.said, p.saidAt = says, now
				}
				for _, uid := range told {
					p.told[uid] = true
				}
			}:
			}
			return nil
		})
	}
}

func (t *player) say(ctx context.Context, k key, uid types.UID, says report) error {
	notes := map[string]string{}
	if says.progress != "" {
		notes[ProgressAnnotation] = says.progress
	}
	if says.checkpoint != "" {
		notes[CheckpointAnnotation] = says.checkpoint
	}
	job := emptyJob(k.kind)
	job.SetNamespace(k.namespace)
	job.SetName(k.name)
	if err := t.annotate(ctx, job, notes, uid); err != nil {
		return fmt.Errorf("cannot report progress: %w", err)
	}
	return nil
}

// end lets the pods of a training that is over come to their end, and gives those that were told so.
func (t *player) end(ctx context.Context, pods []*corev1.Pod, outcome Outcome) (told []types.UID, errs error) {
	notes := map[string]string{"localcluster.takt.dev/run-for": "0s", "localcluster.takt.dev/exit-code": "0"}
	if outcome == Broken {
		notes["localcluster.takt.dev/exit-code"] = "1"
	}
	for _, pod := range pods {
		if err := t.annotate(ctx, pod.DeepCopy(), notes, pod.UID); err != nil {
			errs = errors.Join(errs, fmt.Errorf("cannot end pod %s: %w", pod.Name, err))
			continue
		}
		told = append(told, pod.UID)
	}
	return told, errs
}

// annotate does nothing to an object that is gone, or that is another of the same name.
func (t *player) annotate(ctx context.Context, object client.Object, notes map[string]string, uid types.UID) error {
	patch, err := json.Marshal(map[string]any{"metadata": map[string]any{"annotations": notes, "uid": uid}})
	if err != nil {
		return err
	}
	err = t.client.Patch(ctx, object, client.RawPatch(types.MergePatchType, patch))
	if apierrors.IsNotFound(err) || apierrors.IsConflict(err) {
		return nil
	}
	return err
}
