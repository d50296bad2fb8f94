// Command machine is the first process of a real node, and the parent of each program that runs on it.
package main

import (
	"errors"
	"fmt"
	"os"

	"github.com/takt-dev/takt/localcluster/machine"
)

func main() {
	code, err := run(os.Args[1:])
	if err != nil {
		fmt.Fprintln(os.Stderr, "machine:", err)
		code = 1
	}
	os.Exit(code)
}

func run(args []string) (int, error) {
	switch {
	case len(args) == 2 && args[0] == "enter":
		return 0, machine.Enter(args[1])
	case len(args) == 2 && args[0] == "boot":
		return 0, machine.Boot(args[1])
	case len(args) >= 3 && args[0] == "run":
		return machine.Run(args[1], args[2], args[3:])
	}
	return 0, errors.New("localcluster calls it: enter SPEC, boot SPEC, or run NAME PROGRAM ARGUMENTS")
}
