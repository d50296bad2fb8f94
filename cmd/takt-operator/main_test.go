package main

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/go-logr/logr"
	"github.com/google/go-cmp/cmp"
	"k8s.io/client-go/rest"

	"github.com/takt-dev/takt/operator/settings"
	"github.com/takt-dev/takt/version"
)

const cluster = `apiVersion: v1
kind: Config
clusters: [{name: c, cluster: {server: "https://cluster.example:6443"}}]
contexts: [{name: c, context: {cluster: c, user: u}}]
current-context: c
users: [{name: u, user: {token: t}}]
`

// write puts a text into a file and gives its path.
func write(t *testing.T, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// outside makes this neither a pod of a cluster nor a machine with a kubeconfig.
func outside(t *testing.T) {
	t.Helper()
	t.Setenv("KUBECONFIG", filepath.Join(t.TempDir(), "none"))
	t.Setenv("KUBERNETES_SERVICE_HOST", "")
}

func never(context.Context, *rest.Config, settings.Settings, logr.Logger) error {
	return errors.New("the work was begun")
}

func TestWorkIsGivenWhatTheFilesSay(t *testing.T) {
	for name, test := range map[string]struct {
		config string
		want   func(*settings.Settings)
	}{
		"no file":   {"", func(*settings.Settings) {}},
		"with file": {"api: {qps: 7, burst: 9}", func(s *settings.Settings) { s.API.QPS, s.API.Burst = 7, 9 }},
	} {
		t.Run(name, func(t *testing.T) {
			outside(t)
			args := []string{"--kubeconfig", write(t, "kubeconfig", cluster)}
			if test.config != "" {
				args = append(args, "--config", write(t, "takt.yaml", test.config))
			}
			want := settings.Default()
			test.want(&want)
			began := false
			work := func(_ context.Context, c *rest.Config, s settings.Settings, logger logr.Logger) error {
				began = true
				if diff := cmp.Diff(want, s); diff != "" {
					t.Errorf("-want +got:\n%s", diff)
				}
				if c.Host != "https://cluster.example:6443" || c.QPS != want.API.QPS || c.Burst != want.API.Burst {
					t.Errorf("the cluster is %s, with %v requests a second, %d at once", c.Host, c.QPS, c.Burst)
				}
				if !strings.HasPrefix(c.UserAgent, "takt-operator/") {
					t.Errorf("it calls itself %s", c.UserAgent)
				}
				logger.Info("At work")
				return nil
			}
			var stdout, stderr bytes.Buffer
			if code := run(t.Context(), args, &stdout, &stderr, work); code != exitDone || !began {
				t.Errorf("it ends with %d, began: %v, and says %s", code, began, &stderr)
			}
			if !strings.Contains(stderr.String(), `"msg":"At work"`) {
				t.Errorf("the log is not on standard error: %s", &stderr)
			}
		})
	}
}

func TestWhatFailsIsTold(t *testing.T) {
	outside(t)
	kubeconfig := write(t, "kubeconfig", cluster)
	bad := write(t, "takt.yaml", "log: {level: -1, format: xml}")
	for name, test := range map[string]struct {
		args []string
		code int
		want string
	}{
		"bad settings": {[]string{"--config", bad, "--kubeconfig", kubeconfig}, exitFailed,
			"takt-operator: the settings in " + bad + " cannot be used:\nlog.level is -1, but must be from 0 to 9\n" +
				"log.format is \"xml\", but must be json or console\n"},
		"no settings": {
			[]string{"--config", bad + "x", "--kubeconfig", kubeconfig}, exitFailed, "takt-operator: cannot read the settings: ",
		},
		"no kubeconfig": {[]string{"--kubeconfig", bad + "x"}, exitFailed,
			"takt-operator: cannot tell how to reach the cluster: "},
		"no cluster": {nil, exitFailed,
			"takt-operator: this is no pod of a cluster, and no file says how to reach one: give --kubeconfig: "},
		"nothing to remove from": {[]string{"remove"}, exitFailed,
			"takt-operator: this is no pod of a cluster, and no file says how to reach one: give --kubeconfig: "},
		"work fails": {[]string{"--kubeconfig", kubeconfig}, exitFailed, "the work was begun\n"},
		"no command": {[]string{"confg"}, exitMisused,
			`takt-operator: there is no command "confg": see takt-operator --help`},
		"no flag": {
			[]string{"--confg"}, exitMisused, "takt-operator: unknown flag: --confg: see takt-operator --help",
		},
	} {
		t.Run(name, func(t *testing.T) {
			var stdout, stderr bytes.Buffer
			code := run(t.Context(), test.args, &stdout, &stderr, never)
			if code != test.code || !strings.Contains(stderr.String(), test.want) || stdout.Len() > 0 {
				t.Errorf("it ends with %d and says %q %q, want %d and %q", code, &stdout, &stderr, test.code, test.want)
			}
		})
	}
}

func TestConfigPrintsSettingsThatCanBeLoaded(t *testing.T) {
	var stdout, stderr bytes.Buffer
	if code := run(t.Context(), []string{"config"}, &stdout, &stderr, never); code != exitDone {
		t.Fatalf("it ends with %d and says %s", code, &stderr)
	}
	got, err := settings.Load(write(t, "takt.yaml", stdout.String()))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(settings.Default(), got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

func TestVersionAndHelp(t *testing.T) {
	for flag, want := range map[string]string{
		"--version": "takt-operator version " + version.Of(),
		"--help":    "takt-operator config prints it",
	} {
		var stdout, stderr bytes.Buffer
		if code := run(t.Context(), []string{flag}, &stdout, &stderr, never); code != exitDone ||
			!strings.Contains(stdout.String(), want) {
			t.Errorf("%s ends with %d and prints %s", flag, code, &stdout)
		}
	}
}
