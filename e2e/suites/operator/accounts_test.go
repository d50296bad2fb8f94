package operator

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	authenticationv1 "k8s.io/api/authentication/v1"
	authorizationv1 "k8s.io/api/authorization/v1"
	corev1 "k8s.io/api/core/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/kubernetes"
	"sigs.k8s.io/yaml"

	"github.com/takt-dev/takt/e2e/lib/cluster"
)

// accounts makes ServiceAccounts in the namespace of a test.
type accounts struct {
	t         *testing.T
	client    kubernetes.Interface
	namespace string
}

func newAccounts(t *testing.T, namespace string) *accounts {
	t.Helper()
	client, err := kubernetes.NewForConfig(cluster.Shared().Config())
	if err != nil {
		t.Fatal(err)
	}
	return &accounts{t, client, namespace}
}

// token makes an account with the rights of the ClusterRole in a file, if one is named, and gives a
// token of it once the API server knows of them.
func (a *accounts) token(name, file string) string {
	a.t.Helper()
	ctx := a.t.Context()
	account := &corev1.ServiceAccount{ObjectMeta: metav1.ObjectMeta{Name: name}}
	if _, err := a.client.CoreV1().ServiceAccounts(a.namespace).Create(ctx, account, metav1.CreateOptions{}); err != nil {
		a.t.Fatal(err)
	}
	if file != "" {
		a.grant(name, a.rules(file))
	}
	request, err := a.client.CoreV1().ServiceAccounts(a.namespace).CreateToken(ctx, name, &authenticationv1.TokenRequest{},
		metav1.CreateOptions{})
	if err != nil {
		a.t.Fatal(err)
	}
	return request.Status.Token
}

// rules are those of the ClusterRole with which a file begins or which it is.
func (a *accounts) rules(file string) []rbacv1.PolicyRule {
	a.t.Helper()
	text, err := os.ReadFile(filepath.Join(cluster.Root(), file))
	if err != nil {
		a.t.Fatal(err)
	}
	document, _, _ := strings.Cut(string(text), "\n---\n")
	var role rbacv1.ClusterRole
	if err := yaml.UnmarshalStrict([]byte(document), &role); err != nil || role.Kind != "ClusterRole" ||
		len(role.Rules) == 0 {
		a.t.Fatalf("%s does not begin with a ClusterRole (%v)", file, err)
	}
	return role.Rules
}

func (a *accounts) grant(name string, rules []rbacv1.PolicyRule) {
	a.t.Helper()
	ctx, roles := a.t.Context(), a.client.RbacV1()
	unique := a.namespace + "-" + name
	if _, err := roles.ClusterRoles().Create(ctx,
		&rbacv1.ClusterRole{ObjectMeta: metav1.ObjectMeta{Name: unique}, Rules: rules}, metav1.CreateOptions{}); err != nil {
		a.t.Fatal(err)
	}
	binding := &rbacv1.ClusterRoleBinding{
		ObjectMeta: metav1.ObjectMeta{Name: unique},
		RoleRef:    rbacv1.RoleRef{APIGroup: rbacv1.GroupName, Kind: "ClusterRole", Name: unique},
		Subjects:   []rbacv1.Subject{{Kind: rbacv1.ServiceAccountKind, Namespace: a.namespace, Name: name}},
	}
	if _, err := roles.ClusterRoleBindings().Create(ctx, binding, metav1.CreateOptions{}); err != nil {
		a.t.Fatal(err)
	}
	a.t.Cleanup(func() {
		after := cluster.AfterTest(a.t)
		_ = roles.ClusterRoleBindings().Delete(after, unique, metav1.DeleteOptions{})
		_ = roles.ClusterRoles().Delete(after, unique, metav1.DeleteOptions{})
	})
	// Whoever asks too early is refused, and the refusal is kept for half a minute.
	last := rules[len(rules)-1]
	if err := wait.PollUntilContextTimeout(ctx, 20*time.Millisecond, time.Minute, true,
		func(ctx context.Context) (bool, error) {
			review := &authorizationv1.SubjectAccessReview{
				Spec: authorizationv1.SubjectAccessReviewSpec{User: "system:serviceaccount:" + a.namespace + ":" + name},
			}
			if len(last.NonResourceURLs) > 0 {
				review.Spec.NonResourceAttributes = &authorizationv1.NonResourceAttributes{
					Path: last.NonResourceURLs[0], Verb: last.Verbs[0],
				}
			} else {
				review.Spec.ResourceAttributes = &authorizationv1.ResourceAttributes{
					Group: last.APIGroups[0], Resource: last.Resources[0], Verb: last.Verbs[0],
				}
			}
			review, err := a.client.AuthorizationV1().SubjectAccessReviews().Create(ctx, review, metav1.CreateOptions{})
			return err == nil && review.Status.Allowed, err
		}); err != nil {
		a.t.Fatalf("%s never gets its rights: %v", name, err)
	}
}
