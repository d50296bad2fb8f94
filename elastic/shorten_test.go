package elastic

import "testing"

func TestNobodyIsZeroSecondsAway(t *testing.T) {
	t.Parallel()
	for s, want := range map[Seconds]string{0: "less than a second", 0.9: "less than a second", 1: "1s", 90: "1m30s"} {
		if got := Away(s); got != want {
			t.Errorf("%v away: %q, want %q", s, got, want)
		}
	}
}
