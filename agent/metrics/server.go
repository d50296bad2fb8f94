package metrics

import (
	"bytes"
	"net"
	"net/http"
	"time"

	"github.com/takt-dev/takt/agent/contract"
	"github.com/takt-dev/takt/agent/known"
)

// maxConnections is how many are served at a time. Anybody in the cluster may connect, and must take
// nothing from the training.
const maxConnections = 8

// Serve serves the metrics until the listener is closed.
func Serve(on net.Listener, run *known.Run) error {
	mux := http.NewServeMux()
	mux.HandleFunc("GET "+contract.MetricsPath, func(w http.ResponseWriter, _ *http.Request) {
		var text bytes.Buffer
		if err := Write(&text, run.View()); err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		w.Header().Set("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
		_, _ = text.WriteTo(w) // whoever has gone away needs no answer
	})
	server := &http.Server{
		Handler:           withoutBody(mux),
		ReadTimeout:       5 * time.Second,
		WriteTimeout:      5 * time.Second,
		IdleTimeout:       5 * time.Second,
		MaxHeaderBytes:    8 << 10,
		ErrorLog:          silent,
		ReadHeaderTimeout: 5 * time.Second,
	}
	return server.Serve(Limit(server, on, maxConnections))
}

// withoutBody reads nothing beside the head of a request. A server waits for all that was announced, else.
func withoutBody(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.ContentLength != 0 {
			_ = http.NewResponseController(w).SetReadDeadline(time.Now())
		}
		next.ServeHTTP(w, r)
	})
}
