package main

import (
	"cmp"
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
		w.levelQueues()
		return nil
	}
	if w.queues, err = queuefile.Read(file); err != nil {
		return err
	}
	unknown, named := map[string]int{}, false
	for i := range w.jobs {
		job := &w.jobs[i]
		named = named || job.Queue != ""
		job.Queue = cmp.Or(job.Queue, simulator.DefaultQueue)
		if _, known := w.queues.Named(job.Queue); !known {
			unknown[job.Queue]++
		}
	}
	if !named {
		wrong.add("%s: no job names a queue, in a column queue: all are of the queue %s", trace, simulator.DefaultQueue)
	}
	for _, name := range slices.Sorted(maps.Keys(unknown)) {
		wrong.add("%s: %s of queue %q, which is not in %s: the operator would not start what is of it, and here it is "+
			"guaranteed nothing", trace, elastic.CountOf(unknown[name], "job"), name, file)
	}
	return nil
}

// levelQueues has priorities count for nothing where there are jobs of several queues, and nobody says what these have:
// no priority puts a job before those of other queues.
func (w *workload) levelQueues() {
	queues := map[string]bool{}
	for _, job := range w.jobs {
		queues[cmp.Or(job.Queue, simulator.DefaultQueue)] = true
	}
	for i := range w.jobs {
		if len(queues) > 1 {
			w.jobs[i].Priority = 0
		}
	}
}

// serve gives jobs what their queues give, in place of what queues gave them when they ran; a deadline of their own
// stays. Jobs that others wait for go by the deadlines of these.
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
		if job.DeadlineBy == simulator.ByQueue {
			job.Deadline = simulator.Never
		}
		open := job.Deadline == simulator.Never && job.DeadlineBy != simulator.ByNobody && !first[job.ID]
		if d, err := class.DeadlineAfter.Duration(); err == nil && open {
			job.Deadline = job.Submit + seconds(d)
		}
		if d, err := class.MaxWait.Duration(); err == nil {
			job.MaxWait = seconds(d)
		}
	}
}
