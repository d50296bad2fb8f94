package process

import (
	"os"
	"os/signal"
	"path/filepath"
	"strconv"
	"syscall"
)

// kept are signals that are not forwarded: those by which the kernel and Go speak to this process
// itself. SIGPIPE is among them, since the end of whoever reads the output must end nobody here.
var kept = map[os.Signal]bool{
	syscall.SIGCHLD: true, syscall.SIGURG: true, syscall.SIGPIPE: true,
}

// Signals are all that arrive, from now on. None of them ends the agent any more.
func Signals() <-chan os.Signal {
	// A signal that finds no room is lost. The kernel keeps no two of a kind either.
	arrived := make(chan os.Signal, 128)
	signal.Notify(arrived)
	return arrived
}

// Forwarded says whether a signal is for the command.
func Forwarded(s os.Signal) bool { return !kept[s] }

// Heeds says whether the command gets a signal that was sent to process 1, as it was without the agent: the kernel
// drops there what has no handler. What is to end it does so all the same, and what lets it go on ends nobody. Where
// the kernel does not tell who has a handler, it gets all: whoever has sent it knows the training.
func (c *Command) Heeds(s os.Signal) bool {
	number, ok := s.(syscall.Signal)
	if !ok || number == syscall.SIGTERM || number == syscall.SIGINT || number == syscall.SIGCONT {
		return true
	}
	text, err := os.ReadFile(filepath.Join("/proc", strconv.Itoa(c.Pid()), "status"))
	if err != nil {
		return true
	}
	one := readStatus(string(text))
	return one.hidden || one.catches(number)
}

// Ends says whether a signal ends a process that does nothing about it, and is sent in order to.
func Ends(s os.Signal) bool {
	switch s {
	case syscall.SIGTERM, syscall.SIGINT, syscall.SIGQUIT, syscall.SIGHUP, syscall.SIGABRT:
		return true
	}
	return false
}

// ExitOf is what a process exits with that a signal has ended.
func ExitOf(s os.Signal) int {
	if number, ok := s.(syscall.Signal); ok {
		return FromSignal + int(number)
	}
	return 1
}
