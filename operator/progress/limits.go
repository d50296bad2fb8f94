package progress

import (
	"context"
	"io"
	"time"
)

// Limits bound what one reading may take: a job is not to be trusted with the operator's time and
// memory.
type Limits struct {
	Timeout  time.Duration
	MaxBytes int64
}

// within gives the context of one reading.
func (l Limits) within(ctx context.Context) (context.Context, context.CancelFunc) {
	return context.WithTimeout(ctx, l.Timeout)
}

// bounded reads up to a number of bytes, and fails where there is more.
type bounded struct {
	from io.Reader
	most int64
	left int64
}

func (l Limits) bound(from io.Reader) *bounded {
	return &bounded{from: from, most: l.MaxBytes, left: l.MaxBytes}
}

// Read fails with ErrGarbage once more was read than may be.
func (b *bounded) Read(into []byte) (int, error) {
	// One more than is left tells an answer that fits exactly from one that is too long.
	if int64(len(into)) > b.left+1 {
		into = into[:b.left+1]
	}
	n, err := b.from.Read(into)
	if int64(n) > b.left {
		n, b.left = int(b.left), 0
		return n, fail(ErrGarbage, "the answer is longer than %d bytes", b.most)
	}
	b.left -= int64(n)
	return n, err
}
