package main

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/takt-dev/takt/localcluster"
	"github.com/takt-dev/takt/localcluster/image"
)

func imageCommand(in opener) *cobra.Command {
	var made image.Image
	cmd := &cobra.Command{
		Use:   "image NAME",
		Short: "Make an image from files of this machine, and make it known to all real nodes",
		Long: `Make an image from files of this machine, and make it known to all real nodes. No
registry is asked for anything. NAME has a host and a tag: a runtime takes a name
without a host for one of a registry.`,
		Example: `  localcluster image localhost/agent:1 --binary bin/takt-agent --user 65532
  localcluster image localhost/train:1 --root ./rootfs --entrypoint /usr/bin/python3,/train.py`,
		Args: cobra.ExactArgs(1),
		RunE: in.run(func(ctx context.Context, c *localcluster.Cluster, args []string) error {
			made.Name = args[0]
			return c.ImportImage(ctx, made)
		}),
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	flags.StringVar(&made.Base, "base", "", "archive (tar) of files that the image begins with")
	flags.StringVar(&made.Root, "root", "", "folder that becomes the root of the file system, over --base")
	flags.StringArrayVar(&made.Binaries, "binary", nil, "static program to put into the root folder of the image; may be given again")
	flags.StringSliceVar(&made.Entrypoint, "entrypoint", nil, "what a container runs, with commas between the words; without it, the first --binary")
	flags.StringVar(&made.User, "user", "", "number of the user that a container runs as; root if it is not given")
	flags.StringArrayVar(&made.Env, "env", nil, "variable of a container, as NAME=value; may be given again")
	return cmd
}
