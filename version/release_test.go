package version

import "testing"

func TestWhoHasAReleaseIsLedToItsFiles(t *testing.T) {
	defer func() { stamped = "" }()
	const download = "kubectl apply --server-side -f https://github.com/takt-dev/takt/releases/download/"
	for of, want := range map[string][2]string{
		"v0.1.0": {download + "v0.1.0/takt-v0.1.0-scheduler-beside.yaml",
			"https://github.com/takt-dev/takt/blob/v0.1.0/docs/using.md"},
		"v0.1.0-rc.1": {download + "v0.1.0-rc.1/takt-v0.1.0-rc.1-scheduler-beside.yaml",
			"https://github.com/takt-dev/takt/blob/v0.1.0-rc.1/docs/using.md"},
		"":                        {"kubectl apply --server-side -k config/scheduler/beside", "docs/using.md"},
		"v0.0.0-dev":              {"kubectl apply --server-side -k config/scheduler/beside", "docs/using.md"},
		"v0.0.0-20261127-f79448f": {"kubectl apply --server-side -k config/scheduler/beside", "docs/using.md"},
		"v0.1.0-12-gf79448fd":     {"kubectl apply --server-side -k config/scheduler/beside", "docs/using.md"},
	} {
		stamped = of
		if r := OfRelease(); r.Apply("scheduler/beside") != want[0] || r.Page("using.md") != want[1] {
			t.Errorf("of %q it says %s, and %s", of, r.Apply("scheduler/beside"), r.Page("using.md"))
		}
	}
}
