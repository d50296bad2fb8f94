package memory

import (
	"sync"
	"time"
)

// ManyInTurn is after how many jobs in turn that nobody has served how busy their GPUs are it is taken to be the
// cluster that does not serve it.
const ManyInTurn = 16

// Unserved is what jobs have found that nobody serves how busy their GPUs are. Where that is so for many in turn, those
// that have asked before rest together: else each of thousands of jobs would go on to ask for itself.
type Unserved struct {
	mu     sync.Mutex
	inTurn int
	rested int // how often, with nobody served since
	until  time.Time
}

// Rests says that jobs which nobody has served are not to ask again now.
func (u *Unserved) Rests(now time.Time) bool {
	u.mu.Lock()
	defer u.mu.Unlock()
	return now.Before(u.until)
}

// NotServed takes that one more was not served. A rest is twice as long each time, up to a bound.
func (u *Unserved) NotServed(now time.Time, rest time.Duration) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if now.Before(u.until) {
		return
	}
	if u.inTurn++; u.inTurn < ManyInTurn {
		return
	}
	u.until = now.Add(rest << min(u.rested, mostSeldom))
	u.inTurn, u.rested = 0, u.rested+1
}

// Served takes that one was served.
func (u *Unserved) Served() {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.inTurn, u.rested, u.until = 0, 0, time.Time{}
}
