package cluster

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// Used is the processor time that a process has used, and the most memory that it has had, in bytes.
func Used(pid int) (cpu time.Duration, memory int, err error) {
	folder := filepath.Join("/proc", strconv.Itoa(pid))
	fields, err := stat(folder)
	if err != nil {
		return 0, 0, err
	}
	status, err := os.ReadFile(filepath.Join(folder, "status"))
	if err != nil {
		return 0, 0, err
	}
	for line := range strings.Lines(string(status)) {
		if text, is := strings.CutPrefix(line, "VmHWM:"); is {
			kb, err := strconv.Atoi(strings.Fields(text)[0])
			return usedBy(fields), kb << 10, err
		}
	}
	return 0, 0, fmt.Errorf("process %d does not say how much memory it has had", pid)
}

// stat is what Linux tells of a process, from its state on.
func stat(folder string) ([]string, error) {
	text, err := os.ReadFile(filepath.Join(folder, "stat"))
	if err != nil {
		return nil, err
	}
	_, after, _ := strings.Cut(string(text), ") ") // its name may have any character
	return strings.Fields(after), nil
}

// usedBy is the time of the user and of the system.
func usedBy(stat []string) time.Duration { return inTicks(stat[11]) + inTicks(stat[12]) }
