package localcluster_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Nothing that a cluster listens on may be reached from outside.
func TestListensOnLoopbackOnly(t *testing.T) {
	c := shared(t)
	listening := 0
	for name, pid := range c.pids(t) {
		sockets := socketsOf(t, pid)
		for _, table := range []string{"tcp", "tcp6"} {
			text, err := os.ReadFile(filepath.Join("/proc", pid, "net", table))
			if err != nil {
				t.Fatal(err)
			}
			for line := range strings.Lines(string(text)) {
				fields := strings.Fields(line)
				const stateListen = "0A"
				if len(fields) < 10 || fields[3] != stateListen || !sockets[fields[9]] {
					continue
				}
				listening++
				address, _, _ := strings.Cut(fields[1], ":")
				const loopback4, loopback6 = "0100007F", "00000000000000000000000001000000"
				if address != loopback4 && address != loopback6 {
					t.Errorf("%s listens on %s", name, fields[1])
				}
			}
		}
	}
	if listening < 8 {
		t.Errorf("only %d listening sockets were found, fewer than the components have", listening)
	}
}

// Nothing that a component keeps open to write may be outside the folder of its cluster.
func TestWritesInItsOwnFolderOnly(t *testing.T) {
	c := shared(t)
	inside := 0
	for name, pid := range c.pids(t) {
		for _, target := range openFiles(t, pid) {
			if !strings.HasPrefix(target, "/") || strings.HasPrefix(target, "/dev/") || strings.HasPrefix(target, "/proc/") ||
				strings.HasPrefix(target, "/sys/") {
				continue
			}
			if strings.HasPrefix(target, c.dir) {
				inside++
			} else {
				t.Errorf("%s has %s open", name, target)
			}
		}
	}
	if inside < 12 {
		t.Errorf("only %d open files were found, fewer than the logs and locks", inside)
	}
}

// socketsOf are the inodes of the sockets that a process has open.
func socketsOf(t *testing.T, pid string) map[string]bool {
	t.Helper()
	sockets := map[string]bool{}
	for _, target := range openFiles(t, pid) {
		if inode, ok := strings.CutPrefix(target, "socket:["); ok {
			sockets[strings.TrimSuffix(inode, "]")] = true
		}
	}
	return sockets
}

// openFiles are the paths, or other names, of all that a process has open.
func openFiles(t *testing.T, pid string) []string {
	t.Helper()
	links, err := filepath.Glob(fmt.Sprintf("/proc/%s/fd/*", pid))
	if err != nil {
		t.Fatal(err)
	}
	var open []string
	for _, link := range links {
		if target, err := os.Readlink(link); err == nil { // else it was closed meanwhile
			open = append(open, target)
		}
	}
	return open
}
