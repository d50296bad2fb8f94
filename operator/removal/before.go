package removal

import (
	"context"
	"fmt"
	"strings"
	"time"

	admissionv1 "k8s.io/api/admissionregistration/v1"
	appsv1 "k8s.io/api/apps/v1"
	coordinationv1 "k8s.io/api/coordination/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// policyNames are those of the policies of config/admission, and of their bindings.
var policyNames = []string{"takt-suspend-until-admitted", "takt-suspend-jobs-until-admitted"}

// nameLabel is on the pods of the operator.
const nameLabel = "app.kubernetes.io/name"

// parametersName is that of the ConfigMap with the parameters of the policy.
const parametersName = "takt-admission"

// admission removes the policies by which new jobs are suspended: nobody would start them.
func (r *remover) admission(ctx context.Context) error {
	type part struct {
		kind, namespace, name string
		object                client.Object
	}
	var parts []part
	for _, name := range policyNames {
		parts = append(parts, part{"MutatingAdmissionPolicyBinding", "", name, &admissionv1.MutatingAdmissionPolicyBinding{}},
			part{"MutatingAdmissionPolicy", "", name, &admissionv1.MutatingAdmissionPolicy{}})
	}
	parts = append(parts, part{"ConfigMap", r.Namespace, parametersName, &corev1.ConfigMap{}})
	for _, part := range parts {
		key := types.NamespacedName{Namespace: part.namespace, Name: part.name}
		named := part.kind + " " + strings.TrimPrefix(key.String(), "/")
		err := r.client.Get(ctx, key, part.object)
		switch {
		case err != nil && notThere(err):
			continue
		case err != nil:
			return fmt.Errorf("looking at %s: %w", named, err)
		}
		if err := r.remove(ctx, part.object, "remove %s", named); err != nil {
			return err
		}
	}
	return nil
}

// operator stops the operator, and waits until none runs, wherever it is: it would take on again what is let
// go of.
func (r *remover) operator(ctx context.Context) error {
	var deployment appsv1.Deployment
	err := r.client.Get(ctx, types.NamespacedName{Namespace: r.Namespace, Name: r.Name}, &deployment)
	switch {
	case err != nil && !notThere(err):
		return fmt.Errorf("looking at Deployment %s/%s: %w", r.Namespace, r.Name, err)
	case err == nil && (deployment.Spec.Replicas == nil || *deployment.Spec.Replicas > 0):
		before := deployment.DeepCopy()
		deployment.Spec.Replicas = new(int32(0))
		err := r.do(func() error { return r.client.Patch(ctx, &deployment, client.MergeFrom(before)) },
			"stop the operator: Deployment %s/%s has no replicas", r.Namespace, r.Name)
		if err != nil {
			return err
		}
	}
	for told := false; ; told = true {
		running, wrong := r.running(ctx)
		switch {
		case wrong != nil:
			return wrong
		case running == "":
			return nil
		case r.DryRun:
			r.found++
			r.say("Would: wait until no operator runs (%s)", running)
			return nil
		case !told && err == nil:
			r.say("Waiting until no operator runs (%s)", running)
		case !told:
			r.say("Waiting until no operator runs (%s): stop it where it was started, as there is no Deployment of it", running)
		}
		if err := r.Pause(ctx, between); err != nil {
			return r.waitFailed(err, "an operator still runs%s (%s): stop it, and call this again", running)
		}
	}
}

// running says where an operator runs, as far as can be told: it has pods, or holds the lease.
func (r *remover) running(ctx context.Context) (string, error) {
	var pods corev1.PodList
	if err := r.client.List(ctx, &pods, client.InNamespace(r.Namespace),
		client.MatchingLabels{nameLabel: r.Name}); err != nil {
		return "", fmt.Errorf("listing the pods of the operator: %w", err)
	}
	for _, pod := range pods.Items {
		if pod.Status.Phase == corev1.PodRunning || pod.Status.Phase == corev1.PodPending {
			return "pod " + pod.Namespace + "/" + pod.Name, nil
		}
	}
	// One that was started by hand may hold its lease anywhere.
	var leases coordinationv1.LeaseList
	if err := r.client.List(ctx, &leases); err != nil {
		return "", fmt.Errorf("listing leases: %w", err)
	}
	for _, lease := range leases.Items {
		holder, renewed, lasts := lease.Spec.HolderIdentity, lease.Spec.RenewTime, lease.Spec.LeaseDurationSeconds
		if lease.Name != r.Name || holder == nil || *holder == "" || renewed == nil || lasts == nil {
			continue
		}
		if until := renewed.Add(time.Duration(*lasts) * time.Second); r.Now().Before(until) {
			return fmt.Sprintf("%s holds the lease %s/%s", *holder, lease.Namespace, lease.Name), nil
		}
	}
	return "", nil
}
