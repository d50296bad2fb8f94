package main

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/takt-dev/takt/elastic"
	"github.com/takt-dev/takt/simulator"
)

// allTypes has --gpu-type take GPUs of all kinds for one.
const allTypes = "all"

// choose leaves the jobs of one kind of GPU, as the cluster that is replayed has one. Jobs have other speeds on other
// kinds, and no use of the GPUs of a kind that they may not have, so several kinds are one only where somebody says so.
func (w *workload) choose(kind, trace string, wrong *complaints) error {
	found := map[string]int{}
	for _, job := range w.jobs {
		found[job.GPUType]++
	}
	untold := found[""]
	delete(found, "")
	kinds := slices.Sorted(maps.Keys(found))
	switch {
	case kind == allTypes, kind == "" && len(kinds) < 2:
		return nil
	case kind == "":
		return fmt.Errorf("%s has jobs on %s, and takt sim replays a cluster with one kind of GPU: choose it, as in "+
			"--gpu-type %s, or have all taken for one kind by --gpu-type %s", trace, listed(kinds), kinds[0], allTypes)
	case len(kinds) == 0:
		return fmt.Errorf("%s does not tell which GPUs jobs run on, in a column gpu_type: leave --gpu-type out", trace)
	case found[kind] == 0:
		return fmt.Errorf("%s has no job on %s, but on %s: name one of these with --gpu-type", trace, kind, listed(kinds))
	}
	stays := map[string]bool{}
	w.jobs = slices.DeleteFunc(w.jobs, func(job simulator.Job) bool {
		stays[job.ID] = job.GPUType == kind
		return !stays[job.ID]
	})
	alone := 0
	for i := range w.jobs {
		job := &w.jobs[i]
		others := len(job.After)
		job.After = slices.DeleteFunc(job.After, func(id string) bool { return !stays[id] })
		if len(job.After) < others {
			alone++
		}
	}
	if untold > 0 {
		wrong.add("%s: %s without a gpu_type: left out, as --gpu-type is %s", trace, elastic.CountOf(untold, "job"), kind)
	}
	if alone > 0 {
		wrong.add("%s: %s after others that are not on %s: here these are not waited for", trace,
			elastic.CountOf(alone, "job"), kind)
	}
	return nil
}

func listed(names []string) string {
	last := len(names) - 1
	if last == 0 {
		return names[0]
	}
	return strings.Join(names[:last], ", ") + " and " + names[last]
}
