package shorthand

import (
	"maps"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
)

// sparing is a fault with whether it spares the job, by the value that is written.
func (f Fault) sparing(value string) Fault {
	switch f.Meant {
	case HoldAnnotation:
		f.Spares = true
	case InterruptibleAnnotation:
		fields, err := readInterruptible(value)
		f.Spares = err != nil || fields[Interruptible] == false
	}
	return f
}

// spare has a job not be interrupted that may say so by a fault, unless it says by the right key whether it may be. The
// sentences of such faults say what they count as.
func (s *Said) spare() {
	fields, faults := maps.Clone(s.Fields), slices.Clone(s.Faults)
	_, says := fields[Interruptible]
	for i := range faults {
		f, until := &faults[i], ""
		switch {
		case !f.Spares:
		case f.Meant == HoldAnnotation:
			until = " Until then the size of the job stays, as with that."
		case !says || s.spared:
			until, s.spared = " Until then it counts as \"false\" there, unless the ElasticJob says otherwise.", true
			fields[Interruptible], says = false, true
		}
		if !strings.HasSuffix(f.Sentence, until) {
			f.Sentence += until
		}
	}
	s.Fields, s.Faults = fields, faults
}

// MayHold is the key on a job that may be meant to keep its size, and is not the one that does; empty if there is none.
// It may also be on the templates of its pods; nil is no template.
func MayHold(labelled, annotated map[string]string, templates ...*corev1.PodTemplateSpec) (key string) {
	var found []string
	for where, on := range map[place]map[string]string{labels: labelled, annotations: annotated} {
		for key := range on {
			if strings.HasPrefix(key, Prefix) && theirs[key] != where && !slices.Contains(ours, key) &&
				distance(plain(key), plain(HoldAnnotation)) < unlike && stranger(key, "", where).Meant == HoldAnnotation {
				found = append(found, key)
			}
		}
	}
	for _, template := range templates {
		if template == nil {
			continue
		}
		_, labelled := template.Labels[HoldAnnotation]
		if _, annotated := template.Annotations[HoldAnnotation]; labelled || annotated {
			found = append(found, HoldAnnotation)
		}
	}
	if len(found) == 0 {
		return ""
	}
	return slices.Min(found)
}
