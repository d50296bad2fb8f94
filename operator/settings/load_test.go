package settings

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestFileOverlaysTheDefault(t *testing.T) {
	cases := map[string]struct {
		text string
		want func(*Settings)
	}{
		"nothing":          {"", func(*Settings) {}},
		"comments":         {"# nothing\n---\n# at all\n", func(*Settings) {}},
		"header":           {"apiVersion: takt.dev/v1alpha1\nkind: OperatorConfiguration\n", func(*Settings) {}},
		"empty section":    {"planning:\n#  every: 1m\n", func(*Settings) {}},
		"key of no value":  {"planning:\n  every:\n", func(*Settings) {}},
		"empty list":       {"namespaces: []\nnodeSelector: {}\n", func(*Settings) {}},
		"one of a section": {"planning: {every: 1m}", func(s *Settings) { s.Planning.Every = span(time.Minute) }},
		"list": {
			"gpus: {resources: [amd.com/gpu]}", func(s *Settings) { s.GPUs.Resources = []string{"amd.com/gpu"} },
		},
		"JSON": {`{"log": {"level": 1}}`, func(s *Settings) { s.Log.Level = 1 }},
		"several": {"namespaces: [a, b]\nnodeSelector: {gpu: 'true'}\nleaderElection: {enabled: false}\napi: {qps: " +
			"2.5}\nlog: {format: console}\n",
			func(s *Settings) {
				s.Namespaces, s.NodeSelector = []string{"a", "b"}, map[string]string{"gpu": "true"}
				s.LeaderElection.Enabled, s.API.QPS, s.Log.Format = false, 2.5, Console
			}},
	}
	for name, test := range cases {
		t.Run(name, func(t *testing.T) {
			want := Default()
			test.want(&want)
			got, err := parse([]byte(test.text))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

func TestBadFilesAreRefused(t *testing.T) {
	cases := map[string]struct{ text, want string }{
		"unknown key": {"plannning: {}", "there is no setting plannning: the keys of a file of settings are agent, " +
			"api, elasticJobs, gpus, health, leaderElection, leavingNodes, log, metrics, namespaces, nodeSelector, " +
			"outsiders, page, planning, progress, records, resizes, status, timeZone, usage"},
		"unknown inside": {
			"log: {level: 1, colour: true}", "there is no setting log.colour: the keys of log are format, level",
		},
		"wrong case": {"log: {Level: 1}", "there is no setting log.Level: the keys of log are format, level"},
		"twice": {"log: {level: 1}\nlog: {level: 2}",
			`not a YAML file in which every key is there once: yaml: unmarshal errors:` + "\n" +
				`  line 2: key "log" already set in map`},
		"no YAML": {
			"log: [", "not a YAML file in which every key is there once: yaml: line 1: did not find expected node content",
		},
		"no mapping": {"- log", `the file is ["log"], but must have keys and values, such as log: {level: 1}`},
		"two documents": {"log: {level: 1}\n---\nlog: {level: 2}",
			"there are several documents, with --- between them, but only one is read: join them"},
		"other version": {"apiVersion: takt.dev/v2\nkind: OperatorConfiguration",
			`apiVersion is "takt.dev/v2", but must be takt.dev/v1alpha1 where it is given`},
		"other kind": {"apiVersion: takt.dev/v1alpha1\nkind: ElasticJob",
			`kind is "ElasticJob", but must be OperatorConfiguration where it is given`},
		"no section": {"health: 8081", "health is 8081, but must be a section with the keys bindAddress"},
		"no duration": {"planning: {every: soon}",
			`planning.every is "soon", but must be a duration such as 500ms, 30s, 5m or 1h30m`},
		"no unit": {
			"planning: {every: 30}", "planning.every is 30, but must be a duration such as 500ms, 30s, 5m or 1h30m",
		},
		"no number":       {"planning: {payback: much}", `planning.payback is "much", but must be a number`},
		"no whole number": {"api: {workers: 1.5}", "api.workers is 1.5, but must be a whole number"},
		"too large":       {"api: {qps: 1e300}", "api.qps is 1e+300, but must be a number"},
		"no boolean":      {`metrics: {secure: "yes"}`, `metrics.secure is "yes", but must be true or false`},
		"no text": {
			"metrics: {bindAddress: 0}", "metrics.bindAddress is 0, but must be a text: put numbers, true and false in quotes",
		},
		"no list":  {"namespaces: research", `namespaces is "research", but must be a list of texts`},
		"no texts": {"nodeSelector: {gpu: true}", `nodeSelector is {"gpu":true}, but must be a mapping of texts to texts, in which numbers, true and false are in quotes, such as gpu: "true"`},
		"long value": {"api: {workers: " + strings.Repeat("x", 200) + "}",
			`api.workers is "` + strings.Repeat("x", 79) + "…, but must be a whole number"},
		"everything at once": {"log: {level: 11, format: 1, colour: true}\nkind: X",
			"kind is \"X\", but must be OperatorConfiguration where it is given\n" +
				"there is no setting log.colour: the keys of log are format, level\n" +
				"log.format is 1, but must be a text: put numbers, true and false in quotes\n" +
				"log.level is 11, but must be from 0 to 9"},
	}
	for name, test := range cases {
		t.Run(name, func(t *testing.T) {
			_, err := parse([]byte(test.text))
			if err == nil || err.Error() != test.want {
				t.Errorf("\n got %v\nwant %s", err, test.want)
			}
		})
	}
}

func TestLoadNamesTheFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "takt.yaml")
	if _, err := Load(path); err == nil || !strings.Contains(err.Error(), path) {
		t.Errorf("a file that is not there: %v", err)
	}
	if err := os.WriteFile(path, []byte("log: {level: -1}"), 0o600); err != nil {
		t.Fatal(err)
	}
	want := "the settings in " + path + " cannot be used:\nlog.level is -1, but must be from 0 to 9"
	if _, err := Load(path); err == nil || err.Error() != want {
		t.Errorf("\n got %v\nwant %s", err, want)
	}
}

// Whatever a file says, it is refused with a reason or gives settings that the whole program can work
// with.
func FuzzLoad(f *testing.F) {
	f.Add([]byte("planning: {every: 1m, promiseShare: .nan}"))
	f.Add([]byte("resizes: {steadyFor: 29s, startWithin: 30s}\n---\n"))
	f.Add([]byte("namespaces: [a]\nnodeSelector: {a: b}\napi: {qps: 1e3, burst: 0x10}"))
	f.Add([]byte("? [a]\n: b\n<<: *x"))
	f.Fuzz(func(t *testing.T, text []byte) {
		s, err := parse(text)
		if err != nil {
			if strings.TrimSpace(err.Error()) == "" {
				t.Error("it is refused without a reason")
			}
			return
		}
		if err := s.Validate(); err != nil {
			t.Error(err)
		}
		if err := s.Limits().Validate(); err != nil {
			t.Error(err)
		}
	})
}
