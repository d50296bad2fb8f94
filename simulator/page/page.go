package page

import (
	"embed"
	"html/template"
	"io"

	"github.com/takt-dev/takt/simulator"
)

// Page is a comparison of policies on one trace.
type Page struct {
	Title      string
	Conditions []Condition
	GPUs       int
	ResizeCost simulator.Seconds // how long a job pauses when it is resized
	Bound      simulator.Bound   // over the jobs that have a deadline
	Runs       []Run
}

// Condition is one thing that the figures depend on, as the reader should see it.
type Condition struct{ Label, Value string }

// Run is what one policy has made of the trace.
type Run struct {
	Result  simulator.Result
	History simulator.History
}

//go:embed *.tmpl
var files embed.FS

var layout = template.Must(template.ParseFS(files, "*.tmpl"))

// Write draws the page.
func Write(w io.Writer, p Page) error {
	return layout.ExecuteTemplate(w, "page.html.tmpl", newView(p))
}
