package main

import (
	"context"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"github.com/takt-dev/takt/localcluster"
	"github.com/takt-dev/takt/localcluster/image"
)

func imageCommand(in opener) *cobra.Command {
	var made image.Image
	var archive string
	cmd := &cobra.Command{
		Use:   "image NAME",
		Short: "Make an image from files of this machine, and make it known to all real nodes",
		Long: `Make an image from files of this machine, and make it known to all real nodes. No
registry is asked for anything. NAME has a host and a tag: a runtime takes a name
without a host for one of a registry.

With --archive it needs no cluster, and writes the image to a file, as localcluster
load, ctr images import, docker load and podman load take it.`,
		Example: `  localcluster image localhost/agent:1 --binary bin/takt-agent --user 65532
  localcluster image localhost/train:1 --root ./rootfs --entrypoint /usr/bin/python3,/train.py`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			made.Name = args[0]
			if archive != "" {
				return writeArchive(made, archive)
			}
			return in.run(func(ctx context.Context, c *localcluster.Cluster, _ []string) error {
				return c.ImportImage(ctx, made)
			})(cmd, args)
		},
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	flags.StringVar(&made.Base, "base", "", "archive (tar) of files that the image begins with")
	flags.StringVar(&made.Root, "root", "", "folder that becomes the root of the file system, over --base")
	flags.StringArrayVar(&made.Binaries, "binary", nil,
		"static program to put into the root folder of the image; may be given again")
	flags.StringSliceVar(&made.Entrypoint, "entrypoint", nil,
		"what a container runs, with commas between the words; without it, the first --binary")
	flags.StringArrayVar(&made.Env, "env", nil, "variable of a container, as NAME=value; may be given again")
	flags.StringVar(&made.User, "user", "", "who a container runs as, as UID:GID; without it, root")
	flags.StringVar(&made.Architecture, "architecture", "",
		"what the programs are for, such as arm64; without it, this machine")
	flags.StringToStringVar(&made.Labels, "label", nil, "label of the image, as NAME=value; may be given again")
	flags.StringVar(&archive, "archive", "", "`file` to write the image to, instead of giving it to real nodes")
	return cmd
}

// writeArchive writes an image to a file, which is there as a whole or not at all.
func writeArchive(i image.Image, path string) error {
	file, err := os.Create(path + ".new")
	if err != nil {
		return err
	}
	defer os.Remove(file.Name()) //nolint:errcheck // once it is whole, it has another name
	defer file.Close()
	if err := i.Write(file); err != nil {
		return err
	}
	if err := file.Close(); err != nil {
		return fmt.Errorf("cannot write %s: %w", path, err)
	}
	return os.Rename(file.Name(), path)
}

func loadCommand(in opener) *cobra.Command {
	return &cobra.Command{
		Use:     "load ARCHIVE",
		Short:   "Make the image in an archive known to all real nodes",
		Example: `  localcluster load bin/images/takt-linux-amd64.tar`,
		Args:    cobra.ExactArgs(1),
		RunE: in.run(func(ctx context.Context, c *localcluster.Cluster, args []string) error {
			return c.LoadArchive(ctx, args[0])
		}),
	}
}
