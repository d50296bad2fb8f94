package page

import (
	"bytes"
	"context"
	"embed"
	"errors"
	"fmt"
	"html/template"
	"net/http"
	"slices"
	"strings"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/util/validation"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// Path is below which all of it is, on the server of the metrics.
const Path = "/takt/"

// ofNamespace is what the path of a namespace has after Path.
const ofNamespace = "namespaces/"

const (
	// atOnce is how many pages are made at a time: what a page takes is bounded, and so is what all take together.
	atOnce = 4
	// within is how long a page may wait for its turn and for the cache, and then again for a slow reader.
	within = 10 * time.Second
	// largest is how long a page may be. The rows of a page are bounded, and so are their texts; this is for what was
	// forgotten.
	largest = 4 << 20
)

//go:embed fleet.html.tmpl job.html.tmpl frame.html.tmpl style.css
var files embed.FS

// Server serves the page. Any replica can, as it shows what objects of the API say.
type Server struct {
	// History is how far jobs were, as far as its Handler has heard.
	History History

	reader     client.Reader // from the cache
	namespaces []string      // which that has alone; none: all
	now        func() time.Time
	turns      chan struct{}
	templates  *template.Template
	style      []byte
}

// New is a server of what a cache has: of some namespaces, or of all if none is named.
func New(reader client.Reader, namespaces []string, now func() time.Time) (*Server, error) {
	style, err := files.ReadFile("style.css")
	if err != nil {
		return nil, err
	}
	templates, err := template.New("page").ParseFS(files, "*.html.tmpl")
	if err != nil {
		return nil, fmt.Errorf("reading the templates of the page: %w", err)
	}
	return &Server{reader: reader, namespaces: namespaces, now: now, turns: make(chan struct{}, atOnce),
		templates: templates, style: style}, nil
}

// policy lets a page load its style and nothing else, run nothing, and be shown in no other page.
const policy = "default-src 'none'; style-src 'self'; img-src data:; form-action 'self'; base-uri 'none'; " +
	"frame-ancestors 'none'"

// ServeHTTP serves one page.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	header := w.Header()
	for name, value := range map[string]string{
		"Content-Security-Policy": policy, "X-Content-Type-Options": "nosniff", "Referrer-Policy": "no-referrer",
		"Cross-Origin-Resource-Policy": "same-origin", "Cross-Origin-Opener-Policy": "same-origin",
		"Cache-Control": "no-store",
	} {
		header.Set(name, value)
	}
	asked, ok := understand(w, r)
	if !ok {
		return
	}
	// A reader who takes nothing is not waited for. Servers without deadlines, as in tests, need none.
	_ = http.NewResponseController(w).SetWriteDeadline(time.Now().Add(2 * within))
	if asked.style {
		header.Set("Content-Type", "text/css; charset=utf-8")
		_, _ = w.Write(s.style)
		return
	}
	if asked.namespace != "" && len(s.namespaces) > 0 && !slices.Contains(s.namespaces, asked.namespace) {
		http.Error(w, fmt.Sprintf("Takt does not look after namespace %s: its settings name the namespaces that it does",
			asked.namespace), http.StatusNotFound)
		return
	}
	s.answer(w, r, asked)
}

// understand finds what is asked for, or says what is wrong with it.
func understand(w http.ResponseWriter, r *http.Request) (asked place, ok bool) {
	if r.Method != http.MethodGet {
		w.Header().Set("Allow", http.MethodGet)
		http.Error(w, "this can only be read: use GET", http.StatusMethodNotAllowed)
		return place{}, false
	}
	asked, err := parsePath(r.URL.Path)
	if err != nil {
		http.Error(w, err.Error(), http.StatusNotFound)
		return place{}, false
	}
	if r.ContentLength != 0 { // which the server would wait for before it answers
		w.Header().Set("Connection", "close")
		http.Error(w, "who asks for a page sends nothing with it", http.StatusBadRequest)
		return place{}, false
	}
	return asked, true
}

// answer makes the page when its turn has come, and sends it.
func (s *Server) answer(w http.ResponseWriter, r *http.Request, asked place) {
	ctx, cancel := context.WithTimeout(r.Context(), within)
	defer cancel()
	select {
	case s.turns <- struct{}{}:
	case <-ctx.Done():
		w.Header().Set("Retry-After", "10")
		http.Error(w, "too many ask for pages at a time: try again in a moment", http.StatusServiceUnavailable)
		return
	}
	page, err := s.inTurn(ctx, r, asked)
	switch {
	case apierrors.IsNotFound(err):
		http.Error(w, fmt.Sprintf("there is no ElasticJob %s in namespace %s", asked.job, asked.namespace),
			http.StatusNotFound)
	case err != nil:
		http.Error(w, "what is known of the cluster cannot be read yet: try again in a moment", http.StatusServiceUnavailable)
	case page.Len() > largest:
		http.Error(w, "the page is too long to be shown: look for less, or ask takt list", http.StatusInternalServerError)
	default:
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = w.Write(page.Bytes()) // a reader who has gone away needs no answer
	}
}

// inTurn makes the page, and lets the next make theirs before it is sent: a reader who takes his time takes no turn.
func (s *Server) inTurn(ctx context.Context, r *http.Request, asked place) (page bytes.Buffer, err error) {
	defer func() { <-s.turns }()
	err = s.write(ctx, &page, r, asked)
	return page, err
}

func (s *Server) write(ctx context.Context, to *bytes.Buffer, r *http.Request, asked place) error {
	if asked.job != "" {
		view, err := s.job(ctx, asked)
		if err != nil {
			return err
		}
		return s.templates.ExecuteTemplate(to, "job.html.tmpl", view)
	}
	view, err := s.fleet(ctx, asked, parseQuery(r.URL.Query()))
	if err != nil {
		return err
	}
	return s.templates.ExecuteTemplate(to, "fleet.html.tmpl", view)
}

// place is what a path asks for.
type place struct {
	namespace string // empty: all of them
	job       string // empty: the jobs
	style     bool
}

// parsePath reads the very text that the API server was asked about, so that what is shown is what was allowed. The
// style is beside each page, whose reader may have a right to no other path; no job can have its name.
func parsePath(path string) (place, error) {
	rest, ours := strings.CutPrefix(path, Path)
	if !ours {
		return place{}, errNoPage
	}
	namespace, within := "", rest
	if of, is := strings.CutPrefix(rest, ofNamespace); is {
		var whole bool
		if namespace, within, whole = strings.Cut(of, "/"); !whole || len(validation.IsDNS1123Label(namespace)) > 0 {
			return place{}, errNoPage
		}
	}
	switch {
	case within == "":
		return place{namespace: namespace}, nil
	case within == "style.css":
		return place{namespace: namespace, style: true}, nil
	case namespace != "" && len(validation.IsDNS1123Label(within)) == 0:
		return place{namespace: namespace, job: within}, nil
	}
	return place{}, errNoPage
}

var errNoPage = errors.New("there is no such page: " + Path + " has all jobs, " + Path + ofNamespace +
	"NAMESPACE/ those of a namespace, and its NAME after that one of them")
