package settings

import (
	"errors"
	"fmt"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/json"
	"sigs.k8s.io/yaml"
)

// The names of the plugins in a KubeSchedulerConfiguration. Gate has no args; a profile that has one needs the
// other.
const (
	Plugin = "Takt"
	Gate   = "TaktGate"
)

// Settings are the args of the plugin.
type Settings struct {
	metav1.TypeMeta `json:",inline"`

	// Gangs is how pods are placed together.
	Gangs Gangs `json:"gangs"`
	// Order is who is placed first.
	Order Order `json:"order"`
	// Packing is on which nodes.
	Packing Packing `json:"packing"`
}

// Gangs is how pods are placed together.
type Gangs struct {
	// Hold is how long the first pods of a gang hold their nodes, at most, until the last of them has one
	// too. Defaults to 30s.
	Hold Span `json:"hold"`
	// Orphan is how long pods wait for their Resize, if there is none, before they are placed without it.
	// Defaults to 1m.
	Orphan Span `json:"orphan"`
	// Report is how often the status of a Resize is told at most that its pods do not fit, and how many
	// would. Defaults to 5s; at once if another number fits.
	Report Span `json:"report"`
	// Foreign is what becomes of pods that belong to a gang of another system as well: Ignore leaves them
	// to it, Include places them as a gang of Takt, but for those with a schedulingGroup. Defaults to
	// Ignore.
	Foreign Foreign `json:"foreign"`
	// Starving is how long a job waits for its start before nodes are kept for it that others hold as yet: for
	// one job at a time, and at most as long again. Defaults to 15m.
	Starving Span `json:"starving"`
}

// Foreign is what becomes of the gangs of other systems.
type Foreign string

const (
	// Ignore leaves them to those.
	Ignore Foreign = "Ignore"
	// Include places them as gangs of Takt, if they are that too.
	Include Foreign = "Include"
)

// Order is who is placed first.
type Order struct {
	// Patience is how long a pod without a deadline may be overtaken by those that have one. Defaults to
	// 10m.
	Patience Span `json:"patience"`
	// HeadStart is how much of waiting a level of a queue's priority is worth. Defaults to 10m.
	HeadStart Span `json:"headStart"`
}

// Packing is on which nodes pods are placed.
type Packing struct {
	// Resources are the names under which nodes offer GPUs. Defaults to nvidia.com/gpu.
	Resources []string `json:"resources"`
	// Apart is what it costs to spread a job over one more node, in GPUs that others cannot use for that.
	// Defaults to 8.
	Apart int `json:"apart"`
	// Levels are how the cluster is built above the node, from the narrowest to the widest. Defaults to
	// rack and zone.
	Levels []Level `json:"levels"`
}

// Level is one level of how the cluster is built.
type Level struct {
	// Name is what jobs call it. The level of a single node is called node.
	Name string `json:"name"`
	// Key is the label of nodes that says where they are at this level.
	Key string `json:"key"`
	// Apart is what it costs to spread a job over one more of them.
	Apart int `json:"apart"`
}

// Default are the settings where nothing is chosen.
func Default() Settings {
	span := func(d time.Duration) Span { return Span{Duration: d} }
	return Settings{
		Gangs: Gangs{
			Hold: span(30 * time.Second), Orphan: span(time.Minute), Report: span(5 * time.Second),
			Foreign: Ignore, Starving: span(15 * time.Minute),
		},
		Order: Order{Patience: span(10 * time.Minute), HeadStart: span(10 * time.Minute)},
		Packing: Packing{
			Resources: []string{"nvidia.com/gpu"},
			Apart:     8,
			Levels: []Level{
				{Name: "rack", Key: "topology.kubernetes.io/rack", Apart: 24},
				{Name: "zone", Key: "topology.kubernetes.io/zone", Apart: 72},
			},
		},
	}
}

// Decode reads the args that kube-scheduler hands to the plugin.
func Decode(args runtime.Object) (Settings, error) {
	s := Default()
	if args == nil {
		return s, nil
	}
	unknown, ok := args.(*runtime.Unknown)
	if !ok {
		return s, fmt.Errorf("the args of plugin %s are a %T, but must be an object with gangs, order and packing",
			Plugin, args)
	}
	// Lists are replaced, not merged.
	lists := s.Packing
	s.Packing.Resources, s.Packing.Levels = nil, nil
	text, err := yaml.YAMLToJSON(unknown.Raw)
	if err != nil {
		return s, fmt.Errorf("the args of plugin %s cannot be read: %w", Plugin, err)
	}
	strict, err := json.UnmarshalStrict(text, &s)
	if err = errors.Join(append(strict, err)...); err != nil {
		return s, fmt.Errorf("the args of plugin %s cannot be read: %w", Plugin, err)
	}
	if s.Packing.Resources == nil {
		s.Packing.Resources = lists.Resources
	}
	if s.Packing.Levels == nil {
		s.Packing.Levels = lists.Levels
	}
	if err := s.Validate(); err != nil {
		return s, fmt.Errorf("the args of plugin %s: %w", Plugin, err)
	}
	return s, nil
}

const (
	// Node is what jobs call the level of a single node.
	Node = "node"
	// None is what jobs call no level at all.
	None = "none"
)
