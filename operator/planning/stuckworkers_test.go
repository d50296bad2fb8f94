package planning_test

import (
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/interceptor"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/operator/fixture"
	"github.com/takt-dev/takt/operator/memory"
)

// GPUs that a job cannot have, as it cannot grow, are left to others.
func TestNoPlanGrowsAJobThatHasWorkersStuck(t *testing.T) {
	for node, want := range map[string]bool{"here": false, "lost": true} {
		job, lost := fixture.PyTorchJob("resnet", 1), fixture.Node("lost", "8")
		lost.Status.Conditions[0].Status = corev1.ConditionUnknown
		pod := fixture.Worker0(job, node)
		pod.DeletionTimestamp, pod.Finalizers = new(metav1.NewTime(fixture.Start)), []string{"test/stays"}
		o := fixture.Stopped(t, interceptor.Funcs{}, fixture.Node("here", "8"), lost, fixture.ElasticJob("resnet"), job, pod)
		if _, err := o.Planner.Plan(t.Context()); err != nil {
			t.Fatal(err)
		}
		if u := o.Last.Load().Jobs[0].Ungrown; (u != nil && u.Stuck) != want {
			t.Errorf("with its worker on node %s it may not be grown: %+v", node, u)
		}
	}
}

// A job that was stopped starts once the pods that it had are gone: until then none of their names can be made.
func TestAJobStartsOnceItsLastPodsAreGone(t *testing.T) {
	for name, c := range map[string]struct {
		node  string
		after time.Duration
		want  bool
	}{
		"a pod that is told to go":             {"node", 0, true},
		"one that nobody has told to go yet":   {"node", -1, true},
		"one that takes too long":              {"node", time.Hour, false},
		"one on a node that does not answer":   {"lost", 0, false},
		"it has none, as it has never started": {"", 0, false},
	} {
		t.Run(name, func(t *testing.T) {
			job := fixture.AnnotatedJob(nil)
			job.Spec.RunPolicy.Suspend = new(true)
			lost := fixture.Node("lost", "8")
			lost.Status.Conditions[0].Status = corev1.ConditionUnknown
			objects := []client.Object{job, fixture.ElasticJob("resnet"), fixture.Node("node", "8"), lost}
			if c.node != "" {
				pod := fixture.Worker0(job, c.node)
				if c.after >= 0 {
					pod.DeletionTimestamp = new(metav1.NewTime(fixture.Start.Add(-c.after)))
					pod.Finalizers = []string{"test/goes"}
				}
				objects = append(objects, pod)
			}
			o := fixture.Stopped(t, interceptor.Funcs{}, objects...)
			o.Limits.StopWithin = 5 * time.Minute
			o.Furnish()
			fixture.Plans(t, o)
			var begun v1alpha1.ResizeList
			if err := o.Client.List(t.Context(), &begun); err != nil {
				t.Fatal(err)
			}
			s, err := o.View.Look(t.Context(), fixture.Get(t, o, "resnet", &v1alpha1.ElasticJob{}))
			if err != nil {
				t.Fatal(err)
			}
			if waits := s.Known.HinderedBy().Reason == memory.ReasonLeaving; waits != c.want || waits == (len(begun.Items) > 0) {
				t.Errorf("it waits: %t, and %d Resizes are begun", waits, len(begun.Items))
			}
		})
	}
}
