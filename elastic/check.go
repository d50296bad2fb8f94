package elastic

import (
	"errors"
	"fmt"
	"math"
)

// Check says what is wrong with a snapshot, each complaint with the place and what is allowed.
func (s Snapshot) Check() error {
	c := &checker{}
	c.finite("now", float64(s.Now), math.Inf(-1))
	c.finite("settings.promiseShare", s.Settings.PromiseShare, 0)
	if s.Settings.PromiseShare > 1 {
		c.complain("settings.promiseShare is %g: it must be 1 or less", s.Settings.PromiseShare)
	}
	c.finite("settings.payback", s.Settings.Payback, 0)
	c.finite("settings.cooldown", s.Settings.Cooldown, 0)
	nodes := c.names("nodes", len(s.Nodes), func(i int) string { return s.Nodes[i].Name }, true)
	for i, n := range s.Nodes {
		c.count(fmt.Sprintf("nodes[%d].gpus", i), int(n.GPUs), 0)
	}
	for i, d := range s.Demands {
		c.count(fmt.Sprintf("demands[%d].gpus", i), int(d.GPUs), 0)
	}
	c.names("queues", len(s.Queues), func(i int) string { return s.Queues[i].Pool + "/" + s.Queues[i].Name }, true)
	for i, q := range s.Queues {
		c.count(fmt.Sprintf("queues[%d].guaranteed", i), int(q.Guaranteed), 0)
		c.count(fmt.Sprintf("queues[%d].weight", i), q.Weight, 0)
		if q.Limit != nil {
			c.count(fmt.Sprintf("queues[%d].limit", i), int(*q.Limit), 0)
		}
	}
	c.names("jobs", len(s.Jobs), func(i int) string { return s.Jobs[i].Name }, false)
	for i, j := range s.Jobs {
		c.job(fmt.Sprintf("jobs[%d] (%s)", i, j.Name), j, nodes)
	}
	return errors.Join(c.complaints...)
}

// checker collects what is wrong.
type checker struct{ complaints []error }

func (c *checker) complain(format string, args ...any) {
	c.complaints = append(c.complaints, fmt.Errorf(format, args...))
}

func (c *checker) finite(field string, value, least float64) {
	if math.IsNaN(value) || math.IsInf(value, 0) {
		c.complain("%s is %g: it must be a finite number", field, value)
	} else if value < least {
		c.complain("%s is %g: it must be %g or more", field, value, least)
	}
}

// most is more GPUs than there will ever be, and few enough to reckon with.
const most = 1 << 30

func (c *checker) count(field string, value, least int) {
	if value < least || value > most {
		c.complain("%s is %d: it must be from %d to %d", field, value, least, most)
	}
}

// names checks that no two have the same name, and returns the names.
func (c *checker) names(field string, n int, name func(int) string, mayBeEmpty bool) map[string]bool {
	seen := map[string]bool{}
	for i := range n {
		switch name := name(i); {
		case name == "" && !mayBeEmpty:
			c.complain("%s[%d].name is empty: every one needs a name", field, i)
		case name != "" && seen[name]:
			c.complain("%s[%d].name is %q, as that of another: names must differ", field, i, name)
		default:
			seen[name] = true
		}
	}
	return seen
}

func (c *checker) job(at string, j Job, nodes map[string]bool) {
	if j.Deadline != nil {
		c.finite(at+".deadline", float64(*j.Deadline), math.Inf(-1))
	} else if j.Promised {
		c.complain("%s.promised is true, but it has no deadline: add deadline, or remove promised", at)
	}
	c.finite(at+".left", float64(j.Left), 0)
	c.finite(at+".submitted", float64(j.Submitted), math.Inf(-1))
	c.finite(at+".busyUntil", float64(j.BusyUntil), math.Inf(-1))
	c.finite(at+".pause", float64(j.Pause), 0)
	c.finite(at+".rework", float64(j.Rework), 0)
	c.finite(at+".savedAt", float64(j.SavedAt), math.Inf(-1))
	c.finite(at+".savesAt", float64(j.SavesAt), math.Inf(-1))
	c.count(at+".gpusPerWorker", int(j.GPUsPerWorker), 0)
	c.count(at+".workers", int(j.Workers), 0)
	if len(j.On) > 0 && len(j.On) != int(j.Workers) {
		c.complain("%s.on names %d nodes for %d workers: name one for each, or none at all", at, len(j.On), j.Workers)
	}
	for i, node := range j.On {
		if !nodes[node] {
			c.complain("%s.on[%d] is %q, and there is no such node", at, i, node)
		}
	}
	if len(j.Sizes) == 0 {
		c.complain("%s.sizes is empty: name one number of workers at least", at)
	}
	before := Workers(0)
	for i, s := range j.Sizes {
		field := fmt.Sprintf("%s.sizes[%d]", at, i)
		if s.Workers <= before || s.Workers > most {
			c.complain("%s.workers is %d: sizes go up, from 1 to %d", field, s.Workers, most)
		}
		before = s.Workers
		c.finite(field+".speed", float64(s.Speed), 0)
		c.finite(field+".expected", float64(s.Expected), 0)
		c.finite(field+".best", float64(s.Best), 0)
	}
	for i, s := range j.Reserved {
		c.finite(fmt.Sprintf("%s.reserved[%d].from", at, i), float64(s.From), math.Inf(-1))
		c.finite(fmt.Sprintf("%s.reserved[%d].to", at, i), float64(s.To), float64(s.From))
		c.count(fmt.Sprintf("%s.reserved[%d].workers", at, i), int(s.Workers), 1)
	}
}
