package plugin

import (
	"fmt"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/scheduler/pack"
	"github.com/takt-dev/takt/scheduler/settings"
)

// wishOf is how close together a job wants its pods, of which one of each role is given; if that cannot be
// understood, why. The narrowest that any of them requires counts, and the widest that any prefers.
func (h *sharedState) wishOf(pods []*corev1.Pod) (pack.Wish, string) {
	wish := pack.Wish{Within: pack.Anywhere, Apart: []int{h.settings.Packing.Apart}}
	for _, level := range h.settings.Packing.Levels {
		wish.Apart = append(wish.Apart, level.Apart)
	}
	for _, pod := range pods {
		if name := pod.Annotations[v1alpha1.TopologyRequiredAnnotation]; name != "" {
			level, known := h.level(name)
			if !known || level == pack.Anywhere {
				return wish, h.unknownLevel(v1alpha1.TopologyRequiredAnnotation, name, "")
			}
			if wish.Within == pack.Anywhere || level < wish.Within {
				wish.Within = level
			}
		}
		if name := pod.Annotations[v1alpha1.TopologyPreferredAnnotation]; name != "" {
			level, known := h.level(name)
			if !known {
				return wish, h.unknownLevel(v1alpha1.TopologyPreferredAnnotation, name, " or none")
			}
			// What is narrower does not matter.
			narrower := int(level)
			if level == pack.Anywhere {
				narrower = len(wish.Apart)
			}
			clear(wish.Apart[:narrower])
		}
	}
	return wish, ""
}

// domains are those that a node with some labels is in, the narrowest first. Each is named with those that it is in,
// since racks are often numbered anew in each zone.
func (h *sharedState) domains(labels map[string]string) []string {
	levels := h.settings.Packing.Levels
	names, within := make([]string, len(levels)), ""
	for i, level := range slices.Backward(levels) {
		if name := labels[level.Key]; name != "" {
			within = name + "/" + within
			names[i] = within
		}
	}
	return names
}

// level is that of a name.
func (h *sharedState) level(name string) (pack.Level, bool) {
	switch name {
	case settings.Node:
		return pack.OneNode, true
	case settings.None:
		return pack.Anywhere, true
	}
	for i, level := range h.settings.Packing.Levels {
		if level.Name == name {
			return pack.Level(i + 1), true
		}
	}
	return pack.Anywhere, false
}

// levelName is the name of a level; empty for anywhere.
func (h *sharedState) levelName(level pack.Level) string {
	switch level {
	case pack.Anywhere:
		return ""
	case pack.OneNode:
		return settings.Node
	default:
		return h.settings.Packing.Levels[level-1].Name
	}
}

func (h *sharedState) unknownLevel(annotation, name, or string) string {
	names := []string{settings.Node}
	for _, level := range h.settings.Packing.Levels {
		names = append(names, level.Name)
	}
	return fmt.Sprintf("The annotation %s of the pods says %q, but must be one of %s%s: change the template of the job",
		annotation, name, strings.Join(names, ", "), or)
}
