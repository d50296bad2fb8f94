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

// Launchers are the processes from root downwards that are torchrun, whatever it is called: the first ones on each way
// down.
func Launchers(root int) []int {
	f := familyIn("/proc")
	return f.first(func(pid int, _ status) bool { return launches(arguments("/proc", pid)) }, root)
}

// ChildrenOf are what some processes have started.
func ChildrenOf(pids []int) (children []int) {
	f := familyIn("/proc")
	for _, pid := range pids {
		children = append(children, f.children[pid]...)
	}
	return children
}

// Runs says whether a process has not ended yet. One whose parent has not heard of its end is still there, though it
// has ended.
func Runs(pid int) bool {
	text, err := os.ReadFile(filepath.Join("/proc", strconv.Itoa(pid), "status"))
	return err == nil && !readStatus(string(text)).ended
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

func arguments(proc string, pid int) (all []string) {
	text, err := os.ReadFile(filepath.Join(proc, strconv.Itoa(pid), "cmdline"))
	if err != nil {
		return nil
	}
	for a := range bytes.SplitSeq(text, []byte{0}) {
		all = append(all, string(a))
	}
	return all
}

// catches says whether a process does something about a signal.
func (s status) catches(signal syscall.Signal) bool { return s.caught&(1<<(uint(signal)-1)) != 0 }
