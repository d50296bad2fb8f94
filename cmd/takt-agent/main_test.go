package main

import (
	"debug/elf"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// mostBytes is how large the program may be: each pod copies it.
const mostBytes = 10 << 20

// build builds the program as its image has it.
func build(t testing.TB) string {
	t.Helper()
	program := filepath.Join(t.TempDir(), "takt-agent")
	goBuild := exec.CommandContext(t.Context(), "go", "build", "-ldflags", "-s -w", "-o", program, ".")
	goBuild.Env = append(os.Environ(), "CGO_ENABLED=0", "GOOS=linux")
	if said, err := goBuild.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, said)
	}
	return program
}

func TestTheProgramRunsInAnyImage(t *testing.T) {
	program := build(t)
	info, err := os.Stat(program)
	if err != nil {
		t.Fatal(err)
	}
	if info.Size() > mostBytes {
		t.Errorf("it has %d bytes, and may have %d", info.Size(), mostBytes)
	}
	binary, err := elf.Open(program)
	if err != nil {
		t.Fatal(err)
	}
	defer binary.Close()
	if slices.ContainsFunc(binary.Progs, func(p *elf.Prog) bool { return p.Type == elf.PT_INTERP }) {
		t.Error("it wants a loader, which an image may not have")
	}
	if libraries, _ := binary.ImportedLibraries(); len(libraries) > 0 {
		t.Errorf("it wants libraries, which an image may not have: %v", libraries)
	}
}

func TestTheProgramInstallsItselfAndWraps(t *testing.T) {
	program, folder := build(t), t.TempDir()
	run := func(program string, args ...string) (int, string) {
		t.Helper()
		command := exec.CommandContext(t.Context(), program, args...)
		said, err := command.CombinedOutput()
		if _, failed := errors.AsType[*exec.ExitError](err); err != nil && !failed {
			t.Fatal(err)
		}
		return command.ProcessState.ExitCode(), string(said)
	}
	if exit, said := run(program, "install", folder); exit != 0 || said != "" {
		t.Fatalf("the installation exits with %d: %s", exit, said)
	}
	installed := filepath.Join(folder, "agent")
	if exit, said := run(installed, "exec", "--port=0", "--", "sh", "-c", "echo it trains; exit 7"); exit != 7 ||
		!strings.Contains(said, "it trains\n") {
		t.Errorf("it exits with %d: %s", exit, said)
	}
	if exit, said := run(program, "install", "/nowhere"); exit != 1 ||
		!strings.Contains(said, "there is no folder /nowhere") {
		t.Errorf("an installation into no folder exits with %d: %s", exit, said)
	}
	for _, args := range [][]string{nil, {"help"}, {"install"}, {"install", "a", "b"}} {
		if exit, said := run(program, args...); exit != 2 || !strings.Contains(said, "takt-agent exec") {
			t.Errorf("%q exits with %d: %s", args, exit, said)
		}
	}
}

func TestTheProgramTellsItsVersion(t *testing.T) {
	said, err := exec.CommandContext(t.Context(), build(t), "--version").CombinedOutput()
	if err != nil || !strings.HasPrefix(string(said), "takt-agent version ") {
		t.Errorf("it says %q (%v)", said, err)
	}
}
