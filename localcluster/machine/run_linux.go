package machine

import (
	"errors"
	"os"
	"os/exec"
	"os/signal"
	"runtime"
	"strings"
	"syscall"
)

// Run runs a program of the node under a name, and gives its exit code. It is its parent only so that no child of it
// (a container that outlives its runtime) has the lock which says that the program runs.
func Run(name, program string, arguments []string) (int, error) {
	syscall.CloseOnExec(lockFile)
	if err := enterLeaf(); err != nil {
		return 0, err
	}
	// The program ends with this thread, not only with this process.
	runtime.LockOSThread()
	path, err := exec.LookPath(program)
	if err != nil {
		return 0, err
	}
	ending := make(chan os.Signal, 1)
	signal.Notify(ending, syscall.SIGTERM)
	cmd := &exec.Cmd{
		Path: path, Args: append([]string{name}, arguments...), Env: os.Environ(), Stdout: os.Stdout, Stderr: os.Stderr,
		SysProcAttr: &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL},
	}
	if err := cmd.Start(); err != nil {
		return 0, err
	}
	go func() {
		for range ending {
			_ = cmd.Process.Signal(syscall.SIGTERM)
		}
	}()
	err = cmd.Wait()
	if exit := new(exec.ExitError); errors.As(err, &exit) {
		return max(exit.ExitCode(), 1), nil
	}
	return 0, err
}

// Namespaces are those that a node has of its own, as /proc/PID/ns calls them, in the order to join them.
var Namespaces = strings.Fields("cgroup ipc uts net pid mnt")
