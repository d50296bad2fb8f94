package printed

import (
	"slices"
	"strings"
)

// Command is how much there is to do, as the options of a command line say: nothing if they say several things, such as
// of two programs.
func Command(args []string) Work {
	words, calls := apart(args)
	return planIn(calls).or(planIn(words)).withMore()
}

// Started is how much a program was started for: as its command says, or else variables of its environment, such as
// EPOCHS=30.
func Started(command, environment []string) Work {
	if work := Command(command); work != (Work{}) {
		return work
	}
	return Command(environment)
}

// Telling are the words of a command line, and of the scripts in it, that say how much there is to do. Command reads in
// them what it reads in all of it. They are few, however long a script is.
func Telling(args []string) []string {
	words, calls := apart(args)
	words = lastOfEach(slices.DeleteFunc(words, saysNothing))
	for _, entry := range lastOfEach(calls) {
		name, value, _ := strings.Cut(entry, "=")
		words = append(words, "call({'"+name+"': "+value+"})")
	}
	return words
}

// apart takes a command line apart: what it sets, as NAME=VALUE, and with what scripts in it call their functions.
func apart(args []string) (words, calls []string) {
	before := "" // an option, whose value the next word is
	for _, arg := range args {
		arg = strings.ToLower(arg)
		calls = append(calls, calledWith(arg)...)
		switch {
		case strings.Contains(arg, "\n") && len(arg) <= maxScript:
			words, before = append(words, inScript(arg)...), ""
		case len(arg) <= maxPiece:
			for word := range strings.FieldsSeq(arg) {
				words, before = join(words, before, word)
			}
		}
	}
	return words, calls
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

// planIn is how much there is to do, as settings say; nothing of them if they say several things.
func planIn(settings []string) Work {
	s := seen{command: true}
	for _, each := range settings {
		s.readPlan(each)
	}
	if s.unclear {
		return Work{}
	}
	return s.planned.or(s.optional)
}

// saysNothing says of a setting that it is not one of how much there is to do.
func saysNothing(setting string) bool {
	return !strings.ContainsAny(setting, "123456789") || planIn([]string{setting}) == (Work{})
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
