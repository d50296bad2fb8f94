package usage

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"
)

// Choose adds to a command a flag for one of some words, which a shell completes. The letter may be empty.
func Choose(cmd *cobra.Command, value *string, name, letter, says string, options ...string) {
	cmd.Flags().VarP(choice(value, options...), name, letter, says)
	_ = cmd.RegisterFlagCompletionFunc(name, cobra.FixedCompletions(options, cobra.ShellCompDirectiveNoFileComp))
}

// OfferSeveral has a shell complete a flag that takes several words with commas between them, each once, or the one
// that stands for all of them.
func OfferSeveral(cmd *cobra.Command, flag, all string, options ...string) {
	_ = cmd.RegisterFlagCompletionFunc(flag, func(_ *cobra.Command, _ []string, begun string) ([]cobra.Completion,
		cobra.ShellCompDirective) {
		before := begun[:strings.LastIndex(begun, ",")+1]
		var offered []cobra.Completion
		for _, option := range options {
			if !slices.Contains(strings.Split(before, ","), option) {
				offered = append(offered, before+option)
			}
		}
		if before == "" {
			offered = append(offered, all)
		}
		return offered, cobra.ShellCompDirectiveNoFileComp
	})
}
