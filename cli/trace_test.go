package cli

import (
	"io"
	"strings"
	"testing"
)

// Who has given no flags is not told to leave them out.
func TestATraceOfNothingNamesTheFlagsThatWereGiven(t *testing.T) {
	for given, want := range map[string]string{
		"":                         "no job is on record: try again once one has ended",
		"--queue night":            "is such a one: leave out --queue",
		"-n team-a --since 24h":    "is such a one: leave out --since or --namespace",
		"--queue night --since 1h": "is such a one: leave out --since or --queue",
	} {
		cmd := traceCommand()
		cmd.SetArgs(append(strings.Fields(given), "--from", "-"))
		cmd.SetIn(strings.NewReader("[]"))
		cmd.SetOut(io.Discard)
		cmd.SilenceUsage, cmd.SilenceErrors = true, true
		if err := cmd.ExecuteContext(t.Context()); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("with %q it says %v, want %q", given, err, want)
		}
	}
}
