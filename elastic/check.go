package elastic

import (
	"errors"
	"fmt"
)

// Check says what is wrong with a snapshot, each complaint with the place and what is allowed.
func (s Snapshot) Check() error {
	c := &checker{}
	c.moment("now", s.Now)
	c.within("settings.promiseShare", s.Settings.PromiseShare, 0, 1)
	c.within("settings.payback", s.Settings.Payback, 0, 1e6)
	c.within("settings.cooldown", s.Settings.Cooldown, 0, 1e6)
	c.duration("settings.startsWithin", s.Settings.StartsWithin)
	c.duration("settings.placeWithin", s.Settings.PlaceWithin)
	c.duration("settings.drainWithin", s.Settings.DrainWithin)
	c.names("nodes", len(s.Nodes), func(i int) string { return s.Nodes[i].Name }, true)
	nodes, total := map[string]Node{}, 0
	for i, n := range s.Nodes {
		c.count(fmt.Sprintf("nodes[%d].gpus", i), int(n.GPUs), 0)
		c.amounts(fmt.Sprintf("nodes[%d].room", i), n.Room)
		nodes[n.Name] = n
		if total += min(max(int(n.GPUs), 0), mostGPUs); total > mostGPUs {
			c.complain("nodes[%d].gpus is %d, which makes more than %s in all", i, n.GPUs, CountGPUs(mostGPUs))
			break
		}
	}
	for i, d := range s.Demands {
		c.count(fmt.Sprintf("demands[%d].gpus", i), int(d.GPUs), 0)
		for k, pod := range d.Pods {
			c.count(fmt.Sprintf("demands[%d].pods[%d].gpus", i, k), int(pod.GPUs), 1)
		}
	}
	c.names("queues", len(s.Queues), func(i int) string { return s.Queues[i].Pool + "/" + s.Queues[i].Name }, true)
	for i, q := range s.Queues {
		c.count(fmt.Sprintf("queues[%d].guaranteed", i), int(q.Guaranteed), 0)
		c.count(fmt.Sprintf("queues[%d].weight", i), q.Weight, 0)
		if q.Limit != nil {
			c.count(fmt.Sprintf("queues[%d].limit", i), int(*q.Limit), 0)
		}
	}
	sites := s.sites()
	c.names("sites", len(s.Sites), func(i int) string { return s.Sites[i].Name }, false)
	c.names("jobs", len(s.Jobs), func(i int) string { return s.Jobs[i].Name }, false)
	for i, j := range s.Jobs {
		c.job(fmt.Sprintf("jobs[%d] (%s)", i, j.Name), j, nodes)
		if j.Site != "" && sites[j.Site] == nil {
			c.complain("jobs[%d] (%s).site is %q, and there is no such site", i, j.Name, j.Site)
		}
	}
	c.idle(s.Idle)
	return errors.Join(c.complaints...)
}

// checker collects what is wrong.
type checker struct{ complaints []error }

func (c *checker) complain(format string, args ...any) {
	c.complaints = append(c.complaints, fmt.Errorf(format, args...))
}

// What is reckoned with keeps its thousandths of a second, and never overflows.
const (
	longest  = 1e11    // seconds: three thousand years, from 1970 or from now
	greatest = 1e18    // work, and speed; and no job is slower than one by this
	mostGPUs = 1 << 22 // GPUs: more than any cluster has
	mostOff  = 1e3     // times as slow or as fast as was expected
)

func (c *checker) within(field string, value, least, greatest float64) {
	if !(value >= least && value <= greatest) { // so that NaN is refused, too
		c.complain("%s is %g: it must be from %g to %g", field, value, least, greatest)
	}
}

func (c *checker) moment(field string, at Seconds) { c.within(field, float64(at), -longest, longest) }

func (c *checker) duration(field string, s Seconds) { c.within(field, float64(s), 0, longest) }

func (c *checker) speed(field string, s Speed) {
	if s != 0 {
		c.within(field, float64(s), 1/greatest, greatest)
	}
}

func (c *checker) count(field string, value, least int) {
	if value < least || value > mostGPUs {
		c.complain("%s is %d: it must be from %d to %d", field, value, least, mostGPUs)
	}
}

// amounts checks how much there is, or is taken, of what has names.
func (c *checker) amounts(field string, of map[string]int64) {
	for name, amount := range of {
		c.within(field+"."+name, float64(amount), 0, greatest)
	}
}

// names checks that no two have the same name.
func (c *checker) names(field string, n int, name func(int) string, mayBeEmpty bool) {
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
}

func (c *checker) job(at string, j Job, nodes map[string]Node) {
	if j.Deadline != nil {
		c.moment(at+".deadline", *j.Deadline)
	} else if j.Promised {
		c.complain("%s.promised is true, but it has no deadline: add deadline, or remove promised", at)
	}
	for i, name := range j.After {
		if name == "" || name == j.Name {
			c.complain("%s.after[%d] is %q: name another job", at, i, name)
		}
	}
	c.work(at, j)
	c.hasNow(at, j)
	c.on(at, j, nodes)
	c.amounts(at+".takes", j.Takes)
	c.sizes(at+".sizes", j.Sizes)
	c.beyond(at, j)
	c.elsewhere(at, j)
	c.reserved(at, j)
}

// work checks what is left of a job, and the moments of it.
func (c *checker) work(at string, j Job) {
	c.within(at+".left", float64(j.Left), 0, greatest)
	c.within(at+".done", float64(j.Done), 0, greatest)
	c.duration(at+".closing.early", j.Closing.Shortest)
	c.duration(at+".closing.expected", j.Closing.Usual)
	c.duration(at+".closing.late", j.Closing.Longest)
	if j.Closing.Shortest > j.Closing.Usual || j.Closing.Usual > j.Closing.Longest {
		c.complain("%s.closing goes from %g over %g to %g s: none may be less than the one before it", at,
			float64(j.Closing.Shortest), float64(j.Closing.Usual), float64(j.Closing.Longest))
	}
	c.duration(at+".overruns", j.Overruns)
	c.within(at+".hindsight", j.Hindsight, 0, mostOff)
	c.moment(at+".submitted", j.Submitted)
	c.within(at+".maxWait", float64(j.MaxWait), 0, longest)
	c.moment(at+".waitsSince", j.WaitsSince)
	c.moment(at+".turnUntil", j.TurnUntil)
	c.moment(at+".busyUntil", j.BusyUntil)
	c.moment(at+".trained", j.Trained)
	c.moment(at+".advancedAt", j.AdvancedAt)
	c.duration(at+".pause", j.Pause)
	c.duration(at+".rework", j.Rework)
	c.moment(at+".savedAt", j.SavedAt)
	c.moment(at+".savesAt", j.SavesAt)
}

// hasNow checks what a job has now.
func (c *checker) hasNow(at string, j Job) {
	c.count(at+".gpusPerWorker", int(j.GPUsPerWorker), 0)
	c.count(at+".workers", int(j.Workers), 0)
	c.count(at+".leaders", int(j.Leaders), 0)
	if j.Workers > 0 && j.Workers <= j.Leaders {
		c.complain("%s.workers is %d, and its leaders, who take no GPU, are %d: it has more workers than these, or none", at,
			j.Workers, j.Leaders)
	}
	for i, size := range j.Sizes {
		if j.Leaders > 0 && size.Workers <= j.Leaders {
			c.complain("%s.sizes[%d].workers is %d: its leaders, who take no GPU, are %d, and it has more workers than "+
				"these", at, i, size.Workers, j.Leaders)
		}
	}
	c.count(at+".written", int(j.Written), 0)
	if j.OnItsOwn && j.Workers > 0 {
		c.complain("%s.onItsOwn: it has %s, so it is no start that is waited for", at, Count(j.Workers))
	}
	if j.Changes != nil {
		c.moment(at+".changes.since", j.Changes.Since)
		c.moment(at+".changes.busyUntil", j.Changes.BusyUntil)
		c.count(at+".changes.from", int(j.Changes.From), 1)
		c.count(at+".workers", int(j.Workers), 1)
	}
	if j.Ungrown != nil {
		c.moment(at+".ungrown.until", j.Ungrown.Until)
		c.count(at+".ungrown.spare", int(j.Ungrown.Spare), 0)
	}
	if j.Unstarted != nil {
		c.moment(at+".unstarted.since", j.Unstarted.Since)
	}
	if j.Stranded != nil {
		c.moment(at+".stranded", *j.Stranded)
	}
	if j.Awaits != nil && (j.Awaits.Workers <= j.Workers || j.Awaits.Workers > mostGPUs) {
		c.complain("%s.awaits.workers is %d: only more workers than it has, %d, are awaited, and at most %d", at,
			j.Awaits.Workers, j.Workers, mostGPUs)
	}
}

// on checks where its workers are.
func (c *checker) on(at string, j Job, nodes map[string]Node) {
	for i, index := range j.Leave {
		if index < 0 || index >= int(j.Workers) || i > 0 && index <= j.Leave[i-1] {
			c.complain("%s.leave[%d] is %d: these are indices of its %s, in order", at, i, index, Count(j.Workers))
			break
		}
	}
	if len(j.On) > int(j.Using(j.Workers)) {
		c.complain("%s.on names %s for %s: name one for each, or for the first of them", at, CountOf(len(j.On), "node"),
			Count(j.Using(j.Workers)))
	}
	for i, name := range j.On {
		if node, ok := nodes[name]; !ok || name == "" {
			c.complain("%s.on[%d] is %q, and there is no such node", at, i, name)
		} else if node.Pool != j.Pool {
			c.complain("%s.on[%d] is %q, a node of pool %q: a job runs within its pool %q", at, i, name, node.Pool, j.Pool)
		}
	}
}

// idle checks what is seen of jobs that may be unable to use GPUs.
func (c *checker) idle(all []Idle) {
	c.names("idle", len(all), func(i int) string { return all[i].Name }, false)
	for i, idle := range all {
		if idle.RoomSince != nil {
			c.moment(fmt.Sprintf("idle[%d].roomSince", i), *idle.RoomSince)
		}
		if idle.SaidSince != nil {
			c.moment(fmt.Sprintf("idle[%d].saidSince", i), *idle.SaidSince)
		}
		if idle.CouldNotRunAt != nil {
			c.moment(fmt.Sprintf("idle[%d].couldNotRunAt", i), *idle.CouldNotRunAt)
		}
		if idle.NoNodes != nil {
			c.count(fmt.Sprintf("idle[%d].noNodes.starts", i), idle.NoNodes.Starts, 0)
			c.moment(fmt.Sprintf("idle[%d].noNodes.at", i), idle.NoNodes.At)
		}
	}
}

// beyond checks the sizes above those that it may have.
func (c *checker) beyond(at string, j Job) {
	c.count(at+".mayHave", int(j.MayHave), 0)
	if len(j.Beyond) == 0 || len(j.Sizes) == 0 {
		return
	}
	c.sizes(at+".beyond", j.Beyond)
	if first, last := j.Beyond[0].Workers, j.Sizes[len(j.Sizes)-1].Workers; first <= last {
		c.complain("%s.beyond begins with %s: all of it is above the last of sizes, %d", at, Count(first), last)
	}
}

func (c *checker) elsewhere(at string, j Job) {
	pools := map[string]bool{j.Pool: true}
	for i, place := range j.Elsewhere {
		field := fmt.Sprintf("%s.elsewhere[%d]", at, i)
		if pools[place.Pool] {
			c.complain("%s.pool is %q, which was named before: name each pool once", field, place.Pool)
		}
		pools[place.Pool] = true
		c.sizes(field+".sizes", place.Sizes)
	}
}

func (c *checker) reserved(at string, j Job) {
	until := Seconds(-longest)
	for i, s := range j.Reserved {
		field := fmt.Sprintf("%s.reserved[%d]", at, i)
		c.moment(field+".from", s.From)
		c.moment(field+".to", s.To)
		if s.From < until || s.To < s.From {
			c.complain("%s is from %g to %g, after one until %g: spans follow each other", field, s.From, s.To, until)
		}
		until = s.To
		c.count(field+".workers", int(s.Workers), 1)
	}
}

func (c *checker) sizes(at string, sizes []Size) {
	if len(sizes) == 0 {
		c.complain("%s is empty: name one number of workers at least", at)
	}
	before := Workers(0)
	for i, s := range sizes {
		field := fmt.Sprintf("%s[%d]", at, i)
		if s.Workers <= before || s.Workers > mostGPUs {
			c.complain("%s.workers is %d: sizes go up, from 1 to %d", field, s.Workers, mostGPUs)
		}
		before = s.Workers
		c.speed(field+".speed", s.Speed)
		c.speed(field+".expected", s.Expected)
		c.speed(field+".best", s.Best)
		c.speed(field+".untried", s.Untried)
	}
}
