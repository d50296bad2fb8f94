// Command takt-operator resizes training jobs so that they meet their deadlines.
package main

import (
	"context"
	"fmt"
	"io"
	"os"

	ctrl "sigs.k8s.io/controller-runtime"
)

func main() {
	// The first SIGTERM asks everything to come to its end; the second ends the program at once.
	os.Exit(run(ctrl.SetupSignalHandler(), os.Args[1:], os.Stdout, os.Stderr, start))
}

// What the program leaves its caller with.
const (
	exitDone    = 0
	exitFailed  = 1
	exitMisused = 2 // wrong flags or arguments: calling it again like this is of no use
)

// run is the whole program but for its work.
func run(ctx context.Context, args []string, stdout, stderr io.Writer, work starter) int {
	root := command(work)
	root.SetArgs(args)
	root.SetOut(stdout)
	root.SetErr(stderr)
	if err := root.ExecuteContext(ctx); err != nil {
		fmt.Fprintln(stderr, "takt-operator:", err)
		return exitCode(err)
	}
	return exitDone
}
