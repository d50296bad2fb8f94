package printed

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// maxScript is how long a script in a command line is at most that is read as a whole. Of a longer one, what it calls
// at its end is read.
const maxScript = 64 << 10

// call is a line of a script that calls a function with a dictionary, as the SDK of Kubeflow writes it below a function
// that it was given; argument is an entry of that dictionary.
var (
	call     = regexp.MustCompile(`(?m)^[ \t]*[a-z_][a-z0-9_.]*\((?:\*\*)?\{(.*)\}\)[ \t]*$`)
	argument = regexp.MustCompile(`['"]([a-z][a-z0-9_]*)['"]: ?([0-9]+)\b`)
)

// calledWith is what a script calls its functions with: this counts, and not what they do where they are told nothing.
func calledWith(script string) (entries []string) {
	if !strings.Contains(script, "({") && !strings.Contains(script, "(**{") {
		return nil
	}
	script = script[max(0, len(script)-maxPiece):]
	for _, line := range call.FindAllStringSubmatch(script, -1) {
		for _, entry := range argument.FindAllStringSubmatch(line[1], -1) {
			if entry := entry[1] + "=" + entry[2]; !saysNothing(entry) {
				entries = append(entries, entry)
			}
		}
	}
	return entries
}

// python is a line that nobody would write in a shell, and epochLoop a loop over epochs. It may say how many there are,
// from the first on.
var (
	python    = regexp.MustCompile(`(?m)^[ \t]*(?:import [a-z_]|from [a-z_.]+ import |def [a-z_]|for [a-z_]+ in range\()`)
	epochLoop = regexp.MustCompile(`^[ \t]*for [a-z_]*epoch[a-z_]* in ` +
		`(?:(?:tqdm\()?t?range\((?:([01]), *)?([0-9]+)( *\+ *1)?(?:\)|, *[a-z]))?`)
	wholeNumber = regexp.MustCompile(`^ *[0-9][0-9_]* *$`)
)

// source is a script that is read from its first line to its last.
type source struct {
	words    []string
	before   string // an option at the end of what was read
	python   bool   // it is in Python,
	episodic bool   // and plays games, which have steps of their own
	loops    int    // over epochs
	open     []string
	ofLoop   string   // how many epochs the loop has
	option   string   // that is described at present,
	defaults []string // and what options are that are not given
}

// inScript is what a script sets. In Python these are variables and arguments that say how much is trained. What such a
// script says of epochs is not known to be of all of them where it has several loops over epochs.
func inScript(script string) (words, defaults []string) {
	s := source{python: python.MatchString(script), episodic: strings.Contains(script, "episode")}
	for line := range strings.Lines(script) {
		if line = withoutComment(line); len(line) <= maxPiece {
			s.read(strings.TrimRight(line, "\n"))
		}
	}
	if s.ofLoop != "" {
		s.words = append(s.words, s.ofLoop)
	}
	if s.loops > 1 {
		s.words, s.defaults = slices.DeleteFunc(s.words, saysEpochs), slices.DeleteFunc(s.defaults, saysEpochs)
	}
	return s.words, s.defaults
}

// saysEpochs says of what a script sets, and not of an option that it is given, that it is a number of epochs.
func saysEpochs(setting string) bool {
	work, _ := planIn([]string{setting})
	return work.Epochs > 0 && !strings.HasPrefix(setting, "-")
}

// withoutComment cuts off the comment at the end of a line.
func withoutComment(line string) string {
	if strings.HasPrefix(strings.TrimLeft(line, " \t"), "#") {
		return ""
	}
	line, _, _ = strings.Cut(line, " # ")
	return line
}

func (s *source) read(line string) {
	if s.python {
		line = strings.ReplaceAll(line, ": int = ", "=")
		line = strings.Replace(line, "def ", "function_", 1)
	}
	if strings.Contains(line, "epoch") && strings.Contains(line, "for ") {
		if match := epochLoop.FindStringSubmatch(line); match != nil {
			s.loops++
			s.ofLoop = epochsOf(match[1], match[2], match[3] != "")
			return
		}
	}
	if name, value, ok := strings.Cut(line, " = "); ok && len(s.open) == 0 && wholeNumber.MatchString(value) {
		s.set(strings.TrimSpace(name) + "=" + strings.ReplaceAll(value, "_", ""))
		return
	}
	for word := range strings.FieldsSeq(line) {
		from := len(s.words)
		s.words, s.before = join(s.words, s.before, word)
		said := s.words[from:]
		switch {
		case !s.python:
		case len(said) > 0 && !strings.HasPrefix(said[0], "-"):
			s.words = s.words[:from]
			s.readCode(word)
		default:
			s.nest(word)
			s.describe(word)
		}
	}
}

// describes is how the name of what is called ends that describes an option.
const describes = "add_argument"

// describe takes the name of an option that is described.
func (s *source) describe(word string) {
	_, name, ok := strings.Cut(word, "--")
	if in := s.within(); ok && strings.HasSuffix(in, describes) {
		s.option = name[:len(name)-len(strings.TrimLeft(name, "abcdefghijklmnopqrstuvwxyz0123456789_-"))]
	}
}

// within is the name of what is called at present.
func (s *source) within() string {
	if len(s.open) == 0 {
		return ""
	}
	return s.open[len(s.open)-1]
}

// readCode reads a word of Python, which may open calls and close them.
func (s *source) readCode(word string) {
	sign := strings.IndexByte(word, '=')
	s.nest(word[:max(sign, 0)])
	if name := word[strings.LastIndexAny(word[:max(sign, 0)], "(,")+1:]; sign > 0 {
		s.set(name)
	}
	s.nest(word[max(sign, 0):])
}

// set adds what a variable or an argument is set to, unless it is one of another matter than how much is trained.
func (s *source) set(setting string) {
	name := setting[:strings.IndexByte(setting, '=')]
	name = name[strings.LastIndexByte(name, '.')+1:]
	in := s.within()
	steps := settings[name] == planSteps && !strings.Contains(name, "train")
	switch {
	case name == "default" && strings.HasSuffix(in, describes):
		option := s.option + setting[len(name):]
		if work, _ := planIn([]string{option}); work.Steps == 0 || !s.episodic {
			s.defaults = append(s.defaults, option)
		}
	case options[name] != noPlan, anyOf(in, asides), anyOf(in, feeders):
	case steps && (s.episodic || in != "" && !trains(in)):
	default:
		s.words = append(s.words, setting)
		if settings[name] == planEpochs && !strings.HasPrefix(in, "function_") &&
			(strings.HasSuffix(in, "fit") || strings.HasSuffix(in, "train")) {
			s.loops++ // within what is called
		}
	}
}

// feeders are words in the name of what gives examples, as long as it is told to.
var feeders = wordList("input producer dataset repeat loader dataloader")

// trains says of the name of what is called that it trains, or holds settings.
func trains(name string) bool {
	return strings.Contains(name, "train") || strings.Contains(name, "fit") || strings.HasPrefix(name, "function_") ||
		slices.ContainsFunc(holders, func(end string) bool { return strings.HasSuffix(name, end) })
}

// nest follows which calls a text opens and closes.
func (s *source) nest(text string) {
	const deepest = 32
	for i := range len(text) {
		switch text[i] {
		case '(':
			name := text[:i]
			s.open = append(s.open, name[strings.LastIndexAny(name, "(,=")+1:])
		case ')':
			s.open = s.open[:max(0, len(s.open)-1)]
		}
	}
	if len(s.open) > deepest {
		s.open = s.open[:0]
	}
}

// epochsOf is how many epochs a loop has, as a setting; nothing where it does not say it in numbers.
func epochsOf(first, end string, oneMore bool) string {
	last, ok := number(end)
	if !ok {
		return ""
	}
	if oneMore {
		last++
	}
	if first == "1" {
		last--
	}
	return "epochs=" + strconv.Itoa(int(last))
}
