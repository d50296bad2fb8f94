package localcluster_test

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/takt-dev/takt/e2e/lib/cluster"
)

// Whether localcluster ends well, or it and a part of the cluster are killed: down takes back all that the system
// holds of real nodes, and the cluster comes back with its pods.
func TestRealNodesLeaveNothingBehind(t *testing.T) {
	needsRealNodes(t)
	before := traces(t)
	dir := t.TempDir()
	c := upReal(t, dir)
	c.create(t, probe("kept", "real-0", 2))
	first := c.awaitReady(t, "kept")
	if added := missingFrom(traces(t), before); len(added) < 10 {
		t.Errorf("a running node leaves only these traces, so that this test would find none: %v", added)
	}
	c.mustRun(t, "down")
	assertNoTraces(t, before, dir)

	// Started by one that dies, with parts that die, and taken down by another.
	starter := exec.CommandContext(t.Context(), program, "up", "--dir", dir)
	if err := starter.Start(); err != nil {
		t.Fatal(err)
	}
	used := &testCluster{dir: dir, namespace: "default"}
	t.Cleanup(func() {
		if output, err := used.run(context.Background(), "down"); err != nil {
			t.Errorf("down: %v\n%s", err, output)
		}
	})
	used.awaitHealth(t)
	again, err := cluster.Use(dir)
	if err != nil {
		t.Fatal(err)
	}
	used = newTestCluster(t, again, "default")
	eventually(t, "the pod after a new start", func(ctx context.Context) error {
		return restarted(ctx, used, first)
	})
	if err := starter.Process.Kill(); err != nil {
		t.Error(err)
	}
	_ = starter.Wait() // it was killed
	for _, name := range []string{"containerd-0", "kubelet-0", "kube-apiserver"} {
		used.mustRun(t, "kill", name)
	}
	used.mustRun(t, "down")
	assertNoTraces(t, before, dir)
}

// A start that fails takes back what it has made.
func TestRealNodesThatDoNotStartLeaveNothingBehind(t *testing.T) {
	needsRealNodes(t)
	before := traces(t)
	dir := t.TempDir()
	// A scheduler that ends once there is a node to be taken back.
	broken := filepath.Join(t.TempDir(), "scheduler")
	script := fmt.Sprintf("#!/bin/sh\nuntil [ -e %s/nodes/real-0/cgroups ]; do sleep 0.1; done; exit 1\n", dir)
	if err := os.WriteFile(broken, []byte(script), 0o700); err != nil { //nolint:gosec // it is to be run
		t.Fatal(err)
	}
	output, err := localcluster(t.Context(), "up", "--detach", "--dir", dir, "--kubelets=1", "--nodes=0",
		"--scheduler", broken)
	if err == nil || !strings.Contains(output, "kube-scheduler ended while it started") {
		t.Errorf("up answers: %v\n%s", err, output)
	}
	assertNoTraces(t, before, dir)
}

// restarted says whether the containers of a pod are others than they were.
func restarted(ctx context.Context, c *testCluster, before *corev1.Pod) error {
	now, err := c.client.CoreV1().Pods(before.Namespace).Get(ctx, before.Name, metav1.GetOptions{})
	if err != nil {
		return err
	}
	if now.UID != before.UID {
		return fmt.Errorf("is another pod: %s, not %s", now.UID, before.UID)
	}
	for _, status := range now.Status.ContainerStatuses {
		if status.Ready && status.ContainerID != before.Status.ContainerStatuses[0].ContainerID {
			return nil
		}
	}
	return fmt.Errorf("does not run again: %+v", now.Status)
}

func assertNoTraces(t *testing.T, before []string, dir string) {
	t.Helper()
	// The system takes back the network of a process some time after its end.
	eventually(t, "traces of real nodes", func(context.Context) error {
		if left := missingFrom(traces(t), before); len(left) > 0 {
			return fmt.Errorf("are left: %v", left)
		}
		return nil
	})
	eventually(t, "processes", func(context.Context) error {
		if left := processesOf(t, dir); len(left) > 0 {
			return fmt.Errorf("are left: %v", left)
		}
		return nil
	})
}

// cgroupOfNodes is one that localcluster, a kubelet or containerd has made.
var cgroupOfNodes = regexp.MustCompile(`/(takt|machine|kube|k8s\.io|cri-containerd)`)

// traces are all that a system holds of real nodes outside of the folder of their cluster: mounts, links, addresses
// and routes, rules, namespaces, cgroups, processes of container runtimes, and files where such programs put theirs.
// Others on the machine make cgroups meanwhile, as for each session: those of nodes are told by their names.
func traces(t *testing.T) []string {
	t.Helper()
	var all []string
	add := func(kind, text string) {
		for line := range strings.Lines(text) {
			all = append(all, kind+" "+strings.TrimSpace(line))
		}
	}
	mounts, err := os.ReadFile("/proc/self/mounts")
	if err != nil {
		t.Fatal(err)
	}
	add("mount", string(mounts))
	for kind, command := range map[string]string{
		"link": "ip -brief link | cut -d ' ' -f 1", "route": "ip route show table all | grep 198.1",
		"rule":    "nft list ruleset",
		"process": "ps -A -o comm= | grep -E 'containerd|shim|kubelet|kube-proxy|coredns|pause|probe|^machine'",
		"setting": "sysctl vm.overcommit_memory vm.panic_on_oom kernel.panic kernel.panic_on_oops net.ipv4.ip_forward " +
			"net.netfilter.nf_conntrack_max",
	} {
		output, err := exec.CommandContext(t.Context(), "sh", "-c", command).Output()
		if err != nil && len(output) > 0 {
			t.Fatalf("%s: %v", command, err)
		}
		add(kind, string(output))
	}
	for _, namespace := range namespacesOfNodes(t) {
		add("namespace", namespace)
	}
	for _, root := range []string{"/sys/fs/cgroup", "/run/netns", "/run/containerd", "/run/cni", "/opt", "/etc/cni"} {
		_ = filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error { // what goes meanwhile is gone
			if err == nil && entry.IsDir() && (root != "/sys/fs/cgroup" || cgroupOfNodes.MatchString(path)) {
				add("folder", path)
			}
			return nil
		})
	}
	for _, path := range []string{"/var/lib/kubelet", "/var/lib/containerd", "/var/lib/cni", "/var/log/pods",
		"/var/log/containers", "/usr/libexec/kubernetes"} {
		if _, err := os.Stat(path); err == nil {
			add("folder", path)
		}
	}
	return all
}

// partOfNode is the name of a process that runs on a real node.
var partOfNode = regexp.MustCompile(`containerd|shim|kubelet|kube-proxy|pause|probe|machine|unshare`)

// namespacesOfNodes are those in which processes of real nodes are. Which of them is the first in one changes as the
// numbers of processes begin anew, so that tells nothing.
func namespacesOfNodes(t *testing.T) (all []string) {
	t.Helper()
	processes, err := filepath.Glob("/proc/[0-9]*")
	if err != nil {
		t.Fatal(err)
	}
	for _, process := range processes {
		name, err := os.ReadFile(filepath.Join(process, "comm"))
		if err != nil || !partOfNode.Match(name) { // it may have ended meanwhile
			continue
		}
		for _, of := range []string{"mnt", "uts", "ipc", "pid", "net", "cgroup", "user", "time"} {
			if namespace, err := os.Readlink(filepath.Join(process, "ns", of)); err == nil {
				all = append(all, namespace)
			}
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// missingFrom are those of the first that are not among the second.
func missingFrom(first, second []string) []string {
	return slices.DeleteFunc(first, func(trace string) bool { return slices.Contains(second, trace) })
}

// Each component of a real node can die without harm to what runs in pods; and a node that was switched off comes
// back with its pods, which have started anew.
func TestRealNodesSurviveTheDeathOfTheirParts(t *testing.T) {
	c := upReal(t, t.TempDir())
	c.create(t, probe("steady", "real-0", 2))
	before := c.awaitReady(t, "steady")
	for _, name := range []string{"kubelet-0", "containerd-0", "kube-proxy-0", "coredns"} {
		t.Run(name, func(t *testing.T) {
			c.mustRun(t, "kill", name)
			c.mustRun(t, "restart", name)
			c.awaitHealth(t)
			after := c.awaitReady(t, "steady")
			if now := after.Status.ContainerStatuses[0].ContainerID; now != before.Status.ContainerStatuses[0].ContainerID {
				t.Errorf("the pod was started anew: %+v", after.Status.ContainerStatuses)
			}
			c.awaitAnswer(t, "10.96.0.1", "steady", "lookup", "kubernetes.default")
		})
	}
	t.Run("machine-0", func(t *testing.T) {
		pid := c.pids(t)["machine-0"]
		c.mustRun(t, "kill", "machine-0")
		if output, err := c.run(t.Context(), "restart", "kubelet-0"); err == nil ||
			!strings.Contains(output, "restart machine-0 first") {
			t.Errorf("the restart of a part of a node that is off answers: %v\n%s", err, output)
		}
		c.mustRun(t, "restart", "machine-0")
		if now := c.pids(t)["machine-0"]; now == pid {
			t.Errorf("the node is the process %q, as it was", now)
		}
		eventually(t, "the pod after the node was off", func(ctx context.Context) error { return restarted(ctx, c, before) })
		c.awaitAnswer(t, "10.96.0.1", "steady", "lookup", "kubernetes.default")
		c.awaitHealth(t)
	})
}
