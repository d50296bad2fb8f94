package machine

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestHierarchiesOfBothVersionsAreFound(t *testing.T) {
	cases := map[string]struct {
		mounts string
		want   []hierarchy
	}{
		"version 2": {
			"35 24 0:30 / /sys/fs/cgroup rw,nosuid shared:9 - cgroup2 none rw,nsdelegate",
			[]hierarchy{{"/sys/fs/cgroup", "cgroup2", ""}},
		},
		"version 1 beside version 2": {
			`31 23 0:28 / /sys/fs/cgroup rw,relatime - tmpfs none rw,mode=755
32 31 0:29 / /sys/fs/cgroup/cpu,cpuacct rw,relatime - cgroup none rw,cpu,cpuacct
40 31 0:37 / /sys/fs/cgroup/systemd rw,relatime - cgroup none rw,name=systemd
41 31 0:38 / /sys/fs/cgroup/unified rw,relatime - cgroup2 none rw`,
			[]hierarchy{
				{"/sys/fs/cgroup/cpu,cpuacct", "cgroup", "cpu,cpuacct"},
				{"/sys/fs/cgroup/systemd", "cgroup", "name=systemd"},
				{"/sys/fs/cgroup/unified", "cgroup2", ""},
			},
		},
	}
	for name, test := range cases {
		t.Run(name, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "mountinfo")
			if err := os.WriteFile(file, []byte(test.mounts+"\n"), 0o600); err != nil {
				t.Fatal(err)
			}
			got, err := readHierarchies(file)
			if err != nil || !slices.Equal(got, test.want) {
				t.Errorf("found %v, want %v: %v", got, test.want, err)
			}
		})
	}
	if _, err := readHierarchies("/dev/null"); err == nil || !strings.Contains(err.Error(), "no cgroups") {
		t.Errorf("a system without cgroups is answered with %v", err)
	}
}

// A node keeps the limits of whoever started it, where it can.
func TestANodeIsBelowTheCgroupOfWhoeverStartsIt(t *testing.T) {
	const now = `9:name=systemd:/user
4:memory:/session/1
2:cpu,cpuacct:/
0::/deep/below
`
	for h, want := range map[hierarchy]string{
		{kind: "cgroup", options: "memory"}:       "/session/1",
		{kind: "cgroup", options: "name=systemd"}: "/user",
		{kind: "cgroup", options: "cpu,cpuacct"}:  "/",
		{kind: "cgroup", options: "pids"}:         "/",
		{kind: "cgroup2"}:                         "/",
	} {
		if got := h.parent(now); got != want {
			t.Errorf("the parent in %+v is %s, want %s", h, got, want)
		}
	}
}
