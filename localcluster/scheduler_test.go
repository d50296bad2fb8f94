package localcluster_test

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/e2e/lib/cluster"
	"github.com/takt-dev/takt/e2e/lib/schedulerprocess"
)

// Another scheduler can take the place of kube-scheduler, with a configuration of its own. takt-scheduler has the
// rights there that its plugin needs, and says which ones it lacks where somebody has taken them away.
func TestAnotherSchedulerSchedules(t *testing.T) {
	config := filepath.Join(t.TempDir(), "scheduler.yaml")
	// It elects no leader, and has one profile, which is not that of kube-scheduler.
	writeFile(t, config, `{apiVersion: kubescheduler.config.k8s.io/v1, kind: KubeSchedulerConfiguration,
  profiles: [{schedulerName: takt-scheduler, plugins: {
  queueSort: {disabled: [{name: "*"}], enabled: [{name: Takt}]},
  preFilter: {enabled: [{name: Takt}]}, postFilter: {enabled: [{name: Takt}]},
  multiPoint: {enabled: [{name: Takt, weight: 5}, {name: TaktGate}]}}}]}`)
	c := up(t, "--nodes=1", "--racks=1", "--scheduler", cluster.Program("takt-scheduler"), "--scheduler-config", config)
	if err := c.InstallCRDs(t.Context()); err != nil {
		t.Fatal(err)
	}
	c.create(t, pod("others", nil))
	c.resize(t, "resnet")
	eventually(t, "the Resize", func(context.Context) error {
		fits, err := c.kubectl(t, "", "get", "resize", "resnet-1", "--output", "jsonpath={.status.placement.fits}")
		if err == nil && fits != "2" {
			err = fmt.Errorf("says that %q pods fit, want 2", fits)
		}
		return err
	})
	for i := range 2 {
		c.awaitPhase(t, fmt.Sprintf("resnet-worker-%d", i), corev1.PodRunning)
	}
	left, err := c.client.CoreV1().Pods(c.namespace).Get(t.Context(), "others", metav1.GetOptions{})
	if err != nil || left.Spec.NodeName != "" {
		t.Errorf("a pod for default-scheduler was placed on %q: %v", left.Spec.NodeName, err)
	}

	if output, err := c.kubectl(t, "", "delete", "clusterrolebinding", "localcluster-scheduler"); err != nil {
		t.Fatal(output)
	}
	c.mustRun(t, "restart", "kube-scheduler")
	c.resize(t, "bert")
	eventually(t, "an event that says what is missing", func(ctx context.Context) error {
		events, err := c.client.EventsV1().Events(c.namespace).List(ctx, metav1.ListOptions{})
		if err != nil {
			return err
		}
		var said []string
		for _, event := range events.Items {
			if strings.HasPrefix(event.Regarding.Name, "bert-worker-") {
				said = append(said, event.Reason+": "+event.Note)
			}
		}
		const want = "takt-scheduler may not read Resizes: give it the rights of the ClusterRole takt-scheduler"
		if !strings.Contains(strings.Join(said, "\n"), want) {
			return fmt.Errorf("none says %q: %q", want, said)
		}
		return nil
	})
}

// resize makes the Resize that starts a job with two workers, and these, which takt-scheduler is to place.
func (c *testCluster) resize(t *testing.T, job string) {
	t.Helper()
	manifest := fmt.Sprintf(`{apiVersion: takt.dev/v1alpha1, kind: Resize, metadata: {name: %s-1},
  spec: {elasticJob: %s, epoch: 1, from: 0, to: 2, mode: Live, reason: Started}}`, job, job)
	if output, err := c.kubectl(t, manifest, "create", "-f", "-"); err != nil {
		t.Fatal(output)
	}
	for i := range 2 {
		worker := pod(fmt.Sprintf("%s-worker-%d", job, i), nil)
		worker.Spec.SchedulerName = "takt-scheduler"
		schedulerprocess.Member(t, worker, job, i, v1alpha1.Gang{Epoch: 1, Pods: 2})
		c.create(t, worker)
	}
}
