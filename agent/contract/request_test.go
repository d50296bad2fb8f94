package contract

import (
	"math"
	"strconv"
	"strings"
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

// Whatever is written on a pod, a request is read back from how it is written, and survives being told as a metric.
func FuzzParseRequest(f *testing.F) {
	f.Add("1795543200123")
	f.Add(" 2026-11-24T18:00:00.123Z\n")
	f.Add("9007199254740993")
	f.Add("+1")
	f.Fuzz(func(t *testing.T, text string) {
		request, err := ParseRequest(text)
		if err != nil {
			return
		}
		if request <= 0 || Request(float64(request)) != request {
			t.Errorf("%q is taken for request %d", text, request)
		}
		if again, err := ParseRequest(request.String()); err != nil || again != request {
			t.Errorf("%q is request %d, which is read as %d (%v)", text, request, again, err)
		}
		if again := RequestAt(request.At()); again != request {
			t.Errorf("request %d is made at %v, at which %d is", request, request.At(), again)
		}
	})
}

// A barrier that is open for an epoch is open for each before it, and for none after the one that is written.
func FuzzOpen(f *testing.F) {
	f.Add("3", int64(3))
	f.Add(" -1\n", int64(-2))
	f.Add("true", int64(0))
	f.Fuzz(func(t *testing.T, letIn string, epoch int64) {
		if !Open(letIn, epoch) {
			return
		}
		if !Open(letIn, min(epoch, 0)) {
			t.Errorf("%q opens epoch %d, and not the first one", letIn, epoch)
		}
		in, err := strconv.ParseInt(strings.TrimSpace(letIn), 10, 64)
		if err != nil || in < epoch || in < math.MaxInt64 && Open(letIn, in+1) {
			t.Errorf("%q opens epoch %d", letIn, epoch)
		}
	})
}
