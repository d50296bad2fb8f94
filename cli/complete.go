package cli

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	corev1 "k8s.io/api/core/v1"

	"github.com/takt-dev/takt/cli/access"
)

// hurry is how long somebody waits who has pressed the tab key.
const hurry = 3 * time.Second

// completeJobs completes the names of jobs, each with how it stands.
func completeJobs(o *access.Options, many bool) cobra.CompletionFunc {
	return func(cmd *cobra.Command, args []string, begun string) ([]cobra.Completion, cobra.ShellCompDirective) {
		const none = cobra.ShellCompDirectiveNoFileComp
		if len(args) > 0 && !many {
			return nil, none
		}
		ctx, cancel := context.WithTimeout(cmd.Context(), hurry)
		defer cancel()
		c, err := o.Open()
		if err != nil {
			return nil, none
		}
		jobs, err := c.Jobs(ctx, c.Namespace)
		if err != nil {
			return nil, none
		}
		var names []cobra.Completion
		for _, j := range jobs {
			if strings.HasPrefix(j.Name, begun) && !slices.Contains(args, j.Name) {
				names = append(names, cobra.CompletionWithDesc(j.Name, j.Spec.JobRef.String()+" "+string(j.Status.Verdict)))
			}
		}
		slices.Sort(names)
		return names, none
	}
}

// completeFlag completes the names of queues, namespaces or contexts.
func completeFlag(o *access.Options, flag string) cobra.CompletionFunc {
	return func(cmd *cobra.Command, _ []string, begun string) ([]cobra.Completion, cobra.ShellCompDirective) {
		ctx, cancel := context.WithTimeout(cmd.Context(), hurry)
		defer cancel()
		names := slices.DeleteFunc(namesFor(ctx, o, flag), func(name string) bool { return !strings.HasPrefix(name, begun) })
		slices.Sort(names)
		return names, cobra.ShellCompDirectiveNoFileComp
	}
}

// namesFor are what a flag may name; none where the cluster does not tell.
func namesFor(ctx context.Context, o *access.Options, flag string) []string {
	var names []string
	if flag == "context" {
		return o.Contexts()
	}
	c, err := o.Open()
	if err != nil {
		return nil
	}
	switch flag {
	case "queue":
		queues, _ := c.Queues(ctx)
		for _, q := range queues {
			names = append(names, q.Name)
		}
	case "namespace":
		var all corev1.NamespaceList
		_ = c.Client.List(ctx, &all)
		for _, n := range all.Items {
			names = append(names, n.Name)
		}
	}
	return names
}
