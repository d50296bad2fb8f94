package output

import "time"

const (
	// often is how many reads in a window make a training one that writes all the time. Its output is then taken once in a
	// pause, which is soon enough for whoever reads a log: to wake up costs the agent more than all that it does with what
	// it reads. With pauses there are fewer reads in a window, and still are as many if it goes on.
	often  = 10
	still  = 4
	window = 500 * time.Millisecond
	pause  = 100 * time.Millisecond
	// A pipe that an eighth of it was read from at once may be full before the end of a pause.
	eighth = 8
	// What fills more than half of a pipe in a pause may fill it in the next.
	half = 2
)

// pace says when to read again. What is written rarely is passed on at once.
type pace struct {
	timer  *time.Timer
	room   int       // in the pipe
	since  time.Time // when the window began
	reads  int       // in it
	before int       // in the one before
	bytes  int       // that were read in it
	after  int       // that were read in it after the last pause,
	paused bool      // if there was one since it was written too fast for that
	fast   time.Time // until when it is
	pauses bool
}

// wait waits for a pause if there were many reads, and the last was none of much. It ends with the training.
func (p *pace) wait(bytes int, finished <-chan struct{}) {
	now := time.Now()
	p.read(bytes, now)
	enough := often
	if p.pauses {
		enough = still
	}
	p.pauses = max(p.reads, p.before) >= enough && now.After(p.fast)
	if !p.pauses || bytes >= min(bufferSize, p.room/eighth) {
		return
	}
	p.after, p.paused = 0, true
	p.timer.Reset(pause)
	select {
	case <-p.timer.C:
	case <-finished:
	}
}

// read counts what is read, and sees whether it is written so fast that a training would have to wait in a pause.
func (p *pace) read(bytes int, now time.Time) {
	most := p.room / half
	switch age := now.Sub(p.since); {
	case age > 2*window:
		p.since, p.before, p.reads, p.bytes, p.after = now, 0, 0, 0, 0
	case age > window:
		if p.bytes > most*int(window/pause) {
			p.fast = now.Add(2 * window) // as long as the next may be
		}
		p.since, p.before, p.reads, p.bytes, p.after = now, p.reads, 0, 0, 0
	}
	p.reads++
	p.bytes += bytes
	if p.after += bytes; p.paused && p.after > most {
		p.fast, p.paused = now.Add(2*window), false
	}
}
