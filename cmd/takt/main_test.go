package main

import (
	"bytes"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/pflag"

	"github.com/takt-dev/takt/cli/usage"
)

// output is what a call of the program has left.
type output struct {
	code           int
	stdout, stderr string
}

func call(t *testing.T, stdin string, args ...string) output {
	t.Helper()
	var stdout, stderr bytes.Buffer
	code := run(t.Context(), "takt", args, strings.NewReader(stdin), &stdout, &stderr)
	return output{code, stdout.String(), stderr.String()}
}

func TestMisuseIsToldInASentence(t *testing.T) {
	for line, want := range map[string]string{
		"simm":              `there is no command "simm": see takt --help`,
		"sim":               "--trace is missing: give the CSV file with the jobs",
		"sim --trace a":     "--throughputs is missing: give the folder with the speeds of each model",
		"sim --gpus x":      `--gpus is "x": it must be a whole number from 1 to 1048576`,
		"sim --gpus 64,0":   `--gpus is "64,0": it must be a whole number from 1 to 1048576, or several, such as 64,96,128`,
		"sim --gpus 64,64":  `--gpus is "64,64": 64 is there twice: name each size once`,
		"sim --price cheap": `--price is "cheap": it must be a price such as 2.50, or one for each kind of GPU`,
		"sim --trace a --throughputs b --gpus 1,2 --html c": "--html draws one size of cluster: name one with --gpus",
		"sim --gpus 0":          `--gpus is "0": it must be a whole number from 1 to 1048576`,
		"sim --gpus":            "--gpus needs a value: GPUs of the cluster",
		"sim --noise NaN":       `--noise is "NaN": it must be a number from 0 to 2`,
		"sim --deadlines 0":     `--deadlines is "0": it must be a number from 0.01 to 100`,
		"sim --best-effort 1.1": `--best-effort is "1.1": it must be a number from 0 to 1`,
		"sim --failures -3s": `--failures is "-3s": it must be a duration such as 30s, 5m or 48h, ` +
			`and not negative`,
		"sim --resize-cost 30": `--resize-cost is "30": it must be a duration such as 30s, 5m or 48h, ` +
			`and not negative`,
		"sim --seed -1":                 `--seed is "-1": it must be a whole number, 0 or more`,
		"sim --predictor luck":          `--predictor is "luck": it must be oracle or learning`,
		"sim -o xml":                    `--output is "xml": it must be table or json or yaml`,
		"sim --policy takt,takt":        `--policy is "takt,takt": takt is there twice: name each policy once`,
		"sim --policy luck":             `--policy is "luck": there is no policy "luck": choose from edf, `,
		"sim --trace a --throughputs b": "--gpus is missing: give the number of GPUs of the cluster, 1 or more",
		"sim --luck":                    "there is no flag --luck: see takt sim --help",
		"sim -z":                        "there is no flag -z: see takt sim --help",
		"sim jobs.csv":                  `"jobs.csv" belongs to no flag: see takt sim --help`,
		"sim --strict=perhaps":          `--strict is "perhaps": `,
		"plan":                          "--file is missing: give the JSON file with the snapshot, or - for standard input",
		"plan x":                        `"x" belongs to no flag: see takt plan --help`,
		"predict":                       "--data is missing: give one or more files with measured step times",
		"completion bogus": `there is no shell "bogus" that takt can be completed in: ` +
			`see takt completion --help`,
		"completion bash extra":        `"extra" belongs to no flag: see takt completion bash --help`,
		"completion zsh --luck":        "there is no flag --luck: see takt completion zsh --help",
		"help bogus":                   `there is no command "bogus": see takt --help`,
		"help sim bogus":               `there is no command "bogus": see takt sim --help`,
		"help completion bogus":        `there is no command "bogus": see takt completion --help`,
		"predict --samples 0 --data x": `--samples is "0": it must be a whole number from 1 to 1048576`,
	} {
		t.Run(line, func(t *testing.T) {
			got := call(t, "", strings.Fields(line)...)
			if got.code != exitMisused || got.stdout != "" || !strings.HasPrefix(got.stderr, "takt: "+want) {
				t.Errorf("it ends with %d, and says %q %q, want %q", got.code, got.stdout, got.stderr, want)
			}
			if strings.Count(got.stderr, "\n") != 1 {
				t.Errorf("this is more than one line: %q", got.stderr)
			}
		})
	}
}

// The manual names the commands that print nothing for programs, and those that have more columns.
func TestTheManualSaysWhatMayBePrinted(t *testing.T) {
	page, err := os.ReadFile("../../docs/cli.md")
	if err != nil {
		t.Fatal(err)
	}
	var none, wide []string
	for _, c := range command("takt").Commands() {
		flag := c.Flags().Lookup("output")
		if flag == nil {
			none = append(none, "`takt "+c.Name()+"`")
			continue
		}
		kind := flag.Value.Type()
		if !strings.Contains(kind, usage.AsJSON) || !strings.Contains(kind, usage.AsYAML) {
			t.Errorf("takt %s prints %s alone", c.Name(), kind)
		}
		if strings.Contains(kind, "wide") {
			wide = append(wide, "`takt "+c.Name()+"`")
		}
	}
	slices.Sort(none)
	slices.Reverse(none) // suspend comes before resume
	slices.Sort(wide)
	for _, want := range []string{
		"all commands have them but\n" + strings.Join(none, " and ") + ",",
		"`-o wide` of " + strings.Join(wide, " and ") + " says more.",
	} {
		if !strings.Contains(string(page), want) {
			t.Errorf("docs/cli.md does not say %q", want)
		}
	}
}

// What a table shows is what is said of it.
func TestTheManualExplainsASizeThatItsTableShows(t *testing.T) {
	page, err := os.ReadFile("../../docs/cli.md")
	if err != nil {
		t.Fatal(err)
	}
	told := regexp.MustCompile("`([0-9]+→[0-9]+/[0-9]+)` is a job with one worker").FindSubmatch(page)
	if told == nil || !strings.Contains(string(page), "  "+string(told[1])+"  ") {
		t.Errorf("docs/cli.md explains %q, which no table of it shows", told)
	}
}

func TestItIsCalledAsItsFileIs(t *testing.T) {
	for file, want := range map[string]string{
		"/usr/bin/takt": "takt", "takt.exe": "takt", "anything": "takt",
		"/usr/bin/kubectl-takt": "kubectl takt", "kubectl-takt.exe": "kubectl takt",
		"/usr/bin/kubectl_complete-takt": "kubectl takt __complete",
	} {
		name, before := calledAs(file)
		if got := strings.Join(append([]string{name}, before...), " "); got != want {
			t.Errorf("%s is called as %q, want %q", file, got, want)
		}
	}
	var help, complaint bytes.Buffer
	if code := run(t.Context(), "kubectl takt", []string{"why", "--help"}, strings.NewReader(""), &help,
		&complaint); code != exitDone {
		t.Errorf("it ends with %d: %s", code, complaint.String())
	}
	for _, want := range []string{"\n  kubectl takt why JOB [flags]\n", "\n  kubectl takt why resnet\n"} {
		if !strings.Contains(help.String(), want) {
			t.Errorf("as a plugin, its help does not say %q:\n%s", want, help.String())
		}
	}
}

// Whoever has the plugin alone can type each command that they are told of.
func TestAPluginTellsOfCommandsThatCanBeTyped(t *testing.T) {
	t.Setenv("KUBECONFIG", oneServer(t))
	told := func(name string, args ...string) string {
		var stdout, stderr bytes.Buffer
		run(t.Context(), name, args, strings.NewReader(""), &stdout, &stderr)
		return stdout.String() + stderr.String()
	}
	bare := regexp.MustCompile(`\btakt\s+(why|whatif|list|doctor|snapshot|trace|submit|plan|sim)\b`)
	for name, args := range map[string][]string{
		"an error":         {"list"},
		"a misuse":         {"why"},
		"the help":         {"trace", "--help"},
		"help of a file":   {"plan", "--help"},
		"help of the sim":  {"sim", "--help"},
		"help of snapshot": {"snapshot", "--help"},
	} {
		asPlugin := told("kubectl takt", args...)
		rest := strings.ReplaceAll(asPlugin, "kubectl takt", "")
		if rest == asPlugin || bare.MatchString(rest) || strings.Contains(rest, "kubectl  ") {
			t.Errorf("%s tells the plugin's users: %s", name, asPlugin)
		}
		if alone := told("takt", args...); strings.Contains(alone, "kubectl takt") {
			t.Errorf("%s tells others: %s", name, alone)
		}
	}
}

// oneServer is a kubeconfig with a server that refuses all.
func oneServer(t *testing.T) string {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusTeapot)
	}))
	t.Cleanup(server.Close)
	file := filepath.Join(t.TempDir(), "config")
	text := "apiVersion: v1\nkind: Config\nclusters: [{name: c, cluster: {server: \"" + server.URL + "\"}}]\n" +
		"contexts: [{name: x, context: {cluster: c}}]\ncurrent-context: x\n"
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

// Commands about a cluster are told apart from each other before they ask any.
func TestMisuseOfCommandsAboutAClusterIsTold(t *testing.T) {
	for line, want := range map[string]string{
		"why":                      "the job is missing: name one, as in takt why resnet",
		"why a b":                  `"b" is one job too many`,
		"suspend":                  "the job is missing: name one or more",
		"whatif a":                 "what would be different? Give --deadline",
		"whatif a --deadline 6":    `--deadline is "6": a number has no unit`,
		"whatif a --workers 8-2":   `--workers is "8-2": it must be a number of workers`,
		"whatif a --gpus many":     `--gpus is "many": it must be a whole number`,
		"submit --deadline 6h":     "-f is missing: give the file with the job",
		"submit -f a --dry-run=no": `--dry-run is "no": it must be none or client or server`,
		"list -o xml":              `--output is "xml": it must be table or wide or json or yaml`,
		"list resnet":              `"resnet" belongs to no flag: see takt list --help`,
	} {
		t.Run(line, func(t *testing.T) {
			got := call(t, "", strings.Fields(line)...)
			if got.code != exitMisused || got.stdout != "" || !strings.HasPrefix(got.stderr, "takt: "+want) {
				t.Errorf("it ends with %d, and says %q %q, want %q", got.code, got.stdout, got.stderr, want)
			}
		})
	}
}

// Of a snapshot that was saved long ago, a span counts from its moment, not from that of the question.
func TestADeadlineIsAskedForFromTheMomentOfTheSnapshot(t *testing.T) {
	ask := func(deadline string) output {
		return call(t, "", "whatif", "resnet", "--deadline", deadline, "--snapshot", "../../docs/examples/snapshot.json")
	}
	if got := ask("8h"); got.code != exitDone || !strings.Contains(got.stdout, " 1970-01-01 08:16Z ") {
		t.Errorf("it ends with %d, and says %s%s", got.code, got.stdout, got.stderr)
	}
	if got := ask("1970-01-01T02:00:00Z"); got.code != exitDone || !strings.Contains(got.stdout, " 1970-01-01 02:00Z ") {
		t.Errorf("what is to come there ends with %d, and says %s%s", got.code, got.stdout, got.stderr)
	}
	if got := ask("1970-01-01T00:10:00Z"); got.code != exitMisused || !strings.Contains(got.stderr, "has passed") {
		t.Errorf("what has passed there ends with %d, and says %s%s", got.code, got.stdout, got.stderr)
	}
}

// What was typed is named as it was typed, and such a call ends as it does with other commands. What the manifest says
// is named as it stands there.
func TestSubmitRefusesWhatMakesNoSense(t *testing.T) {
	const job = "apiVersion: kubeflow.org/v1\nkind: PyTorchJob\nmetadata:\n  name: resnet\n"
	const dated, undated, passed = job + "  annotations: {takt.dev/deadline: banana}\n", job,
		job + "  annotations: {takt.dev/deadline: \"2020-01-01T00:00:00Z\"}\n"
	for line, c := range map[string]struct {
		manifest string
		code     int
		want     string
	}{
		"--deadline banana":               {undated, exitMisused, `--deadline is "banana": `},
		"--deadline 2020-01-01T00:00:00Z": {undated, exitMisused, `--deadline is "2020-01-01T00:00:00Z", which has passed: `},
		"--deadline 6h --workers 0":       {undated, exitMisused, `--workers is "0": write a number of workers`},
		"--deadline 6h --guarantee foo":   {undated, exitMisused, `--guarantee is "foo": it must be BestEffort or Promise`},
		"--deadline 6h --priority high":   {undated, exitMisused, `--priority is "high": write a number`},
		"--deadline 6h --expected 6h":     {undated, exitMisused, `--expected is "6h": write how long`},
		"--deadline 6h --profile A":       {undated, exitMisused, `--profile is "A": write lower case`},
		"--deadline 6h --after a/b":       {undated, exitMisused, `--after is "a/b": write the names`},
		"--deadline 6h --after resnet":    {undated, exitMisused, `--after is "resnet": a job cannot wait for itself`},
		"--queue A":                       {undated, exitMisused, `--queue is "A": write the name of a TrainingQueue`},
		"":                                {undated, exitMisused, "Takt looks after jobs with a deadline or a queue: "},
		"--workers 4":                     {dated, exitFailed, `takt.dev/deadline is "banana": `},
		"--workers 2":                     {passed, exitFailed, `takt.dev/deadline is "2020-01-01T00:00:00Z", which has`},
	} {
		t.Run(line, func(t *testing.T) {
			got := call(t, c.manifest, append([]string{"submit", "-f", "-", "--dry-run"}, strings.Fields(line)...)...)
			if got.code != c.code || got.stdout != "" || !strings.HasPrefix(got.stderr, "takt: "+c.want) {
				t.Errorf("it ends with %d, and says %q %q, want %d and %q", got.code, got.stdout, got.stderr, c.code, c.want)
			}
		})
	}
}

// A job is submitted to the namespace that is named, or not at all.
func TestSubmitMindsTheNamespaceThatIsNamed(t *testing.T) {
	const job = "apiVersion: kubeflow.org/v1\nkind: PyTorchJob\nmetadata:\n  name: resnet\n"
	for name, c := range map[string]struct {
		manifest string
		code     int
		want     string
	}{
		"of none":    {job, exitDone, "\n  namespace: team-b\n"},
		"of the one": {job + "  namespace: team-b\n", exitDone, "\n  namespace: team-b\n"},
		"of another": {job + "  namespace: team-a\n", exitMisused,
			"takt: the manifest is for namespace team-a, and -n names team-b: "},
	} {
		got := call(t, c.manifest, "submit", "-f", "-", "--dry-run", "--deadline", "6h", "-n", "team-b")
		if got.code != c.code || !strings.Contains(got.stdout+got.stderr, c.want) {
			t.Errorf("%s: it ends with %d, and says %q %q, want %q", name, got.code, got.stdout, got.stderr, c.want)
		}
	}
}

// Help says of each flag what its value is, and no default that means nothing.
func TestHelpTellsWhatTheValuesOfFlagsAre(t *testing.T) {
	for _, cmd := range command("takt").Commands() {
		cmd.Flags().VisitAll(func(flag *pflag.Flag) {
			if shown, _ := pflag.UnquoteUsage(flag); shown == "string" && !flag.Hidden {
				t.Errorf("takt %s --%s is a string, as far as its help tells", cmd.Name(), flag.Name)
			}
		})
		if strings.Contains(cmd.LocalFlags().FlagUsages(), "(default 0s)") {
			t.Errorf("takt %s has a flag of which no time is the default:\n%s", cmd.Name(), cmd.LocalFlags().FlagUsages())
		}
	}
}
