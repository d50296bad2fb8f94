// Package results keeps what tests measure, and writes it into the tables of a page such as docs/benchmarks.md.
//
// What comes in are rows of figures, and the page as it is; what goes out is the page with these rows in the place of
// those that are about the same. What was not measured stays.
package results
