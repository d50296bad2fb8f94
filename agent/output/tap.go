package output

import (
	"fmt"
	"sync/atomic"
	"time"
)

const (
	// bufferSize is how much is read at a time, and buffers is how many of them wait to be looked at, at
	// most. What comes while all of them wait is passed on without being looked at.
	bufferSize = 64 << 10
	buffers    = 16
	// linesPerSecond is how many lines are looked at. Of more than that, samples are taken.
	linesPerSecond = 2000
	// atRest is how long nothing comes before a bar is looked at that is not complete.
	atRest = time.Second
	// block is what buffered writers write at a time, and multiples of it: where such a piece ends says
	// nothing of where a line does.
	block = 4096
)

// Tap looks at copies of what is written. Whoever passes the output on never waits for it.
type Tap struct {
	// Look is given each line. It is called by one goroutine.
	Look func(line []byte, overwritten bool)
	// Count is told how many lines there were, and how many of them nobody looked at.
	Count func(lines, skipped uint64)
	// Failed is told why no line is looked at any more.
	Failed func(error)

	pieces  chan piece
	free    chan []byte
	streams []*splitter
	blind   atomic.Bool
}

type piece struct {
	stream int
	buffer []byte
	bytes  int
	gap    bool // something of the stream before it is missing
}

// NewTap makes a tap on so many streams.
func NewTap(streams int) *Tap {
	t := &Tap{pieces: make(chan piece, buffers), free: make(chan []byte, buffers)}
	for range streams {
		t.streams = append(t.streams, &splitter{})
	}
	for range buffers {
		t.free <- nil // made when it is first needed
	}
	return t
}

// Close says that nothing more comes.
func (t *Tap) Close() { close(t.pieces) }

// Run looks at what comes until the tap is closed. Whatever goes wrong in here is none of the
// training's business: it trains on, and nobody looks.
func (t *Tap) Run() {
	defer func() {
		if r := recover(); r != nil {
			t.blind.Store(true)
			t.Failed(fmt.Errorf("reading the output has failed: %v", r))
			for p := range t.pieces {
				t.free <- p.buffer
			}
		}
	}()
	left, refilled := float64(linesPerSecond), time.Now()
	var lines, skipped uint64
	look := func(line []byte, overwritten bool) {
		lines++
		if left < 1 {
			skipped++
			return
		}
		left--
		t.Look(line, overwritten)
	}
	resting := time.NewTimer(atRest)
	defer resting.Stop()
	last := piece{}
	for {
		select {
		case p, more := <-t.pieces:
			if !more {
				t.last(t.Look)
				return
			}
			now := time.Now()
			left = min(linesPerSecond, left+linesPerSecond*now.Sub(refilled).Seconds())
			refilled, last = now, p
			if p.gap {
				t.streams[p.stream].gap()
			}
			t.streams[p.stream].split(p.buffer[:p.bytes], look)
			t.free <- p.buffer
			t.Count(lines, skipped)
			lines, skipped = 0, 0
			resting.Reset(atRest)
		case <-resting.C:
			if last.bytes%block != 0 {
				t.last(t.Look)
			}
		}
	}
}

// last looks at the bars that are drawn.
func (t *Tap) last(look func([]byte, bool)) {
	for _, s := range t.streams {
		s.rest(look)
	}
}

// buffer is one to read into; nil if all of them wait to be looked at.
func (t *Tap) buffer() []byte {
	if t.blind.Load() {
		return nil
	}
	select {
	case b := <-t.free:
		if b == nil {
			b = make([]byte, bufferSize)
		}
		return b
	default:
		return nil
	}
}

// give has a piece looked at. There is room for as many as there are buffers.
func (t *Tap) give(p piece) { t.pieces <- p }
