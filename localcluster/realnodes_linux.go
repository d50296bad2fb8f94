package localcluster

import (
	"fmt"
	"os/exec"
	"runtime"
	"syscall"

	"golang.org/x/sys/unix"

	"github.com/takt-dev/takt/localcluster/machine"
)

// startApart starts the first process of a node, with all of its own that it does not take itself.
func startApart(cmd *exec.Cmd) error {
	cmd.SysProcAttr.Cloneflags = unix.CLONE_NEWNS | unix.CLONE_NEWPID | unix.CLONE_NEWNET |
		unix.CLONE_NEWUTS | unix.CLONE_NEWIPC
	return cmd.Start()
}

// startInside starts a process inside a node, given the first process of that node.
func startInside(cmd *exec.Cmd, first int) error {
	started := make(chan error)
	go func() {
		// This thread is not to be used again: it ends with the goroutine that has locked it.
		runtime.LockOSThread()
		started <- func() error {
			// A thread that shares its folders with others may not have other mounts than they.
			if err := unix.Unshare(unix.CLONE_FS); err != nil {
				return err
			}
			var handles []int
			for _, namespace := range machine.Namespaces {
				handle, err := unix.Open(fmt.Sprintf("/proc/%d/ns/%s", first, namespace), unix.O_RDONLY|unix.O_CLOEXEC, 0)
				if err != nil {
					return fmt.Errorf("cannot enter the node: %w", err)
				}
				defer syscall.Close(handle) //nolint:errcheck // it was only read
				handles = append(handles, handle)
			}
			for i, handle := range handles {
				if err := unix.Setns(handle, 0); err != nil {
					return fmt.Errorf("cannot enter the %s of the node: %w", machine.Namespaces[i], err)
				}
			}
			return cmd.Start()
		}()
	}()
	return <-started
}

func removeCgroups(folder string) error { return machine.RemoveCgroups(folder) }
