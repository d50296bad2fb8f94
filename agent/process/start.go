package process

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"strings"
	"syscall"
)

// What a shell exits with where it cannot start a command, and so does the agent.
const (
	ExitNotExecutable = 126
	ExitNotFound      = 127
	// FromSignal is added to the number of a signal by which a command has ended.
	FromSignal = 128
)

// StartError says in a sentence why a command could not be started.
type StartError struct {
	Exit    int
	Message string
	Cause   error
}

func (e *StartError) Error() string { return e.Message }
func (e *StartError) Unwrap() error { return e.Cause }

// Outputs are what the command has as its standard files.
type Outputs struct{ In, Out, Err *os.File }

// Command is a command that runs.
type Command struct {
	process *os.Process
	ended   chan struct{}
	exit    int // once ended is closed
	// terminal is that whose keys are for the command; nil for none.
	terminal *os.File
}

// Start starts a command. Only one may be started in the life of the agent: from then on, all that ends
// below it is reaped here.
func Start(words, environment []string, files Outputs) (*Command, error) {
	path, err := Find(words[0])
	if err != nil {
		return nil, err
	}
	adoptOrphans()
	in := group(files.In)
	process, err := os.StartProcess(path, words, &os.ProcAttr{
		Env: environment, Files: []*os.File{files.In, files.Out, files.Err},
		Sys: in,
	})
	if err != nil {
		return nil, refused(path, err)
	}
	c := &Command{process: process, ended: make(chan struct{})}
	if in.Foreground {
		c.terminal = files.In
	}
	go c.reap()
	return c, nil
}

// Find looks for a command as the container runtime would have done. Where it fails, Start would, too.
func Find(name string) (string, error) {
	path, err := exec.LookPath(name)
	switch {
	case err == nil:
		return path, nil
	case errors.Is(err, exec.ErrDot):
		return "", &StartError{ExitNotFound, fmt.Sprintf("%s is only in the current folder: write ./%s", name, name), err}
	case errors.Is(err, fs.ErrPermission):
		return "", notExecutable(name, err)
	case errors.Is(err, syscall.EISDIR):
		return "", &StartError{ExitNotExecutable, name + " is a folder", err}
	case strings.Contains(name, "/"):
		return "", &StartError{ExitNotFound, fmt.Sprintf("there is no %s in this image", name), err}
	}
	return "", &StartError{ExitNotFound, fmt.Sprintf("%s is in none of the folders of PATH, which is %q", name,
		os.Getenv("PATH")), err}
}

func notExecutable(name string, cause error) error {
	return &StartError{ExitNotExecutable, fmt.Sprintf("%s may not be executed: chmod +x it in the image", name), cause}
}

// refused says why the kernel does not execute a file that is there.
func refused(path string, err error) error {
	var errno syscall.Errno
	errors.As(err, &errno)
	switch { // of all numbers, a few have something to say
	case errno == syscall.ENOEXEC:
		return &StartError{ExitNotExecutable, fmt.Sprintf("%s is no program for this machine: a script needs a first line "+
			"such as #!/bin/sh, "+
			"and a binary must be built for this kind of processor", path), err}
	case errno == syscall.ENOENT:
		return &StartError{ExitNotFound, fmt.Sprintf("%s is there, but not the interpreter or loader that it names", path),
			err}
	case errors.Is(errno, fs.ErrPermission):
		return notExecutable(path, err)
	case errno == syscall.E2BIG:
		return &StartError{ExitNotExecutable, fmt.Sprintf("the arguments and the environment of %s are too long together",
			path), err}
	}
	return &StartError{ExitNotExecutable, fmt.Sprintf("%s cannot be started: %v", path, err), err}
}
