package localcluster

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation"
)

// Options are what a cluster is made of.
type Options struct {
	// Nodes is the number of simulated GPU nodes.
	Nodes int `json:"nodes"`
	// GPUsPerNode is the number of GPUs of each node.
	GPUsPerNode int `json:"gpusPerNode"`
	// GPUProduct is what kind of GPU they are, as NVIDIA's feature discovery labels it.
	GPUProduct string `json:"gpuProduct"`
	// Racks and Zones are how many there are: neighbouring nodes share a rack, neighbouring
	// racks a zone.
	Racks int `json:"racks"`
	Zones int `json:"zones"`
	// Scheduler is a binary to run in the place of kube-scheduler; empty for kube-scheduler.
	Scheduler string `json:"scheduler,omitempty"`
	// SchedulerConfig is a KubeSchedulerConfiguration file; empty for the defaults.
	SchedulerConfig string `json:"schedulerConfig,omitempty"`
}

// DefaultOptions are a small cluster: eight nodes of eight GPUs in two racks.
func DefaultOptions() Options {
	return Options{Nodes: 8, GPUsPerNode: 8, GPUProduct: "NVIDIA-A100-SXM4-80GB", Racks: 2, Zones: 1}
}

// validate says in one sentence what is wrong with the options and what is allowed, and makes
// their paths independent of the working folder.
func (o *Options) validate() error {
	switch {
	case o.Nodes < 0 || o.Nodes > 10_000:
		return fmt.Errorf("--nodes is %d: give a number from 0 to 10000", o.Nodes)
	case o.GPUsPerNode < 0 || o.GPUsPerNode > 64:
		return fmt.Errorf("--gpus-per-node is %d: give a number from 0 to 64", o.GPUsPerNode)
	case o.Racks < 1:
		return fmt.Errorf("--racks is %d: give 1 or more", o.Racks)
	case o.Zones < 1 || o.Zones > o.Racks:
		return fmt.Errorf("--zones is %d and --racks is %d: give 1 or more zones, and no more than racks, since a rack lies in one zone", o.Zones, o.Racks)
	}
	if problems := validation.IsValidLabelValue(o.GPUProduct); o.GPUProduct == "" || len(problems) > 0 {
		return fmt.Errorf("--gpu-product is %q: give the value of a label, such as %s", o.GPUProduct, DefaultOptions().GPUProduct)
	}
	for flag, path := range map[string]*string{"--scheduler": &o.Scheduler, "--scheduler-config": &o.SchedulerConfig} {
		if *path == "" {
			continue
		}
		absolute, err := filepath.Abs(*path)
		if err != nil {
			return err
		}
		info, err := os.Stat(absolute)
		if err != nil || info.IsDir() || (flag == "--scheduler" && info.Mode()&0o111 == 0) {
			return fmt.Errorf("%s is %q: give the path of a file that can be %s", flag, *path,
				map[bool]string{true: "run", false: "read"}[flag == "--scheduler"])
		}
		*path = absolute
	}
	return nil
}

// settings are what is kept of a cluster in its folder: enough to start any component again.
type settings struct {
	// Start tells this start of the cluster from every other.
	Start   string         `json:"start"`
	Options Options        `json:"options"`
	Ports   map[string]int `json:"ports"`
}

func (d dir) settingsFile() string { return filepath.Join(string(d), "cluster.json") }

func (d dir) readSettings() (settings, error) {
	var s settings
	text, err := os.ReadFile(d.settingsFile())
	if errors.Is(err, fs.ErrNotExist) {
		return s, noClusterError{d}
	}
	if err != nil {
		return s, err
	}
	if err := json.Unmarshal(text, &s); err != nil {
		return s, fmt.Errorf("cannot read %s: %w; remove that file and start the cluster again, its data stays", d.settingsFile(), err)
	}
	for _, name := range portNames() {
		if s.Ports[name] == 0 {
			return s, fmt.Errorf("%s lacks the port of %s; remove that file and start the cluster again, its data stays", d.settingsFile(), name)
		}
	}
	return s, nil
}

func (d dir) writeSettings(s settings) error {
	text, err := json.MarshalIndent(s, "", "  ")
	if err != nil {
		return err
	}
	return writeFile(d.settingsFile(), text)
}

// writeFile replaces a file as a whole, so that a crash leaves the old one or the new one.
func writeFile(path string, text []byte) error {
	next := path + ".next"
	if err := os.WriteFile(next, text, 0o600); err != nil {
		return err
	}
	return os.Rename(next, path)
}

// dir is the folder of one cluster.
type dir string

func newDir(path string) (dir, error) {
	absolute, err := filepath.Abs(path)
	if err != nil {
		return "", err
	}
	// KUBECONFIG is a list with colons, and --filename of kubectl one with commas and quotes.
	if strings.ContainsAny(absolute, ":,\"\n") {
		return "", fmt.Errorf("--dir is %q: give a path without colons, commas, quotes and line breaks", path)
	}
	return dir(absolute), nil
}

func (d dir) path(parts ...string) string {
	return filepath.Join(append([]string{string(d)}, parts...)...)
}

// noClusterError is the error of a folder that holds no cluster.
type noClusterError struct{ dir dir }

func (e noClusterError) Error() string {
	return fmt.Sprintf("there is no cluster in %s: start one with localcluster up --dir %s", e.dir, e.dir)
}

func (e noClusterError) Is(target error) bool { return target == fs.ErrNotExist }
