package main

import (
	"strings"
	"testing"
)

// Whoever asks for real nodes is told all that is missing at once, with the command that installs it.
func TestWhatRealNodesLackIsNamed(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	for _, command := range []string{"up --kubelets=1", "check"} {
		output, code := call(t, append(strings.Fields(command), "--dir", "/var/lib/localcluster")...)
		for _, want := range []string{
			"it needs containerd, runc,", "nftables, iproute2: apt-get install --no-install-recommends containerd runc ",
			" nftables iproute2\n",
			"give a folder outside of /var/lib", "make kubelets",
		} {
			if code != 1 || !strings.Contains(output, want) {
				t.Errorf("%s ends with %d and does not say %q:\n%s", command, code, want, output)
			}
		}
	}
	if output, code := call(t, "check", "--packages"); code != 0 || !strings.HasPrefix(output, "containerd\nrunc\n") {
		t.Errorf("the missing packages are listed with %d as\n%s", code, output)
	}
}
