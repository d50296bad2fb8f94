package usage

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// MisuseError is a mistake in how the program was called.
type MisuseError struct{ sentence string }

func (e *MisuseError) Error() string { return e.sentence }

// Misuse says what is wrong with a call, and what to write instead.
func Misuse(format string, args ...any) error { return &MisuseError{fmt.Sprintf(format, args...)} }

// NoArguments is for commands that take flags alone.
func NoArguments(cmd *cobra.Command, args []string) error {
	if len(args) > 0 {
		return Misuse("%q belongs to no flag: see %s --help", args[0], cmd.CommandPath())
	}
	return nil
}

// Explain says what is wrong with a flag in a sentence that names it, its value and what is allowed.
func Explain(cmd *cobra.Command, err error) error {
	if wrong, ok := errors.AsType[*pflag.InvalidValueError](err); ok {
		allowed := errors.Unwrap(wrong)
		if wrong.GetFlag().Value.Type() == "bool" {
			allowed = errors.New("it must be true or false")
		}
		return Misuse("--%s is %q: %v", wrong.GetFlag().Name, wrong.GetValue(), allowed)
	}
	if unknown, ok := errors.AsType[*pflag.NotExistError](err); ok {
		flag := "--" + unknown.GetSpecifiedName()
		if unknown.GetSpecifiedShortnames() != "" {
			flag = "-" + unknown.GetSpecifiedName()
		}
		return Misuse("there is no flag %s: see %s --help", flag, cmd.CommandPath())
	}
	if missing, ok := errors.AsType[*pflag.ValueRequiredError](err); ok {
		return Misuse("--%s needs a value: %s", missing.GetFlag().Name, missing.GetFlag().Usage)
	}
	return Misuse("%v", err)
}

// ErrFound is that of a command which has done its work, and found that something is broken. All is said already.
var ErrFound = errors.New("something is broken")
