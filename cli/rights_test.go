package cli

import (
	"fmt"
	"os"
	"strings"
	"testing"

	authorizationv1 "k8s.io/api/authorization/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/kubernetes/fake"
	clienttesting "k8s.io/client-go/testing"

	"github.com/takt-dev/takt/cli/access"
)

// An operator that looks after some namespaces only has its rights there, as config/namespaced gives them.
func TestAnOperatorOfSomeNamespacesHasItsRights(t *testing.T) {
	for name, c := range map[string]struct {
		namespace string
		lacks     int
		what      string
	}{
		"asked in one of them":   {"training", 0, "list pods in namespace training"},
		"asked in one of others": {"elsewhere", 6, "list pods in namespace elsewhere"},
	} {
		core := fake.NewClientset(&corev1.ServiceAccount{ObjectMeta: metav1.ObjectMeta{Name: "takt-operator"}})
		core.PrependReactor("create", "subjectaccessreviews", func(a clienttesting.Action) (bool, runtime.Object, error) {
			review := a.(clienttesting.CreateAction).GetObject().(*authorizationv1.SubjectAccessReview).DeepCopy()
			on := review.Spec.ResourceAttributes
			switch on.Resource {
			case "nodes", "trainingqueues", "tokenreviews", "subjectaccessreviews":
				review.Status.Allowed = on.Namespace == ""
			default:
				review.Status.Allowed = on.Namespace == "training"
			}
			return true, review, nil
		})
		lacks, told := 0, false
		for _, right := range operatorRights(t.Context(), &access.Cluster{Namespace: c.namespace, Core: core}) {
			if told = told || right.What == c.what; !right.May {
				lacks++
			}
		}
		if lacks != c.lacks || !told {
			t.Errorf("%s: it lacks %d rights, want %d; %q is told: %v", name, lacks, c.lacks, c.what, told)
		}
	}
}

// The page shows how many rights are asked for.
func TestThePageCountsTheRights(t *testing.T) {
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	c := &access.Cluster{Namespace: "training",
		Core: allowing(&corev1.ServiceAccount{ObjectMeta: metav1.ObjectMeta{Name: "takt-operator"}})}
	own, err := rightsOf(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	for subject, n := range map[string]int{"your rights": len(own), "takt-operator": len(operatorRights(t.Context(), c))} {
		want := fmt.Sprintf("%s: all %d that were asked for are there.", subject, n)
		if !strings.Contains(string(text), want) {
			t.Errorf("%s does not say %q", page, want)
		}
	}
}

// allowing is a cluster with some objects, in which all may do everything.
func allowing(objects ...runtime.Object) *fake.Clientset {
	core := fake.NewClientset(objects...)
	core.PrependReactor("create", "*", func(a clienttesting.Action) (bool, runtime.Object, error) {
		switch review := a.(clienttesting.CreateAction).GetObject().DeepCopyObject().(type) {
		case *authorizationv1.SelfSubjectAccessReview:
			review.Status.Allowed = true
			return true, review, nil
		case *authorizationv1.SubjectAccessReview:
			review.Status.Allowed = true
			return true, review, nil
		}
		return false, nil, nil
	})
	return core
}
