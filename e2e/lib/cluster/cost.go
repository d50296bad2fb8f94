package cluster

import (
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// costs is the variable that names a file to which each suite adds what its time went into.
const costs = "TAKT_COSTS"

// cost is what was spent until a moment: processor time by who has had it, with that of nobody.
type cost struct {
	at time.Time
	by map[string]time.Duration
}

const (
	waiting = "waiting"
	api     = "API server and etcd"
	control = "other controllers"
	ours    = "tests and Takt"
	others  = "others"
)

// ticks is how many times a second Linux counts processor time, as programs are told.
const ticks = 100

// sampled is how often is looked which components run: what one uses between that and its end is not seen.
const sampled = 500 * time.Millisecond

// spent reads what was spent until now on this machine. All control planes count that run on it, so that those count
// that a test starts in whatever way.
func (l *ledger) spent() (cost, error) {
	now := cost{at: time.Now(), by: map[string]time.Duration{}}
	text, err := os.ReadFile("/proc/stat")
	if err != nil {
		return now, err
	}
	all, _, _ := strings.Cut(string(text), "\n")
	for i, field := range strings.Fields(all)[1:9] { // those after are counted among the first two
		who := others
		if i == 3 || i == 4 { // idle, and waiting for a disk
			who = waiting
		}
		now.by[who] += inTicks(field)
	}
	for _, whose := range []int{syscall.RUSAGE_SELF, syscall.RUSAGE_CHILDREN} {
		var used syscall.Rusage
		if err := syscall.Getrusage(whose, &used); err != nil {
			return now, err
		}
		now.by[ours] += time.Duration(used.Utime.Nano() + used.Stime.Nano())
	}
	l.look()
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, c := range l.components {
		now.by[c.who] += c.used
		if c.ours && c.ended { // it counts among the children of this process
			now.by[ours] = max(now.by[ours]-c.used, 0)
		}
	}
	return now, nil
}

func inTicks(field string) time.Duration {
	n, _ := strconv.ParseInt(field, 10, 64)
	return time.Duration(n) * time.Second / ticks
}

// since says what was spent after an earlier moment: seconds, and the shares of all processors.
func (c cost) since(before cost) string {
	by := maps.Clone(c.by)
	for who := range by {
		by[who] -= before.by[who]
	}
	all := by[waiting] + by[others]
	for _, known := range []string{api, control, ours} {
		by[others] -= by[known]
	}
	var shares []string
	for _, who := range []string{waiting, api, control, ours, others} {
		shares = append(shares, fmt.Sprintf("%s %.0f %%", who, 100*by[who].Seconds()/all.Seconds()))
	}
	return fmt.Sprintf("%4.0f s: %s", c.at.Sub(before.at).Seconds(), strings.Join(shares, ", "))
}

// Account has what the time of a suite went into added to the file for that, if there is one, when the suite is over.
func Account() (over func() error) {
	path, l := os.Getenv(costs), &ledger{components: map[string]*component{}}
	before, err := l.spent()
	if path == "" || err != nil { // this machine does not tell
		return func() error { return nil }
	}
	watching, done := context.WithCancel(context.Background())
	go l.watch(watching)
	return func() error {
		defer done()
		now, err := l.spent()
		if err != nil {
			return err
		}
		here, err := os.Getwd()
		if err != nil {
			return err
		}
		file, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
		if err != nil {
			return err
		}
		defer file.Close()
		_, err = fmt.Fprintf(file, "%-14s %s\n", filepath.Base(here), now.since(before))
		return err
	}
}
