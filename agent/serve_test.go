package agent

import (
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/takt-dev/takt/agent/settings"
)

// In the network of a node another agent may have come before. The operator finds this one by its pod; one that does
// not know its pod would be taken for another.
func TestWhereAPortIsTakenTheNextIsServed(t *testing.T) {
	taken, err := listen("127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	port := taken.Addr().(*net.TCPAddr).Port
	e := &execution{settings: settings.Settings{Pod: "ours"}}
	on, err := e.listenNear(port)
	if err != nil {
		t.Fatal(err)
	}
	defer on.Close()
	if at := on.Addr().(*net.TCPAddr).Port; at <= port || at >= port+16 {
		t.Errorf("it listens at %d, and the port that was meant is %d", at, port)
	}
	e.settings.Pod = ""
	if on, err := e.listenNear(port); err == nil {
		_ = on.Close()
		t.Error("an agent that nobody can tell from others listens at another port")
	} else if !strings.Contains(busy(err, port), "something else listens at port") {
		t.Error(err)
	}
}

// Where neither the folder of the agent nor that of temporary files may be written to, memory may.
func TestSmallFilesFindAPlace(t *testing.T) {
	last := t.TempDir()
	e := &execution{}
	remove := e.makeFolderIn("/nowhere", "/proc", last)
	if filepath.Dir(e.folder) != last {
		t.Fatalf("they are in %q", e.folder)
	}
	remove()
	if left, _ := os.ReadDir(last); len(left) > 0 {
		t.Errorf("%v are left behind", left)
	}
}
