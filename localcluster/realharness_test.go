package localcluster_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/takt-dev/takt/e2e/lib/cluster"
)

// sharedReal serves all tests on real nodes that do no harm to them: two real nodes and two simulated ones.
var (
	sharedReal *cluster.Cluster
	startReal  = sync.OnceValue(func() (err error) {
		sharedReal, err = cluster.Start("--kubelets=2", "--nodes=2", "--racks=2", "--gpus-per-node=4")
		return err
	})
	importProbe = sync.OnceValue(func() error { return giveProbe(sharedReal) })
)

const probeImage = "localhost/probe:1"

// giveProbe builds the program of the tests, and makes an image of it that the real nodes have.
func giveProbe(c *cluster.Cluster) error {
	folder, err := os.MkdirTemp("", "probe-")
	if err != nil {
		return err
	}
	binary := filepath.Join(folder, "probe")
	build := exec.CommandContext(context.Background(), "go", "build", "-o", binary, "./testdata/probe")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if output, err := build.CombinedOutput(); err != nil {
		return errors.Join(fmt.Errorf("%w\n%s", err, output), os.RemoveAll(folder))
	}
	output, err := localcluster(context.Background(), "image", probeImage, "--binary", binary, "--dir", c.Folder())
	if err != nil {
		err = fmt.Errorf("%w\n%s", err, output)
	}
	return errors.Join(err, os.RemoveAll(folder))
}

// needsRealNodes skips a test that is not asked for. Where it is asked for and cannot be had, it says so even to
// those who do not look at tests that pass.
func needsRealNodes(t *testing.T) {
	t.Helper()
	if os.Getenv("TAKT_REAL") == "" {
		t.Skip("it needs real nodes: make e2e-real plays it")
	}
	if output, err := localcluster(t.Context(), "check", "--dir", t.TempDir()); err != nil {
		fmt.Fprintf(os.Stderr, "\nSKIPPED, NOT PASSED: %s\n%s\n", t.Name(), output)
		t.Skip(output)
	}
}

// onRealNodes is the cluster with real nodes that tests share, with a namespace for this one alone.
func onRealNodes(t *testing.T) *testCluster {
	t.Helper()
	needsRealNodes(t)
	if err := startReal(); err != nil {
		t.Fatal(err)
	}
	if err := importProbe(); err != nil {
		t.Fatal(err)
	}
	return newTestCluster(t, sharedReal, sharedReal.Namespace(t))
}

// upReal starts a cluster with real nodes for one test.
func upReal(t *testing.T, dir string) *testCluster {
	t.Helper()
	needsRealNodes(t)
	c := upIn(t, dir, "--kubelets=1", "--nodes=0", "--racks=1", "--gpus-per-node=2")
	if err := giveProbe(c.Cluster); err != nil {
		t.Fatal(err)
	}
	return c
}

// probe is a pod on a real node that serves its name; node may be empty for any.
func probe(name, node string, gpus int) *corev1.Pod {
	p := pod(name, nil)
	grace := int64(1)
	p.Labels = map[string]string{"app": "probe"}
	p.Spec.RestartPolicy = corev1.RestartPolicyAlways
	p.Spec.TerminationGracePeriodSeconds = &grace
	p.Spec.NodeSelector = map[string]string{"localcluster.takt.dev/real": "true"}
	if node != "" {
		p.Spec.NodeSelector[corev1.LabelHostname] = node
	}
	main := &p.Spec.Containers[0]
	main.Image = probeImage
	main.ReadinessProbe = &corev1.Probe{
		PeriodSeconds: 1, ProbeHandler: corev1.ProbeHandler{TCPSocket: &corev1.TCPSocketAction{}},
	}
	main.ReadinessProbe.TCPSocket.Port.IntVal = 8080
	if gpus > 0 {
		main.Resources.Limits = corev1.ResourceList{"nvidia.com/gpu": *resource.NewQuantity(int64(gpus), resource.DecimalSI)}
	}
	return p
}

// awaitReady waits until a pod serves, and gives it as it is then.
func (c *testCluster) awaitReady(t *testing.T, name string) *corev1.Pod {
	t.Helper()
	var last *corev1.Pod
	eventually(t, "pod "+name, func(ctx context.Context) (err error) {
		if last, err = c.client.CoreV1().Pods(c.namespace).Get(ctx, name, metav1.GetOptions{}); err != nil {
			return err
		}
		for _, condition := range last.Status.Conditions {
			if condition.Type == corev1.PodReady && condition.Status == corev1.ConditionTrue {
				return nil
			}
		}
		return fmt.Errorf("is not ready: %+v", last.Status)
	})
	return last
}

// in runs the program of the tests in a pod, and gives what it says.
func (c *testCluster) in(t *testing.T, pod string, arguments ...string) (string, error) {
	t.Helper()
	output, err := c.Kubectl(t.Context(), append([]string{"--namespace", c.namespace, "exec", pod, "--", "/probe"},
		arguments...)...)
	return strings.TrimSpace(output), err
}

// awaitAnswer waits until the program says this in a pod.
func (c *testCluster) awaitAnswer(t *testing.T, want, pod string, arguments ...string) {
	t.Helper()
	eventually(t, fmt.Sprintf("%v in %s", arguments, pod), func(context.Context) error {
		got, err := c.in(t, pod, arguments...)
		if err == nil && got != want {
			err = fmt.Errorf("the answer is %q, want %q", got, want)
		}
		return err
	})
}
