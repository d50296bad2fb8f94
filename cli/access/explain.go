package access

import (
	"errors"
	"fmt"
	"net"
	"net/url"
	"slices"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"

	"github.com/takt-dev/takt/api/v1alpha1"
)

// Explain says in a sentence why the cluster did not do what it was asked, and what to do.
func (c *Cluster) Explain(err error) error {
	if err == nil {
		return nil
	}
	return explain(err, c.Address)
}

func explain(err error, address string) error {
	if missing, ok := errors.AsType[*meta.NoKindMatchError](err); ok {
		return notInstalled(missing.GroupKind.Group, missing.GroupKind.Kind)
	}
	if missing, ok := errors.AsType[*meta.NoResourceMatchError](err); ok {
		return notInstalled(missing.PartialResource.Group, "kind of "+missing.PartialResource.Group)
	}
	if status, ok := errors.AsType[*apierrors.StatusError](err); ok {
		return refused(status, address)
	}
	if of, ok := errors.AsType[*url.Error](err); ok {
		because := of.Err
		if op, ok := errors.AsType[*net.OpError](err); ok {
			because = op.Err
		}
		return fmt.Errorf("the cluster at %s does not answer (%w): see that it runs and is the one that you mean: "+
			"kubectl config current-context names it, --context and --kubeconfig choose another", address, because)
	}
	return err
}

// notInstalled says how a kind comes into a cluster.
func notInstalled(group, kind string) error {
	if group == v1alpha1.GroupVersion.Group {
		return fmt.Errorf("Takt is not installed in this cluster, which knows no %s: kubectl apply --server-side -k config/default installs it", kind) //nolint:staticcheck // a name
	}
	return fmt.Errorf("this cluster knows no %s: install Kubeflow's training-operator", kind)
}

func refused(err *apierrors.StatusError, address string) error {
	said := err.ErrStatus.Message
	switch {
	case apierrors.IsUnauthorized(err):
		return fmt.Errorf("the cluster at %s does not know you: log in anew, or choose another user with --user "+
			"or --token", address)
	case apierrors.IsForbidden(err) && aboutTakt(err):
		return fmt.Errorf("%s: ask whoever runs the cluster for the ClusterRole takt-view, or takt-edit to change "+
			"anything; view and edit have them within", said)
	case apierrors.IsForbidden(err):
		return fmt.Errorf("%s: ask whoever runs the cluster for that right", said)
	case apierrors.IsInvalid(err), apierrors.IsBadRequest(err), apierrors.IsAlreadyExists(err), apierrors.IsNotFound(err):
		return err
	case apierrors.IsTimeout(err), apierrors.IsServerTimeout(err), apierrors.IsTooManyRequests(err),
		apierrors.IsServiceUnavailable(err), apierrors.IsInternalError(err):
		return fmt.Errorf("the cluster at %s cannot answer at present (%s): try again in a moment", address, said)
	}
	return err
}

func aboutTakt(err *apierrors.StatusError) bool {
	return err.ErrStatus.Details != nil && err.ErrStatus.Details.Group == v1alpha1.GroupVersion.Group ||
		strings.Contains(err.ErrStatus.Message, v1alpha1.GroupVersion.Group)
}

// few names the first of many.
func few(names []string) string {
	const most = 6
	slices.Sort(names)
	if more := len(names) - most; more > 0 {
		return fmt.Sprintf("%s and %d more", strings.Join(names[:most], ", "), more)
	}
	return strings.Join(names, ", ")
}
