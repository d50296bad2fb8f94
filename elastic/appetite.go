package elastic

import (
	"cmp"
	"fmt"
	"slices"
)

// appetite is what each worker of a job takes of the room of its node beside GPUs, as far as some node names it. Jobs
// that take the same have the same; nil is nothing.
type appetite struct{ takes []portion }

// portion is what a worker takes of one kind of room.
type portion struct {
	of   string
	each int64
}

// appetites are those that were found so far, by what they are, of what some node names.
type appetites struct {
	named map[string]bool
	by    map[string]*appetite
}

func appetitesOn(nodes []Node) *appetites {
	a := &appetites{by: map[string]*appetite{}}
	for i := range nodes {
		for name := range nodes[i].Room {
			if a.named == nil {
				a.named = map[string]bool{}
			}
			a.named[name] = true
		}
	}
	return a
}

// of is the appetite of a job.
func (a *appetites) of(job *Job) *appetite {
	if a.named == nil || len(job.Takes) == 0 {
		return nil
	}
	var takes []portion
	for name, each := range job.Takes {
		if a.named[name] && each > 0 {
			takes = append(takes, portion{name, each})
		}
	}
	if len(takes) == 0 {
		return nil
	}
	slices.SortFunc(takes, func(a, b portion) int { return cmp.Compare(a.of, b.of) })
	key := fmt.Sprint(takes)
	if a.by[key] == nil {
		a.by[key] = &appetite{takes}
	}
	return a.by[key]
}

// in is how many workers a room does for; false if it does not bound them.
func (a *appetite) in(room map[string]int64) (most Workers, bounded bool) {
	if a == nil {
		return 0, false
	}
	for i := range a.takes {
		left, named := room[a.takes[i].of]
		if !named {
			continue
		}
		if fit := Workers(max(left, 0) / a.takes[i].each); !bounded || fit < most {
			most, bounded = fit, true
		}
	}
	return most, bounded
}

// hold has workers of a job take their part of a node; fewer than none give it back.
func (l *layout) hold(j *trainee, node int, workers Workers) {
	l.change(node, -j.need(workers))
	l.fill(j, node, workers)
}

// fill is the part of hold that is not about GPUs.
func (l *layout) fill(j *trainee, node int, workers Workers) {
	if j.appetite == nil {
		return
	}
	for _, takes := range j.appetite.takes {
		if _, named := l.room[node][takes.of]; named {
			l.room[node][takes.of] -= takes.each * int64(workers)
		}
	}
}

// forgive has nodes have nothing left of what those that are there take more of than there is: they stay.
func (l *layout) forgive() {
	for _, room := range l.room {
		for name, left := range room {
			room[name] = max(left, 0)
		}
	}
}

// hasRoom is for how many more workers of a job a node has GPUs and all else that they take.
func (l *layout) hasRoom(j *trainee, node int) Workers {
	workers := Workers(max(l.free[node], 0) / j.gpus)
	if most, bounded := j.appetite.in(l.room[node]); bounded {
		return min(workers, most)
	}
	return workers
}
