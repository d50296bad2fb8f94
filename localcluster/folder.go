package localcluster

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

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

// settings are what is kept of a cluster in its folder: enough to start any component again.
type settings struct {
	// Start tells this start of the cluster from every other.
	Start   string         `json:"start"`
	Options Options        `json:"options"`
	Ports   map[string]int `json:"ports"`
	// Network is that of the real nodes, if there are any.
	Network network `json:"network,omitempty"`
}

func (d dir) settingsFile() string { return d.path("cluster.json") }

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
		return s, fmt.Errorf("cannot read %s: %w; remove that file and start the cluster again, its data stays",
			d.settingsFile(), err)
	}
	for _, name := range portNames() {
		if s.Ports[name] == 0 {
			return s, fmt.Errorf("%s lacks the port of %s; remove that file and start the cluster again, its data stays",
				d.settingsFile(), name)
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

// noClusterError is the error of a folder that holds no cluster.
type noClusterError struct{ dir dir }

func (e noClusterError) Error() string {
	return fmt.Sprintf("there is no cluster in %s: start one with localcluster up --dir %s", e.dir, e.dir)
}

func (e noClusterError) Is(target error) bool { return target == fs.ErrNotExist }
