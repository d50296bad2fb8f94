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

// A stranger who holds all connections open keeps others away for a while, and takes nothing else.
func TestConnectionsAreLimited(t *testing.T) {
	listener, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	on := Limit(listener, 2)
	dial := func() net.Conn {
		c, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", listener.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = c.Close() })
		return c
	}
	accepted := make(chan net.Conn)
	go func() {
		defer close(accepted)
		for {
			c, err := on.Accept()
			if err != nil {
				return
			}
			accepted <- c
		}
	}()
	for range 3 {
		dial()
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
