package cluster

import (
	"context"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"time"
)

// ledger keeps what processor time the components of control planes have used, also of those that have ended.
type ledger struct {
	mu         sync.Mutex
	components map[string]*component // by process, and when that has started
}

// component is a process of a control plane.
type component struct {
	who  string
	used time.Duration
	// ours says that this process is among its ancestors, and ended that it is there no more.
	ours, ended bool
}

// components are what their command lines begin with.
var components = map[string]string{
	"etcd": api, "kube-apiserver": api,
	"kube-controller-manager": control, "kube-scheduler": control, "kwok": control, "training-operator": control,
}

// watch looks again and again until the context ends.
func (l *ledger) watch(ctx context.Context) {
	again := time.NewTicker(sampled)
	defer again.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-again.C:
			l.look()
		}
	}
}

// look notes what each component has used until now.
func (l *ledger) look() {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, c := range l.components {
		c.ended = true
	}
	folders, err := filepath.Glob("/proc/[0-9]*")
	if err != nil {
		return
	}
	parents, found := map[string]string{}, map[string]*component{}
	for _, folder := range folders {
		fields, err := stat(folder)
		if err != nil {
			continue // it has ended
		}
		pid := filepath.Base(folder)
		parents[pid] = fields[1]
		id := pid + " " + fields[19]
		c := l.components[id]
		if c == nil {
			command, _ := os.ReadFile(filepath.Join(folder, "cmdline"))
			name, _, _ := strings.Cut(string(command), "\x00")
			who, is := components[name]
			if !is {
				continue
			}
			c = &component{who: who}
			l.components[id], found[pid] = c, c
		}
		c.used, c.ended = usedBy(fields), false
	}
	for pid, c := range found {
		for self := strconv.Itoa(os.Getpid()); pid != "" && !c.ours; pid = parents[pid] {
			c.ours = pid == self
		}
	}
}
