// Package ahead finds where somebody else does better than Takt. The table of a benchmark comes in, a list of sentences
// goes out, so that the page of the benchmark has one for each such figure, whoever is glad of it.
package ahead
