package localcluster

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
)

// requirement is what real nodes need of the system: any of some files, by name in PATH or in full.
type requirement struct {
	pkg   string // of Debian
	files []string
}

// cniFolders are where distributions put the plugins for the networks of pods.
var cniFolders = []string{"/usr/lib/cni", "/opt/cni/bin", "/usr/libexec/cni"}

func requirements() []requirement {
	var bridges []string
	for _, folder := range cniFolders {
		bridges = append(bridges, filepath.Join(folder, "bridge"))
	}
	return []requirement{
		{"containerd", []string{"containerd"}},
		{"containerd", []string{"ctr"}},
		{"runc", []string{"runc"}},
		{"containernetworking-plugins", bridges},
		{"nftables", []string{"nft"}},
		{"iproute2", []string{"ip"}},
	}
}

// MissingPackages are those packages of Debian that real nodes need and this system lacks.
func MissingPackages() []string {
	var missing []string
	for _, needed := range requirements() {
		if needed.find() == "" && !slices.Contains(missing, needed.pkg) {
			missing = append(missing, needed.pkg)
		}
	}
	return missing
}

// CheckRealNodes says all that keeps a cluster here from having real nodes, and what would mend it.
func (c *Cluster) CheckRealNodes() error { return c.dir.checkRealNodes() }

// checkRealNodes says all that keeps this system from having real nodes, and what would mend it.
func (d dir) checkRealNodes() error {
	var problems []string
	if runtime.GOOS != "linux" {
		return errors.New("--kubelets needs Linux: use simulated nodes here, with --kubelets 0")
	}
	if os.Geteuid() != 0 {
		problems = append(problems, "it needs root: run it with sudo, or use simulated nodes, with --kubelets 0")
	}
	if missing := MissingPackages(); len(missing) > 0 {
		problems = append(problems, fmt.Sprintf("it needs %s: apt-get install --no-install-recommends %s",
			strings.Join(missing, ", "), strings.Join(missing, " ")))
	}
	// What is there has another meaning in a node.
	for _, hidden := range []string{"/run", "/var/run", "/var/lib", "/var/log", "/proc", "/sys"} {
		if strings.HasPrefix(string(d)+"/", hidden+"/") {
			problems = append(problems, fmt.Sprintf("--dir is %s: give a folder outside of %s, which nodes have for themselves",
				d, hidden))
		}
	}
	for _, program := range []string{"node", "machine", "pause", coredns} {
		if _, err := libraryFile(program); err != nil {
			problems = append(problems, "its programs are not built: make kubelets")
			break
		}
	}
	if len(problems) == 0 {
		return nil
	}
	return fmt.Errorf("--kubelets cannot be had here:\n- %s", strings.Join(problems, "\n- "))
}

// find is the path of what is required, or nothing.
func (r requirement) find() string {
	for _, file := range r.files {
		if path, err := exec.LookPath(file); err == nil {
			return path
		}
	}
	return ""
}

// cniFolder is where the plugins are on this system.
func cniFolder() string {
	for _, needed := range requirements() {
		if needed.pkg == "containernetworking-plugins" {
			return filepath.Dir(needed.find())
		}
	}
	return cniFolders[0]
}
