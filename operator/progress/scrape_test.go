package progress

import (
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/takt-dev/takt/api/v1alpha1"
)

// asked is a target whose ElasticJob names steps_done at the port of a server.
func asked(t *testing.T, at string) Target {
	t.Helper()
	target := resnet(worker("resnet-worker-0"))
	target.Spec = v1alpha1.ProgressSpec{
		Source: v1alpha1.ProgressPrometheus, Metric: "steps_done", Total: "1000", Port: port(t, at),
	}
	return target
}

// endless writes a text until nobody reads any more.
func endless(text string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		for {
			if _, err := w.Write([]byte(text)); err != nil {
				return
			}
		}
	}
}

func TestHostileEndpointsAreBounded(t *testing.T) {
	elsewhere := func(http.ResponseWriter, *http.Request) { t.Error("a redirect is followed") }
	redirect := "http://127.0.0.1:" + serve(t, elsewhere)
	cases := map[string]struct {
		handler http.HandlerFunc
		timeout time.Duration
		want    error
		says    string
	}{
		"endless comments":  {handler: endless("# nothing\n"), want: ErrGarbage, says: "longer than 65536 bytes"},
		"endless line":      {handler: endless("x"), want: ErrGarbage},
		"a million samples": {handler: endless("a 1\n"), want: ErrGarbage, says: "longer than 65536 bytes"},
		"a million of the metric": {
			handler: endless("steps_done{a=\"b\"} 1\n"), want: ErrGarbage, says: "more than 1000 series of steps_done",
		},
		"drop by drop": {
			handler: func(w http.ResponseWriter, r *http.Request) {
				_, _ = w.Write([]byte("# a drop"))
				_ = http.NewResponseController(w).Flush()
				<-r.Context().Done()
			},
			timeout: time.Second, want: ErrTimeout, says: "breaks off",
		},
		"silence": {
			handler: func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() },
			timeout: 50 * time.Millisecond, want: ErrTimeout, says: "does not answer",
		},
		"gzip bomb": {
			handler: func(w http.ResponseWriter, r *http.Request) {
				if r.Header.Get("Accept-Encoding") != "" {
					t.Error("compression is asked for")
				}
				w.Header().Set("Content-Encoding", "gzip")
				zip := gzip.NewWriter(w)
				_, _ = zip.Write(make([]byte, 1<<20))
				_ = zip.Close()
			},
			want: ErrGarbage, says: `encoding "gzip"`,
		},
		"redirect": {handler: func(w http.ResponseWriter,
			r *http.Request) {
			http.Redirect(w, r, redirect, http.StatusFound)
		}, want: ErrGarbage, says: "redirect"},
		"endless head": {handler: func(w http.ResponseWriter,
			_ *http.Request) {
			w.Header().Set("X", strings.Repeat("x", 1<<20))
		}, want: ErrUnreachable},
		"half an answer": {
			handler: func(w http.ResponseWriter, _ *http.Request) {
				w.Header().Set("Content-Length", "100")
				_, _ = w.Write([]byte("steps_done 420\n"))
			},
			want: ErrUnreachable, says: "breaks off",
		},
		"nothing there": {handler: http.NotFound, want: ErrMissing, says: "is the path right?"},
		"forbidden": {handler: func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusForbidden) },
			want: ErrGarbage, says: "status 403"},
		"broken": {handler: func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusBadGateway) },
			want: ErrUnreachable, says: "status 502"},
		"no content": {
			handler: func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNoContent) }, want: ErrGarbage,
		},
		"a page": {
			handler: says("<html><body>steps_done 420</body></html>"), want: ErrMissing, says: "steps_done is not served",
		},
		"not a number":     {handler: says("steps_done NaN\n"), want: ErrLie, says: "steps_done is NaN"},
		"one not a number": {handler: says("steps_done{a=\"1\"} 3\nsteps_done{a=\"2\"} NaN\n"), want: ErrLie},
		"infinite":         {handler: says("steps_done +Inf\n"), want: ErrLie, says: "steps_done is +Inf"},
		"no value":         {handler: says("steps_done\n"), want: ErrGarbage, says: "not in the Prometheus text format"},
		"a word":           {handler: says("steps_done many\n"), want: ErrGarbage},
		"bad labels":       {handler: says("steps_done{a=\"1} 3\n"), want: ErrGarbage},
		"OpenMetrics": {
			handler: func(w http.ResponseWriter, _ *http.Request) {
				w.Header().Set("Content-Type", "application/openmetrics-text; version=1.0.0")
				_, _ = w.Write([]byte("steps_done 420 1.5\n# EOF\n"))
			},
			want: ErrGarbage, says: "application/openmetrics-text",
		},
	}
	for name, test := range cases {
		t.Run(name, func(t *testing.T) {
			limits := Limits{Timeout: time.Minute, MaxBytes: 64 << 10}
			if test.timeout > 0 {
				limits.Timeout = test.timeout
			}
			got, err := NewPrometheus(limits).Read(t.Context(), asked(t, serve(t, test.handler)))
			if !errors.Is(err, test.want) {
				t.Fatalf("%+v, %v, want an error that is: %v", got, err, test.want)
			}
			if !strings.Contains(err.Error(), test.says) {
				t.Errorf("%q does not say %q", err, test.says)
			}
		})
	}
}

func TestAnAnswerMayBeAsLongAsTheLimit(t *testing.T) {
	const text = "steps_done 420\n"
	at := serve(t, says(text))
	for limit, want := range map[int64]bool{int64(len(text)): true, int64(len(text)) - 1: false} {
		_, err := NewPrometheus(Limits{Timeout: time.Minute, MaxBytes: limit}).Read(t.Context(), asked(t, at))
		if (err == nil) != want {
			t.Errorf("%d bytes within %d: %v", len(text), limit, err)
		}
	}
}

func TestEveryReadingIsAConnection(t *testing.T) {
	addresses := map[string]bool{}
	at := serve(t, func(w http.ResponseWriter, r *http.Request) {
		addresses[r.RemoteAddr] = true
		fmt.Fprintln(w, "steps_done 420")
	})
	if newScraper(wide).client.Transport.(*http.Transport).Proxy != nil {
		t.Error("pods are asked through a proxy")
	}
	source := NewPrometheus(wide)
	for range 3 {
		if _, err := source.Read(t.Context(), asked(t, at)); err != nil {
			t.Fatal(err)
		}
	}
	if len(addresses) != 3 {
		t.Errorf("three readings over %d connections", len(addresses))
	}
}

func TestNobodyListens(t *testing.T) {
	target := asked(t, "1")
	_, err := NewPrometheus(wide).Read(t.Context(), target)
	if !errors.Is(err, ErrUnreachable) || !strings.Contains(err.Error(), "http://127.0.0.1:1/metrics does not answer") {
		t.Error(err)
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := NewPrometheus(wide).Read(ended, target); !errors.Is(err, context.Canceled) {
		t.Errorf("after its context has ended: %v", err)
	}
}

func TestEndpoints(t *testing.T) {
	for name, test := range map[string]struct{ ip, path, want string }{
		"IPv4":                    {"10.0.0.1", "/metrics", "http://10.0.0.1:8080/metrics"},
		"IPv6":                    {"fd00::1", "/metrics", "http://[fd00::1]:8080/metrics"},
		"a query":                 {"10.0.0.1", "/stats?a=b", "http://10.0.0.1:8080/stats?a=b"},
		"two slashes":             {"10.0.0.1", "//example.com/a", "http://10.0.0.1:8080//example.com/a"},
		"a host":                  {"10.0.0.1", "http://example.com/a", ""},
		"a host in a user's name": {"10.0.0.1", "@example.com/a", ""},
		"no address":              {"", "/metrics", ""},
		"a line":                  {"10.0.0.1", "/a\r\nHost: b", ""},
	} {
		t.Run(name, func(t *testing.T) {
			pod := worker("resnet-worker-0")
			pod.Status.PodIP = test.ip
			got, err := endpoint(pod, 8080, test.path)
			if test.want == "" {
				if err == nil {
					t.Errorf("%v is accepted", got)
				}
			} else if err != nil || got.String() != test.want {
				t.Errorf("%v, %v, want %s", got, err, test.want)
			}
		})
	}
}
