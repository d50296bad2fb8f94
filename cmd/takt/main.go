// Command takt asks the planner, the simulator and the predictor on a desk, without a cluster.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // a second Ctrl-C ends the program at once
	os.Exit(run(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}

// What the program leaves its caller with.
const (
	exitDone        = 0
	exitFailed      = 1
	exitMisused     = 2   // wrong flags or arguments: calling it again like this is of no use
	exitInterrupted = 130 // as shells have it for Ctrl-C
)

// run is the whole program.
func run(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	root := command()
	root.SetArgs(args)
	root.SetIn(stdin)
	root.SetOut(stdout)
	root.SetErr(stderr)
	err := root.ExecuteContext(ctx)
	if err == nil {
		return exitDone
	}
	if ctx.Err() != nil && errors.Is(err, ctx.Err()) {
		fmt.Fprintln(stderr, "takt: interrupted")
		return exitInterrupted
	}
	fmt.Fprintln(stderr, "takt:", err)
	if _, misused := errors.AsType[*misuseError](err); misused {
		return exitMisused
	}
	return exitFailed
}
