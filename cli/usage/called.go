package usage

import (
	"regexp"
	"strings"
)

// program is how people call this one, and calls finds where a text tells them to, with what is before it where it has
// its name already, or is that of an image.
var (
	program = "takt"
	calls   *regexp.Regexp
)

// CalledAs says how people call the program, and what its commands are. It is called before any text is shown.
func CalledAs(name string, commands []string) {
	program = name
	calls = regexp.MustCompile(`(kubectl |/)?\btakt\s+(` + strings.Join(commands, "|") + `)\b`)
}

// Called is a text for people in which the commands that they are told to type begin as they call the program: a plugin
// of kubectl is not found under its own name.
func Called(text string) string {
	if calls == nil || program == "takt" {
		return text
	}
	return calls.ReplaceAllStringFunc(text, func(call string) string {
		if rest, found := strings.CutPrefix(call, "takt"); found {
			return program + rest
		}
		return call
	})
}
