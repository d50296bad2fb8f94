package access

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/url"
	"slices"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/operator/kind/written"
	"github.com/takt-dev/takt/version"
)

// Explain says in a sentence why the cluster did not do what it was asked, and what to do.
func (c *Cluster) Explain(err error) error { return explain(err, c.Address) }

func explain(err error, address string) error {
	if err == nil || errors.Is(err, context.Canceled) {
		return err
	}
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
	return unexpected(err, address)
}

// unexpected says what to do about what nobody has foreseen.
func unexpected(err error, address string) error {
	return fmt.Errorf("the cluster at %s does not do what it is asked: %w. Try again, and see what takt doctor says",
		address, err)
}

// notInstalled says how a kind comes into a cluster.
func notInstalled(group, kind string) error {
	if group == v1alpha1.GroupVersion.Group {
		return fmt.Errorf("Takt is not installed in this cluster, which knows no %s: %s installs it, and so does its Helm chart", kind, version.OfRelease().Apply("default")) //nolint:staticcheck // a name
	}
	return fmt.Errorf("this cluster knows no %s: install %s", kind, written.Product)
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
	case apierrors.IsAlreadyExists(err):
		return fmt.Errorf("%w: give the new one another name, or delete the one that is there before", err)
	case apierrors.IsNotFound(err) && named(err) == "":
		return fmt.Errorf("the cluster at %s does not know what it is asked (%w): takt doctor says what is not installed",
			address, err)
	case apierrors.IsNotFound(err):
		return fmt.Errorf("%w: it was deleted meanwhile, or has another name or namespace: name the namespace with -n", err)
	case apierrors.IsInvalid(err):
		return fmt.Errorf("%w: change these fields, and try again; kubectl explain says what there may be", err)
	case apierrors.IsBadRequest(err):
		return fmt.Errorf("the cluster at %s does not understand what it is asked (%w): change that, and try again; "+
			"kubectl explain says what there may be", address, err)
	case apierrors.IsConflict(err):
		return fmt.Errorf("%w: others write it at the same time; try again", err)
	case apierrors.IsTimeout(err), apierrors.IsServerTimeout(err), apierrors.IsTooManyRequests(err),
		apierrors.IsServiceUnavailable(err), apierrors.IsInternalError(err):
		return fmt.Errorf("the cluster at %s cannot answer at present (%s): try again in a moment", address, said)
	}
	return unexpected(err, address)
}

// named is the object that an answer is about; empty where the API server has no such kind of thing at all.
func named(err *apierrors.StatusError) string {
	if err.ErrStatus.Details == nil {
		return ""
	}
	return err.ErrStatus.Details.Name
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
