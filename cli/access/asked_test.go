package access

import (
	"testing"

	"github.com/spf13/pflag"
)

// A command that somebody is told to type asks about the same job, in the same place.
func TestAnotherCommandIsAskedInTheSamePlace(t *testing.T) {
	for _, c := range []struct {
		given []string
		home  string
		want  string
	}{
		{nil, "team", "resnet"},
		{nil, "default", "resnet --namespace team"},
		{[]string{"-n", "team", "--context", "prod", "--token", "secret"}, "team", "resnet --context prod --namespace team"},
		{[]string{"--operator", "https://127.0.0.1:8443"}, "team", "resnet --operator https://127.0.0.1:8443"},
		{[]string{"--snapshot", "saved.json", "-n", "team"}, "team", "team/resnet --snapshot saved.json"},
		{[]string{"--snapshot", "saved.json"}, "default", "team/resnet --snapshot saved.json"},
	} {
		var o Options
		flags := pflag.NewFlagSet("takt", pflag.ContinueOnError)
		o.Bind(flags)
		o.BindOperator(flags)
		if err := flags.Parse(c.given); err != nil {
			t.Fatal(err)
		}
		if got := o.Asked("team", "resnet", c.home, flags); got != c.want {
			t.Errorf("%v: %q, want %q", c.given, got, c.want)
		}
	}
}
