package process

import (
	"errors"
	"os"
	"syscall"
)

// reap waits for all that ends, until the command itself has and nothing is left.
func (c *Command) reap() {
	for {
		var status syscall.WaitStatus
		pid, err := syscall.Wait4(-1, &status, 0, nil)
		switch {
		case errors.Is(err, syscall.EINTR):
		case err != nil: // nobody is left
			return
		case pid == c.process.Pid:
			c.exit = exitOf(status)
			if c.terminal != nil {
				takeKeysBack(c.terminal)
			}
			close(c.ended)
		}
	}
}

// exitOf is what the command would have left a container with.
func exitOf(status syscall.WaitStatus) int {
	if status.Signaled() {
		return FromSignal + int(status.Signal())
	}
	return status.ExitStatus()
}

// Ended is closed once the command has ended.
func (c *Command) Ended() <-chan struct{} { return c.ended }

// Exit is what the command has exited with. It may be asked once it has ended.
func (c *Command) Exit() int { return c.exit }

// Pid is the number of the process.
func (c *Command) Pid() int { return c.process.Pid }

// Signal sends a signal to the command. One that has ended is none to tell anything.
func (c *Command) Signal(s os.Signal) error {
	err := c.process.Signal(s)
	if errors.Is(err, os.ErrProcessDone) || errors.Is(err, syscall.ESRCH) {
		return nil
	}
	return err
}
