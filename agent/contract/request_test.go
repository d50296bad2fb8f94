package contract

import (
	"testing"
	"time"
)

func TestRequestSaysWhenItWasMade(t *testing.T) {
	at := time.Date(2026, 11, 24, 18, 0, 0, 123e6, time.UTC)
	for name, text := range map[string]string{
		"as it is written":  RequestAt(at).String(),
		"as a moment":       at.Format(time.RFC3339Nano),
		"with space around": " 1795543200123\n",
	} {
		t.Run(name, func(t *testing.T) {
			got, err := ParseRequest(text)
			if err != nil || !got.At().Equal(at) {
				t.Errorf("%q was made at %v (%v), want %v", text, got.At(), err, at)
			}
		})
	}
	for _, text := range []string{"", "0", "-1", "true", "1e3", "99999999999999999", "1960-01-01T00:00:00Z"} {
		if got, err := ParseRequest(text); err == nil {
			t.Errorf("%q is taken for request %d", text, got)
		}
	}
}

func TestRequestSurvivesAMetric(t *testing.T) {
	for _, request := range []Request{1, RequestAt(time.Now()), maxRequest} {
		if got := Request(float64(request)); got != request {
			t.Errorf("%d is told as %d", request, got)
		}
	}
}

func TestBarrierIsOpenForItsEpoch(t *testing.T) {
	for name, test := range map[string]struct {
		letIn string
		epoch int64
		want  bool
	}{
		"its own":               {"3", 3, true},
		"a later one":           {"4", 3, true},
		"an earlier one":        {"2", 3, false},
		"nobody let in":         {"", 0, false},
		"epoch unknown":         {"7", 0, true},
		"no number":             {"true", 0, false},
		"let in by a first one": {"0", 0, true},
	} {
		t.Run(name, func(t *testing.T) {
			if got := Open(test.letIn, test.epoch); got != test.want {
				t.Errorf("got %v", got)
			}
		})
	}
}
