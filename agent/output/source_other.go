//go:build !linux

package output

import (
	"errors"
	"io"
	"os"
	"time"
)

// Source is the end of a pipe that is read. There are no pods but on Linux: this one has only to work.
type Source struct {
	pipe *os.File
	room int
}

// Pipe is a pipe for a training to write to.
func Pipe() (*Source, *os.File, error) {
	read, write, err := os.Pipe()
	return &Source{read, 16 << 10}, write, err
}

// End says that the training has ended.
func (s *Source) End() { _ = s.pipe.SetReadDeadline(time.Now()) }

// Read reads until the end.
func (s *Source) Read(into []byte) (int, error) {
	n, err := s.pipe.Read(into)
	if errors.Is(err, os.ErrDeadlineExceeded) {
		err = io.EOF
	}
	return n, err
}
