package localcluster_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/takt-dev/takt/e2e/lib/cluster"
)

func TestASecondUpSaysThatTheClusterRuns(t *testing.T) {
	c := shared(t)
	before := c.pids(t)
	output, err := c.run(t.Context(), "up", "--detach")
	if err == nil || !strings.Contains(output, "runs in "+c.dir+" already") ||
		!strings.Contains(output, "localcluster down --dir") {
		t.Errorf("a second up answers: %v\n%s", err, output)
	}
	for name, pid := range c.pids(t) {
		if before[name] != pid {
			t.Errorf("the second up has replaced %s", name)
		}
	}
}

func TestClustersRunSideBySide(t *testing.T) {
	first, second := up(t, "--nodes=1", "--racks=1"), shared(t)
	for c, want := range map[*testCluster]int{first: 1, second: 6} {
		nodes, err := c.client.CoreV1().Nodes().List(t.Context(), metav1.ListOptions{})
		if err != nil {
			t.Fatal(err)
		}
		if len(nodes.Items) != want {
			t.Errorf("%d nodes, want %d", len(nodes.Items), want)
		}
	}
	first.mustRun(t, "down")
	second.awaitHealth(t)
}

func TestDownLeavesNothingBehind(t *testing.T) {
	outside := t.TempDir()
	for _, variable := range []string{"HOME", "TMPDIR", "XDG_CACHE_HOME", "XDG_CONFIG_HOME"} {
		t.Setenv(variable, outside)
	}
	c := up(t, "--nodes=1", "--racks=1")
	if running := processesOf(t, c.dir); len(running) != 7 {
		t.Errorf("%d processes run, want the 6 components and localcluster up:\n%s", len(running), strings.Join(running, ""))
	}
	c.create(t, pod("any", nil))
	c.awaitPhase(t, "any", corev1.PodRunning)

	c.mustRun(t, "down")
	eventually(t, "the end of localcluster up, which waits for the end of its cluster", func(context.Context) error {
		if left := processesOf(t, c.dir); len(left) > 0 {
			return fmt.Errorf("these processes are left:\n%s", strings.Join(left, ""))
		}
		return nil
	})
	err := filepath.WalkDir(outside, func(path string, entry fs.DirEntry, err error) error {
		if err == nil && !entry.IsDir() {
			t.Errorf("%s is left", path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	c.mustRun(t, "down") // there is nothing left to do, and that is no fault
}

func TestAClusterComesBackAsItWas(t *testing.T) {
	c := up(t, "--nodes=3", "--racks=1", "--gpus-per-node=4")
	created := c.create(t, pod("kept", nil))
	c.awaitPhase(t, "kept", corev1.PodRunning)
	for _, arguments := range [][]string{{"label", "node", "node-0", "pool=gold"}, {"cordon", "node-0"}} {
		if output, err := c.kubectl(t, "", arguments...); err != nil {
			t.Fatal(output)
		}
	}
	c.mustRun(t, "down")
	if output, err := c.run(t.Context(), "restart", "etcd"); err == nil ||
		!strings.Contains(output, "the cluster is down: start it with localcluster up") {
		t.Errorf("restart in a cluster that is down answers: %v\n%s", err, output)
	}

	c = upIn(t, c.dir, "--nodes=2", "--racks=2")
	kept, err := c.client.CoreV1().Pods(c.namespace).Get(t.Context(), "kept", metav1.GetOptions{})
	if err != nil || kept.UID != created.UID {
		t.Errorf("the pod is not the one it was: %v", err)
	}
	c.create(t, pod("new", nil))
	c.awaitPhase(t, "new", corev1.PodRunning)
	nodes, err := c.client.CoreV1().Nodes().List(t.Context(), metav1.ListOptions{})
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]string{}
	for _, node := range nodes.Items {
		gpus := node.Status.Allocatable["nvidia.com/gpu"]
		got[node.Name] = fmt.Sprint(node.Labels["topology.kubernetes.io/rack"], " ", gpus.String(), " ", node.Labels["pool"],
			" ", node.Spec.Unschedulable)
	}
	want := map[string]string{"node-0": "rack-0 4 gold true", "node-1": "rack-1 4  false"}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("nodes are %v, want those from before with what was asked for now: %v", got, want)
	}
}

// Whoever reads the output of a start may be gone before it is over.
func TestAStartSurvivesItsReader(t *testing.T) {
	needsPrograms(t)
	c := &testCluster{dir: t.TempDir()}
	reader, writer, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), program, "up", "--detach", "--nodes=1", "--racks=1", "--dir", c.dir)
	cmd.Stdout = writer
	t.Cleanup(func() {
		if output, err := c.run(context.Background(), "down"); err != nil {
			t.Errorf("down: %v\n%s", err, output)
		}
	})
	if err := errors.Join(reader.Close(), cmd.Start(), writer.Close()); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Wait(); err != nil {
		t.Errorf("up: %v", err)
	}
	c.awaitHealth(t)
}

func TestAClusterEndsWithItsUser(t *testing.T) {
	needsPrograms(t)
	dir := t.TempDir()
	c, err := cluster.StartIn(t.Context(), dir, "--nodes=1", "--racks=1")
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Stop(); err != nil { // which only closes its input
		t.Error(err)
	}
	if left := processesOf(t, dir); len(left) > 0 {
		t.Errorf("these processes are left:\n%s", strings.Join(left, ""))
	}
}

func TestAFailedUpSaysWhyAndLeavesNothing(t *testing.T) {
	needsPrograms(t)
	dir := t.TempDir()
	config := filepath.Join(dir, "scheduler.yaml")
	writeFile(t, config, "profiles: [{plugins: {filter: {enabled: [{name: NoSuchPlugin}]}}}]")
	folder := filepath.Join(dir, "cluster")
	output, err := localcluster(t.Context(), "up", "--detach", "--dir", folder, "--scheduler", "/bin/true")
	if err == nil || !strings.Contains(output, "kube-scheduler ended while it started") {
		t.Errorf("up answers: %v\n%s", err, output)
	}
	output, err = localcluster(t.Context(), "up", "--detach", "--dir", folder, "--scheduler", "",
		"--scheduler-config", config)
	if err == nil || !strings.Contains(output, "kube-scheduler ended while it started") ||
		!strings.Contains(output, "NoSuchPlugin") {
		t.Errorf("up answers: %v\n%s", err, output)
	}
	if left := processesOf(t, folder); len(left) > 0 {
		t.Errorf("these processes are left:\n%s", strings.Join(left, ""))
	}
}

// Killing any one component and starting it again must lose nothing, and leave a cluster that
// works.
func TestSurvivesTheDeathOfAnyComponent(t *testing.T) {
	c := up(t, "--nodes=2", "--racks=1")
	pods := c.client.CoreV1().Pods(c.namespace)
	before := c.create(t, pod("before", nil))
	c.awaitPhase(t, "before", corev1.PodRunning)

	for _, name := range []string{"etcd", "kube-apiserver", "kube-controller-manager", "kube-scheduler", "kwok",
		"training-operator"} {
		t.Run(name, func(t *testing.T) {
			pid := c.pids(t)[name]
			c.mustRun(t, "kill", name)
			if output, err := c.run(t.Context(), "status"); err == nil || !strings.Contains(output, "Stopped") {
				t.Errorf("status does not show that %s is dead: %v\n%s", name, err, output)
			}
			if output, err := c.run(t.Context(), "kill", name); err == nil || !strings.Contains(output, name+" does not run") {
				t.Errorf("kill of a dead component answers: %v\n%s", err, output)
			}
			c.mustRun(t, "restart", name)
			if now := c.pids(t)[name]; now == "" || now == pid {
				t.Errorf("%s was process %s and is process %q", name, pid, now)
			}
			eventually(t, "pod from before", func(ctx context.Context) error {
				after, err := pods.Get(ctx, "before", metav1.GetOptions{})
				if apierrors.IsNotFound(err) ||
					(err == nil && (after.UID != before.UID || after.Status.Phase != corev1.PodRunning)) {
					t.Fatalf("is not what it was: %v %v", after, err)
				}
				return err
			})
			c.create(t, pod("after-"+name, map[string]string{"localcluster.takt.dev/run-for": "1s"}))
			c.awaitPhase(t, "after-"+name, corev1.PodSucceeded)
			c.awaitHealth(t)
		})
	}
}

// The API server forgets to establish a CRD that was created just before its end.
func TestACRDIsServedAfterTheAPIServerDied(t *testing.T) {
	c := up(t, "--nodes=0")
	const manifest = `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: tests.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {plural: tests, singular: test, kind: Test, listKind: TestList}
  versions: [{name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object}}}]
`
	if output, err := c.kubectl(t, manifest, "create", "-f", "-"); err != nil {
		t.Fatal(output)
	}
	c.mustRun(t, "kill", "kube-apiserver")
	c.mustRun(t, "restart", "kube-apiserver")
	if output, err := c.kubectl(t, "", "wait", "--for=condition=Established", "--timeout=2m",
		"crd/tests.example.com"); err != nil {
		t.Error(output)
	}
}
