package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/takt-dev/takt/localcluster"
)

// upCall is what one call of localcluster up asks for.
type upCall struct {
	options          localcluster.Options
	detach, untilEOF bool
	timeout          time.Duration
}

func up(in opener) *cobra.Command {
	call := &upCall{options: localcluster.DefaultOptions()}
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
		RunE: func(cmd *cobra.Command, _ []string) error { return call.run(cmd, in) },
	}
	call.addFlags(cmd.Flags())
	return cmd
}

func (u *upCall) addFlags(flags *pflag.FlagSet) {
	options := &u.options
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
	flags.BoolVar(&u.detach, "detach", false, "return once the cluster is ready, and leave it running")
	flags.BoolVar(&u.untilEOF, "until-stdin-closes", false,
		"take the cluster down when standard input closes, so that it cannot outlive its user")
	flags.DurationVar(&u.timeout, "timeout", 2*time.Minute, "how long the start may take")
}

// run starts the cluster, and waits for its end unless it is to be detached.
func (u *upCall) run(cmd *cobra.Command, in opener) error {
	if u.detach && u.untilEOF {
		return errors.New("give --detach or --until-stdin-closes, not both")
	}
	if u.timeout <= 0 {
		return fmt.Errorf("--timeout is %s: give a duration such as 2m", u.timeout)
	}
	cluster, err := in(cmd)
	if err != nil {
		return err
	}
	if err := rememberOptions(cmd.Flags(), &u.options, cluster); err != nil {
		return err
	}
	using := cmd.Context()
	if u.untilEOF {
		using = untilClosed(using, cmd.InOrStdin())
	}
	if err := u.start(using, cluster); err != nil {
		return err
	}
	out := cmd.OutOrStdout()
	fmt.Fprintf(out, "\nThe cluster is ready. Use it with\n  export KUBECONFIG=%s\n", cluster.Kubeconfig())
	if u.detach {
		fmt.Fprintf(out, "and take it down with\n  localcluster down --dir %s\n", cluster.Folder())
		return nil
	}
	fmt.Fprintln(out, "and take it down with Ctrl-C.")
	if cluster.WaitUntilDown(using) {
		fmt.Fprintln(out, "The cluster was taken down by another command.")
		return nil
	}
	return cluster.Down()
}

// start waits until the cluster is ready, for as long as it may take. The error says what has ended the wait.
func (u *upCall) start(using context.Context, cluster *localcluster.Cluster) error {
	starting, cancel := context.WithTimeout(using, u.timeout)
	defer cancel()
	err := cluster.Up(starting, u.options)
	switch {
	case err != nil && using.Err() != nil:
		return fmt.Errorf("the start was interrupted: %w", err)
	case err != nil && starting.Err() != nil:
		return fmt.Errorf("not ready within --timeout %s: %w", u.timeout, err)
	}
	return err
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
