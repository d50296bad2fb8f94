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

	"github.com/takt-dev/takt/e2e/cluster"
)

func TestASecondUpSaysThatTheClusterRuns(t *testing.T) {
	c := shared(t)
	before := c.pids(t)
	output, err := c.run(t.Context(), "up", "--detach")
	if err == nil || !strings.Contains(output, "runs in "+c.dir+" already") || !strings.Contains(output, "localcluster down --dir") {
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
	if output, err := c.run(t.Context(), "restart", "etcd"); err == nil || !strings.Contains(output, "the cluster is down: start it with localcluster up") {
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
		got[node.Name] = fmt.Sprint(node.Labels["topology.kubernetes.io/rack"], " ", gpus.String(), " ", node.Labels["pool"], " ", node.Spec.Unschedulable)
	}
	want := map[string]string{"node-0": "rack-0 4 gold true", "node-1": "rack-1 4  false"}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("nodes are %v, want those from before with what was asked for now: %v", got, want)
	}
}

// Whoever reads the output of a start may be gone before it is over.
func TestAStartSurvivesItsReader(t *testing.T) {
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
	dir := t.TempDir()
	config := filepath.Join(dir, "scheduler.yaml")
	writeFile(t, config, "profiles: [{plugins: {filter: {enabled: [{name: NoSuchPlugin}]}}}]")
	folder := filepath.Join(dir, "cluster")
	output, err := localcluster(t.Context(), "up", "--detach", "--dir", folder, "--scheduler", "/bin/true")
	if err == nil || !strings.Contains(output, "kube-scheduler ended while it started") {
		t.Errorf("up answers: %v\n%s", err, output)
	}
	output, err = localcluster(t.Context(), "up", "--detach", "--dir", folder, "--scheduler", "", "--scheduler-config", config)
	if err == nil || !strings.Contains(output, "kube-scheduler ended while it started") || !strings.Contains(output, "NoSuchPlugin") {
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

	for _, name := range []string{"etcd", "kube-apiserver", "kube-controller-manager", "kube-scheduler", "kwok", "training-operator"} {
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
				if apierrors.IsNotFound(err) || (err == nil && (after.UID != before.UID || after.Status.Phase != corev1.PodRunning)) {
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
	if output, err := c.kubectl(t, "", "wait", "--for=condition=Established", "--timeout=2m", "crd/tests.example.com"); err != nil {
		t.Error(output)
	}
}

func TestBadCallsAreAnsweredWithASentence(t *testing.T) {
	empty := t.TempDir()
	cases := map[string]struct {
		arguments []string
		want      string
	}{
		"too many nodes":        {[]string{"up", "--nodes=100000"}, "--nodes is 100000: give a number from 0 to 10000"},
		"negative GPUs":         {[]string{"up", "--gpus-per-node=-1"}, "--gpus-per-node is -1: give a number from 0 to 64"},
		"no rack":               {[]string{"up", "--racks=0"}, "--racks is 0: give 1 or more"},
		"more zones than racks": {[]string{"up", "--racks=2", "--zones=3"}, "no more than racks"},
		"bad product":           {[]string{"up", "--gpu-product=a b"}, `--gpu-product is "a b": give the value of a label`},
		"no scheduler":          {[]string{"up", "--scheduler=/nonexistent"}, `--scheduler is "/nonexistent": give the path of a file that can be run`},
		"no scheduler config":   {[]string{"up", "--scheduler-config=/nonexistent"}, `--scheduler-config is "/nonexistent": give the path of a file that can be read`},
		"no time":               {[]string{"up", "--timeout=0s"}, "--timeout is 0s: give a duration such as 2m"},
		"contradiction":         {[]string{"up", "--detach", "--until-stdin-closes"}, "not both"},
		"unknown component":     {[]string{"kill", "kubelet"}, `there is no component "kubelet": give one of etcd, kube-apiserver`},
		"no component":          {[]string{"logs"}, "give one component"},
		"no cluster":            {[]string{"status"}, "there is no cluster in " + empty + ": start one with localcluster up --dir " + empty},
		"no cluster to kill":    {[]string{"kill", "etcd"}, "there is no cluster in " + empty},
	}
	if output, err := localcluster(t.Context(), "status", "--dir", "a:b"); err == nil || !strings.Contains(output, `--dir is "a:b": give a path without colons`) {
		t.Errorf("a folder that kubectl cannot be told of is answered with: %v\n%s", err, output)
	}
	for name, test := range cases {
		t.Run(name, func(t *testing.T) {
			output, err := localcluster(t.Context(), append(test.arguments, "--dir", empty)...)
			if exit := new(exec.ExitError); !errors.As(err, &exit) || exit.ExitCode() != 1 {
				t.Errorf("exit: %v, want 1", err)
			}
			if !strings.HasPrefix(output, "localcluster: ") || !strings.Contains(output, test.want) {
				t.Errorf("it does not say %q:\n%s", test.want, output)
			}
		})
	}
}
