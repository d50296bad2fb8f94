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
//
// What comes in is what each policy has made of one trace, and the bound; what goes out is HTML.
package page
