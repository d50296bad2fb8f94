package metrics

import (
	"errors"
	"flag"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/takt-dev/takt/agent/known"
)

var rewrite = flag.Bool("rewrite", false, "write what is served as what is wanted")

func TestExposition(t *testing.T) {
	at := time.UnixMilli(1795543200123).UTC()
	for name, view := range map[string]known.View{
		"nothing": {},
		"everything": {
			Source: known.Output, Progress: known.Count{Done: 420, Total: 1000, Unit: "steps", At: at},
			SavedAt: at.Add(-time.Minute),
			Waiting: true, StartedAt: at.Add(-time.Hour), Draining: true, SavePossible: true,
			SaveRead: 1795543200123, SaveAnswered: 1795543200123, AnsweredAt: at, SaveDeclined: 7,
			AsideRead: 1795543200123, AsideOver: 1795543200123, AsideTook: 17 * time.Second, Lines: 1000, LinesSkipped: 3,
		},
	} {
		t.Run(name, func(t *testing.T) {
			var got strings.Builder
			if err := Write(&got, view); err != nil {
				t.Fatal(err)
			}
			file := filepath.Join("testdata", name+".txt")
			if *rewrite {
				if err := os.WriteFile(file, []byte(got.String()), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(file)
			if err != nil || got.String() != string(want) {
				t.Errorf("got (%v)\n%s", err, got.String())
			}
		})
	}
}

// A stranger who asks on all connections keeps others away for a while, and takes nothing else.
func TestConnectionsAreLimited(t *testing.T) {
	listener, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	server := &http.Server{ReadHeaderTimeout: time.Second}
	on := Limit(server, listener, 2)
	accepted := make(chan net.Conn)
	go func() {
		defer close(accepted)
		for {
			c, err := on.Accept()
			if err != nil {
				return
			}
			server.ConnState(c, http.StateActive)
			accepted <- c
		}
	}()
	for range 4 {
		dial(t, listener)
	}
	first, second := <-accepted, <-accepted
	_ = first.Close()
	_ = first.Close() // twice is once
	third := <-accepted
	if err := on.Close(); err != nil {
		t.Fatal(err)
	}
	if _, more := <-accepted; more {
		t.Error("a third connection is served beside two")
	}
	_, _ = second.Close(), third.Close()
}

func dial(t *testing.T, to net.Listener) net.Conn {
	t.Helper()
	c, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", to.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Close() })
	return c
}

func TestMetricsAreServedAndNothingElse(t *testing.T) {
	listener, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ended := make(chan error)
	go func() { ended <- Serve(listener, known.NewRun()) }()
	for path, want := range map[string]int{"/metrics": 200, "/": 404, "/debug/pprof": 404} {
		request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://"+listener.Addr().String()+path, nil)
		if err != nil {
			t.Fatal(err)
		}
		response, err := http.DefaultClient.Do(request)
		if err != nil {
			t.Fatal(err)
		}
		_, _ = io.Copy(io.Discard, response.Body)
		_ = response.Body.Close()
		if response.StatusCode != want {
			t.Errorf("%s is answered with %d, want %d", path, response.StatusCode, want)
		}
	}
	_ = listener.Close()
	if err := <-ended; !errors.Is(err, net.ErrClosed) {
		t.Error(err)
	}
}

// Strangers who hold connections open, and ask for nothing or do not end to, keep nobody from being served. All of
// these would have five seconds each.
func TestWhoAsksForNothingGivesWay(t *testing.T) {
	for name, asks := range map[string]string{
		"nothing": "", "half a request": "GET /met",
		"a request without its body": "GET /metrics HTTP/1.1\r\nHost: pod\r\nContent-Length: 100\r\n\r\n",
		"one, and no more":           "GET /metrics HTTP/1.1\r\nHost: pod\r\n\r\n",
	} {
		t.Run(name, func(t *testing.T) {
			listener, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
			if err != nil {
				t.Fatal(err)
			}
			defer listener.Close()
			go func() { _ = Serve(listener, known.NewRun()) }()
			for range 2 * maxConnections {
				if _, err := io.WriteString(dial(t, listener), asks); err != nil {
					t.Fatal(err)
				}
			}
			operator := dial(t, listener)
			if err := operator.SetDeadline(time.Now().Add(3 * time.Second)); err != nil {
				t.Fatal(err)
			}
			if _, err := io.WriteString(operator, "GET /metrics HTTP/1.0\r\n\r\n"); err != nil {
				t.Fatal(err)
			}
			if text, err := io.ReadAll(operator); err != nil || !strings.HasPrefix(string(text), "HTTP/1.0 200") {
				t.Errorf("the operator is answered with %.20q (%v)", text, err)
			}
		})
	}
}
