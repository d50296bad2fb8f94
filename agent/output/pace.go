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
)

// pace says when to read again. What is written rarely is passed on at once.
type pace struct {
	timer  *time.Timer
	room   int       // in the pipe
	since  time.Time // when the window began
	reads  int       // in it
	before int       // in the one before
	pauses bool
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
	enough := often
	if p.pauses {
		enough = still
	}
	p.pauses = max(p.reads, p.before) >= enough
	if !p.pauses || bytes >= min(bufferSize, p.room/eighth) {
		return
	}
	p.timer.Reset(pause)
	select {
	case <-p.timer.C:
	case <-finished:
	}
}
