package printed

import (
	"slices"
	"strings"
)

// Command is how much there is to do, as the options of a command line say: nothing if they say several things, such as
// of two programs.
func Command(args []string) Work {
	c := apart(args)
	told, _ := planIn(c.calls)
	work, clear := planIn(c.words)
	if work = told.or(work); clear {
		otherwise, _ := planIn(c.defaults)
		work = work.or(otherwise)
	}
	return work.withMore()
}

// Started is how much a program was started for: as its command says, or else variables of its environment, such as
// EPOCHS=30.
func Started(command, environment []string) Work {
	work := Command(command)
	if work != (Work{batches: work.batches}) {
		return work
	}
	return work.or(Command(environment))
}

// Telling are the words of a command line, and of the scripts in it, that say how much there is to do. Command reads in
// them what it reads in all of it. They are few, however long a script is.
func Telling(args []string) []string {
	c := apart(args)
	words := lastOfEach(slices.DeleteFunc(c.words, saysNothing))
	for _, entry := range lastOfEach(c.calls) {
		name, value, _ := strings.Cut(entry, "=")
		words = append(words, "call({'"+name+"': "+value+"})")
	}
	for _, entry := range lastOfEach(slices.DeleteFunc(c.defaults, saysNothing)) {
		name, value, _ := strings.Cut(entry, "=")
		words = append(words, "import argparse\nadd_argument('--"+name+"', default="+value+")")
	}
	return words
}

// commandLine is one that is taken apart: what it sets, as NAME=VALUE, with what scripts in it call their functions,
// and what options of these are where they are not given.
type commandLine struct{ words, calls, defaults []string }

func apart(args []string) (c commandLine) {
	before := "" // an option, whose value the next word is
	for _, arg := range args {
		arg = strings.ToLower(arg)
		c.calls = append(c.calls, calledWith(arg)...)
		switch {
		case strings.Contains(arg, "\n") && len(arg) <= maxScript:
			words, defaults := inScript(arg)
			c.words, c.defaults, before = append(c.words, words...), append(c.defaults, defaults...), ""
		case len(arg) <= maxPiece:
			for word := range strings.FieldsSeq(arg) {
				c.words, before = join(c.words, before, word)
			}
		}
	}
	c.defaults = slices.DeleteFunc(c.defaults, c.gives)
	return c
}

// gives says that the command gives an option itself, whatever its value is.
func (c *commandLine) gives(option string) bool {
	name, _, _ := strings.Cut(option, "=")
	return slices.ContainsFunc(c.words, func(word string) bool { return strings.HasPrefix(word, "--"+name+"=") })
}

// join adds what a word sets, with the option that stands before it. It gives that which stands before the next one.
func join(words []string, before, word string) (more []string, option string) {
	switch {
	case strings.Contains(word, "="):
		return append(words, word), ""
	case before != "":
		words = append(words, before+"="+word)
	}
	if strings.HasPrefix(word, "-") || isPath(word) {
		return words, word
	}
	return words, ""
}

// planIn is how much there is to do, as settings say; nothing of them, and false, if they say several things.
func planIn(settings []string) (work Work, clear bool) {
	s := seen{command: true}
	for _, each := range settings {
		s.readPlan(each)
	}
	if s.unclear {
		return Work{}, false
	}
	return s.planned.or(s.optional), true
}

// saysNothing says of a setting that it is not one of how much there is to do.
func saysNothing(setting string) bool {
	work, _ := planIn([]string{setting})
	return work == (Work{})
}

// lastOfEach leaves of words that are said several times the last.
func lastOfEach(words []string) (kept []string) {
	known := map[string]bool{}
	for _, word := range slices.Backward(words) {
		if !known[word] {
			known[word] = true
			kept = append(kept, word)
		}
	}
	slices.Reverse(kept)
	return kept
}
