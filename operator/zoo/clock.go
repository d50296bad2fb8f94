package zoo

import (
	"container/heap"
	"time"
)

// Clock is a time that passes only when Run is called. Everything in a zoo happens on it, one thing after the
// other.
type Clock struct {
	now time.Time
	due events
	put int
}

// NewClock begins at a moment.
func NewClock(at time.Time) *Clock { return &Clock{now: at} }

// Now is the moment that it is.
func (c *Clock) Now() time.Time { return c.now }

// In does something after a while.
func (c *Clock) In(wait time.Duration, do func()) {
	c.put++
	heap.Push(&c.due, event{c.now.Add(max(wait, 0)), c.put, do})
}

// Every does something again and again, for as long as it says so.
func (c *Clock) Every(span time.Duration, do func() bool) {
	c.In(span, func() {
		if do() {
			c.Every(span, do)
		}
	})
}

// Run has everything happen that is due, until a moment comes or it is over.
func (c *Clock) Run(until time.Time, over func() bool) {
	for len(c.due) > 0 && !c.due[0].at.After(until) && !over() {
		next := heap.Pop(&c.due).(event)
		c.now = next.at
		next.do()
	}
	if !over() {
		c.now = until
	}
}

type event struct {
	at  time.Time
	nth int
	do  func()
}

// events are a heap: what is due first is first, and of two, what was put first.
type events []event

func (e events) Len() int { return len(e) }
func (e events) Less(i, j int) bool {
	if e[i].at.Equal(e[j].at) {
		return e[i].nth < e[j].nth
	}
	return e[i].at.Before(e[j].at)
}
func (e events) Swap(i, j int) { e[i], e[j] = e[j], e[i] }
func (e *events) Push(x any)   { *e = append(*e, x.(event)) }
func (e *events) Pop() any {
	last := (*e)[len(*e)-1]
	*e = (*e)[:len(*e)-1]
	return last
}
