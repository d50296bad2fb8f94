package localcluster_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/kubernetes"

	"github.com/takt-dev/takt/e2e/lib/cluster"
)

// patience is how long a test waits for what must come about. It is long, so that a slow machine
// does not fail a test; none waits it out when all is well.
const patience = 2 * time.Minute

// testCluster is a cluster as its users have it: a folder and the localcluster command.
type testCluster struct {
	*cluster.Cluster
	dir       string
	namespace string // where a test makes its pods
	client    kubernetes.Interface
}

var program = cluster.Program("localcluster")

// localcluster runs the command and gives all that it printed.
func localcluster(ctx context.Context, arguments ...string) (string, error) {
	output, err := exec.CommandContext(ctx, program, arguments...).CombinedOutput()
	return string(output), err
}

// sharedCluster serves all tests that do no harm to it. It is made as its tests want it to be, when the first of
// them asks for it.
var (
	sharedCluster *cluster.Cluster
	startShared   = sync.OnceValue(func() (err error) {
		sharedCluster, err = cluster.Start("--nodes=6", "--racks=3", "--zones=2", "--gpus-per-node=4",
			"--gpu-product=Tesla-T4")
		return err
	})
)

// Where the time of these tests goes, alone on two processors: 112 s, nearly all of it the start and end of ten
// control planes, one after the other, and of the programs in them that are killed and started again.
func TestMain(m *testing.M) { os.Exit(runTests(m)) }

func runTests(m *testing.M) int {
	account := cluster.Account()
	code := m.Run()
	var err error
	for _, c := range []*cluster.Cluster{sharedCluster, sharedReal} {
		if c != nil {
			err = errors.Join(err, c.Stop())
		}
	}
	if err := errors.Join(err, account()); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return code
}

// needsPrograms leaves a test to make suites, which has built what it starts, where only that is tested which needs
// no cluster.
func needsPrograms(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("it needs a cluster: make suites plays it")
	}
}

// shared is the cluster that all tests share, with a namespace for this one alone.
func shared(t *testing.T) *testCluster {
	t.Helper()
	needsPrograms(t)
	if err := startShared(); err != nil {
		t.Fatal(err)
	}
	return newTestCluster(t, sharedCluster, sharedCluster.Namespace(t))
}

// up starts a cluster for one test.
func up(t *testing.T, arguments ...string) *testCluster {
	t.Helper()
	return upIn(t, t.TempDir(), arguments...)
}

func upIn(t *testing.T, dir string, arguments ...string) *testCluster {
	t.Helper()
	needsPrograms(t)
	c, err := cluster.StartIn(t.Context(), dir, arguments...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := c.Stop(); err != nil {
			t.Error(err)
		}
	})
	return newTestCluster(t, c, "default")
}

func newTestCluster(t *testing.T, c *cluster.Cluster, namespace string) *testCluster {
	t.Helper()
	client, err := kubernetes.NewForConfig(c.Config())
	if err != nil {
		t.Fatal(err)
	}
	return &testCluster{Cluster: c, dir: c.Folder(), namespace: namespace, client: client}
}

func (c *testCluster) run(ctx context.Context, arguments ...string) (string, error) {
	return localcluster(ctx, append(arguments, "--dir", c.dir)...)
}

func (c *testCluster) mustRun(t *testing.T, arguments ...string) {
	t.Helper()
	if output, err := c.run(t.Context(), arguments...); err != nil {
		t.Fatalf("localcluster %s: %v\n%s", strings.Join(arguments, " "), err, output)
	}
}

// awaitHealth waits until all components say that they are well.
func (c *testCluster) awaitHealth(t *testing.T) {
	t.Helper()
	eventually(t, "status", func(ctx context.Context) error {
		_, err := c.run(ctx, "status")
		return err
	})
}

func (c *testCluster) dynamic(t *testing.T) dynamic.Interface {
	t.Helper()
	client, err := dynamic.NewForConfig(c.Config())
	if err != nil {
		t.Fatal(err)
	}
	return client
}

// kubectl applies, gets and so on in the namespace of the test; input is its standard input.
func (c *testCluster) kubectl(t *testing.T, input string, arguments ...string) (string, error) {
	t.Helper()
	return c.KubectlWith(t.Context(), input, append(arguments, "--namespace", c.namespace)...)
}

// eventually waits until check returns nil.
func eventually(t *testing.T, what string, check func(ctx context.Context) error) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	ticks := time.NewTicker(50 * time.Millisecond)
	defer ticks.Stop()
	for {
		err := check(ctx)
		if err == nil {
			return
		}
		select {
		case <-ctx.Done():
			t.Fatalf("%s: %v", what, err)
		case <-ticks.C:
		}
	}
}

// pod is a pod of one container with the annotations that steer it.
func pod(name string, annotations map[string]string) *corev1.Pod {
	return &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{Name: name, Annotations: annotations},
		Spec: corev1.PodSpec{
			RestartPolicy: corev1.RestartPolicyNever,
			Containers:    []corev1.Container{{Name: "main", Image: "example.com/training:1"}},
		},
	}
}

// create makes a pod once its namespace can take pods: it needs its service account first.
func (c *testCluster) create(t *testing.T, p *corev1.Pod) *corev1.Pod {
	t.Helper()
	created := &corev1.Pod{}
	eventually(t, "create "+p.Name, func(ctx context.Context) (err error) {
		created, err = c.client.CoreV1().Pods(c.namespace).Create(ctx, p, metav1.CreateOptions{})
		return err
	})
	return created
}

func (c *testCluster) awaitPhase(t *testing.T, name string, want corev1.PodPhase) {
	t.Helper()
	eventually(t, "pod "+name, func(ctx context.Context) error {
		last, err := c.client.CoreV1().Pods(c.namespace).Get(ctx, name, metav1.GetOptions{})
		if err != nil {
			return err
		}
		if last.Status.Phase != want {
			return fmt.Errorf("is %s, want %s", last.Status.Phase, want)
		}
		return nil
	})
}

// pids are the process ids of the components that status shows.
func (c *testCluster) pids(t *testing.T) map[string]string {
	t.Helper()
	output, err := c.run(t.Context(), "status")
	if exit := new(exec.ExitError); err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	pids := map[string]string{}
	for line := range strings.Lines(output) {
		if fields := strings.Fields(line); len(fields) == 4 && fields[0] != "COMPONENT" && fields[2] != "-" {
			pids[fields[0]] = fields[2]
		}
	}
	return pids
}

// processesOf are the processes of this machine whose command line names a folder.
func processesOf(t *testing.T, dir string) []string {
	t.Helper()
	output, err := exec.CommandContext(t.Context(), "ps", "-ww", "-A", "-o", "pid=,args=").Output()
	if err != nil {
		t.Fatal(err)
	}
	var found []string
	for line := range bytes.Lines(output) {
		if bytes.Contains(line, []byte(dir)) && !bytes.Contains(line, []byte("localcluster.test")) {
			found = append(found, string(line))
		}
	}
	return found
}

func writeFile(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}
