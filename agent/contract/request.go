package contract

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// Request is the number of a request for a checkpoint: the milliseconds since 1970 at which it was
// made. So a newer one is greater, a process that has just begun knows from the pod when it was
// asked, and the number survives being told as the value of a metric. 0 is none.
type Request int64

// RequestAt is the request that is made at a moment.
func RequestAt(t time.Time) Request { return Request(t.UnixMilli()) }

// At is when the request was made.
func (r Request) At() time.Time { return time.UnixMilli(int64(r)).UTC() }

// String is the value of SaveAnnotation.
func (r Request) String() string { return strconv.FormatInt(int64(r), 10) }

// maxRequest is the most that a metric tells exactly.
const maxRequest = 1 << 53

// ParseRequest reads a value of SaveAnnotation: a number, or the moment itself.
func ParseRequest(text string) (Request, error) {
	text = strings.TrimSpace(text)
	if n, err := strconv.ParseInt(text, 10, 64); err == nil && n > 0 && n <= maxRequest {
		return Request(n), nil
	}
	if at, err := time.Parse(time.RFC3339Nano, text); err == nil && at.Unix() > 0 && at.UnixMilli() <= maxRequest {
		return RequestAt(at), nil
	}
	return 0, fmt.Errorf("%s is %q, which is no number of a request such as 1795521600000", SaveAnnotation, text)
}

// Open says whether the barrier is open for a pod of an epoch, by the value of its LetInAnnotation. A
// value of an earlier epoch opens nothing: it came with the template. Where the pod does not know its
// own epoch, any opens.
func Open(letIn string, epoch int64) bool {
	in, err := strconv.ParseInt(strings.TrimSpace(letIn), 10, 64)
	return err == nil && in >= epoch
}
