package wording

import "testing"

// Figures move all the time. A name that has a digit is no figure: it is about something else if it is another.
func TestWhatIsLeftWithoutItsFigures(t *testing.T) {
	for text, want := range map[string]string{
		"It will be met with 40m to spare.":                       "It will be met with to spare.",
		"It is late by -1h5m (+4 GPUs).":                          "It is late by GPUs).",
		"Worker resnet-worker-3 cannot run (12 of 13).":           "Worker resnet-worker-3 cannot run of",
		`It says: "420 steps" at '18:00', [2/3].`:                 "It says: steps\" at",
		"It ends at 2026-11-21T12:20:00Z, or ~5m after.":          "It ends at or after.",
		"It is 1.4 times as fast - as it was - on v100 nodes.":    "It is times as fast - as it was - on v100 nodes.",
		"No progress was read from http://10.0.0.1:9090/metrics.": "No progress was read from http://10.0.0.1:9090/metrics.",
		"(of pod resnet-worker-0: exit code 137, back-off 5m0s)":  "(of pod resnet-worker-0: exit code back-off",
		"Nothing moves (but for these words), or is":              "Nothing moves (but for these words), or is",
	} {
		if got := WithoutFigures(text); got != want {
			t.Errorf("of %q is left %q, want %q", text, got, want)
		}
	}
	one, other := Gist("Pod resnet-worker-3 is silent for 5m."), Gist("Pod resnet-worker-1 is silent for 6m.")
	if one != other {
		t.Errorf("%q is another gist than %q", one, other)
	}
}
