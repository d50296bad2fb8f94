package planning_test

import (
	"context"
	"slices"
	"testing"

	kubeflow "github.com/kubeflow/training-operator/pkg/apis/kubeflow.org/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/interceptor"

	"github.com/takt-dev/takt/elastic"
	"github.com/takt-dev/takt/operator/fixture"
)

// asksServer is a reader that the API server answers, and not the cache. It notes what it is asked for.
type asksServer struct {
	client.Reader
	note func(call string, about client.Object)
}

func (a asksServer) Get(ctx context.Context, key client.ObjectKey, into client.Object,
	options ...client.GetOption) error {
	a.note("read", into)
	return a.Reader.Get(ctx, key, into, options...)
}

// From a decision to the replicas the API server is asked few things, each of which is waited for: what is not needed
// before the size is asked for comes later.
func TestADecisionIsFewCallsAwayFromTheReplicas(t *testing.T) {
	const (
		// What is asked of the job may be another by now, and the cache a moment old.
		readWish = "read ElasticJob"
		// Whoever comes after a crash goes by it.
		makeRecord = "create Resize"
		// That workers leave is on record before they are told to, or it is certain at least that there is still a record.
		writeRecord, readRecord = "write Resize", "read Resize"
		// The patch is made for the job as it is: others write to it as well.
		readJob, writeJob = "read PyTorchJob", "write PyTorchJob"
	)
	restarts := func(job *kubeflow.PyTorchJob) { job.Spec.ElasticPolicy.MaxRestarts = nil }
	for name, test := range map[string]struct {
		from, to elastic.Workers
		change   func(*kubeflow.PyTorchJob)
		want     []string
	}{
		"a start":   {0, 2, fixture.SuspendedAtFirst, []string{readWish, makeRecord, readJob, writeJob}},
		"a growth":  {2, 4, nil, []string{readWish, makeRecord, readJob, writeJob}},
		"a shrink":  {4, 2, nil, []string{readWish, makeRecord, writeRecord, readJob, writeJob}},
		"a stop":    {2, 0, nil, []string{readWish, makeRecord, writeRecord, readJob, writeJob}},
		"a restart": {2, 4, restarts, []string{readWish, makeRecord, readRecord, readJob, writeJob}},
	} {
		t.Run(name, func(t *testing.T) {
			job := fixture.PyTorchJob("resnet", int32(max(test.from, 1)))
			if test.change != nil {
				test.change(job)
			}
			objects := []client.Object{job, fixture.ElasticJob("resnet"), fixture.Node("node", "8")}
			if test.from > 0 {
				objects = append(objects, fixture.Worker0(job, "node"))
			}
			var calls []string
			o := fixture.Stopped(t, interceptor.Funcs{}, objects...)
			note := func(call string, about client.Object) {
				gvk, err := o.Client.GroupVersionKindFor(about)
				if err != nil {
					t.Fatal(err)
				}
				calls = append(calls, call+" "+gvk.Kind)
			}
			o.Client = interceptor.NewClient(o.Client.(client.WithWatch), interceptor.Funcs{
				Create: func(ctx context.Context, c client.WithWatch, o client.Object, options ...client.CreateOption) error {
					note("create", o)
					return c.Create(ctx, o, options...)
				},
				Patch: func(ctx context.Context, c client.WithWatch, o client.Object, patch client.Patch,
					options ...client.PatchOption) error {
					note("write", o)
					return c.Patch(ctx, o, patch, options...)
				},
				SubResourcePatch: func(ctx context.Context, c client.Client, of string, o client.Object, patch client.Patch,
					options ...client.SubResourcePatchOption) error {
					note("write", o)
					return c.SubResource(of).Patch(ctx, o, patch, options...)
				},
			})
			o.Live = asksServer{o.Live, note}
			o.Furnish()
			fixture.Decides(o, elastic.Resize{Job: "team/resnet", From: test.from, To: test.to, Reason: "GPUsFree"}, "So it is.")
			fixture.Plans(t, o)
			if _, err := o.Resizer.Reconcile(t.Context(), fixture.Request("resnet-1")); err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(calls, test.want) {
				t.Errorf("the API server is asked %q, want %q", calls, test.want)
			}
		})
	}
}
