package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/takt-dev/takt/elastic"
	"github.com/takt-dev/takt/simulator"
	"github.com/takt-dev/takt/simulator/policies"
)

// beginning is what a variant has made of a trace: deadlines as a part of all, the rest as the mean of a job.
type beginning struct{ verdict, met, resizes, pause, lost float64 }

// begin plays a trace whose jobs have nothing to do with each other: none knows what another has taught.
func (b *bench) begin(tr trace, v elastic.Variant, seed uint64) (beginning, error) {
	const cost, noise = 30, 0.1
	jobs, speeds, err := tr.read(b.data)
	if err != nil {
		return beginning{}, err
	}
	models := map[string]string{}
	for i := range jobs {
		models[jobs[i].ID], jobs[i].Model = jobs[i].Model, jobs[i].ID
	}
	own := func(j simulator.Job) simulator.Speeds { return speeds(models[j.ID], j.Batch) }
	cluster := simulator.Cluster{GPUs: tr.gpus, GPUsPerNode: tr.perNode(), ResizeCost: cost}
	policy := policies.NewVariant(v)
	h, err := cluster.Run(jobs, own, simulator.NewLearner(own, noise, seed, tr.perNode()), policy)
	if err != nil {
		return beginning{}, err
	}
	one := 1 / float64(len(h.Jobs))
	c := beginning{pause: one * float64(pauses(h, cost))}
	for _, t := range h.Jobs {
		told := t.Finished
		if at, ok := policy.Verdicts[t.ID]; ok {
			told = at
		}
		c.verdict += one * float64(told-t.Submit)
		if t.Met() {
			c.met += one
		}
		c.resizes += one * float64(max(t.Resizes-1, 0))
		c.lost += one * t.Idle
	}
	return c, nil
}

// pauses is how long all jobs together stood still for resizes, but for their starts.
func pauses(h simulator.History, cost simulator.Seconds) simulator.Seconds {
	sum := simulator.Seconds(0)
	began := map[*simulator.Training]bool{}
	stands := map[*simulator.Training]simulator.Seconds{} // since when
	for _, c := range h.Changes {
		if since, ok := stands[c.Job]; ok {
			sum += min(cost, c.At-since)
			delete(stands, c.Job)
		}
		if began[c.Job] && c.Size > 0 {
			stands[c.Job] = c.At
		}
		began[c.Job] = true
	}
	return sum
}

// read reads the jobs of a trace, and the speeds of models.
func (t trace) read(data string) ([]simulator.Job, func(model string, batch int) simulator.Speeds, error) {
	file, err := os.Open(filepath.Join(data, "elasticflow", "traces", t.name+".csv"))
	if err != nil {
		return nil, nil, err
	}
	defer file.Close()
	jobs, _, err := simulator.ReadTrace(file)
	if err != nil {
		return nil, nil, err
	}
	tables, err := filepath.Glob(filepath.Join(data, "elasticflow", "throughputs", t.kind(), "*.csv"))
	if err != nil {
		return nil, nil, err
	}
	models := map[string]map[int]simulator.Speeds{}
	for _, path := range tables {
		text, err := os.ReadFile(path)
		if err != nil {
			return nil, nil, err
		}
		speeds, _, err := simulator.ReadSpeeds(strings.NewReader(string(text)))
		if err != nil {
			return nil, nil, fmt.Errorf("reading %s: %w", path, err)
		}
		models[strings.TrimSuffix(filepath.Base(path), ".csv")] = speeds
	}
	return jobs, func(model string, batch int) simulator.Speeds { return models[model][batch] }, nil
}
