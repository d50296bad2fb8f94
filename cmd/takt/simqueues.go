package main

import (
	"maps"
	"slices"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/cli/queuefile"
	"github.com/takt-dev/takt/elastic"
	"github.com/takt-dev/takt/simulator"
)

// readQueues reads how the cluster is shared, if there is a file that says so, and tells of jobs whose queue it lacks.
func (w *workload) readQueues(file, trace string, wrong *complaints) (err error) {
	if file == "" {
		return nil
	}
	if w.queues, err = queuefile.Read(file); err != nil {
		return err
	}
	unknown := map[string]int{}
	for i := range w.jobs {
		job := &w.jobs[i]
		if job.Queue == "" {
			job.Queue = simulator.DefaultQueue
		}
		if _, known := w.queues.Named(job.Queue); !known {
			unknown[job.Queue]++
		}
	}
	for _, name := range slices.Sorted(maps.Keys(unknown)) {
		wrong.add("%s: %s of queue %q, which is not in %s, run on what no queue is guaranteed", trace,
			elastic.CountOf(unknown[name], "job"), name, file)
	}
	return nil
}

// serve gives jobs what their queues give those that do not say it themselves. Jobs that others wait for go by the
// deadlines of these.
func (w *workload) serve() {
	first := map[string]bool{}
	for _, job := range w.jobs {
		for _, id := range job.After {
			first[id] = true
		}
	}
	for i := range w.jobs {
		job := &w.jobs[i]
		queue, known := w.queues.Named(job.Queue)
		if w.queues == nil || !known {
			continue
		}
		class := queue.Spec.Jobs
		job.OnlyPromised = class.Guarantee == v1alpha1.GuaranteePromise
		if d, err := class.DeadlineAfter.Duration(); err == nil && job.Deadline == simulator.Never && !first[job.ID] {
			job.Deadline = job.Submit + seconds(d)
		}
		if d, err := class.MaxWait.Duration(); err == nil {
			job.MaxWait = seconds(d)
		}
	}
}
