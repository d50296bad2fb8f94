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
	"time"
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

// interruptible leaves work behind that does not end when it is asked to, such as a read from a
// terminal. Work that listens has the time to tidy up.
func interruptible(ctx context.Context, work func(context.Context) error) error {
	const grace = time.Second
	done := make(chan error, 1)
	go func() { done <- work(ctx) }()
	select {
	case err := <-done:
		return err
	case <-ctx.Done():
	}
	select {
	case err := <-done:
		return err
	case <-time.After(grace):
		return ctx.Err()
	}
}

// run is the whole program.
func run(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	root := command()
	root.SetArgs(args)
	root.SetIn(stdin)
	root.SetOut(stdout)
	root.SetErr(stderr)
	err := interruptible(ctx, root.ExecuteContext)
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
