package localcluster

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"strings"
)

// network numbers the network of real nodes that a cluster has, from 1 to 31; 0 is none. The numbers part the range
// that is set aside for measurements in networks (198.18.0.0/15), which no one else routes, so that clusters side by
// side do not get in each other's way. Of its 16 smaller networks the first holds the nodes and the system, each other
// one the pods of a node.
type network int

const lastNetwork network = 31

// networkBits are the length of the prefix of each of the smaller networks.
const networkBits = 24

func (n network) at(part, host int) string {
	third := int(n)*16 + part
	return fmt.Sprintf("198.%d.%d.%d", 18+third/256, third%256, host)
}

// host is the address of the system among the nodes, node that of a node, gateway that of a node among its pods.
func (n network) host() string            { return n.at(0, 1) }
func (n network) node(node int) string    { return n.at(0, 10+node) }
func (n network) gateway(node int) string { return n.at(1+node, 1) }

// pods is the network of the pods of a node.
func (n network) pods(node int) string { return fmt.Sprintf("%s/%d", n.at(1+node, 0), networkBits) }

// bridge is the link of the system to the nodes, and uplink that to one of them.
func (n network) bridge() string         { return fmt.Sprintf("takt%d", n) }
func (n network) uplink(node int) string { return fmt.Sprintf("takt%d-%d", n, node) }

// hostsOf and nodesOf are the addresses of one machine in all networks. The network is drawn when a cluster starts,
// and its certificates are made before, so they name all.
func hostsOf() []net.IP { return inAll(network.host) }

func nodesOf(node int) []net.IP { return inAll(func(n network) string { return n.node(node) }) }

func inAll(address func(network) string) []net.IP {
	var all []net.IP
	for n := network(1); n <= lastNetwork; n++ {
		all = append(all, net.ParseIP(address(n)))
	}
	return all
}

// claimNetwork takes a network that no one has: the one from before, if it can. Only one can make the bridge.
func claimNetwork(ctx context.Context, before network, folder string) (network, error) {
	// It may still have that of a start that was killed.
	if err := before.release(ctx, folder); err != nil {
		return 0, err
	}
	candidates := []network{before}
	for n := network(1); n <= lastNetwork; n++ {
		candidates = append(candidates, n)
	}
	for _, n := range candidates {
		if n == 0 || inUse(n) {
			continue
		}
		if err := ip(ctx, "link", "add", n.bridge(), "type", "bridge"); err != nil {
			continue
		}
		if err := n.open(ctx, folder); err != nil {
			return 0, errors.Join(err, deleteLink(ctx, n.bridge()))
		}
		return n, nil
	}
	return 0, errors.New("no network is left for real nodes: see ip link show type bridge, and take down a cluster " +
		"(the alias names its folder)")
}

// open makes the bridge known as that of a cluster, and connects the system to it.
func (n network) open(ctx context.Context, folder string) error {
	// The system does not take the alias of a link that is just made.
	if err := ip(ctx, "link", "set", n.bridge(), "alias", alias(folder), "up"); err != nil {
		return err
	}
	return ip(ctx, "addr", "add", fmt.Sprintf("%s/%d", n.host(), networkBits), "dev", n.bridge())
}

// alias is what the bridge of a cluster says of its owner. The system takes 255 bytes at most; of a longer path the
// end tells more than the beginning.
func alias(folder string) string {
	const most = 255
	return folder[max(0, len(folder)-most):]
}

// inUse says whether the system has an address in a network.
func inUse(n network) bool {
	_, all, err := net.ParseCIDR(n.at(0, 0) + "/20")
	if err != nil {
		return true
	}
	addresses, err := net.InterfaceAddrs()
	if err != nil {
		return true
	}
	for _, address := range addresses {
		if has, ok := address.(*net.IPNet); ok && all.Contains(has.IP) {
			return true
		}
	}
	return false
}

// attach gives a node its link, once its first process is there, and the system the way to the pods of the node.
func (n network) attach(ctx context.Context, node, pid int, uplink string) error {
	_ = n.detach(ctx, node) // that of a node that was killed may not be gone yet
	steps := [][]string{
		{"link", "add", n.uplink(node), "type", "veth", "peer", "name", uplink, "netns", fmt.Sprint(pid)},
		{"link", "set", n.uplink(node), "master", n.bridge(), "up"},
		{"route", "replace", n.pods(node), "via", n.node(node), "dev", n.bridge()},
	}
	for _, step := range steps {
		if err := ip(ctx, step...); err != nil {
			return fmt.Errorf("cannot give %s its link: %w", realNodeName(node), err)
		}
	}
	return nil
}

func (n network) detach(ctx context.Context, node int) error {
	return deleteLink(ctx, n.uplink(node))
}

// release removes all links of the network, and with the bridge its addresses and routes, unless another cluster has
// the network by now.
func (n network) release(ctx context.Context, folder string) error {
	owner, err := os.ReadFile("/sys/class/net/" + n.bridge() + "/ifalias")
	if err != nil || strings.TrimSpace(string(owner)) != alias(folder) {
		return nil //nolint:nilerr // there is no bridge, or it is not ours
	}
	var failed error
	for node := range maxKubelets {
		failed = errors.Join(failed, n.detach(ctx, node))
	}
	return errors.Join(failed, deleteLink(ctx, n.bridge()))
}

// deleteLink removes a link that may be gone already, or go meanwhile.
func deleteLink(ctx context.Context, name string) error {
	if err := ip(ctx, "link", "delete", "dev", name); err != nil {
		if _, err := net.InterfaceByName(name); err == nil {
			return fmt.Errorf("the link %s is left: ip link delete dev %s", name, name)
		}
	}
	return nil
}

func ip(ctx context.Context, arguments ...string) error {
	output, err := exec.CommandContext(ctx, "ip", arguments...).CombinedOutput()
	if err != nil {
		return fmt.Errorf("ip %s: %w\n%s", strings.Join(arguments, " "), err, output)
	}
	return nil
}
