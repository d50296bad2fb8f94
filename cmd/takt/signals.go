package main

import (
	"context"
	"errors"
	"os"
	"os/signal"
	"syscall"
)

// terminatedError is why a context ends once the program was told to end, other than by Ctrl-C.
type terminatedError struct{}

func (terminatedError) Error() string { return "SIGTERM" }

// untilSignalled is a context that ends with Ctrl-C, or once the program is told to end. A second signal ends the
// program at once.
func untilSignalled() context.Context {
	ctx, end := context.WithCancelCause(context.Background())
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, syscall.SIGINT, syscall.SIGTERM)
	go func() {
		got := <-signals
		signal.Stop(signals)
		if got == syscall.SIGTERM {
			end(terminatedError{})
		}
		end(nil)
	}()
	return ctx
}

// exitSignalled is what shells have for a program that a signal has ended.
func exitSignalled(ctx context.Context) int {
	if _, told := errors.AsType[terminatedError](context.Cause(ctx)); told {
		return exitTerminated
	}
	return exitInterrupted
}
