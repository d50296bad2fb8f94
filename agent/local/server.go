package local

import (
	"crypto/rand"
	"crypto/subtle"
	"encoding/json"
	"errors"
	"io"
	"log"
	"mime"
	"net"
	"net/http"
	"strings"
	"time"

	"github.com/takt-dev/takt/agent/known"
	"github.com/takt-dev/takt/agent/metrics"
)

// The paths of the endpoint.
const (
	ProgressPath   = "/v1/progress"
	CheckpointPath = "/v1/checkpoint"
	SavePath       = "/v1/save"
	KubeflowPath   = "/kubeflow/status"
)

const (
	maxBody        = 256 << 10
	maxConnections = 64
)

// Endpoint is the local endpoint of one training.
type Endpoint struct {
	run *known.Run
	// token is what a script must show: where a pod uses the network of its node, others can reach the endpoint.
	token string
	now   func() time.Time
}

// New makes an endpoint that tells run what it is told.
func New(run *known.Run, now func() time.Time) *Endpoint {
	return &Endpoint{run: run, token: rand.Text(), now: now}
}

// Serve serves until the listener is closed.
func (e *Endpoint) Serve(on net.Listener) error {
	server := &http.Server{
		Handler: e.Handler(), ReadTimeout: 10 * time.Second, WriteTimeout: 10 * time.Second, IdleTimeout: time.Minute,
		MaxHeaderBytes: 16 << 10, ErrorLog: log.New(io.Discard, "", 0),
	}
	return server.Serve(metrics.Limit(server, on, maxConnections))
}

// Handler answers requests. Whatever is wrong with one is said in a sentence.
func (e *Endpoint) Handler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("POST "+ProgressPath, told(e.progress))
	mux.HandleFunc("POST "+CheckpointPath, told(e.checkpoint))
	mux.HandleFunc("GET "+SavePath, e.save)
	mux.HandleFunc("POST "+KubeflowPath, told(e.kubeflow))
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !e.knows(r.Header.Get("Authorization")) {
			http.Error(w, "Show the token as a bearer token: Authorization: Bearer TOKEN.", http.StatusUnauthorized)
			return
		}
		mux.ServeHTTP(w, r)
	})
}

func (e *Endpoint) knows(authorization string) bool {
	scheme, token, _ := strings.Cut(authorization, " ")
	return strings.EqualFold(scheme, "Bearer") && subtle.ConstantTimeCompare([]byte(strings.TrimSpace(token)),
		[]byte(e.token)) == 1
}

// told reads the JSON that a request tells, and gives what is to be answered.
func told[T any](take func(T) (answer any, err error)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if kind, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type")); kind != "" && kind != "application/json" {
			http.Error(w, "Send application/json.", http.StatusUnsupportedMediaType)
			return
		}
		text, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
		if err != nil {
			code := http.StatusBadRequest
			if _, long := errors.AsType[*http.MaxBytesError](err); long {
				code = http.StatusRequestEntityTooLarge
			}
			http.Error(w, err.Error(), code)
			return
		}
		var body T
		if err := json.Unmarshal(text, &body); err != nil {
			http.Error(w, "This is not the JSON that is told here: "+err.Error(), http.StatusBadRequest)
			return
		}
		answer, err := take(body)
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		reply(w, answer)
	}
}

func reply(w http.ResponseWriter, answer any) {
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(answer) // whoever has gone away needs no answer
}
