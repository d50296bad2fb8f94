// Package kinds tests the operator on a cluster of its own, in which a kind of job is not installed.
//
// Where its time goes, alone on two processors: 24 s, of which 11 are the start and end of its
// control plane; the rest is waiting for the API server to notice that a kind comes and goes.
package kinds

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/api/meta"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/e2e/lib/cluster"
	"github.com/takt-dev/takt/e2e/lib/world"
)

// TestMain never uses a cluster that others use, too: the test takes a kind away from it.
func TestMain(m *testing.M) {
	if err := os.Unsetenv("TAKT_CLUSTER"); err != nil {
		panic(err)
	}
	os.Exit(world.Main(m, 1))
}

func kubectl(t *testing.T, arguments ...string) {
	t.Helper()
	if _, err := cluster.Shared().Kubectl(t.Context(), arguments...); err != nil {
		t.Fatal(err)
	}
}

func TestAKindThatIsNotInstalledIsWaitedForWhileOthersAreLookedAfter(t *testing.T) {
	w := world.New(t, world.Options{Start: world.Operate})
	w.StopOperator()
	w.Nodes(1, 2)
	kubectl(t, "delete", "crd", "tfjobs.kubeflow.org")
	w.Eventually("nobody serves it any more", world.Soon, func() error {
		served, err := cluster.Shared().Kubectl(t.Context(), "get", "--raw", "/apis/kubeflow.org/v1")
		return errors.Join(err, world.Want("is served", strings.Contains(served, "tfjobs"), false))
	})
	w.StartOperator()

	w.ElasticJob("mnist", v1alpha1.ElasticJobSpec{JobRef: v1alpha1.JobReference{Kind: "TFJob"}})
	w.Eventually("the ElasticJob says that its kind is not installed", world.Soon, func() error {
		c := meta.FindStatusCondition(w.Job("mnist").Status.Conditions, v1alpha1.ConditionAdmitted)
		if c == nil {
			return errors.New("it says nothing")
		}
		if !strings.Contains(c.Message, "This cluster knows no TFJob: install Kubeflow's training-operator") {
			return fmt.Errorf("the message is %q", c.Message)
		}
		return errors.Join(world.Want("status", c.Status, "False"), world.Want("reason", c.Reason, "KindNotInstalled"))
	})
	w.PyTorchJob("resnet", world.Job{Suspended: true, Queue: "default"})
	w.Eventually("a PyTorchJob is looked after meanwhile", world.Soon, func() error {
		return errors.Join(world.IsTrue(w.Job("resnet"), v1alpha1.ConditionAdmitted),
			world.Want("running", w.Running("resnet"), 1))
	})

	kubectl(t, "apply", "--server-side", "-f", "bin/lib/kubeflow/kubeflow.org_tfjobs.yaml")
	w.Eventually("the kind is served", world.Soon, func() error { // kubectl wait fails while it has no conditions at all
		_, err := cluster.Shared().Kubectl(t.Context(), "wait", "--for=condition=Established", "--timeout=1m",
			"crd/tfjobs.kubeflow.org")
		return err
	})
	w.TFJob("mnist", world.Job{Suspended: true})
	w.Eventually("the TFJob is looked after once its kind is there", world.Later, func() error {
		return errors.Join(world.IsTrue(w.Job("mnist"), v1alpha1.ConditionAdmitted),
			world.Want("running", w.Running("mnist"), 1))
	})
	if err := w.History.Undisturbed("resnet-worker-0"); err != nil {
		t.Error(err)
	}
}
