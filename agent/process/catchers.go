package process

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
)

// Catchers are the processes from root downwards that do something about a signal: the first ones on each
// way down. A launcher that does not know the signal is passed over, as the signal would end it; the
// workers of a data loader inherit what their parent does, and are not asked beside it. One that catches everything,
// as an init does that forwards all, would have the launcher below ended: it is asked only if there is nobody else.
// Hidden says that nobody is found as the kernel does not tell who catches what.
func Catchers(root int, s syscall.Signal) (pids []int, hidden bool) {
	f := familyIn("/proc")
	return f.catchers(s, root), f.all[root].hidden
}

// Heirs are those below this process that are to end, of a command that has ended: the ones that do something about
// SIGTERM, or its children where the kernel does not tell who does.
func Heirs() []int {
	f := familyIn("/proc")
	return f.heirs(os.Getpid())
}

type status struct {
	parent int
	group  int // its process group
	caught uint64
	hidden bool // what it catches is not told, as in gVisor
	ended  bool // and its parent has not heard of it yet
}

// family is all processes, and who has started whom.
type family struct {
	all      map[int]status
	children map[int][]int
}

func familyIn(proc string) family {
	f := family{all: map[int]status{}, children: map[int][]int{}}
	entries, err := os.ReadDir(proc)
	if err != nil {
		return f
	}
	for _, entry := range entries {
		pid, err := strconv.Atoi(entry.Name())
		if err != nil {
			continue
		}
		text, err := os.ReadFile(filepath.Join(proc, entry.Name(), "status"))
		if err != nil {
			continue // it has ended
		}
		one := readStatus(string(text))
		if one.group == 0 {
			one.group = groupIn(filepath.Join(proc, entry.Name()))
		}
		f.all[pid] = one
		f.children[one.parent] = append(f.children[one.parent], pid)
	}
	return f
}

// heirs are those below a process that are to end.
func (f family) heirs(pid int) []int {
	return f.first(func(_ int, one status) bool { return !one.ended && (one.hidden || one.catches(syscall.SIGTERM)) },
		f.children[pid]...)
}

func (f family) catchers(s syscall.Signal, roots ...int) []int {
	catches := func(_ int, one status) bool { return one.catches(s) }
	found := f.first(func(_ int, one status) bool { return one.catches(s) && !one.catchesAll() }, roots...)
	if len(found) == 0 {
		found = f.first(catches, roots...)
	}
	return found
}

// first are the processes from roots downwards that are of some kind, the first ones on each way down.
func (f family) first(is func(pid int, one status) bool, roots ...int) []int {
	var found []int
	seen := map[int]bool{}
	for look := slices.Clone(roots); len(look) > 0; look = look[1:] {
		pid := look[0]
		one, there := f.all[pid]
		if !there || seen[pid] {
			continue
		}
		seen[pid] = true
		if is(pid, one) {
			found = append(found, pid)
			continue
		}
		look = append(look, f.children[pid]...)
	}
	return found
}

// catches says whether a process does something about a signal.
func (s status) catches(signal syscall.Signal) bool { return s.caught&(1<<(uint(signal)-1)) != 0 }

// catchesAll says whether a process catches even what no training does, and so means nothing by it. So do all programs
// in Go.
func (s status) catchesAll() bool { return s.catches(syscall.SIGXFSZ) && s.catches(sigPower) }

// sigPower is SIGPWR, which only Linux has.
const sigPower = syscall.Signal(30)

// groupIn is the process group of the process in a folder, where its status does not tell it: after its name, which may
// contain anything, come its state, its parent and that. 0 if nobody can tell.
func groupIn(folder string) int {
	text, _ := os.ReadFile(filepath.Join(folder, "stat"))
	words := strings.Fields(string(text[bytes.LastIndexByte(text, ')')+1:]))
	if len(words) < 3 {
		return 0
	}
	group, _ := strconv.Atoi(words[2])
	return group
}

// readStatus reads who is the parent of a process, and which signals it catches.
func readStatus(text string) status {
	s := status{hidden: true}
	for line := range strings.Lines(text) {
		name, value, _ := strings.Cut(strings.TrimSpace(line), ":")
		switch value = strings.TrimSpace(value); name {
		case "State":
			s.ended = strings.HasPrefix(value, "Z")
		case "PPid":
			s.parent, _ = strconv.Atoi(value)
		case "NSpgid": // in each namespace from the outermost one on; the last is that of the process itself
			if each := strings.Fields(value); len(each) > 0 {
				s.group, _ = strconv.Atoi(each[len(each)-1])
			}
		case "SigCgt":
			s.caught, _ = strconv.ParseUint(value, 16, 64)
			s.hidden = false
		}
	}
	return s
}
