package starting

import "time"

// Own is a job that is never stopped again, and whose workers come to nodes by themselves: anybody may write any size
// on it.
type Own struct {
	Size  int // that it is to have
	Holds int // how many of its workers have nodes
	Had   int // how many have had nodes since it was last to have fewer
	Room  int // for how many more there is room now
	// Made is when the newest of its pods was made, and Within how long one may take to find a node.
	Made   time.Time
	Within time.Duration
}

// Keeps is how many workers others keep the places of: of as many as have had nodes, so that those which are made anew
// find theirs. While the first of them come to nodes, those that follow find the room that there is; that is to be
// judged anew at a moment, zero if it is not. One of which none has had a node is yet to start, like any that waits.
func (o Own) Keeps(now time.Time) (workers int, yetToStart bool, until time.Time) {
	follow := o.Made.Add(o.Within)
	switch {
	case o.Had >= o.Size:
		return o.Size, false, time.Time{}
	case o.Had == 0:
		return 0, true, time.Time{}
	case now.Before(follow) && o.Room >= o.Size-o.Holds:
		return o.Size, false, follow
	}
	return o.Had, false, time.Time{}
}
