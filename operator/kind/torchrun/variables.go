package torchrun

import (
	"regexp"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
)

// script is what a container runs, word for word, with the variables that it has there.
type script struct {
	words  []string
	set    []variable // in the order in which they are set: by the container, then by its command
	filled []string   // names of variables that a controller sets in every pod, whatever the container says
	more   bool       // there are variables that nobody reads here
}

// variable is one with its value; one that is known elsewhere alone has none.
type variable struct {
	name, value string
	known       bool
	byCommand   bool
}

// assignment is how a shell sets a variable.
var assignment = regexp.MustCompile(`^([A-Za-z_][A-Za-z0-9_]*)=(.*)$`)

// reference is how the kubelet and a shell have the value of a variable filled in, and a shell another where it has
// none.
var reference = regexp.MustCompile(
	`\$\(([A-Za-z_][A-Za-z0-9_]*)\)|\$\{([A-Za-z_][A-Za-z0-9_]*)(?::?-([^}$]*))?\}|\$([A-Za-z_][A-Za-z0-9_]*)`)

// around is what stands around a value in a shell.
const around = `"'\`

// word is what a shell separates from others, and what stands at the beginning of quotes or of an array. A value that
// is quoted keeps its first quote, and one that a shell computes its mark.
var word = regexp.MustCompile(
	`""|''|(?:=[\\"']+|\$\{[^}\s]*\}|\$\([A-Za-z_][A-Za-z0-9_]*\)|\$\(|[^\s|&;()<>"'])+`)

// quoted is a variable of a shell whose value may be several words, of which this is the first.
var quoted = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*\+?=[\\"']+(.+)$`)

// wordsOf takes a command apart. What a variable is set to may be the beginning of what it is used for.
func wordsOf(command string) (words []string) {
	for _, w := range word.FindAllString(strings.ReplaceAll(command, "\\\n", " "), -1) {
		words = append(words, w)
		if first := quoted.FindStringSubmatch(w); first != nil {
			words = append(words, first[1])
		}
	}
	return words
}

// read takes a container apart; nil is one that runs nothing.
func read(c *corev1.Container, filled []string) script {
	if c == nil {
		return script{}
	}
	s := script{
		words:  wordsOf(strings.Join(c.Command, " ") + " " + strings.Join(c.Args, " ")),
		filled: filled, more: len(c.EnvFrom) > 0,
	}
	for _, e := range c.Env {
		s.set = append(s.set, variable{name: e.Name, value: e.Value, known: e.ValueFrom == nil})
	}
	for _, word := range s.words {
		if parts := assignment.FindStringSubmatch(strings.Trim(word, around)); parts != nil {
			s.set = append(s.set, variable{parts[1], strings.Trim(parts[2], around), true, true})
		}
	}
	return s
}

// computed marks what a shell finds out as it runs.
const computed = "$`"

// furthest is how many variables may stand for each other.
const furthest = 8

// filledIn is a text with the values of all variables in it; false if one of them is known elsewhere alone.
func (s script) filledIn(text string) (string, bool) { return s.fill(text, len(s.set), furthest) }

// fill uses the first variables that are set: what is set later does not count for those before.
func (s script) fill(text string, first, further int) (string, bool) {
	known := further > 0
	if !known || !strings.ContainsAny(text, computed) {
		return text, known
	}
	filled := reference.ReplaceAllStringFunc(text, func(found string) string {
		parts := reference.FindStringSubmatch(found)
		value, is := s.value(parts[1]+parts[2]+parts[4], parts[3], first, further)
		known = known && is
		return value
	})
	return filled, known && !strings.ContainsAny(filled, computed)
}

// value is that of a variable, or else another that is given with it.
func (s script) value(name, otherwise string, first, further int) (string, bool) {
	for i, v := range slices.Backward(s.set[:first]) {
		switch {
		case v.name != name:
			continue
		case v.byCommand && s.varies(v):
			return "", false
		case !v.byCommand && slices.Contains(s.filled, name):
			return "", false
		}
		value, known := s.fill(v.value, i, further-1)
		return value, known && v.known
	}
	return otherwise, otherwise != "" && !s.more && !slices.Contains(s.filled, name)
}

// varies says that a command sets a variable in several ways: which of them counts is known once it runs.
func (s script) varies(v variable) bool {
	return slices.ContainsFunc(s.set, func(o variable) bool {
		return o.byCommand && o.name == v.name && o.value != v.value
	})
}
