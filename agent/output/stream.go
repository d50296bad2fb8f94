package output

import (
	"errors"
	"io"
	"os"
	"syscall"
	"time"
)

// pipeSize is how much the training may write while the agent does something else. It is what
// everybody may ask the kernel for; without the agent it would be 64 KiB.
const pipeSize = 1 << 20

// Stream passes on what a training writes to one of its outputs.
type Stream struct {
	// Index is that of the stream in its tap.
	Index int
	// From is where it is read, and To where it is written to.
	From, To *os.File
	Tap      *Tap
	// Finished is closed when the training has ended.
	Finished <-chan struct{}
	// Failed is told once why nothing is passed on any more.
	Failed func(error)

	lost, failed bool
}

// Pipe is a pipe for a training to write to. Its read end can be given a deadline.
func Pipe() (read, write *os.File, err error) {
	read, write, err = os.Pipe()
	if err == nil {
		widen(write)
	}
	return read, write, err
}

// Copy passes on until nobody can write any more. Once the training has ended, it takes what is in the pipe
// by then: processes that the training has left behind may hold it open for ever.
func (s *Stream) Copy() {
	own := make([]byte, bufferSize)
	p := pace{timer: time.NewTimer(0)}
	defer p.timer.Stop()
	for {
		read, err := s.once(own, s.From.Read)
		if errors.Is(err, os.ErrDeadlineExceeded) {
			s.drain(own)
			return
		}
		if err != nil {
			return
		}
		p.wait(read, s.Finished)
	}
}

// once reads, passes on, and has a copy looked at if there is a buffer for it.
func (s *Stream) once(own []byte, read func([]byte) (int, error)) (int, error) {
	buffer := s.Tap.buffer()
	into := buffer
	if buffer == nil {
		into = own
	}
	n, err := read(into)
	if n > 0 {
		s.pass(into[:n])
	}
	switch {
	case buffer == nil:
		s.lost = s.lost || n > 0
	case n > 0:
		s.Tap.give(piece{s.Index, buffer, n, s.lost})
		s.lost = false
	default:
		s.Tap.free <- buffer
	}
	return n, err
}

// pass writes. Where that fails, whoever reads the output is gone, or a disk is full: the training goes on all
// the same, and so does the looking.
func (s *Stream) pass(bytes []byte) {
	if s.failed {
		return
	}
	if _, err := s.To.Write(bytes); err != nil {
		s.failed = true
		s.Failed(err)
	}
}

// drain takes what is in the pipe, without waiting for more.
func (s *Stream) drain(own []byte) {
	if s.From.SetReadDeadline(time.Time{}) != nil {
		return
	}
	raw, err := s.From.SyscallConn()
	if err != nil {
		return
	}
	for taken := 0; taken < pipeSize; {
		n, err := s.once(own, func(into []byte) (n int, err error) {
			if failed := raw.Read(func(fd uintptr) bool {
				n, err = syscall.Read(int(fd), into)
				return !errors.Is(err, syscall.EINTR)
			}); failed != nil {
				return 0, failed
			}
			if err == nil && n == 0 {
				err = io.EOF
			}
			return max(n, 0), err
		})
		if err != nil {
			return
		}
		taken += n
	}
}
