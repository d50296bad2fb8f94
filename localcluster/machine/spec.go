package machine

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
)

// Spec is what a node is made from.
type Spec struct {
	// Name is the name of the node, and of its host.
	Name string `json:"name"`
	// Folder holds what the node keeps: its /var/lib in lib, its /var/log in log.
	Folder string `json:"folder"`
	// Cgroup is the name of its cgroup in every hierarchy.
	Cgroup string `json:"cgroup"`
	// Address is that of the node, and Host that of the system, in a network of so many Bits that they share.
	Address string `json:"address"`
	Host    string `json:"host"`
	// Bits are the length of the prefix of that network, and of each network of pods.
	Bits int `json:"bits"`
	// Gateway is the address of the node in the network of its own pods.
	Gateway string `json:"gateway"`
	// Services is the network of cluster addresses. No one has them, but they must have a route to be translated.
	Services string `json:"services"`
	// Routes are where the pods of other nodes are: the network of pods, and the node that has them.
	Routes map[string]string `json:"routes"`
	// HealthPort is where the node says that it has started.
	HealthPort int `json:"healthPort"`
	// Resource is the extended resource that its devices are, and Devices how many there are.
	Resource string `json:"resource"`
	Devices  int    `json:"devices"`
}

// Bridge connects the pods of a node with each other and with the node.
const Bridge = "cni0"

// Uplink is the link of a node to the network of nodes. Whoever starts the node gives it.
const Uplink = "eth0"

// readSpec reads what was written for the node.
func readSpec(path string) (Spec, error) {
	var s Spec
	text, err := os.ReadFile(path)
	if err != nil {
		return s, err
	}
	if err := json.Unmarshal(text, &s); err != nil {
		return s, fmt.Errorf("%s is no description of a node: %w", path, err)
	}
	return s, nil
}

// cgroupList names the file that lists the cgroups of the node, for whoever removes them.
func cgroupList(folder string) string { return filepath.Join(folder, "cgroups") }
