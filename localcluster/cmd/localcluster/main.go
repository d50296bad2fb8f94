// Command localcluster runs a real Kubernetes control plane on one machine.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

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

func up(in opener) *cobra.Command {
	options := localcluster.DefaultOptions()
	var detach, untilEOF bool
	var timeout time.Duration
	cmd := &cobra.Command{
		Use:   "up",
		Short: "Start a cluster and wait until it is ready",
		Long: `Start a cluster and wait until it is ready. It is taken down again with Ctrl-C, or,
with --detach, with localcluster down. A cluster that was taken down comes back
with all its objects, and as it was last asked to be where no flag says otherwise.`,
		Example: `  localcluster up --detach --nodes 16 --racks 4
  export KUBECONFIG=$PWD/.localcluster/kubeconfig
  kubectl get nodes`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if detach && untilEOF {
				return errors.New("give --detach or --until-stdin-closes, not both")
			}
			if timeout <= 0 {
				return fmt.Errorf("--timeout is %s: give a duration such as 2m", timeout)
			}
			cluster, err := in(cmd)
			if err != nil {
				return err
			}
			if err := rememberOptions(cmd.Flags(), &options, cluster); err != nil {
				return err
			}
			using := cmd.Context()
			if untilEOF {
				using = untilClosed(using, cmd.InOrStdin())
			}
			starting, cancel := context.WithTimeout(using, timeout)
			defer cancel()
			err = cluster.Up(starting, options)
			switch {
			case err != nil && using.Err() != nil:
				return fmt.Errorf("the start was interrupted: %w", err)
			case err != nil && starting.Err() != nil:
				return fmt.Errorf("not ready within --timeout %s: %w", timeout, err)
			case err != nil:
				return err
			}
			fmt.Fprintf(cmd.OutOrStdout(), "\nThe cluster is ready. Use it with\n  export KUBECONFIG=%s\n", cluster.Kubeconfig())
			if detach {
				fmt.Fprintf(cmd.OutOrStdout(), "and take it down with\n  localcluster down --dir %s\n", cluster.Folder())
				return nil
			}
			fmt.Fprintln(cmd.OutOrStdout(), "and take it down with Ctrl-C.")
			if cluster.WaitUntilDown(using) {
				fmt.Fprintln(cmd.OutOrStdout(), "The cluster was taken down by another command.")
				return nil
			}
			return cluster.Down()
		},
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	flags.IntVar(&options.Nodes, "nodes", options.Nodes, "number of simulated GPU nodes")
	flags.IntVar(&options.Kubelets, "kubelets", options.Kubelets,
		"number of real nodes beside them, with kubelet and containerd; needs root")
	flags.IntVar(&options.GPUsPerNode, "gpus-per-node", options.GPUsPerNode, "GPUs of each node")
	flags.StringVar(&options.GPUProduct, "gpu-product", options.GPUProduct,
		"kind of GPU, as the label nvidia.com/gpu.product says it")
	flags.IntVar(&options.Racks, "racks", options.Racks, "number of racks that the nodes stand in")
	flags.IntVar(&options.Zones, "zones", options.Zones, "number of zones that the racks stand in")
	flags.StringVar(&options.Scheduler, "scheduler", "", "binary to run in the place of kube-scheduler")
	flags.StringVar(&options.SchedulerConfig, "scheduler-config", "",
		"KubeSchedulerConfiguration file; how to reach the API server is filled in")
	flags.StringVar(&options.FeatureGates, "feature-gates", "",
		"feature gates of Kubernetes, for all its components, such as A=true,B=false")
	flags.StringVar(&options.RuntimeConfig, "runtime-config", "",
		"APIs that kube-apiserver serves or not, such as scheduling.k8s.io/v1beta1=true")
	flags.BoolVar(&detach, "detach", false, "return once the cluster is ready, and leave it running")
	flags.BoolVar(&untilEOF, "until-stdin-closes", false,
		"take the cluster down when standard input closes, so that it cannot outlive its user")
	flags.DurationVar(&timeout, "timeout", 2*time.Minute, "how long the start may take")
	return cmd
}

// rememberOptions fills in what was not given from what the cluster was last asked to be.
func rememberOptions(flags *pflag.FlagSet, options *localcluster.Options, cluster *localcluster.Cluster) error {
	last, err := cluster.Options()
	if err != nil {
		return err
	}
	given := map[string]string{}
	flags.Visit(func(flag *pflag.Flag) { given[flag.Name] = flag.Value.String() })
	*options = last
	for name, value := range given {
		if err := flags.Set(name, value); err != nil {
			return err
		}
	}
	return nil
}

// untilClosed is done when ctx is, or when the other end of the input is gone.
func untilClosed(ctx context.Context, input io.Reader) context.Context {
	ctx, cancel := context.WithCancel(ctx)
	go func() {
		_, _ = io.Copy(io.Discard, input)
		cancel()
	}()
	return ctx
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
