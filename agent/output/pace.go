package output

import (
	"os"
	"syscall"
	"time"
)

const (
	// often is how many reads in a window make a training one that writes all the time. Its output is then
	// taken once in a pause, which costs a tenth, and is soon enough for whoever reads a log.
	often  = 10
	window = 100 * time.Millisecond
	pause  = 10 * time.Millisecond
)

// pace says when to read again. What is written rarely is passed on at once.
type pace struct {
	timer  *time.Timer
	since  time.Time // when the window began
	reads  int       // in it
	before int       // in the one before
}

// wait waits for a pause if there were many reads, and the last was none of much. It ends with the training.
func (p *pace) wait(bytes int, finished <-chan struct{}) {
	now := time.Now()
	switch age := now.Sub(p.since); {
	case age > 2*window:
		p.since, p.before, p.reads = now, 0, 0
	case age > window:
		p.since, p.before, p.reads = now, p.reads, 0
	}
	p.reads++
	if max(p.reads, p.before) < often || bytes >= bufferSize/2 {
		return
	}
	p.timer.Reset(pause)
	select {
	case <-p.timer.C:
	case <-finished:
	}
}

// setPipeSize is F_SETPIPE_SZ of Linux.
const setPipeSize = 1031

// widen makes a pipe hold more. Where that is refused, it stays as it is.
func widen(pipe *os.File) {
	raw, err := pipe.SyscallConn()
	if err != nil {
		return
	}
	_ = raw.Control(func(fd uintptr) {
		_, _, _ = syscall.Syscall(syscall.SYS_FCNTL, fd, setPipeSize, pipeSize)
	})
}
