package progress

import (
	"context"
	"errors"
	"fmt"
	"net"

	"github.com/takt-dev/takt/api/v1alpha1"
)

// What can be the matter with a source. Every error of this package is one of them.
var (
	// ErrNone: the job does not offer this source, or offers nothing yet.
	ErrNone = errors.New("the job does not tell its progress")
	// errNotOffered is ErrNone of a source that the job does not have: nobody was asked.
	errNotOffered = fmt.Errorf("%w by this source", ErrNone)
	// ErrNowhere is ErrNone of a job that names no source, and none of them tells anything: many tell the first thing
	// after minutes.
	ErrNowhere = fmt.Errorf("%w anywhere", ErrNone)
	// ErrUnsure is ErrNone of a job that prints how far it is, in a way that may mean several things: it may well go on.
	ErrUnsure = fmt.Errorf("%w for sure", ErrNone)
	// ErrPart is ErrUnsure of a counter that was complete and began anew: it counts a part of the training.
	ErrPart = fmt.Errorf("%w: it counts a part", ErrUnsure)
	// ErrMissing: what the job says is there to be read is not there.
	ErrMissing = errors.New("the progress is not where it should be")
	// ErrUnreachable: the source does not answer, which may pass by itself.
	ErrUnreachable = errors.New("the progress cannot be reached")
	// ErrTimeout: the source did not answer in time, which may pass by itself.
	ErrTimeout = errors.New("the progress was not told in time")
	// ErrGarbage: the source answers what cannot be read as progress.
	ErrGarbage = errors.New("the progress cannot be understood")
	// ErrLie: the source answers in the right form what cannot be so.
	ErrLie = errors.New("the progress cannot be true")
	// ErrBeyond is ErrLie of a counter that has gone on far beyond its total.
	ErrBeyond = fmt.Errorf("%w: the total is too small", ErrLie)
)

// Refutes says of an error that the total which a source has told is not that of the whole training.
func Refutes(err error, told v1alpha1.ProgressSource) bool {
	var of *SourceError
	if !errors.As(err, &of) {
		return false
	}
	same := of.Source == told || of.Source == v1alpha1.ProgressLogs && told == v1alpha1.ProgressAgent // of one output
	return same && (errors.Is(err, ErrPart) || errors.Is(err, ErrBeyond))
}

// SourceError is what is the matter with a source.
type SourceError struct {
	Source v1alpha1.ProgressSource
	Err    error
}

func (e *SourceError) Error() string { return fmt.Sprintf("progress from %s: %s", e.Source, e.Err) }
func (e *SourceError) Unwrap() error { return e.Err }

// fault is an error of one of these kinds, in a sentence of its own.
type fault struct {
	kind    error
	message string
	cause   error
}

func (f *fault) Error() string {
	if f.cause != nil {
		return f.message + ": " + f.cause.Error()
	}
	return f.message
}

// Unwrap gives the kind and the cause, so that errors.Is finds both.
func (f *fault) Unwrap() []error {
	if f.cause != nil {
		return []error{f.kind, f.cause}
	}
	return []error{f.kind}
}

func fail(kind error, format string, values ...any) error {
	return &fault{kind: kind, message: fmt.Sprintf(format, values...)}
}

// remembered is an error as it is kept: in its words, without the answer that it was made of.
func remembered(err error) error {
	of, is := errors.AsType[*SourceError](err)
	if !is {
		return err
	}
	return &SourceError{of.Source, inWords(of.Err)}
}

// inWords is an error without the answer that it was made of.
func inWords(err error) error {
	f, is := errors.AsType[*fault](err)
	if !is || f.cause == nil {
		return err
	}
	return &fault{kind: f.kind, message: err.Error()}
}

// unanswered is a request that came to nothing.
func unanswered(cause error, format string, values ...any) error {
	kind := ErrUnreachable
	var network net.Error
	if errors.Is(cause, context.DeadlineExceeded) || errors.As(cause, &network) && network.Timeout() {
		kind = ErrTimeout
	}
	return &fault{kind: kind, message: fmt.Sprintf(format, values...), cause: cause}
}

// Passes says whether an error may pass by itself; any other waits for somebody to mend it.
func Passes(err error) bool { return errors.Is(err, ErrNone) || passes(err) }

// passes says whether an error may pass by itself. Any other waits for somebody to mend it.
func passes(err error) bool { return errors.Is(err, ErrUnreachable) || errors.Is(err, ErrTimeout) }
