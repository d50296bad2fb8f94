package starting

import "time"

// Crash is a container that has ended with an error, and is to be started anew.
type Crash struct {
	// Waits says that its node waits before it does that. For a while it only says how the container has ended.
	Waits bool
	// Pause is for how long it waits; 0 if it does not say.
	Pause time.Duration
	// Starts is how often it was started anew in the whole life of its pod.
	Starts int
}

// A container that has crashed so often in a row, or waits for so long, crashes for good: a node pauses for twice as
// long each time, from 10 seconds on. One that loses its peers, as in a resize, crashes once or twice.
const (
	oftenCrashed = 3
	pausesFor    = 40 * time.Second
)

// Lasts says that the container crashes for good. How long its node pauses tells how often it has crashed in a row; how
// often it was started anew counts only where that is not told.
func (c Crash) Lasts() bool {
	switch {
	case !c.Waits:
		return false
	case c.Pause > 0:
		return c.Pause >= pausesFor
	}
	return c.Starts >= oftenCrashed
}

// PreparedWithin is how long a node may take for the volumes and the network of a pod. To get a disk off a node that is
// lost takes six minutes.
const PreparedWithin = 10 * time.Minute

// Unprepared says that a node does not get them ready by itself which has tried since some moment.
func Unprepared(since, now time.Time) bool { return now.Sub(since) >= PreparedWithin }
