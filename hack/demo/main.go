// Command demo shows what Takt does: five jobs share the GPUs of a real, if small, Kubernetes, and every one whose
// deadline can be met meets it. The nodes are simulated and the trainings are played; the control plane, the
// training-operator, and Takt's operator and scheduler are the real programs. With -real, four jobs train with
// PyTorch on real nodes, under all of these and Takt's agent.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"github.com/go-logr/logr"
	"golang.org/x/sync/errgroup"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
	"k8s.io/klog/v2"
	ctrllog "sigs.k8s.io/controller-runtime/pkg/log"

	"github.com/takt-dev/takt/cli/show"
	"github.com/takt-dev/takt/e2e/lib/cluster"
	"github.com/takt-dev/takt/e2e/lib/training"
)

// What the program leaves its caller with.
const (
	exitMet         = 0
	exitMissed      = 1 // a deadline that could be met, or the demo could not be shown
	exitInterrupted = 130
)

func main() {
	if len(os.Args) == 5 && os.Args[1] == "backstage" {
		if err := backstage(os.Args[2], os.Args[3], os.Args[4] == "true"); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	operator := flag.String("operator", "bin/takt-operator", "the operator to run")
	folder := flag.String("page", "",
		"the `folder` to leave the operator's web page in, as it is at the end; empty for nowhere")
	real := flag.Bool("real", false, "train with PyTorch on real nodes, which needs root")
	flag.Parse()
	of := simulated
	if *real {
		if lacks := cluster.LacksRealTraining(); lacks != "" {
			fmt.Fprintf(os.Stderr, "demo: there is no real training on this machine: %s\nWithout DEMO_REAL it shows Takt "+
				"on simulated nodes.\n", strings.TrimSpace(lacks))
			os.Exit(exitMissed)
		}
		of = trained
	}
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP)
	context.AfterFunc(ctx, stop) // a second Ctrl-C ends the program at once; everything is taken down all the same
	// What the libraries log about a cluster that is taken down would be in the way.
	klog.SetLogger(logr.Discard())
	ctrllog.SetLogger(logr.Discard())
	os.Exit(run(ctx, show.NewScreen(os.Stdout), of, *operator, *folder))
}

// run shows the demo, and takes everything down whatever comes of it.
func run(ctx context.Context, screen *show.Screen, of story, operator, folder string) int {
	behind, isReady, err := begin(operator, of.real)
	if err != nil {
		fmt.Fprintln(os.Stderr, "demo:", err)
		return exitMissed
	}
	screen.Say("Starting etcd, kube-apiserver, training-operator, and Takt's operator and scheduler,", "for "+of.on+".")
	code, err := play(ctx, screen, of, behind, isReady, folder)
	switch {
	case err == nil:
	case ctx.Err() != nil:
		screen.Say("", "Interrupted.")
		code = exitInterrupted
	default:
		screen.Say("", "The demo cannot go on.")
		fmt.Fprintln(os.Stderr, "demo:", err)
		code = exitMissed
	}
	screen.Say("", "Taking the cluster down.")
	if left := behind.stop(); left != nil && err == nil {
		fmt.Fprintln(os.Stderr, "demo:", left)
		return exitMissed
	}
	return code
}

// play plays the story on a cluster that is about to be ready.
func play(ctx context.Context, screen *show.Screen, of story, behind *behind, isReady <-chan struct{},
	folder string) (code int, err error) {
	begun := time.Now()
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	context.AfterFunc(behind.ended, func() { cancel(context.Cause(behind.ended)) })
	select {
	case <-ctx.Done():
		return exitMissed, context.Cause(ctx)
	case <-isReady:
		screen.Say(fmt.Sprintf("They were ready after %s.", brief(time.Since(begun))))
	}
	config, err := clientcmd.BuildConfigFromFlags("", behind.kubeconfig())
	if err != nil {
		return exitMissed, err
	}
	config.QPS = -1
	both, playing := errgroup.WithContext(ctx)
	playing, end := context.WithCancel(playing)
	defer end()
	complaint := make(chan error, 1) // the first of the trainings, should it be of use
	both.Go(func() error {
		if of.real { // the nodes do it
			return nil
		}
		return train(playing, config, complaint)
	})
	both.Go(func() error {
		defer end()
		seen, err := watch(playing, config)
		if err != nil {
			return err
		}
		code, err = seen.follow(playing, screen, of, behind.kubeconfig())
		if err != nil || folder == "" {
			return err
		}
		if err := keepPages(playing, seen.client, of.parts, behind.page, folder); err != nil {
			return err
		}
		screen.Say("", "What the operator's web page shows at the end is in "+filepath.Join(folder, fleet)+".")
		return nil
	})
	err = both.Wait()
	if ctx.Err() != nil {
		err = context.Cause(ctx)
	}
	select {
	case c := <-complaint:
		if err != nil || code != exitMet {
			err = errors.Join(err, c)
		}
	default:
	}
	return code, err
}

// train plays the trainings. Of what they complain of, as much is kept as there is room for.
func train(ctx context.Context, config *rest.Config, complaint chan<- error) error {
	return training.Run(ctx, config, training.Options{Namespace: namespace, Every: 500 * time.Millisecond,
		Complain: func(err error) {
			select {
			case complaint <- err:
			default:
			}
		}})
}
