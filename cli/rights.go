package cli

import (
	"context"
	"fmt"
	"slices"

	authorizationv1 "k8s.io/api/authorization/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/takt-dev/takt/cli/access"
	"github.com/takt-dev/takt/cli/doctor"
	"github.com/takt-dev/takt/operator/kind/written"
)

// right is something that is asked for.
type right struct {
	verb, group, resource, subresource string
	use                                string
}

func (r right) on(namespace string) *authorizationv1.ResourceAttributes {
	return &authorizationv1.ResourceAttributes{
		Namespace: namespace, Verb: r.verb, Group: r.group, Resource: r.resource, Subresource: r.subresource,
	}
}

func (r right) String() string {
	name := r.resource
	if r.subresource != "" {
		name += "/" + r.subresource
	}
	return r.verb + " " + name
}

// rightsOf are those that whoever asks has in their namespace.
func rightsOf(ctx context.Context, c *access.Cluster) ([]doctor.Right, error) {
	var all []doctor.Right
	training := written.Kinds[0] // roles have all kinds together
	for _, r := range []right{
		{"list", "takt.dev", "elasticjobs", "", "takt list"},
		{"list", "takt.dev", "resizes", "", "takt why and takt timeline"},
		{"list", "takt.dev", "trainingqueues", "", "takt queues"},
		{"create", training.Group, training.Resource, "", "takt submit"},
		{"patch", training.Group, training.Resource, "", "takt suspend and takt resume"},
	} {
		review, err := c.Core.AuthorizationV1().SelfSubjectAccessReviews().Create(ctx,
			&authorizationv1.SelfSubjectAccessReview{Spec: authorizationv1.SelfSubjectAccessReviewSpec{ResourceAttributes: r.on(
				c.Namespace)}}, metav1.CreateOptions{})
		if err != nil {
			return nil, c.Explain(err)
		}
		all = append(all, doctor.Right{
			What: fmt.Sprintf("%s in namespace %s", r, c.Namespace), May: review.Status.Allowed, For: r.use,
		})
	}
	return all, nil
}

// clusterWide are what is in no namespace.
var clusterWide = []string{"nodes", "trainingqueues", "tokenreviews", "subjectaccessreviews"}

// operatorRights are those of the account of the operator; nil if there is none, or it may not be asked for. Where Takt
// looks after some namespaces only, it has them in each of these: the one of whoever asks counts.
func operatorRights(ctx context.Context, c *access.Cluster) []doctor.Right {
	namespace := c.OperatorNamespace()
	if _, err := c.Core.CoreV1().ServiceAccounts(namespace).Get(ctx, "takt-operator", metav1.GetOptions{}); err != nil {
		return nil
	}
	var all []doctor.Right
	training := written.Kinds[0]
	for _, r := range []right{
		{"list", "", "nodes", "", "the planner"},
		{"list", "", "pods", "", "the planner"},
		{"list", "takt.dev", "trainingqueues", "", "the planner"},
		{"create", "takt.dev", "elasticjobs", "", "a deadline on a job"},
		{"update", "takt.dev", "elasticjobs", "status", "each status"},
		{"create", "takt.dev", "resizes", "", "each resize"},
		{"patch", training.Group, training.Resource, "", "each resize"},
		{"get", "", "pods", "log", "progress that is told by logs"},
		{"create", "authentication.k8s.io", "tokenreviews", "", "who may read metrics and snapshot"},
		{"create", "authorization.k8s.io", "subjectaccessreviews", "", "who may read metrics and snapshot"},
	} {
		has := doctor.Right{What: r.String(), For: r.use}
		var err error
		if has.May, err = operatorMay(ctx, c, r.on("")); err == nil && !has.May && !slices.Contains(clusterWide, r.resource) {
			has.What = fmt.Sprintf("%s in namespace %s", r, c.Namespace)
			has.May, err = operatorMay(ctx, c, r.on(c.Namespace))
		}
		if err != nil {
			return nil
		}
		all = append(all, has)
	}
	return all
}

// operatorMay says whether the account of the operator may do something.
func operatorMay(ctx context.Context, c *access.Cluster, what *authorizationv1.ResourceAttributes) (bool, error) {
	namespace := c.OperatorNamespace()
	review, err := c.Core.AuthorizationV1().SubjectAccessReviews().Create(ctx,
		&authorizationv1.SubjectAccessReview{Spec: authorizationv1.SubjectAccessReviewSpec{
			User: "system:serviceaccount:" + namespace + ":takt-operator", Groups: []string{
				"system:serviceaccounts", "system:serviceaccounts:" + namespace, "system:authenticated",
			},
			ResourceAttributes: what,
		}}, metav1.CreateOptions{})
	if err != nil {
		return false, c.Explain(err)
	}
	return review.Status.Allowed, nil
}
