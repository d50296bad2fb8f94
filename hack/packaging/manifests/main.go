// Command manifests makes the files of a release that people apply as they are: what the folders of config/ make, with
// its images.
package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

func main() {
	var o options
	flag.StringVar(&o.root, "root", "../..", "folder of the repository")
	flag.StringVar(&o.version, "version", "", "version of Takt, such as v0.1.0")
	flag.StringVar(&o.image, "image", "", "image of Takt, without its tag")
	flag.StringVar(&o.out, "out", "", "folder to make them in")
	flag.Parse()
	if err := write(o); err != nil {
		fmt.Fprintln(os.Stderr, "manifests:", err)
		os.Exit(1)
	}
}

type options struct{ root, version, image, out string }

// What a release has of config/, a file of each folder.
var (
	folders = []string{
		"default", "queue", "scheduler/beside", "scheduler/instead", "admission", "prometheus", "monitoring", "removal",
		"crd", "rbac", "rbac/users",
	}
	components = []string{"custom-metrics"}
	patches    = map[string]string{"records": "volume.yaml"} // for an overlay of one's own
)

func write(o options) error {
	if o.version == "" || o.image == "" || o.out == "" {
		return errors.New("give --version, --image and --out")
	}
	for _, each := range []struct {
		field   string
		folders []string
	}{{"resources", folders}, {"components", components}} {
		for _, folder := range each.folders {
			text, err := render(o, each.field, folder)
			if err := o.give(folder, text, err); err != nil {
				return err
			}
		}
	}
	for folder, patch := range patches {
		text, err := os.ReadFile(filepath.Join(o.root, "config", folder, patch))
		if err := o.give(folder, text, err); err != nil {
			return err
		}
	}
	return nil
}

// give writes what a folder makes, unless that has failed.
func (o options) give(folder string, text []byte, err error) error {
	if err == nil {
		err = os.WriteFile(o.file(folder), text, 0o644) //nolint:gosec // others read it
	}
	if err != nil {
		return fmt.Errorf("config/%s: %w", folder, err)
	}
	return nil
}

// file is where what a folder makes is written.
func (o options) file(folder string) string {
	return filepath.Join(o.out, "takt-"+o.version+"-"+strings.ReplaceAll(folder, "/", "-")+".yaml")
}
