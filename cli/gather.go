package cli

import (
	"context"
	"fmt"
	"slices"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/cli/access"
	"github.com/takt-dev/takt/cli/doctor"
	"github.com/takt-dev/takt/operator/kind/written"
	"github.com/takt-dev/takt/version"
)

// gather finds out all that the doctor goes by, of the jobs of one namespace, or of all that may be seen where it is
// empty. It fails where the cluster does not answer at all.
func gather(ctx context.Context, c *access.Cluster, namespace string) (doctor.Facts, error) {
	f := doctor.Facts{Now: time.Now(), Namespace: c.OperatorNamespace()}
	f.Release = version.OfRelease()
	server, err := c.Core.Discovery().ServerVersion()
	if err != nil {
		return f, c.Explain(err)
	}
	f.Version = "Kubernetes " + server.GitVersion + " at " + c.Address
	for _, kind := range []string{"ElasticJob", "Resize", "TrainingProfile", "TrainingQueue"} {
		note(&f.OwnKinds, kind, c.Serves(v1alpha1.GroupVersion.WithKind(kind)))
	}
	for _, kind := range written.Kinds {
		if !kind.Builtin {
			note(&f.TrainingKinds, kind.Kind, c.Serves(kind.GroupVersionKind))
		}
	}
	if f.OwnKinds.None() {
		return f, nil
	}
	f.Operator = program(ctx, c, "takt-operator", f.Now)
	f.Scheduler = program(ctx, c, "takt-scheduler", f.Now)
	if _, err := c.SnapshotText(ctx); err != nil {
		f.Snapshot = err.Error()
	}
	if f.Rights, err = rightsOf(ctx, c); err != nil {
		return f, err
	}
	f.OperatorRights = operatorRights(ctx, c)
	if !slices.Contains(f.OwnKinds.Missing, "ElasticJob") {
		if f.Jobs, err = visible(ctx, c, namespace); err != nil {
			return f, err
		}
	}
	return f, trainings(ctx, c, namespace, &f)
}

func note(kinds *doctor.Kinds, kind string, served bool) {
	kinds.Wanted = append(kinds.Wanted, kind)
	if !served {
		kinds.Missing = append(kinds.Missing, kind)
	}
}

// program looks for a program by its lease and its Deployment, both of the same name.
func program(ctx context.Context, c *access.Cluster, name string, now time.Time) doctor.Program {
	var p doctor.Program
	namespace := c.OperatorNamespace()
	lease, err := c.Core.CoordinationV1().Leases(namespace).Get(ctx, name, metav1.GetOptions{})
	switch {
	case apierrors.IsForbidden(err):
		p.Hidden = true
	case err == nil:
		p.Found = true
		p.Holder, p.Alive = access.Holder(lease, now)
		if lease.Spec.RenewTime != nil {
			p.Since = lease.Spec.RenewTime.Time
		}
	}
	if deployment, err := c.Core.AppsV1().Deployments(namespace).Get(ctx, name, metav1.GetOptions{}); err == nil {
		p.Found, p.Ready, p.Wanted = true, deployment.Status.ReadyReplicas, 1
		if deployment.Spec.Replicas != nil {
			p.Wanted = *deployment.Spec.Replicas
		}
		// A scheduler in the place of kube-scheduler holds the lease of that.
		if !p.Alive && name == "takt-scheduler" && p.Ready > 0 {
			p.Alive, p.Holder = true, fmt.Sprintf("Deployment %s/%s", namespace, name)
		}
	}
	return p
}

// visible are the jobs of a namespace; where none is named, those that whoever asks may see: of all namespaces, or of
// their own.
func visible(ctx context.Context, c *access.Cluster, namespace string) ([]v1alpha1.ElasticJob, error) {
	var all v1alpha1.ElasticJobList
	err := c.Client.List(ctx, &all, client.InNamespace(namespace))
	if apierrors.IsForbidden(err) {
		err = c.Client.List(ctx, &all, client.InNamespace(c.Namespace))
	}
	if apierrors.IsForbidden(err) { // among the rights that are missing
		return nil, nil
	}
	return all.Items, c.Explain(err)
}

// patience is how long what makes pods of jobs may take to look at one.
const patience = time.Minute

// trainings finds out which training jobs nobody has looked at, and which name Takt's scheduler.
func trainings(ctx context.Context, c *access.Cluster, namespace string, f *doctor.Facts) error {
	for _, kind := range written.Kinds {
		if slices.Contains(f.TrainingKinds.Missing, kind.Kind) {
			continue
		}
		list := &unstructured.UnstructuredList{}
		list.SetGroupVersionKind(kind.GroupVersionKind)
		err := c.Client.List(ctx, list, client.InNamespace(namespace))
		if apierrors.IsForbidden(err) {
			err = c.Client.List(ctx, list, client.InNamespace(c.Namespace))
		}
		if apierrors.IsForbidden(err) {
			continue
		}
		if err != nil {
			return c.Explain(err)
		}
		for _, job := range list.Items {
			if kind.Over(&job) {
				continue
			}
			name := fmt.Sprintf("%s %s/%s", kind.Kind, job.GetNamespace(), job.GetName())
			conditions, _, _ := unstructured.NestedSlice(job.Object, "status", "conditions")
			if !kind.Builtin && len(conditions) == 0 && f.Now.Sub(job.GetCreationTimestamp().Time) > patience {
				f.Unattended = append(f.Unattended, name)
			}
			if kind.PlacedBy("takt-scheduler", &job) {
				f.NamesScheduler = append(f.NamesScheduler, name)
			}
		}
	}
	return nil
}
