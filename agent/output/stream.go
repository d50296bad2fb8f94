package output

import (
	"os"
	"sync/atomic"
	"time"
)

// pipeSize is how much the training may write while the agent does something else. It is what
// everybody may ask the kernel for; without the agent it would be 64 KiB.
const pipeSize = 1 << 20

// Stream passes on what a training writes to one of its outputs.
type Stream struct {
	// Index is that of the stream in its tap.
	Index int
	From  *Source
	To    *os.File
	Tap   *Tap
	// Finished is closed when the training has ended.
	Finished <-chan struct{}
	// Within is kept: whether what was passed on last is within a line. It may be nil.
	Within *atomic.Bool
	// Failed is told once why nothing is passed on any more.
	Failed func(error)

	lost, failed bool
}

// Copy passes on until nobody can write any more, or the training has ended.
func (s *Stream) Copy() {
	own := make([]byte, bufferSize)
	p := pace{timer: time.NewTimer(0), room: s.From.room}
	defer p.timer.Stop()
	for {
		read, err := s.once(own)
		if err != nil {
			return
		}
		p.wait(read, s.Finished)
	}
}

// once reads, passes on, and has a copy looked at if there is a buffer for it.
func (s *Stream) once(own []byte) (int, error) {
	buffer := s.Tap.buffer()
	into := buffer
	if buffer == nil {
		into = own
	}
	n, err := s.From.Read(into)
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
	if s.Within != nil {
		s.Within.Store(bytes[len(bytes)-1] != '\n')
	}
	if _, err := s.To.Write(bytes); err != nil {
		s.failed = true
		s.Failed(err)
	}
}
