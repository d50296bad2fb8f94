// Command localcluster runs a real Kubernetes control plane on one machine.
package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"github.com/takt-dev/takt/localcluster"
)

func main() {
	// A reader of the output that goes away is no reason to die half way through a start.
	signal.Ignore(syscall.SIGPIPE)
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP)
	context.AfterFunc(ctx, stop) // a second Ctrl-C ends the program at once
	code := run(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr)
	stop()
	os.Exit(code)
}

// run is the whole program, and gives its exit code.
func run(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	root := command()
	root.SetArgs(args)
	root.SetIn(stdin)
	root.SetOut(stdout)
	root.SetErr(stderr)
	if err := root.ExecuteContext(ctx); err != nil {
		fmt.Fprintln(stderr, "localcluster:", err)
		return 1
	}
	return 0
}

func command() *cobra.Command {
	root := &cobra.Command{
		Use:   "localcluster",
		Short: "A real Kubernetes control plane on one machine, with simulated GPU nodes",
		Long: `A real Kubernetes control plane on one machine, without Docker and without root:
etcd, kube-apiserver, kube-controller-manager, kube-scheduler and Kubeflow's
training-operator as ordinary processes on loopback, and simulated GPU nodes. With
root there can be real nodes beside them: kubelet and containerd, for real pods.`,
		SilenceUsage:      true,
		SilenceErrors:     true,
		CompletionOptions: cobra.CompletionOptions{HiddenDefaultCmd: true},
	}
	folder := root.PersistentFlags().String("dir", ".localcluster",
		"folder of the cluster: its settings, keys, logs and data")
	in := func(cmd *cobra.Command) (*localcluster.Cluster, error) {
		return localcluster.In(*folder, cmd.OutOrStdout())
	}
	root.AddCommand(up(in), down(in), status(in), logs(in), kill(in), restart(in), imageCommand(in),
		loadCommand(in), check(in))
	return root
}

// opener gives the cluster that a command is about.
type opener func(*cobra.Command) (*localcluster.Cluster, error)

// run is a command that does one thing with its cluster.
func (in opener) run(do func(context.Context, *localcluster.Cluster, []string) error) func(*cobra.Command,
	[]string) error {
	return func(cmd *cobra.Command, args []string) error {
		cluster, err := in(cmd)
		if err != nil {
			return err
		}
		return do(cmd.Context(), cluster, args)
	}
}

func down(in opener) *cobra.Command {
	return &cobra.Command{
		Use:   "down",
		Short: "Stop the cluster; its folder keeps the logs and the data",
		Args:  cobra.NoArgs,
		RunE: in.run(func(_ context.Context, c *localcluster.Cluster, _ []string) error {
			return c.Down()
		}),
	}
}

func status(in opener) *cobra.Command {
	return &cobra.Command{
		Use:   "status",
		Short: "Show what runs; fails unless everything is ready",
		Args:  cobra.NoArgs,
		RunE: in.run(func(ctx context.Context, c *localcluster.Cluster, _ []string) error {
			return c.Status(ctx)
		}),
	}
}

func logs(in opener) *cobra.Command {
	return componentCommand(in, "logs", "Print what a component has printed",
		func(_ context.Context, c *localcluster.Cluster, name string) error {
			return c.Logs(name)
		})
}

func kill(in opener) *cobra.Command {
	return componentCommand(in, "kill", "End a component at once, as a crash would",
		func(_ context.Context, c *localcluster.Cluster, name string) error {
			return c.Kill(name)
		})
}

func restart(in opener) *cobra.Command {
	return componentCommand(in, "restart", "Stop a component if it runs, start it and wait until it is ready",
		func(ctx context.Context, c *localcluster.Cluster, name string) error {
			ctx, cancel := context.WithTimeout(ctx, time.Minute)
			defer cancel()
			return c.Restart(ctx, name)
		})
}

func componentCommand(in opener, name, short string,
	do func(context.Context, *localcluster.Cluster, string) error) *cobra.Command {
	return &cobra.Command{
		Use:       name + " COMPONENT",
		Short:     short,
		Long:      short + ".\n\nComponents:\n" + componentList(),
		ValidArgs: localcluster.Components,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 {
				return fmt.Errorf("give one component:\n%s", componentList())
			}
			return nil
		},
		RunE: in.run(func(ctx context.Context, c *localcluster.Cluster, args []string) error {
			return do(ctx, c, args[0])
		}),
	}
}

func componentList() string {
	return "  " + strings.Join(localcluster.Components, "\n  ") +
		"\nand with real nodes\n  coredns\n  machine-0, containerd-0, kubelet-0, kube-proxy-0, and so on; machine-0 is " +
		"the node itself"
}
