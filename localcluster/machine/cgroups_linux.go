package machine

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

// hierarchy is one of the trees of cgroups that a system has: one for all in version 2, one for each controller in
// version 1, or both side by side.
type hierarchy struct {
	place   string // where it is mounted
	kind    string // cgroup or cgroup2
	options string // the controllers of version 1
}

// leaf is the cgroup for what runs on the node outside of pods: version 2 wants processes in leaves only.
const leaf = "machine"

func readHierarchies(mountinfo string) ([]hierarchy, error) {
	text, err := os.ReadFile(mountinfo)
	if err != nil {
		return nil, err
	}
	var all []hierarchy
	for line := range strings.Lines(string(text)) {
		where, what, found := strings.Cut(line, " - ")
		places, kinds := strings.Fields(where), strings.Fields(what)
		if !found || len(places) < 5 || len(kinds) < 3 || (kinds[0] != "cgroup" && kinds[0] != "cgroup2") {
			continue
		}
		h := hierarchy{place: places[4], kind: kinds[0]}
		if h.kind == "cgroup" {
			options := slices.DeleteFunc(strings.Split(kinds[2], ","), func(option string) bool {
				return option == "rw" || option == "ro"
			})
			h.options = strings.Join(options, ",")
		}
		if !slices.Contains(all, h) {
			all = append(all, h)
		}
	}
	if len(all) == 0 {
		return nil, errors.New("no cgroups are mounted below /sys/fs/cgroup")
	}
	return all, nil
}

// enterCgroups makes a cgroup for the node in each hierarchy, and goes there. It writes down first which it makes.
func enterCgroups(spec Spec) error {
	hierarchies, err := readHierarchies("/proc/self/mountinfo")
	if err != nil {
		return err
	}
	now, err := os.ReadFile("/proc/self/cgroup")
	if err != nil {
		return err
	}
	var folders []string
	for _, h := range hierarchies {
		folders = append(folders, filepath.Join(h.place, h.parent(string(now)), spec.Cgroup))
	}
	if err := os.WriteFile(cgroupList(spec.Folder), []byte(strings.Join(folders, "\n")), 0o600); err != nil {
		return err
	}
	for _, folder := range folders {
		if err := enterCgroup(folder); err != nil {
			return err
		}
	}
	return nil
}

// parent is where in the hierarchy a node has its cgroup, given /proc/self/cgroup: below that of whoever started
// it, whose limits it keeps. In version 2 that one has processes, so that it can have no children.
func (h hierarchy) parent(now string) string {
	if h.kind == "cgroup2" {
		return "/"
	}
	for line := range strings.Lines(now) {
		parts := strings.SplitN(strings.TrimSpace(line), ":", 3)
		if len(parts) == 3 && parts[1] != "" && strings.Contains(","+h.options+",", ","+strings.Split(parts[1], ",")[0]+",") {
			return parts[2]
		}
	}
	return "/"
}

func enterCgroup(folder string) error {
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return fmt.Errorf("cannot make a cgroup: %w", err)
	}
	// In version 1 a new cgroup has no processors, and takes no process before it has.
	for _, file := range []string{"cpuset.cpus", "cpuset.mems"} {
		value, err := os.ReadFile(filepath.Join(filepath.Dir(folder), file))
		if err != nil {
			continue
		}
		if err := os.WriteFile(filepath.Join(folder, file), value, 0o600); err != nil && !errors.Is(err, fs.ErrPermission) {
			return fmt.Errorf("cannot give processors to a cgroup: %w", err)
		}
	}
	if err := os.WriteFile(filepath.Join(folder, "cgroup.procs"), []byte("0"), 0o600); err != nil {
		return fmt.Errorf("cannot go into the cgroup %s: %w", folder, err)
	}
	return nil
}

// mountCgroups mounts the hierarchies anew, as they are seen from the cgroups of the node.
func mountCgroups(hierarchies []hierarchy) error {
	const root = "/sys/fs/cgroup"
	if !slices.ContainsFunc(hierarchies, func(h hierarchy) bool { return h.place == root }) {
		if err := mount("tmpfs", root, "tmpfs", "mode=755"); err != nil {
			return err
		}
	}
	for _, h := range hierarchies {
		if !strings.HasPrefix(h.place, root) {
			continue
		}
		if err := os.MkdirAll(h.place, 0o755); err != nil {
			return err
		}
		if err := mount(h.kind, h.place, h.kind, h.options); err != nil {
			return err
		}
	}
	return nil
}

// enterLeaf goes where those processes of the node are that are in no pod.
func enterLeaf() error {
	hierarchies, err := readHierarchies("/proc/self/mountinfo")
	if err != nil {
		return err
	}
	for _, h := range hierarchies {
		if err := enterCgroup(filepath.Join(h.place, leaf)); err != nil {
			return err
		}
	}
	return nil
}

// RemoveCgroups removes the cgroups of a node that is gone, given its folder.
func RemoveCgroups(folder string) error {
	list, err := os.ReadFile(cgroupList(folder))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	for cgroup := range strings.Lines(string(list)) {
		if err := removeCgroup(strings.TrimSpace(cgroup)); err != nil {
			return err
		}
	}
	return os.Remove(cgroupList(folder))
}

// removeCgroup removes one with all below it. The last processes in it may still be ending.
func removeCgroup(folder string) error {
	var all []string
	err := filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
		if err == nil && entry.IsDir() {
			all = append(all, path)
		}
		return err
	})
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	end := time.Now().Add(10 * time.Second)
	for _, path := range slices.Backward(all) {
		for {
			err := unix.Rmdir(path)
			if err == nil || errors.Is(err, fs.ErrNotExist) {
				break
			}
			if !errors.Is(err, unix.EBUSY) || time.Now().After(end) {
				return fmt.Errorf("cannot remove the cgroup %s: %w", path, err)
			}
			time.Sleep(10 * time.Millisecond) //nolint:forbidigo // the kernel tells no one when the last process is gone
		}
	}
	return nil
}
