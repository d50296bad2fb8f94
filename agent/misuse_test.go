package agent

import (
	"bytes"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

func TestMisuseIsNamed(t *testing.T) {
	folder := t.TempDir()
	file := func(name, text string, mode os.FileMode) string {
		path := filepath.Join(folder, name)
		if err := os.WriteFile(path, []byte(text), mode); err != nil {
			t.Fatal(err)
		}
		return path
	}
	annotations := file("annotations", letIn, 0o600)
	taken, err := net.Listen("tcp", ":0") //nolint:noctx // it is closed below
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	_, port, _ := net.SplitHostPort(taken.Addr().String())

	for name, test := range map[string]struct {
		args []string
		want int
		said string
	}{
		"no command":        {[]string{"--"}, 2, "There is no command to wrap"},
		"an empty command":  {[]string{"--", ""}, 2, "There is no command to wrap"},
		"nothing at all":    {nil, 2, "There is no command to wrap"},
		"a command nowhere": {[]string{"--", "torchrum"}, 127, "torchrum is in none of the folders of PATH"},
		"a path to nothing": {[]string{"--", "/opt/train"}, 127, "there is no /opt/train in this image"},
		"not executable": {[]string{"--", file("train.py", "#!/bin/sh\n", 0o600)}, 126,
			"may not be executed: chmod +x"},
		"no program": {[]string{"--", file("train.txt", "import torch\n", 0o700)}, 126,
			"is no program for this machine"},
		"no such interpreter": {[]string{"--", file("train.sh", "#!/usr/bin/pithon\n", 0o700)}, 127,
			"not the interpreter"},
		"a folder":             {[]string{"--", folder}, 126, "is a folder"},
		"a port that is taken": {[]string{"--port=" + port, "--", "true"}, 0, "something else listens at port " + port},
		"no annotations": {[]string{"--annotations-file=/nowhere", "--", "true"}, 0,
			"annotations of this pod cannot be read"},
		"an unknown flag":        {[]string{"--sav-signal=USR1", "--", "true"}, 0, "nobody knows the flag --sav-signal"},
		"a signal of no use":     {[]string{"--save-signal=SIGKILL", "--", "true"}, 0, "SIGUSR1 or SIGUSR2"},
		"a pattern that is none": {[]string{"--checkpoint-pattern=(", "--", "true"}, 0, "missing closing )"},
		"a pattern of anything":  {[]string{"--checkpoint-pattern=.*", "--", "true"}, 0, "it matches every line"},
		"a path from here":       {[]string{"--checkpoint-path=out", "--", "true"}, 0, "give the whole path"},
		"an epoch that is none":  {[]string{"--epoch=three", "--", "true"}, 0, "invalid syntax"},
		"without the dashes":     {[]string{"true"}, 0, ""},
		"failing as it is":       {[]string{"false"}, 1, ""},
	} {
		t.Run(name, func(t *testing.T) {
			args := append([]string{"exec", "--annotations-file=" + annotations, "--port=0"}, test.args...)
			agent := exec.CommandContext(t.Context(), self(t), args...)
			var said bytes.Buffer
			agent.Stderr = &said
			_ = agent.Run()
			if got := agent.ProcessState.ExitCode(); got != test.want {
				t.Errorf("it exits with %d, want %d", got, test.want)
			}
			if !strings.Contains(strings.ToLower(said.String()), strings.ToLower(test.said)) {
				t.Errorf("it says %q, want %q", said.String(), test.said)
			}
			if test.said == "" && strings.Count(said.String(), "\n") != 1 { // where its metrics are
				t.Errorf("it says %q", said.String())
			}
		})
	}
}

// A worker that cannot start shall not be let in: all others would restart for it.
func TestACommandThatIsNotThereIsNamedBeforeTheBarrier(t *testing.T) {
	prepare(t, held).instead("torchrum").begin().exits(127)
}
