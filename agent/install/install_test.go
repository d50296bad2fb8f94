package install

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestTheProgramIsInstalledWhole(t *testing.T) {
	folder := t.TempDir()
	program := filepath.Join(t.TempDir(), "takt-agent")
	for _, text := range []string{"a program", "a newer program"} { // an init container may run again
		if err := os.WriteFile(program, []byte(text), 0o500); err != nil {
			t.Fatal(err)
		}
		if err := To(folder, program); err != nil {
			t.Fatal(err)
		}
		got, err := os.ReadFile(filepath.Join(folder, "agent"))
		if err != nil || string(got) != text {
			t.Errorf("%q is installed (%v), want %q", got, err, text)
		}
		_ = os.Remove(program)
	}
	info, err := os.Stat(filepath.Join(folder, "agent"))
	if err != nil || info.Mode().Perm() != 0o755 {
		t.Errorf("not everybody may execute it: %v (%v)", info.Mode(), err)
	}
	if left, _ := os.ReadDir(folder); len(left) != 1 {
		t.Errorf("%v are left behind", left)
	}
}

func TestWhatHindersTheInstallationIsSaid(t *testing.T) {
	program := filepath.Join(t.TempDir(), "takt-agent")
	if err := os.WriteFile(program, []byte("a program"), 0o500); err != nil {
		t.Fatal(err)
	}
	for name, test := range map[string]struct{ folder, program, said string }{
		"no folder":  {"/nowhere", program, "there is no folder /nowhere: mount an emptyDir there"},
		"a file":     {program, program, "is no folder"},
		"not itself": {t.TempDir(), "/nowhere", "the agent cannot read itself"},
		"read only":  {"/proc", program, "/proc"},
	} {
		t.Run(name, func(t *testing.T) {
			if err := To(test.folder, test.program); err == nil || !strings.Contains(err.Error(), test.said) {
				t.Errorf("it says %v, want %q", err, test.said)
			}
		})
	}
}

func TestAFullDiskIsSaid(t *testing.T) {
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	err = fill(full, strings.NewReader("a program"))
	if err == nil {
		t.Fatal("a full disk takes the program")
	}
	if said := sentence("/takt", err).Error(); !strings.HasPrefix(said,
		"the disk is full at /takt: the agent takes less than 10 MB there") {
		t.Errorf("it says %q", said)
	}
}
