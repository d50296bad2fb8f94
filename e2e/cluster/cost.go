package cluster

import (
	"cmp"
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

// spent reads what was spent until now, on a cluster and all else on this machine.
func (c *Cluster) spent() (cost, error) {
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
	locks, err := filepath.Glob(filepath.Join(c.folder, "run", "*.lock"))
	if err != nil {
		return now, err
	}
	for _, lock := range locks {
		pid, err := os.ReadFile(lock)
		if err != nil {
			return now, err
		}
		stat, err := os.ReadFile(filepath.Join("/proc", cmp.Or(string(pid), "nobody"), "stat"))
		if err != nil {
			continue // it does not run
		}
		who := control
		if name := strings.TrimSuffix(filepath.Base(lock), ".lock"); name == "etcd" || name == "kube-apiserver" {
			who = api
		}
		_, after, _ := strings.Cut(string(stat), ") ") // its name may have any character
		fields := strings.Fields(after)
		now.by[who] += inTicks(fields[11]) + inTicks(fields[12])
	}
	for _, whose := range []int{syscall.RUSAGE_SELF, syscall.RUSAGE_CHILDREN} {
		var used syscall.Rusage
		if err := syscall.Getrusage(whose, &used); err != nil {
			return now, err
		}
		now.by[ours] += time.Duration(used.Utime.Nano() + used.Stime.Nano())
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

// account has what the time of a suite went into added to the file for that, when the suite is over.
func (c *Cluster) account() (over func() error) {
	path := os.Getenv(costs)
	before, err := c.spent()
	if path == "" || err != nil { // this machine does not tell
		return func() error { return nil }
	}
	return func() error {
		now, err := c.spent()
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
