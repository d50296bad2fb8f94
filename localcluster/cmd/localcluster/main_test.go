package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// call runs the program without a process of its own, and gives all that it printed and its exit code.
func call(t *testing.T, arguments ...string) (said string, code int) {
	t.Helper()
	var output bytes.Buffer
	code = run(t.Context(), arguments, strings.NewReader(""), &output, &output)
	return output.String(), code
}

// None of these calls comes so far that it starts anything.
func TestBadCallsAreAnsweredWithASentence(t *testing.T) {
	empty := t.TempDir()
	cases := map[string]struct {
		arguments []string
		want      string
	}{
		"too many nodes":        {[]string{"up", "--nodes=100000"}, "--nodes is 100000: give a number from 0 to 10000"},
		"too many kubelets":     {[]string{"up", "--kubelets=9"}, "--kubelets is 9: give a number from 0 to 8"},
		"negative GPUs":         {[]string{"up", "--gpus-per-node=-1"}, "--gpus-per-node is -1: give a number from 0 to 64"},
		"no rack":               {[]string{"up", "--racks=0"}, "--racks is 0: give 1 or more"},
		"more zones than racks": {[]string{"up", "--racks=2", "--zones=3"}, "no more than racks"},
		"bad product":           {[]string{"up", "--gpu-product=a b"}, `--gpu-product is "a b": give the value of a label`},
		"no scheduler": {[]string{"up", "--scheduler=/nonexistent"},
			`--scheduler is "/nonexistent": give the path of a file that can be run`},
		"no scheduler config": {[]string{"up", "--scheduler-config=/nonexistent"},
			`--scheduler-config is "/nonexistent": give the path of a file that can be read`},
		"no time":       {[]string{"up", "--timeout=0s"}, "--timeout is 0s: give a duration such as 2m"},
		"contradiction": {[]string{"up", "--detach", "--until-stdin-closes"}, "not both"},
		"unknown component": {[]string{"kill", "kubelet"},
			`there is no component "kubelet": give one of etcd, kube-apiserver`},
		"no component": {[]string{"logs"}, "give one component"},
		"no cluster": {
			[]string{"status"}, "there is no cluster in " + empty + ": start one with localcluster up --dir " + empty,
		},
		"nothing to load into": {[]string{"load", "image.tar"}, "there is no cluster in " + empty},
		"nameless archive": {[]string{"image", "train:1", "--binary=train", "--archive=" + empty + "/train.tar"},
			`the name of the image is "train:1"`},
		"no cluster to kill": {[]string{"kill", "etcd"}, "there is no cluster in " + empty},
	}
	if output, code := call(t, "status", "--dir", "a:b"); code != 1 ||
		!strings.Contains(output, `--dir is "a:b": give a path without colons`) {
		t.Errorf("a folder that kubectl cannot be told of is answered with %d:\n%s", code, output)
	}
	for name, test := range cases {
		t.Run(name, func(t *testing.T) {
			output, code := call(t, append(test.arguments, "--dir", empty)...)
			if code != 1 {
				t.Errorf("the exit code is %d, want 1", code)
			}
			if !strings.HasPrefix(output, "localcluster: ") || !strings.Contains(output, test.want) {
				t.Errorf("it does not say %q:\n%s", test.want, output)
			}
		})
	}
}

// Whoever only wants a file needs no cluster.
func TestAnImageIsWrittenToAFile(t *testing.T) {
	folder := t.TempDir()
	archive := filepath.Join(folder, "train.tar")
	binary := filepath.Join(folder, "train")
	if err := os.WriteFile(binary, []byte("program"), 0o700); err != nil { //nolint:gosec // it stands for a program
		t.Fatal(err)
	}
	if said, code := call(t, "image", "localhost/train:1", "--binary", binary, "--archive", archive, "--dir",
		filepath.Join(folder, "none")); code != 0 {
		t.Fatalf("it ends with %d:\n%s", code, said)
	}
	if info, err := os.Stat(archive); err != nil || info.Size() == 0 {
		t.Errorf("the archive is %v (%v)", info, err)
	}
	if left, _ := filepath.Glob(archive + ".*"); len(left) > 0 {
		t.Errorf("these are left: %v", left)
	}
}
