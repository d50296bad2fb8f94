package settings

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// ErrNoCommand says that there is nothing to wrap.
var ErrNoCommand = errors.New("there is no command to wrap: write takt-agent exec -- COMMAND ARGS…; " +
	"the template of the pods must say its command, as the agent does not know that of the image")

// Split takes the flags of exec from the command that it wraps. A flag that nobody knows is named: it may be
// known to another version, and is no reason not to train.
func Split(args []string) (flags map[string]string, command []string, unknown []error, err error) {
	flags = map[string]string{}
	for i, word := range args {
		if word == "--" {
			command = args[i+1:]
			break
		}
		name, isFlag := strings.CutPrefix(word, "--")
		if !isFlag {
			command = args[i:]
			break
		}
		name, value, _ := strings.Cut(name, "=")
		if !slices.ContainsFunc(all, func(s setting) bool { return s.name == name }) {
			unknown = append(unknown, fmt.Errorf("nobody knows the flag --%s, which is left out; write --NAME=VALUE", name))
			continue
		}
		flags[name] = value
	}
	if len(command) == 0 || command[0] == "" {
		return nil, nil, unknown, ErrNoCommand
	}
	return flags, command, unknown, nil
}
