package agent

import (
	"context"
	"errors"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/takt-dev/takt/agent/contract"
	"github.com/takt-dev/takt/agent/dlrover"
	"github.com/takt-dev/takt/agent/local"
	"github.com/takt-dev/takt/agent/metrics"
)

// serveMetrics serves what is known, for the operator.
func (e *execution) serveMetrics() {
	e.run.In(e.settings.Pod)
	on, err := e.listenNear(e.settings.Port)
	if err != nil {
		e.say("Nobody can read the progress of this pod, as %s: say another port in takt.dev/agent-port or TAKT_PORT.",
			busy(err, e.settings.Port))
		return
	}
	if e.settings.Port == 0 {
		e.say("It serves its metrics at %s.", on.Addr())
	}
	e.beside("serving metrics", func() { _ = metrics.Serve(on, e.run) })
}

// listenNear listens at a port, or at the next that is free where whoever reads it can tell that it is this agent.
func (e *execution) listenNear(port int) (on net.Listener, err error) {
	for at := port; at < port+contract.Ports && at <= 1<<16-1; at++ {
		var taken error
		on, taken = listen(net.JoinHostPort("", strconv.Itoa(at)))
		if err == nil {
			err = taken // of the port that was meant
		}
		if taken == nil {
			return on, nil
		}
		if e.settings.Pod == "" || port == 0 {
			break
		}
	}
	return nil, err
}

func listen(address string) (net.Listener, error) {
	return (&net.ListenConfig{}).Listen(context.Background(), "tcp", address)
}

func busy(err error, port int) string {
	if errors.Is(err, syscall.EADDRINUSE) {
		return "something else listens at port " + strconv.Itoa(port)
	}
	return err.Error()
}

// serveLocally lets the training tell its progress itself, and gives the environment in which it finds where.
func (e *execution) serveLocally() (environment []string, cleanUp func()) {
	cleanUp = e.makeFolder()
	if !e.settings.Local {
		return e.options.Environment, cleanUp
	}
	on, err := listen("127.0.0.1:0")
	if err != nil {
		e.say("The training cannot tell its progress itself, as nothing can listen at 127.0.0.1: %v.", err)
		return e.options.Environment, cleanUp
	}
	endpoint := local.New(e.run, time.Now)
	environment, err = endpoint.Environment(e.options.Environment, on.Addr().String(), e.folder)
	if err != nil {
		e.say("The training cannot tell its progress as it would tell Kubeflow: %v.", err)
	}
	e.beside("serving the local endpoint", func() { _ = endpoint.Serve(on) })
	return environment, cleanUp
}

// sharedMemory is a folder that may be written to even where the root of a container may not.
const sharedMemory = "/dev/shm"

// makeFolder makes a folder for what the training is to read: beside the agent, which is on an emptyDir, where
// temporary files are, or in memory: Takt has the agent mounted read-only, and a container may have no other place that
// may be written to. Without one, some ways to tell progress are missing.
func (e *execution) makeFolder() (remove func()) {
	beside := ""
	if self, err := os.Executable(); err == nil {
		beside = filepath.Dir(self)
	}
	return e.makeFolderIn(beside, os.TempDir(), sharedMemory)
}

// makeFolderIn makes it in the first of some folders that may be written to.
func (e *execution) makeFolderIn(parents ...string) (remove func()) {
	var failed error
	for _, parent := range parents {
		folder, err := os.MkdirTemp(parent, "takt-run-*")
		if err == nil {
			e.folder = folder
			return func() { _ = os.RemoveAll(folder) }
		}
		failed = err
	}
	e.say("There is no place for small files, so a training that would tell Kubeflow or DLRover its progress is not "+
		"heard: %v.", failed)
	return func() {}
}

// nameFile gives the path of DLRover's metrics file, and the environment that names it.
func nameFile(environment []string, folder string) (path string, with []string) {
	for _, variable := range environment {
		if value, set := strings.CutPrefix(variable, dlrover.Variable+"="); set {
			return value, environment
		}
	}
	if folder == "" {
		return "", environment
	}
	path = filepath.Join(folder, "runtime_metrics.json")
	return path, append(environment, dlrover.Variable+"="+path)
}
