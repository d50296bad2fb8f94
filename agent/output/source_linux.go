package output

import (
	"errors"
	"io"
	"os"
	"syscall"
	"unsafe"
)

// Source is the end of a pipe that is read. Go's own files would have the kernel wake the agent at every write, even
// while it does not want to read: most of what it costs beside a training that prints a thousand lines a second.
type Source struct {
	pipe  int
	ended int      // readable once the training has ended
	end   *os.File // closed then
	room  int      // how many bytes the pipe holds

	hasEnded bool
	left     int // what may still be read after the end
}

// Pipe is a pipe for a training to write to. Both ends block, as those of any other pipe do.
func Pipe() (*Source, *os.File, error) {
	var data, end [2]int
	if err := syscall.Pipe2(data[:], syscall.O_CLOEXEC); err != nil {
		return nil, nil, os.NewSyscallError("pipe2", err)
	}
	if err := syscall.Pipe2(end[:], syscall.O_CLOEXEC); err != nil {
		_, _ = syscall.Close(data[0]), syscall.Close(data[1])
		return nil, nil, os.NewSyscallError("pipe2", err)
	}
	_, _, _ = syscall.Syscall(syscall.SYS_FCNTL, uintptr(data[1]), setPipeSize, pipeSize) // it may be refused
	source := &Source{pipe: data[0], ended: end[0], end: os.NewFile(uintptr(end[1]), "end"), left: pipeSize,
		room: roomOf(data[1])}
	return source, os.NewFile(uintptr(data[1]), "output"), nil
}

const (
	setPipeSize = 1031 // F_SETPIPE_SZ
	getPipeSize = 1032 // F_GETPIPE_SZ
	leastSize   = 4096 // of a pipe
)

// roomOf is how many bytes a pipe holds: 64 KiB where more is refused, and less for a user who has many pipes.
func roomOf(pipe int) int {
	room, _, err := syscall.Syscall(syscall.SYS_FCNTL, uintptr(pipe), getPipeSize, 0)
	if err != 0 {
		return leastSize
	}
	return int(room)
}

// End says that the training has ended. What is in the pipe by then is read; processes that the training has left
// behind may hold it open for ever.
func (s *Source) End() { _ = s.end.Close() }

// Read waits until there is something, and reads it. After the end it waits no longer.
func (s *Source) Read(into []byte) (int, error) {
	for {
		there, err := s.poll()
		switch {
		case errors.Is(err, syscall.EINTR):
			continue
		case err != nil:
			return 0, os.NewSyscallError("ppoll", err)
		case !there || s.hasEnded && s.left <= 0:
			return 0, io.EOF
		}
		n, err := syscall.Read(s.pipe, into)
		switch {
		case errors.Is(err, syscall.EINTR):
			continue
		case err != nil:
			return 0, os.NewSyscallError("read", err)
		case n == 0:
			return 0, io.EOF
		}
		if s.hasEnded {
			s.left -= n
		}
		return n, nil
	}
}

// pollfd is that of the kernel.
type pollfd struct {
	fd              int32
	events, revents int16
}

const (
	pollIn  = 0x1
	pollHup = 0x10
)

// poll waits until there is something to read, or the end.
func (s *Source) poll() (there bool, err error) {
	fds := [2]pollfd{{fd: int32(s.pipe), events: pollIn}, {fd: int32(s.ended), events: pollIn}}
	_, _, errno := syscall.Syscall6(syscall.SYS_PPOLL, uintptr(unsafe.Pointer(&fds[0])), uintptr(len(fds)), 0, 0, 0, 0)
	if errno != 0 {
		return false, errno
	}
	s.hasEnded = s.hasEnded || fds[1].revents != 0
	return fds[0].revents&(pollIn|pollHup) != 0, nil
}
