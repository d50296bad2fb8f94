package install

import (
	"context"
	"testing"
	"time"

	authorizationv1 "k8s.io/api/authorization/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/kubernetes"
)

// ask is whether the operator may do something.
type ask struct {
	verb, group, resource, subresource, namespace, name string
}

func (a ask) String() string {
	where := "everywhere"
	if a.namespace != "" {
		where = "in " + a.namespace
	}
	return a.verb + " " + a.group + "/" + a.resource + "/" + a.subresource + " " + a.name + " " + where
}

// In both ways to install it, the operator may do this, and not that.
var (
	always = []ask{
		{"watch", "", "nodes", "", "", ""},
		{"list", "", "namespaces", "", "", ""},
		{"patch", "takt.dev", "trainingqueues", "status", "", ""},
		{"create", "authentication.k8s.io", "tokenreviews", "", "", ""},
		{"create", "authorization.k8s.io", "subjectaccessreviews", "", "", ""},
		{"create", "coordination.k8s.io", "leases", "", "takt-system", ""},
		{"update", "coordination.k8s.io", "leases", "", "takt-system", "takt-operator"},
		{"create", "", "events", "", "takt-system", ""},
	}
	never = []ask{
		{"get", "", "secrets", "", "", ""},
		{"get", "", "secrets", "", "takt-system", ""},
		{"create", "", "pods", "", "", ""},
		{"create", "", "pods", "exec", "training", ""},
		{"delete", "", "nodes", "", "", ""},
		{"update", "takt.dev", "trainingqueues", "", "", ""},
		{"delete", "takt.dev", "trainingprofiles", "", "training", ""},
		{"delete", "kubeflow.org", "pytorchjobs", "", "training", ""},
		{"create", "kubeflow.org", "pytorchjobs", "", "training", ""},
		{"update", "coordination.k8s.io", "leases", "", "takt-system", "other"},
		{"update", "coordination.k8s.io", "leases", "", "kube-system", "takt-operator"},
		{"impersonate", "", "users", "", "", ""},
		{"create", "rbac.authorization.k8s.io", "clusterrolebindings", "", "", ""},
	}
)

// jobs is what it may do where jobs are.
func jobs(namespace string) []ask {
	return []ask{
		{"delete", "takt.dev", "elasticjobs", "", namespace, ""},
		{"update", "takt.dev", "elasticjobs", "status", namespace, ""},
		{"create", "takt.dev", "resizes", "", namespace, ""},
		{"patch", "takt.dev", "resizes", "status", namespace, ""},
		{"create", "takt.dev", "trainingprofiles", "", namespace, ""},
		{"patch", "kubeflow.org", "pytorchjobs", "", namespace, ""},
		{"watch", "kubeflow.org", "tfjobs", "", namespace, ""},
		{"delete", "", "pods", "", namespace, ""},
		{"get", "", "pods", "log", namespace, ""},
		{"list", "metrics.k8s.io", "pods", "", namespace, ""},
		{"watch", "", "resourcequotas", "", namespace, ""},
		{"watch", "autoscaling", "horizontalpodautoscalers", "", namespace, ""},
		{"patch", "events.k8s.io", "events", "", namespace, ""},
	}
}

// The steps are those of the README on a cluster that has never heard of Takt, and what may be done
// after it. They share the cluster, and each begins where the one before ends.
func TestInstallation(t *testing.T) {
	read := open(t)
	steps := []struct {
		name string
		do   func(*testing.T)
	}{
		{"over what was there before", upgrade},
		{"for the cluster", func(t *testing.T) {
			read.do(t, "README.md", "Install")
			awaitPods(t, operator)
			checkRights(t, operator, append(jobs(""), always...), never)
		}},
		{"for the users of Kubeflow", rolesOfKubeflow},
		{"again", func(t *testing.T) {
			apply(t, "config/default")
			apply(t, "config/queue")
		}},
		{"with more rights", func(t *testing.T) {
			apply(t, "e2e/suites/install/testdata/custom-metrics")
			apply(t, "config/prometheus")
			checkRights(t, operator,
				[]ask{
					{"get", "custom.metrics.k8s.io", "pods", "train_steps_total", "training", ""},
					{"get", "custom.metrics.k8s.io", "pytorchjobs.kubeflow.org", "train_steps_planned", "training", "resnet"},
				},
				[]ask{{"get", "custom.metrics.k8s.io", "pods", "other", "training", ""}})
		}},
		{"as the documents say", func(t *testing.T) {
			read.watch(t)
			read.backUp(t)
		}},
		{"the scheduler beside another", beside},
		{"the scheduler instead of another", func(t *testing.T) {
			instead(t, func() { read.do(t, schedulerPage, "kubectl -n kube-system get lease kube-scheduler") })
			read.do(t, schedulerPage, "Install")
		}},
		{"for some namespaces only", func(t *testing.T) {
			createNamespace(t, "training")
			if _, err := fresh.Kubectl(t.Context(), "delete", "-k", "config/rbac/jobs"); err != nil {
				t.Fatal(err)
			}
			apply(t, "config/namespaced")
			awaitPods(t, operator)
			checkRights(t, operator, append(jobs("training"), always...), append(jobs("other"), never...))
		}},
		{"and removal", remove},
		{"by hand", read.byHand},
		{"from the files of a release", read.byFiles},
		{"and all of that by Helm", func(t *testing.T) {
			byHelm(t)
			read.do(t, operations, "kubectl delete -k config/crd")
		}},
		{"and nothing is left out", read.complete},
	}
	for _, step := range steps {
		if !t.Run(step.name, step.do) {
			return
		}
	}
}

func client(t *testing.T) kubernetes.Interface {
	t.Helper()
	c, err := kubernetes.NewForConfig(fresh.Config())
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func createNamespace(t *testing.T, name string) {
	t.Helper()
	namespace := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: name}}
	if _, err := client(t).CoreV1().Namespaces().Create(t.Context(), namespace, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
}

// awaitPods waits until both replicas of a Deployment run: simulated nodes need no image, but admission has let the
// pods pass, under the strictest of the pod security standards.
func awaitPods(t *testing.T, deployment string) {
	t.Helper()
	if _, err := fresh.Kubectl(t.Context(), "--namespace", "takt-system", "rollout", "status", "--timeout",
		enough.String(), "deployment/"+deployment); err != nil {
		events, _ := fresh.Kubectl(t.Context(), "--namespace", "takt-system", "get", "events")
		t.Fatalf("%v\n%s", err, events)
	}
}

// operator is the ServiceAccount of the operator.
const operator = "takt-operator"

func checkRights(t *testing.T, account string, yes, no []ask) {
	t.Helper()
	c := client(t)
	may := func(ctx context.Context, a ask) (bool, error) {
		review, err := c.AuthorizationV1().SubjectAccessReviews().Create(ctx, &authorizationv1.SubjectAccessReview{
			Spec: authorizationv1.SubjectAccessReviewSpec{
				User:   "system:serviceaccount:takt-system:" + account,
				Groups: []string{"system:serviceaccounts", "system:serviceaccounts:takt-system", "system:authenticated"},
				ResourceAttributes: &authorizationv1.ResourceAttributes{
					Namespace: a.namespace, Name: a.name, Verb: a.verb, Group: a.group, Resource: a.resource,
					Subresource: a.subresource,
				},
			},
		}, metav1.CreateOptions{})
		if err != nil {
			return false, err
		}
		return review.Status.Allowed, nil
	}
	// The API server learns of a change a moment after it is written.
	for _, a := range yes {
		if err := wait.PollUntilContextTimeout(t.Context(), 50*time.Millisecond, enough, true,
			func(ctx context.Context) (bool, error) { return may(ctx, a) }); err != nil {
			t.Errorf("it may not %s: %v", a, err)
		}
	}
	for _, a := range no {
		if err := wait.PollUntilContextTimeout(t.Context(), 50*time.Millisecond, enough, true,
			func(ctx context.Context) (bool, error) { allowed, err := may(ctx, a); return !allowed, err }); err != nil {
			t.Errorf("it may %s: %v", a, err)
		}
	}
}
