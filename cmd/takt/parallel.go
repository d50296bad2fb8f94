package main

import (
	"context"
	"runtime"
	"sync"
)

// inParallel does n tasks, as many at once as there are processors, and the first of them first.
// It returns the error of the first task that has one, in the order of the tasks. When the context
// ends it returns at once: tasks under way are left to end by themselves, and what they find is
// not to be used.
func inParallel(ctx context.Context, n int, do func(i int) error) error {
	errs := make([]error, n)
	next := make(chan int)
	done := make(chan struct{})
	var workers sync.WaitGroup
	for range min(n, runtime.GOMAXPROCS(0)) {
		workers.Go(func() {
			for i := range next {
				errs[i] = do(i)
			}
		})
	}
	go func() {
		defer close(done)
		defer workers.Wait()
		defer close(next)
		for i := range n {
			select {
			case next <- i:
			case <-ctx.Done():
				return
			}
		}
	}()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-done:
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}
