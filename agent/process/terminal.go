package process

import (
	"os"
	"os/signal"
	"syscall"
	"unsafe"
)

// group is in which group a command is started: one of its own, since a script that tells its group to end does not
// mean the agent. What reads a terminal is in the group that its keys are for, and the agent is not.
func group(in *os.File) *syscall.SysProcAttr {
	if keysAreOurs(in) {
		return &syscall.SysProcAttr{Foreground: true, Ctty: int(in.Fd())}
	}
	return &syscall.SysProcAttr{Setpgid: true}
}

// keysAreOurs says whether a file is a terminal whose keys, such as ^C, are for the group of this process.
func keysAreOurs(in *os.File) bool {
	if in == nil {
		return false
	}
	var group int32
	return control(in, syscall.TIOCGPGRP, &group) && int(group) == syscall.Getpgrp()
}

// takeKeysBack has the keys of a terminal be for the group of this process again: whoever has started that may read on.
func takeKeysBack(in *os.File) {
	signal.Ignore(syscall.SIGTTOU) // by which the kernel stops others who do so
	group := int32(syscall.Getpgrp())
	control(in, syscall.TIOCSPGRP, &group)
}

func control(terminal *os.File, request uintptr, value *int32) (done bool) {
	_, _, err := syscall.Syscall(syscall.SYS_IOCTL, terminal.Fd(), request, uintptr(unsafe.Pointer(value)))
	return err == 0
}
