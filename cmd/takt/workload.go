package main

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"

	"github.com/takt-dev/takt/cli/queuefile"
	"github.com/takt-dev/takt/elastic"
	"github.com/takt-dev/takt/price"
	"github.com/takt-dev/takt/simulator"
)

// workload is what is simulated.
type workload struct {
	jobs   []simulator.Job
	models map[string]map[int]simulator.Speeds // by model and batch size
	queues queuefile.Queues                    // none if nobody says how the cluster is shared
}

// speeds are those of a job; none, if they were not measured.
func (w workload) speeds(job simulator.Job) simulator.Speeds { return w.models[job.Model][job.Batch] }

// due are the jobs that have a deadline.
func (w workload) due() []simulator.Job {
	return slices.DeleteFunc(slices.Clone(w.jobs), func(j simulator.Job) bool {
		return math.IsInf(float64(j.Deadline), 1)
	})
}

// readWorkload reads the trace and the speeds of its models, and tells of all that is wrong there.
func (s simulation) readWorkload(stderr io.Writer) (workload, error) {
	var wrong complaints
	jobs, err := readJobs(s.trace, &wrong)
	if err != nil {
		return workload{}, err
	}
	w := workload{jobs: jobs, models: map[string]map[int]simulator.Speeds{}}
	if err := w.choose(s.gpuType, s.trace, &wrong); err != nil {
		return workload{}, err
	}
	if err := w.readModels(s.throughputs, &wrong); err != nil {
		return workload{}, err
	}
	if err := w.checkPrices(s.prices.PerHour); err != nil {
		return workload{}, err
	}
	if err := w.readQueues(s.queues, s.trace, &wrong); err != nil {
		return workload{}, err
	}
	w.complainOfUnmeasured(s.trace, s.throughputs, &wrong)
	wrong.report(stderr)
	if s.strict && len(wrong) > 0 {
		return workload{}, fmt.Errorf("--strict refuses this input for %s: mend what is told above, or leave --strict out",
			elastic.CountOf(len(wrong), "mistake"))
	}
	w.serve()
	w.moveDeadlines(s.deadlines)
	w.takeDeadlines(s.bestEffort, s.seed)
	for i := range w.jobs {
		w.jobs[i].OnlyPromised = w.jobs[i].OnlyPromised || s.guarantee == onlyPromised
	}
	return w, nil
}

// checkPrices says so where a price is missing: no cost is told that leaves jobs out.
func (w workload) checkPrices(perHour price.PerHour) error {
	for _, job := range w.jobs {
		if _, priced := perHour.Of(job.GPUType); perHour == nil || priced {
			continue
		}
		if job.GPUType == "" {
			return fmt.Errorf("--price has none for job %q, of which the trace does not tell its gpu_type: add one for all "+
				"others, as in *=1", job.ID)
		}
		return fmt.Errorf("--price has none for the GPUs of job %q: add %s=1, or *=1 for all others", job.ID, job.GPUType)
	}
	return nil
}

func readJobs(path string, wrong *complaints) ([]simulator.Job, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("%w: --trace has to name the CSV file with the jobs", err)
	}
	defer file.Close()
	jobs, bad, err := simulator.ReadTrace(file)
	if err != nil {
		return nil, fmt.Errorf("%s: %w. takt sim --help says what a trace has to have", path, err)
	}
	wrong.rows(path, bad)
	return jobs, nil
}

// readModels reads the tables of the models that the jobs need. They are looked up among the files
// of the folder: a name in a trace, which may hold anything, is never taken for a path.
func (w workload) readModels(folder string, wrong *complaints) error {
	files, err := os.ReadDir(folder)
	if err != nil {
		return fmt.Errorf("%w: --throughputs has to name the folder with the tables of speeds", err)
	}
	for _, file := range files {
		model, ok := tableOf(file.Name())
		if !ok || !slices.ContainsFunc(w.jobs, func(j simulator.Job) bool { return j.Model == model }) {
			continue
		}
		if err := w.readModel(model, filepath.Join(folder, file.Name()), wrong); err != nil {
			return err
		}
	}
	return nil
}

const tableEnding = ".csv"

func tableOf(file string) (model string, ok bool) {
	return file[:max(len(file)-len(tableEnding), 0)], filepath.Ext(file) == tableEnding
}

func (w workload) readModel(model, path string, wrong *complaints) error {
	file, err := os.Open(path)
	if err != nil {
		return fmt.Errorf("%w: --throughputs has to name a folder with tables that you may read", err)
	}
	defer file.Close()
	speeds, bad, err := simulator.ReadSpeeds(file)
	if err != nil {
		return fmt.Errorf("%s: %w. takt sim --help says what a table of speeds has to have", path, err)
	}
	wrong.rows(path, bad)
	w.models[model] = speeds
	return nil
}

// complainOfUnmeasured tells of the jobs whose speeds are not known, once for all of one kind.
func (w workload) complainOfUnmeasured(trace, folder string, wrong *complaints) {
	type kind struct {
		model string
		batch int
	}
	unknown := map[kind]int{}
	for _, job := range w.jobs {
		if w.models[job.Model] == nil {
			unknown[kind{model: job.Model}]++
		} else if w.speeds(job) == nil {
			unknown[kind{job.Model, job.Batch}]++
		}
	}
	order := func(a, b kind) int { return cmp.Or(cmp.Compare(a.model, b.model), cmp.Compare(a.batch, b.batch)) }
	for _, k := range slices.SortedFunc(maps.Keys(unknown), order) {
		reason := fmt.Sprintf("there is no %q in %s", k.model+tableEnding, folder)
		if k.batch > 0 {
			reason = fmt.Sprintf("its table has no row for the batch size %d", k.batch)
		}
		wrong.add("%s: %s of model %q will never run: %s", trace, elastic.CountOf(unknown[k], "job"), k.model, reason)
	}
}

// moveDeadlines gives each job another part of the time that it had to its deadline.
func (w workload) moveDeadlines(part float64) {
	for i := range w.jobs {
		if job := &w.jobs[i]; !math.IsInf(float64(job.Deadline), 1) && part != 1 {
			job.Deadline = job.Submit + simulator.Seconds(part)*(job.Deadline-job.Submit)
		}
	}
}

// takeDeadlines makes a share of the jobs best-effort.
func (w workload) takeDeadlines(share float64, seed uint64) {
	random := rand.New(rand.NewPCG(seed, 4))
	for _, i := range random.Perm(len(w.jobs))[:int(math.Round(share*float64(len(w.jobs))))] {
		w.jobs[i].Deadline = simulator.Never
	}
}
