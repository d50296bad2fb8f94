// Package indexedjob has the kind of Kubernetes' own Indexed Jobs, batch/v1, of as many parallel pods as completions.
// They change both numbers together, and a pod above the new ones that ends does not count.
//
// In comes a Job as the API server has it; out goes what it says of itself, and the patch that asks it for a size.
//
// The template of a Job cannot be changed while it runs, but for labels, annotations and where pods may go while it is
// suspended. So a start marks the template, and pods that come later are marked one by one.
package indexedjob
