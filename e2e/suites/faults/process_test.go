package faults

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	coordinationv1 "k8s.io/api/coordination/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/e2e/lib/cluster"
	"github.com/takt-dev/takt/e2e/lib/extent"
	"github.com/takt-dev/takt/e2e/lib/training"
	"github.com/takt-dev/takt/e2e/lib/world"
	"github.com/takt-dev/takt/operator/settings"
)

var (
	jobs    = extent.Of(6, 20)
	nodes   = extent.Of(1, 4)
	steps   = extent.Of(600.0, 1500.0) // of each job
	downFor = extent.Of(3*time.Second, 30*time.Second)
)

const recovered = 3 * time.Minute

// TestJobsFinishThoughTheLeaderTheAPIServerAndEtcdDie runs two processes of the operator on a cluster
// of its own. Each ends up leading, the API server is gone for a while, and etcd restarts, while many
// jobs compete.
//
// It has the machine to itself: who leads is a matter of seconds.
func TestJobsFinishThoughTheLeaderTheAPIServerAndEtcdDie(t *testing.T) {
	program := built(t)
	home := cluster.Own(t, "--nodes", "1")
	w := world.New(t, world.Options{Cluster: home, Gaps: true, ReportEvery: time.Second})
	config := configure(t, w.Namespace, func(s *settings.Settings) {
		s.LeaderElection.Enabled, s.LeaderElection.Namespace = true, w.Namespace
		s.LeaderElection.LeaseDuration.Duration = 15 * time.Second
		s.LeaderElection.RenewDeadline.Duration, s.LeaderElection.RetryPeriod.Duration = 10*time.Second, 2*time.Second
		// What plays the training is cut off from the API server as well, and for longer: it tries again ever
		// more slowly. A real one would train on.
		world.Allow(&s.Resizes, recovered)
	})
	leader := supervise(t, program, config, home.Kubeconfig())
	var first string
	w.Eventually("the first process leads", patience, func() (err error) { first, err = holder(w); return err })
	follower := supervise(t, program, config, home.Kubeconfig())

	w.Nodes(nodes, 8)
	for i := range jobs {
		w.PyTorchJob(fmt.Sprintf("job-%d", i), world.Job{
			Max: 4, Suspended: true, Deadline: "1h", Training: world.Steps(steps, training.Speed{Base: 10, Scaling: 0.9}),
		})
	}
	w.Eventually("half of the jobs run", recovered, func() error { return atLeast(w, jobs/2) })

	if now, err := holder(w); err != nil || now != first {
		t.Logf("%s leads, after %s (%v): the process that dies is the one that stands by", now, first, err)
	}
	leader.kill(t)
	died := time.Now()
	w.Eventually("the other process leads", recovered, func() error { return renewed(w, died) })
	leader.again(t)
	w.Eventually("most of the jobs run", recovered, func() error { return atLeast(w, jobs*3/4) })

	component(t, home, "kill", "kube-apiserver")
	pause(t, downFor)
	component(t, home, "restart", "kube-apiserver")
	back := time.Now()
	w.Eventually("a process leads again", recovered, func() error { return renewed(w, back) })
	component(t, home, "restart", "etcd")
	back = time.Now()
	w.Eventually("a process leads again", recovered, func() error { return renewed(w, back) })

	w.Eventually("all jobs are done", 2*recovered, func() error {
		var all v1alpha1.ElasticJobList
		if err := w.Client.List(t.Context(), &all, client.InNamespace(w.Namespace)); err != nil {
			return err
		}
		met := 0
		for _, job := range all.Items {
			if job.Status.Verdict == v1alpha1.VerdictMet {
				met++
			}
		}
		return errors.Join(world.Want("ElasticJobs", len(all.Items), jobs),
			world.Want("jobs that have met their deadline", met, jobs))
	})
	for i := range jobs {
		if n := made(w, fmt.Sprintf("job-%d-worker-0", i)); n != 1 {
			t.Errorf("the first worker of job-%d was made %d times", i, n)
		}
		name := fmt.Sprintf("job-%d", i)
		w.Eventually(name+" is at rest", recovered, func() error { return resting(w, name) })
	}
	if lost := promisesLost(w); len(lost) > 0 {
		t.Errorf("promises were lost: %v", lost)
	}
	t.Logf("%d of %d jobs met their deadlines; the processes were started %d and %d times", jobs, jobs, leader.started(),
		follower.started())
}

// built is the program of the operator.
func built(t *testing.T) string {
	t.Helper()
	program := filepath.Join(t.TempDir(), "takt-operator")
	build := exec.CommandContext(t.Context(), "go", "build", "-o", program, "./cmd/takt-operator")
	build.Dir = cluster.Root()
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return program
}

// configure writes the settings of a process, with some changes.
func configure(t *testing.T, namespace string, change func(*settings.Settings)) string {
	t.Helper()
	s := world.Settings(namespace)
	s.Usage = settings.Default().Usage
	s.Log.Level = 1
	change(&s)
	text, err := json.Marshal(s)
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "takt.yaml")
	if err := os.WriteFile(file, text, 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

// supervised is a process that is started again whenever it has ended, as a kubelet does, unless it is
// to stay dead.
type supervised struct {
	start func() *exec.Cmd

	mu     sync.Mutex
	cmd    *exec.Cmd
	dead   bool
	starts int
	wake   chan struct{}
}

func supervise(t *testing.T, program, config, kubeconfig string) *supervised {
	t.Helper()
	ctx, stop := context.WithCancel(cluster.AfterTest(t))
	log := &strings.Builder{}
	var writing sync.Mutex
	s := &supervised{wake: make(chan struct{}, 1)}
	s.start = func() *exec.Cmd {
		cmd := exec.CommandContext(ctx, program, "--config", config, "--kubeconfig", kubeconfig)
		cmd.Stderr = writer(func(p []byte) { writing.Lock(); defer writing.Unlock(); log.Write(p) })
		return cmd
	}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		for ctx.Err() == nil {
			s.mu.Lock()
			s.cmd = s.start()
			s.starts++
			err := s.cmd.Start()
			s.mu.Unlock()
			if err == nil {
				_ = s.cmd.Wait()
			}
			s.mu.Lock()
			dead := s.dead
			s.mu.Unlock()
			again := time.After(time.Second)
			if dead {
				again = nil
			}
			select {
			case <-ctx.Done():
			case <-again:
			case <-s.wake:
			}
		}
	}()
	t.Cleanup(func() {
		stop()
		<-ended
		if t.Failed() {
			lines := strings.Split(log.String(), "\n")
			t.Logf("a process has logged, at last:\n%s", strings.Join(lines[max(0, len(lines)-60):], "\n"))
		}
	})
	return s
}

type writer func([]byte)

// Write keeps what is written.
func (w writer) Write(p []byte) (int, error) { w(p); return len(p), nil }

// kill ends the process as kill -9 does, for good.
func (s *supervised) kill(t *testing.T) {
	t.Helper()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.dead = true
	if err := s.cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
}

// fall ends the process as kill -9 does, if it runs: another one follows.
func (s *supervised) fall(t *testing.T) {
	t.Helper()
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.cmd == nil || s.cmd.Process == nil {
		return
	}
	if err := s.cmd.Process.Kill(); err != nil && !errors.Is(err, os.ErrProcessDone) {
		t.Fatal(err)
	}
}

// again starts it again.
func (s *supervised) again(t *testing.T) {
	t.Helper()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.dead = false
	s.wake <- struct{}{}
}

func (s *supervised) started() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.starts
}

func lease(w *world.World) (*coordinationv1.Lease, error) {
	l := &coordinationv1.Lease{}
	err := w.Client.Get(context.Background(), client.ObjectKey{Namespace: w.Namespace, Name: "takt-operator"}, l)
	return l, err
}

// holder says who leads.
func holder(w *world.World) (string, error) {
	l, err := lease(w)
	if err != nil {
		return "", err
	}
	if l.Spec.HolderIdentity == nil || *l.Spec.HolderIdentity == "" {
		return "", errors.New("nobody leads")
	}
	return *l.Spec.HolderIdentity, nil
}

// renewed is an error unless somebody has led since a moment.
func renewed(w *world.World, since time.Time) error {
	l, err := lease(w)
	if err == nil && (l.Spec.RenewTime == nil || !l.Spec.RenewTime.After(since)) {
		err = errors.New("nobody has renewed the lease")
	}
	return err
}

// made counts how often a pod was made.
func made(w *world.World, name string) int {
	uids := map[string]bool{}
	for _, r := range w.History.Of("Pod", name) {
		uids[string(r.Object.GetUID())] = true
	}
	return len(uids)
}

// atLeast is an error unless so many jobs run.
func atLeast(w *world.World, want int) error {
	var all v1alpha1.ElasticJobList
	if err := w.Client.List(context.Background(), &all, client.InNamespace(w.Namespace)); err != nil {
		return err
	}
	run := 0
	for _, job := range all.Items {
		if job.Status.Workers.Running > 0 || job.Status.Verdict == v1alpha1.VerdictMet {
			run++
		}
	}
	if run < want {
		return fmt.Errorf("%d of %d jobs run", run, want)
	}
	return nil
}

func component(t *testing.T, home *cluster.Cluster, do, name string) {
	t.Helper()
	if err := home.Component(t.Context(), do, name); err != nil {
		t.Fatal(err)
	}
}

// pause lets time pass in which something is down.
func pause(t *testing.T, span time.Duration) {
	t.Helper()
	select {
	case <-t.Context().Done():
	case <-time.After(span):
	}
}
