package process

import (
	"bytes"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
)

// Launchers are the processes from root downwards that are torchrun, whatever it is called, and that may be stopped:
// the first ones on each way down. Whoever else has started one may stop with it, as sudo does, or go on, as a shell
// does that gives each of its jobs a process group.
func Launchers(root int) []int {
	f := familyIn("/proc")
	found := f.first(func(pid int, _ status) bool { return launches(Arguments(pid)) }, root)
	return slices.DeleteFunc(found, func(pid int) bool { return !f.waitsPlainly(pid, root) })
}

// waitsPlainly says that all from root down to a process wait for its end, and for nothing else.
func (f family) waitsPlainly(pid, root int) bool {
	group := f.all[pid].group
	for pid != root {
		pid = f.all[pid].parent
		if words := Arguments(pid); len(words) == 0 || !interprets(path.Base(words[0])) || f.all[pid].group != group {
			return false
		}
	}
	return true
}

// ChildrenOf are what some processes have started, in the order of their numbers.
func ChildrenOf(pids []int) (children []int) {
	f := familyIn("/proc")
	for _, pid := range pids {
		children = append(children, f.children[pid]...)
	}
	slices.Sort(children)
	return children
}

// Runs says whether a process has not ended yet. One whose end its parent has not heard of is still there, and ended
// all the same.
func Runs(pid int) bool {
	text, err := os.ReadFile(filepath.Join("/proc", strconv.Itoa(pid), "status"))
	return err == nil && !readStatus(string(text)).ended
}

// InGroups are the processes in the groups that some processes lead, and those themselves.
func InGroups(leaders []int) (all []int) {
	for pid, one := range familyIn("/proc").all {
		if slices.Contains(leaders, pid) || slices.Contains(leaders, one.group) {
			all = append(all, pid)
		}
	}
	return all
}

// SendGroups sends a signal to processes, and to all in the groups that they lead.
func SendGroups(leaders []int, s syscall.Signal) {
	for _, pid := range leaders {
		if group, err := syscall.Getpgid(pid); err == nil && group == pid {
			pid = -pid
		}
		_ = syscall.Kill(pid, s) // it may have ended by itself
	}
}

// Listens says whether others may wait for a process at a port of its own; also where nobody can tell.
func Listens(pid int) bool {
	folder := filepath.Join("/proc", strconv.Itoa(pid))
	files, err := os.ReadDir(filepath.Join(folder, "fd"))
	if err != nil {
		return true
	}
	own := map[string]bool{}
	for _, file := range files {
		to, _ := os.Readlink(filepath.Join(folder, "fd", file.Name())) // it may have been closed
		if inode, is := strings.CutPrefix(to, "socket:["); is {
			own[strings.TrimSuffix(inode, "]")] = true
		}
	}
	for _, table := range []string{"tcp", "tcp6"} {
		text, _ := os.ReadFile(filepath.Join(folder, "net", table)) // there may be no IPv6
		for line := range strings.Lines(string(text)) {
			const state, inode, listens = 3, 9, "0A"
			if words := strings.Fields(line); len(words) > inode && words[state] == listens && own[words[inode]] {
				return true
			}
		}
	}
	return false
}

// launches says whether a command line is that of torchrun: as a program or a script, as a module of Python, or as
// accelerate calls it. A shell that starts it is another process.
func launches(arguments []string) bool {
	if len(arguments) == 0 || !interprets(path.Base(arguments[0])) {
		return isLauncher(arguments)
	}
	for i := 1; i < len(arguments); i++ {
		switch a := arguments[i]; {
		case a == "-m":
			return isLauncher(arguments[i+1:])
		case a == "-W", a == "-X":
			i++ // which has a value
		case !strings.HasPrefix(a, "-"):
			return isLauncher(arguments[i:])
		}
	}
	return false
}

func interprets(program string) bool {
	return strings.HasPrefix(program, "python") || slices.Contains([]string{"sh", "bash", "dash", "ash"}, program)
}

// isLauncher says whether the first of some words is torchrun.
func isLauncher(words []string) bool {
	if len(words) == 0 {
		return false
	}
	switch path.Base(words[0]) {
	case "torchrun", "torch.distributed.run", "torch.distributed.launch":
		return true
	case "accelerate", "accelerate.commands.launch":
		return strings.HasSuffix(words[0], ".launch") || slices.Contains(words, "launch")
	}
	return false
}

// Arguments are the command line of a process; none if it has ended.
func Arguments(pid int) (all []string) {
	text, err := os.ReadFile(filepath.Join("/proc", strconv.Itoa(pid), "cmdline"))
	if err != nil {
		return nil
	}
	for a := range bytes.SplitSeq(text, []byte{0}) {
		all = append(all, string(a))
	}
	return all
}
