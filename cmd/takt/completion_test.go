package main

import (
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/takt-dev/takt/simulator/policies"
)

// completed is what a shell is told to offer for a call that is not written to its end.
func completed(t *testing.T, args ...string) []string {
	t.Helper()
	got := call(t, "", append([]string{cobra.ShellCompNoDescRequestCmd}, args...)...)
	if got.code != exitDone {
		t.Fatalf("%v ends with %d: %s", args, got.code, got.stderr)
	}
	lines := strings.Split(strings.TrimSpace(got.stdout), "\n")
	return lines[:len(lines)-1] // the last one is a directive
}

func offers(t *testing.T, want []string, args ...string) {
	t.Helper()
	if got := completed(t, args...); strings.Join(got, " ") != strings.Join(want, " ") {
		t.Errorf("%s offers %q, want %q", strings.Join(args, " "), got, want)
	}
}

// What help shows as the values that a flag may have is offered to whoever presses the tab key.
func TestFlagsWithFixedValuesComplete(t *testing.T) {
	found := 0
	for _, cmd := range command("takt").Commands() {
		cmd.Flags().VisitAll(func(flag *pflag.Flag) {
			if shown, _ := pflag.UnquoteUsage(flag); strings.Contains(shown, "|") {
				found++
				offers(t, strings.Split(shown, "|"), cmd.Name(), "--"+flag.Name+"=")
			}
		})
	}
	if found < 15 {
		t.Errorf("%d flags were found to have fixed values", found)
	}
}

func TestThePoliciesOfSimComplete(t *testing.T) {
	offers(t, append(policies.Names(), "all"), "sim", "--policy", "")
	var others []string
	for _, name := range policies.Names() {
		if name != "takt" && name != "edf" {
			others = append(others, "takt,edf,"+name)
		}
	}
	offers(t, others, "sim", "--policy", "takt,edf,")
}
