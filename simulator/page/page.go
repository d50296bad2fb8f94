// Package page draws what happened in a simulation as one self-contained HTML page: the figures of
// the policies side by side, and for each policy the GPUs by job over time, the deadlines, and the
// jobs that missed theirs.
//
// All geometry is computed here, and the page is plain HTML with inline SVG. It needs no network
// and no script, so it can be mailed, printed, and opened in ten years. What a figure says with
// colour it says with a pattern, a shape or a word too.
//
// A long trace has more changes than a page has pixels. The overview adds up over short spans, and
// loses nothing but detail; single jobs are drawn in one window, the same for all policies, which
// is the widest that can still be read, where the most deadlines were missed.
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
