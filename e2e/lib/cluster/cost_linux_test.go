package cluster

import (
	"os/exec"
	"syscall"
	"testing"
	"time"
)

// What a component of a control plane uses counts as that while it runs, and when it has ended, though this process
// has waited for it as for a program of its own.
func TestWhatAComponentUsesIsNotOurs(t *testing.T) {
	l := &ledger{components: map[string]*component{}}
	spent := func(who string) time.Duration {
		t.Helper()
		now, err := l.spent()
		if err != nil {
			t.Fatal(err)
		}
		return now.by[who]
	}
	before, beforeAPI, beforeOurs := withChildren(t), spent(api), spent(ours) // the first is least
	etcd := exec.CommandContext(t.Context(), "/bin/sh", "-c", "while :; do :; done")
	etcd.Args[0] = "etcd"
	if err := etcd.Start(); err != nil {
		t.Fatal(err)
	}
	const enough = 300 * time.Millisecond
	again := time.NewTicker(10 * time.Millisecond)
	defer again.Stop()
	for mine := time.Duration(0); mine < enough; {
		<-again.C
		l.look()
		for _, c := range l.components {
			if c.ours {
				mine = c.used
			}
		}
	}
	if got := spent(api) - beforeAPI; got < enough {
		t.Errorf("%v count as used by the API server and etcd while it runs, want %v", got, enough)
	}
	_ = etcd.Process.Kill()
	_ = etcd.Wait() // it was killed
	if got := spent(api) - beforeAPI; got < enough {
		t.Errorf("%v count as used by the API server and etcd once it has ended, want %v", got, enough)
	}
	if counted := spent(ours) - beforeOurs; withChildren(t)-before-counted < enough {
		t.Errorf("%v count as used here, of %v with the component", counted, withChildren(t)-before)
	}
}

// withChildren is what this process has used, and those that it has waited for.
func withChildren(t *testing.T) (all time.Duration) {
	t.Helper()
	for _, whose := range []int{syscall.RUSAGE_SELF, syscall.RUSAGE_CHILDREN} {
		var used syscall.Rusage
		if err := syscall.Getrusage(whose, &used); err != nil {
			t.Fatal(err)
		}
		all += time.Duration(used.Utime.Nano() + used.Stime.Nano())
	}
	return all
}
