// Command takt shows the jobs of a cluster and says why they are as they are; and it asks the planner, the simulator
// and the predictor on a desk, without a cluster. As kubectl-takt it is a plugin of kubectl.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"time"

	utilruntime "k8s.io/apimachinery/pkg/util/runtime"

	"github.com/takt-dev/takt/cli/usage"
)

func main() {
	leaveUnsaid()
	name, before := calledAs(os.Args[0])
	os.Exit(run(untilSignalled(), name, slices.Concat(before, os.Args[1:]), os.Stdin, os.Stdout, os.Stderr))
}

// leaveUnsaid has client-go write nothing of errors that it can give to nobody, such as of a connection that is closed
// once the answer is there: what matters of them comes back from the call.
func leaveUnsaid() { utilruntime.ErrorHandlers = nil }

// What the program leaves its caller with.
const (
	exitDone        = 0
	exitFailed      = 1
	exitMisused     = 2   // wrong flags or arguments: calling it again like this is of no use
	exitFound       = 3   // the doctor has found something that is broken
	exitInterrupted = 130 // as shells have it for Ctrl-C
	exitTerminated  = 143 // as they have it for SIGTERM
)

// interruptible lets work tidy up that is interrupted, and leaves it behind where it does not end even then. The time
// is long, since what the program ends with must not depend on how much else the machine has to do.
func interruptible(ctx context.Context, work func(context.Context) error) error {
	const grace = 10 * time.Second
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

// interruptedInput is an input that ends with the error of its context, also while a read waits for a person to type.
type interruptedInput struct {
	ctx context.Context //nolint:containedctx // a Reader is given none
	io.Reader
}

func (i interruptedInput) Read(p []byte) (int, error) {
	type answer struct {
		text []byte
		err  error
	}
	read := make(chan answer, 1)
	go func() {
		text := make([]byte, len(p)) // p is the caller's again once this has returned
		n, err := i.Reader.Read(text)
		read <- answer{text[:n], err}
	}()
	select {
	case got := <-read:
		return copy(p, got.text), got.err
	case <-i.ctx.Done():
		return 0, i.ctx.Err()
	}
}

// run is the whole program.
func run(ctx context.Context, name string, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	root := command(name)
	root.SetArgs(args)
	root.SetIn(interruptedInput{ctx, stdin})
	root.SetOut(stdout)
	root.SetErr(stderr)
	strict(root)
	err := interruptible(ctx, root.ExecuteContext)
	if err == nil {
		return exitDone
	}
	if errors.Is(err, usage.ErrFound) {
		return exitFound
	}
	if ctx.Err() != nil && errors.Is(err, ctx.Err()) {
		fmt.Fprintln(stderr, "takt: interrupted")
		return exitSignalled(ctx)
	}
	fmt.Fprintln(stderr, "takt:", usage.Called(err.Error()))
	if _, misused := errors.AsType[*usage.MisuseError](err); misused {
		return exitMisused
	}
	return exitFailed
}
