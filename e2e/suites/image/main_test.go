// Package image installs Takt into a cluster of real nodes from the image that make image makes, as its users do: the
// operator and the scheduler are pods, with the rights and the confinement of config/, and take a job to its end.
//
// It needs root, and is played by make e2e-real.
package image

import (
	"archive/tar"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/takt-dev/takt/e2e/lib/cluster"
)

// real is a cluster whose nodes are all real.
var real *cluster.Cluster

func TestMain(m *testing.M) { os.Exit(run(m)) }

func run(m *testing.M) int {
	if os.Getenv("TAKT_REAL") == "" {
		return m.Run() // each test says that it is skipped
	}
	check := exec.CommandContext(context.Background(), cluster.Program("localcluster"), "check", "--dir",
		filepath.Join(os.TempDir(), "takt"))
	if said, err := check.CombinedOutput(); err != nil {
		fmt.Fprintf(os.Stderr, "\nSKIPPED, NOT PASSED: all tests of the image\n%s\n", said)
		return 0
	}
	var err error
	if real, err = cluster.Start("--kubelets=2", "--nodes=0", "--gpus-per-node=2", "--timeout=10m"); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	code := m.Run()
	if err := real.Stop(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return code
}

// kubectl must do what it is asked to do.
func kubectl(t *testing.T, arguments ...string) string {
	t.Helper()
	said, err := real.Kubectl(t.Context(), arguments...)
	if err != nil {
		t.Fatal(err)
	}
	return said
}

// localcluster must do what it is asked to do with the cluster.
func localcluster(t *testing.T, arguments ...string) {
	t.Helper()
	command := exec.CommandContext(t.Context(), cluster.Program("localcluster"),
		append(arguments, "--dir", real.Folder())...)
	if said, err := command.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, said)
	}
}

// load gives an image that make image makes to all nodes, and tells what the archive calls it.
func load(t *testing.T, image string) reference {
	t.Helper()
	archive := filepath.Join(cluster.Root(), "bin", "images", image+"-linux-"+runtime.GOARCH+".tar")
	called, err := referenceIn(archive)
	if err != nil {
		t.Fatalf("cannot read the image (make image makes it): %v", err)
	}
	localcluster(t, "load", archive)
	return called
}

// reference is what pods call an image.
type reference struct{ name, tag string }

// referenceIn is what the image in an archive is called.
func referenceIn(archive string) (reference, error) {
	file, err := os.Open(archive)
	if err != nil {
		return reference{}, err
	}
	defer file.Close()
	for reader := tar.NewReader(file); ; {
		header, err := reader.Next()
		if err != nil {
			return reference{}, errors.Join(err, errors.New("it has no manifest.json"))
		}
		if header.Name != "manifest.json" {
			continue
		}
		text, err := io.ReadAll(reader)
		if err != nil {
			return reference{}, err
		}
		var manifest []struct{ RepoTags []string }
		if err := json.Unmarshal(text, &manifest); err != nil {
			return reference{}, err
		}
		whole := manifest[0].RepoTags[0]
		colon := strings.LastIndexByte(whole, ':')
		return reference{name: whole[:colon], tag: whole[colon+1:]}, nil
	}
}
