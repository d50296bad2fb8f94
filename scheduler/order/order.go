package order

import "time"

// Order are the two spans that deadlines, priorities and waiting times are weighed by.
type Order struct {
	// Patience is how long something without a deadline may be overtaken by what has one.
	Patience time.Duration
	// HeadStart is how much of waiting a level of a queue's priority is worth.
	HeadStart time.Duration
}

// Urgency is how urgent something is that waits.
type Urgency struct {
	Since    time.Time // it waits
	StartBy  time.Time // the latest start; zero if there is no deadline
	Priority int       // of its queue
	Begun    bool      // some of it has its place already
}

// longest bounds what a priority can be worth, lest it overflow: it is about a hundred years.
const longest = 100 * 365 * 24 * time.Hour

// Due is the moment by which it is sorted: the earlier, the sooner.
func (o Order) Due(u Urgency) time.Time {
	if u.Begun {
		return time.Time{}
	}
	due := u.Since.Add(o.Patience)
	if !u.StartBy.IsZero() && u.StartBy.Before(due) {
		due = u.StartBy
		if due.Before(u.Since) {
			due = u.Since
		}
	}
	most := longest / max(o.HeadStart, 1)
	priority := max(-most, min(time.Duration(u.Priority), most))
	return due.Add(-priority * o.HeadStart)
}
