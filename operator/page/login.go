package page

import (
	"encoding/base64"
	"net/http"
	"strings"

	"github.com/go-logr/logr"
	metricsserver "sigs.k8s.io/controller-runtime/pkg/metrics/server"
)

// Login lets browsers through a filter that knows tokens alone: a browser asks its user for a name and a password, and
// the password is taken for the token. What the filter says is said so that a person knows what to do.
func Login(filter metricsserver.Filter) metricsserver.Filter {
	return func(log logr.Logger, handler http.Handler) (http.Handler, error) {
		if _, ours := handler.(*Server); !ours {
			return filter(log, handler)
		}
		behind, err := filter(log, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if d, is := w.(*refusals); is {
				w = d.ResponseWriter
			}
			handler.ServeHTTP(w, r)
		}))
		if err != nil {
			return nil, err
		}
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if _, err := parsePath(r.URL.Path); err != nil || r.Method != http.MethodGet || r.ContentLength != 0 {
				handler.ServeHTTP(w, r) // which refuses it, whoever asks: nobody's rights have to be looked up for that
				return
			}
			step := &refusals{ResponseWriter: w}
			if r.Header.Get("Authorization") == "" {
				step.WriteHeader(http.StatusUnauthorized) // nobody has to be asked
				return
			}
			passwordIsToken(r)
			behind.ServeHTTP(step, r)
		}), nil
	}
}

// passwordIsToken makes of what browsers send what the filter reads.
func passwordIsToken(r *http.Request) {
	given, basic := strings.CutPrefix(r.Header.Get("Authorization"), "Basic ")
	if !basic {
		return
	}
	text, err := base64.StdEncoding.DecodeString(given)
	if _, token, ok := strings.Cut(string(text), ":"); err == nil && ok {
		r.Header.Set("Authorization", "Bearer "+strings.TrimSpace(token))
	}
}

// refusals is what the filter writes its refusals to; whoever is let in never writes to it.
type refusals struct {
	http.ResponseWriter
	refused bool
}

// WriteHeader says who is refused what to do. A token that is not valid any more is to the filter a failure (500), and
// asked for anew as well.
func (d *refusals) WriteHeader(status int) {
	d.refused = true
	said := ""
	switch status {
	case http.StatusUnauthorized, http.StatusInternalServerError:
		status = http.StatusUnauthorized
		d.Header().Set("WWW-Authenticate", `Basic realm="Takt: any name, and a token as the password", charset="UTF-8"`)
		said = "Takt does not know you. Give any name, and as the password a token, such as " +
			"kubectl create token ACCOUNT makes; one that has worked before may have run out, or the API server cannot " +
			"be asked at present: then try again in a moment.\n"
	case http.StatusForbidden:
		said = "You may not see this page. Ask whoever runs the cluster for the ClusterRole takt-page-reader " +
			"(takt-VERSION-prometheus.yaml of a release has it, and Helm with rbac.readers=true), or for the page of " +
			"your namespace alone: " + Path + ofNamespace +
			"NAMESPACE/. takt list and takt why need neither.\n"
	}
	d.Header().Set("Content-Type", "text/plain; charset=utf-8")
	d.Header().Set("Cache-Control", "no-store")
	d.Header().Del("Content-Length")
	d.ResponseWriter.WriteHeader(status)
	_, _ = d.ResponseWriter.Write([]byte(said))
}

// Write leaves out what the filter says itself.
func (d *refusals) Write(text []byte) (int, error) {
	if !d.refused {
		d.WriteHeader(http.StatusInternalServerError)
	}
	return len(text), nil
}
