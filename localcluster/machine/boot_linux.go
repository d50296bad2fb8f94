package machine

import (
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"os/signal"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// Enter is the first step of a node: it goes into cgroups of its own and begins the second step, for which these are
// all that there are. The namespace of cgroups belongs to a thread, and only a new program is sure to have one.
func Enter(specFile string) error {
	spec, err := readSpec(specFile)
	if err != nil {
		return err
	}
	if err := enterCgroups(spec); err != nil {
		return err
	}
	// What runs the next program must be the thread that has left the cgroups of the machine.
	runtime.LockOSThread()
	if err := unix.Unshare(unix.CLONE_NEWCGROUP); err != nil {
		return fmt.Errorf("cannot have cgroups of its own: %w", err)
	}
	self, err := os.Executable()
	if err != nil {
		return err
	}
	return syscall.Exec(self, []string{os.Args[0], "boot", specFile}, os.Environ())
}

// Boot is the second step of a node, and all of its life: it returns when the node is told to end.
func Boot(specFile string) error {
	syscall.CloseOnExec(lockFile)
	ending := make(chan os.Signal, 1)
	signal.Notify(ending, syscall.SIGTERM)
	spec, err := readSpec(specFile)
	if err != nil {
		return err
	}
	hierarchies, err := readHierarchies("/proc/self/mountinfo")
	if err != nil {
		return err
	}
	if err := mountAll(spec, hierarchies); err != nil {
		return err
	}
	if err := enterLeaf(); err != nil {
		return err
	}
	if err := unix.Sethostname([]byte(spec.Name)); err != nil {
		return err
	}
	if err := connect(spec); err != nil {
		return err
	}
	go reap()
	if spec.Devices > 0 {
		go offerDevices(spec.Resource, spec.Devices)
	}
	go serveHealth(net.JoinHostPort(spec.Address, strconv.Itoa(spec.HealthPort)))
	<-ending
	return nil
}

// lockFile is the open file that is locked for as long as a component runs. No child may have it.
const lockFile = 3

// reap waits for processes whose parents have gone: they are children of the first process of the node.
func reap() {
	ended := make(chan os.Signal, 1)
	signal.Notify(ended, syscall.SIGCHLD)
	for {
		for {
			if pid, err := syscall.Wait4(-1, nil, syscall.WNOHANG, nil); pid <= 0 && err != syscall.EINTR {
				break
			}
		}
		<-ended
	}
}

func serveHealth(address string) {
	server := &http.Server{
		Addr:              address,
		ReadHeaderTimeout: 5 * time.Second,
		Handler:           http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { fmt.Fprintln(w, "ok") }),
	}
	fmt.Fprintln(os.Stderr, "The node no longer tells of its health:", server.ListenAndServe())
}

// connect sets up the network of the node once its link is there.
func connect(spec Spec) error {
	const patience = 30 * time.Second
	for end := time.Now().Add(patience); ; {
		if _, err := net.InterfaceByName(Uplink); err == nil {
			break
		}
		if time.Now().After(end) {
			return fmt.Errorf("the node has got no link %s within %v", Uplink, patience)
		}
		time.Sleep(10 * time.Millisecond) //nolint:forbidigo // the node has nothing else to do until then
	}
	lines := []string{
		"link set lo up",
		fmt.Sprintf("addr add %s/%d dev %s", spec.Address, spec.Bits, Uplink),
		"link set " + Uplink + " up",
		"link add " + Bridge + " type bridge",
		fmt.Sprintf("addr add %s/%d dev %s", spec.Gateway, spec.Bits, Bridge),
		"link set " + Bridge + " up",
		"route add " + spec.Services + " via " + spec.Host,
	}
	for network, node := range spec.Routes {
		lines = append(lines, "route add "+network+" via "+node)
	}
	ip := exec.Command("ip", "-batch", "-") //nolint:noctx // it changes the kernel's tables and returns
	ip.Stdin = strings.NewReader(strings.Join(lines, "\n") + "\n")
	if output, err := ip.CombinedOutput(); err != nil {
		return fmt.Errorf("cannot set up the network of the node: %w\n%s", err, output)
	}
	// A pod that reaches another on the same bridge by a Service must see the answer come from the Service.
	for _, setting := range []string{"net/ipv4/ip_forward", "net/bridge/bridge-nf-call-iptables"} {
		if err := os.WriteFile("/proc/sys/"+setting, []byte("1"), 0o600); err != nil {
			return fmt.Errorf("cannot switch on %s: %w; try modprobe br_netfilter", setting, err)
		}
	}
	return nil
}
