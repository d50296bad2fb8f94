// Command takt-agent wraps the command of a training pod. It is put there by an init container, and nothing of it is
// in the image of the training.
package main

import (
	"fmt"
	"os"

	"github.com/takt-dev/takt/agent"
	"github.com/takt-dev/takt/agent/install"
	"github.com/takt-dev/takt/agent/process"
	"github.com/takt-dev/takt/version"
)

var usage = `takt-agent install FOLDER                  copies itself to FOLDER/agent
takt-agent exec [--NAME=VALUE…] -- COMMAND ARGS…   starts a training, and follows it
takt-agent --version                         tells which version it is

` + version.OfRelease().Page("agent.md") + ` has the flags.
`

func main() { os.Exit(run(os.Args[1:])) }

func run(args []string) int {
	switch {
	case len(args) > 0 && args[0] == "exec":
		return agent.Exec(agent.Options{
			Args: args[1:], Environment: os.Environ(),
			Files:   process.Outputs{In: os.Stdin, Out: os.Stdout, Err: os.Stderr},
			Printed: newGrammar, First: os.Getpid() == 1,
		})
	case len(args) == 2 && args[0] == "install":
		return installTo(args[1])
	case len(args) == 1 && args[0] == "--version":
		fmt.Println("takt-agent version", version.Of())
		return 0
	}
	fmt.Fprint(os.Stderr, usage)
	return agent.ExitMisused
}

func installTo(folder string) int {
	self, err := os.Executable()
	if err == nil {
		err = install.To(folder, self)
	}
	if err != nil {
		fmt.Fprintf(os.Stderr, "takt-agent: %v\n", err)
		return 1
	}
	return 0
}
