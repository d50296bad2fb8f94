package removal

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/takt-dev/takt/elastic"
	"github.com/takt-dev/takt/operator/installed"
)

// Options say how Takt is removed.
type Options struct {
	// Namespace is where the operator runs, and Name that of its Deployment and of its lease.
	Namespace, Name string
	// DryRun changes nothing, and says what would be done.
	DryRun bool
	// Within bounds all of it.
	Within time.Duration
	// Say is told what is done, a line at a time.
	Say io.Writer
	// Now and Pause are the clock, and how it is waited for. Absent: those of the machine.
	Now   func() time.Time
	Pause func(context.Context, time.Duration) error
}

// remover takes Takt out of a cluster.
type remover struct {
	Options
	client client.Client
	done   int // writes of this pass
	found  int // what a dry run has found to do
	// bound are jobs and others that name Takt's scheduler, and that only people can change.
	bound []string
}

// between is how long to wait before looking again.
const between = time.Second

// Run removes Takt. It returns once nothing is left to be done, or an error that says what is in the way.
func Run(ctx context.Context, c client.Client, o Options) error {
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Pause == nil {
		o.Pause = installed.Pause
	}
	r := &remover{Options: o, client: c}
	ctx, cancel := context.WithTimeout(ctx, o.Within)
	defer cancel()
	if err := r.admission(ctx); err != nil {
		return err
	}
	if err := r.operator(ctx); err != nil {
		return err
	}
	for {
		r.done = 0
		err := r.sweep(ctx)
		switch {
		case o.DryRun && err == nil && r.found+len(r.bound) == 0:
			r.say("Nothing waits for Takt: there is nothing to do.")
			return nil
		case o.DryRun:
			return err
		case err == nil && r.done == 0:
			if n := len(r.bound); n > 0 {
				r.say("Before you delete %s, mind what is said above of those that name it: %d.", schedulerName, n)
			}
			r.say("Nothing waits for Takt any more. Now take away the rest of it: kubectl delete -k, with the folder that it " +
				"was installed from.")
			return nil
		}
		if late := o.Pause(ctx, between); late != nil {
			late = r.waitFailed(late, "not all is done%s: call this again to go on")
			return errors.Join(late, err)
		}
	}
}

// sweep lets go of all that there is. What comes up meanwhile is for the next one.
func (r *remover) sweep(ctx context.Context) error {
	jobs, err := r.jobs(ctx)
	return errors.Join(err, r.pods(ctx, jobs), r.named(ctx, jobs), r.records(ctx, jobs))
}

// waitFailed is an error of a wait, in a sentence that has room for how long it was. That its time was over, the
// sentence says; somebody may have ended it before.
func (r *remover) waitFailed(err error, format string, args ...any) error {
	if errors.Is(err, context.DeadlineExceeded) {
		return fmt.Errorf(format, append([]any{" after " + elastic.Shorten(elastic.Seconds(r.Within.Seconds()))}, args...)...)
	}
	return fmt.Errorf("%w: %w", fmt.Errorf(format, append([]any{""}, args...)...), err)
}

// do makes a write, unless nothing is to be changed, and says so. What is gone already needs none.
func (r *remover) do(write func() error, format string, args ...any) error {
	what := fmt.Sprintf(format, args...)
	if r.DryRun {
		r.found++
		r.say("Would: %s", what)
		return nil
	}
	if err := write(); apierrors.IsNotFound(err) {
		return nil
	} else if err != nil {
		return fmt.Errorf("%s: %w", what, err)
	}
	r.done++
	r.say("%s", what)
	return nil
}

func (r *remover) say(format string, args ...any) { fmt.Fprintf(r.Say, format+"\n", args...) }

// remove deletes an object, that one and no later one of its name.
func (r *remover) remove(ctx context.Context, object client.Object, format string, args ...any) error {
	uid := object.GetUID()
	return r.do(func() error {
		return r.client.Delete(ctx, object, client.Preconditions{UID: &uid})
	}, format, args...)
}

// notThere is of a kind that the cluster does not know: then there is none of it.
func notThere(err error) bool { return meta.IsNoMatchError(err) || client.IgnoreNotFound(err) == nil }
