package schedulerprocess

import (
	"bytes"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"sigs.k8s.io/yaml"

	"github.com/takt-dev/takt/e2e/lib/cluster"
)

// Object is a part of a configuration.
type Object = map[string]any

// Options are what a scheduler is like.
type Options struct {
	// Cluster is where it is.
	Cluster *cluster.Cluster
	// Name is what pods call it.
	Name string
	// Stock makes it kube-scheduler, built from the same module, with nothing of Takt.
	Stock bool
	// Program is the one in bin that it is, if it is neither takt-scheduler nor kube-scheduler.
	Program string
	// Change changes the configuration, and the args of Takt's plugin.
	Change []func(config, args Object)
	// Loud makes it say what it does with each pod.
	Loud bool
	// Kubeconfig is who it is to the API server, if not the administrator. Then its configuration is as it is
	// installed, with the election of a leader, and Name is that of it.
	Kubeconfig string
	// Instead makes its configuration that of a scheduler instead of the one that the cluster has, and not
	// beside it.
	Instead bool
	// Gates are feature gates of Kubernetes that are not as they are by default, such as A=true,B=false.
	Gates string
}

// Process is a scheduler that runs, or has run.
type Process struct {
	t       testing.TB
	options Options
	config  string
	address string
	cmd     *exec.Cmd
	ended   chan error
	mu      sync.Mutex
	output  bytes.Buffer
}

// Start starts one and waits until it is ready. It ends with the test.
func Start(t testing.TB, o Options) *Process {
	t.Helper()
	s := New(t, o)
	s.Start()
	return s
}

// New is one that does not run yet.
func New(t testing.TB, o Options) *Process {
	t.Helper()
	s := &Process{t: t, options: o}
	s.configure()
	t.Cleanup(func() {
		s.Kill()
		if t.Failed() {
			t.Logf("what the scheduler said\n%s", s.Said())
		}
	})
	return s
}

// configure writes its configuration: the one that it is installed with, but for who it is to the API
// server.
func (s *Process) configure() {
	s.t.Helper()
	way := "beside"
	if s.options.Instead {
		way = "instead"
	}
	text, err := os.ReadFile(filepath.Join(cluster.Root(), "config/scheduler", way, "scheduler.yaml"))
	if err != nil {
		s.t.Fatal(err)
	}
	config := Object{}
	if err := yaml.Unmarshal(text, &config); err != nil {
		s.t.Fatal(err)
	}
	profiles := config["profiles"].([]any)
	profile := profiles[0].(Object)
	if s.options.Kubeconfig != "" {
		config["clientConnection"].(Object)["kubeconfig"] = s.options.Kubeconfig
	} else {
		config["leaderElection"] = Object{"leaderElect": false}
		config["clientConnection"] = Object{"kubeconfig": s.options.Cluster.Kubeconfig(), "qps": 5000, "burst": 5000}
		profile["schedulerName"] = s.options.Name
	}
	args := profile["pluginConfig"].([]any)[0].(Object)["args"].(Object)
	if s.options.Stock {
		config["profiles"] = profiles[:1]
		delete(profile, "plugins")
		delete(profile, "pluginConfig")
	}
	for _, change := range s.options.Change {
		change(config, args)
	}
	if text, err = yaml.Marshal(config); err != nil {
		s.t.Fatal(err)
	}
	s.config = filepath.Join(s.t.TempDir(), "scheduler.yaml")
	if err := os.WriteFile(s.config, text, 0o600); err != nil {
		s.t.Fatal(err)
	}
}

// Start runs it, and waits until it is ready.
func (s *Process) Start() {
	s.t.Helper()
	s.Run()
	const limit = 2 * time.Minute
	began := time.Now()
	for {
		if _, err := s.Get("/readyz"); err == nil {
			return
		} else if time.Since(began) > limit {
			s.t.Fatalf("the scheduler is not ready after %v: %v\n%s", limit, err, s.Said())
		}
		select {
		case err := <-s.ended:
			s.t.Fatalf("the scheduler has ended: %v\n%s", err, s.Said())
		case <-s.t.Context().Done():
			s.t.Fatal("the test has ended before the scheduler was ready")
		case <-time.After(50 * time.Millisecond):
		}
	}
}

// Run starts the process, whatever becomes of it.
func (s *Process) Run() {
	s.t.Helper()
	s.address = cluster.AddressFor(s.t)
	host, port, err := net.SplitHostPort(s.address)
	if err != nil {
		s.t.Fatal(err)
	}
	verbosity := 2
	if s.options.Loud {
		verbosity = 3
	}
	program, arguments := cluster.Program("takt-scheduler"), []string{
		"--config", s.config, "--bind-address", host, "--secure-port", port,
		"--authorization-always-allow-paths=/metrics,/readyz", "--cert-dir", s.t.TempDir(), "--v", strconv.Itoa(verbosity),
	}
	if s.options.Gates != "" {
		arguments = append(arguments, "--feature-gates", s.options.Gates)
	}
	if s.options.Stock {
		program = cluster.Program("lib/kube-scheduler")
	}
	if s.options.Program != "" {
		program = cluster.Program(s.options.Program)
	}
	s.cmd = exec.Command(program, arguments...) //nolint:noctx // it is killed when the test says so
	s.cmd.Stdout, s.cmd.Stderr = s, s
	s.cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	if err := s.cmd.Start(); err != nil {
		s.t.Fatalf("%v (make scheduler kube-scheduler builds it)", err)
	}
	s.ended = make(chan error, 1)
	go func(cmd *exec.Cmd, ended chan error) { ended <- cmd.Wait() }(s.cmd, s.ended)
}

// Ended waits for the end of the process.
func (s *Process) Ended() error {
	err := <-s.ended
	s.cmd = nil
	return err
}

// Kill ends the process as a power failure would.
func (s *Process) Kill() {
	if s.cmd == nil {
		return
	}
	_ = s.cmd.Process.Kill()
	_ = s.Ended() // it was killed
}

// PID is that of the process.
func (s *Process) PID() int { return s.cmd.Process.Pid }

// Write keeps what the process says.
func (s *Process) Write(text []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.output.Write(text)
}

// Said is what the process has said, but for the list of its flags.
func (s *Process) Said() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	var lines []string
	for line := range strings.Lines(s.output.String()) {
		if !strings.Contains(line, "] FLAG: ") {
			lines = append(lines, line)
		}
	}
	return strings.Join(lines, "")
}

// Get asks the process over HTTPS, whatever certificate it has made for itself.
func (s *Process) Get(path string) (string, error) {
	client := &http.Client{Timeout: time.Minute, Transport: &http.Transport{
		TLSClientConfig: &tls.Config{InsecureSkipVerify: true}, DisableKeepAlives: true,
	}}
	response, err := client.Get("https://" + s.address + path) //nolint:noctx // the client has a time limit
	if err != nil {
		return "", err
	}
	defer response.Body.Close()
	var body bytes.Buffer
	if _, err := body.ReadFrom(response.Body); err != nil {
		return "", err
	}
	if response.StatusCode != http.StatusOK {
		return "", errors.New(response.Status)
	}
	return body.String(), nil
}

// Queued is how many pods stand in each of its queues: active, backoff, unschedulable and gated.
func (s *Process) Queued() map[string]int {
	s.t.Helper()
	text, queued := s.metrics(), map[string]int{}
	for _, queue := range []string{"active", "backoff", "unschedulable", "gated"} {
		queued[queue] = int(s.metric(text, fmt.Sprintf("scheduler_pending_pods{queue=%q}", queue)))
	}
	return queued
}

// Metric is one of its metrics; 0 if it has none of that name.
func (s *Process) Metric(name string) float64 {
	s.t.Helper()
	return s.metric(s.metrics(), name)
}

func (s *Process) metrics() string {
	s.t.Helper()
	text, err := s.Get("/metrics")
	if err != nil {
		s.t.Fatal(err)
	}
	return text
}

func (s *Process) metric(text, name string) float64 {
	s.t.Helper()
	for line := range strings.Lines(text) {
		if value, is := strings.CutPrefix(line, name+" "); is {
			number, err := strconv.ParseFloat(strings.TrimSpace(value), 64)
			if err != nil {
				s.t.Fatal(err)
			}
			return number
		}
	}
	return 0
}
