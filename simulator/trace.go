package simulator

import (
	"errors"
	"fmt"
	"io"
	"math"
	"strings"

	"github.com/takt-dev/takt/simulator/table"
)

// Job is one job of a trace.
type Job struct {
	ID       string
	Model    string
	Batch    int // samples of one iteration, over all GPUs
	Submit   Seconds
	Deadline Seconds // a moment, as Submit is
	Work     Iterations
	GPUs     int     // what its owner asked for
	Duration Seconds // what it takes with these

	GPUType string // what GPUs it runs on, if the trace tells
	Guess   bool   // it was never measured: its work and its speeds are guessed

	OnlyPromised bool // it waits until its deadline is promised

	Queue string // whose job it is, if the trace tells
	// DeadlineBy says whether it has its deadline, or none, by its queue, or nobody can give it one; empty if it says so
	// itself, or the trace does not tell.
	DeadlineBy string
	MaxWait    Seconds // for how long it may have to wait, where it has no deadline that it may still meet; 0 is for ever

	After    []string // the jobs that have to be finished before it starts, by their IDs
	Priority int      // it goes before jobs of a lower one; policies that know none ignore it
}

// traceFormat names the columns of one kind of trace.
type traceFormat struct{ submit, work, deadline string }

// The formats that are known, by columns that no other has.
var traceFormats = []traceFormat{
	{submit: "submission_time", work: "num_iteration", deadline: "deadline"},
	{submit: "submit_time", work: "iteration", deadline: "ddl"},
}

// ReadTrace reads the jobs of a trace, whose format is known by its header. Rows that make no
// sense are left out and told of.
func ReadTrace(r io.Reader) ([]Job, []table.BadRow, error) {
	t, err := table.New(r)
	if err != nil {
		return nil, nil, err
	}
	format, err := recognise(t.Columns())
	if err != nil {
		return nil, nil, err
	}
	var jobs []Job
	seen := map[string]bool{}
	err = t.Each(func(r table.Row) error {
		job, err := format.job(r)
		if err != nil {
			return err
		}
		if seen[job.ID] {
			return fmt.Errorf("the job_id %q is there twice", job.ID)
		}
		seen[job.ID] = true
		jobs = append(jobs, job)
		return nil
	})
	for _, job := range jobs {
		for _, id := range job.After {
			if err == nil && (!seen[id] || id == job.ID) {
				err = fmt.Errorf("job %s is after %q: name the job_id of another job of the trace, with blanks between them if "+
					"they are several", job.ID, id)
			}
		}
	}
	return jobs, t.Bad(), err
}

func recognise(columns map[string]int) (traceFormat, error) {
	var complaints []string
	for _, format := range traceFormats {
		var missing []string
		for _, column := range format.columns() {
			if _, ok := columns[column]; !ok {
				missing = append(missing, column)
			}
		}
		if len(missing) == 0 {
			return format, nil
		}
		complaints = append(complaints, "for one format it lacks "+strings.Join(missing, ", "))
	}
	return traceFormat{}, errors.New("the header is of no known trace: " + strings.Join(complaints, "; "))
}

func (f traceFormat) columns() []string {
	return []string{"job_id", "model_name", "batch_size", "num_gpu", "duration", f.submit, f.work, f.deadline}
}

// Columns that a trace of either format may have.
const (
	typeColumn  = "gpu_type"
	guessColumn = "guess"
	queueColumn = "queue"
	byColumn    = "deadline_by"
	afterColumn = "after"
	// priorityColumn is a whole number.
	priorityColumn = "priority"
)

// Who gives a job its deadline, if that is not the job itself.
const (
	ByQueue  = "queue"
	ByNobody = "nobody" // it has failed, and would be in time with less work
)

// most is more seconds, and more iterations, than any job has. Moments beyond it could not be told
// from each other any more.
const most = 1e12

// mostPriority is the greatest that a job may have.
const mostPriority = 1000

func (f traceFormat) job(r table.Row) (Job, error) {
	job := Job{ID: r.Text("job_id"), Model: r.Text("model_name"), GPUType: r.Optional(typeColumn),
		Queue: r.Optional(queueColumn)}
	if after := r.Optional(afterColumn); after != "" {
		job.After = strings.Fields(after)
	}
	switch job.DeadlineBy = r.Optional(byColumn); job.DeadlineBy {
	case "", ByQueue, ByNobody:
	default:
		return Job{}, fmt.Errorf("%s is %q: it must be %s, %s or nothing", byColumn, job.DeadlineBy, ByQueue, ByNobody)
	}
	if job.ID == "" || job.Model == "" {
		return Job{}, errors.New("job_id and model_name must not be empty")
	}
	var errs []error
	number := func(column string, least float64) float64 {
		value, err := r.Number(column, least)
		if err == nil && value > most {
			err = fmt.Errorf("%s is %g: it must be %g or less", column, value, most)
		}
		errs = append(errs, err)
		return value
	}
	whole := func(column string) int {
		value := number(column, 1)
		if value != math.Trunc(value) || value > math.MaxInt32 {
			errs = append(errs, fmt.Errorf("%s is %g: it must be a whole number", column, value))
		}
		return int(value)
	}
	job.Submit = Seconds(number(f.submit, 0))
	job.Deadline = Never
	if r.Text(f.deadline) != "" {
		job.Deadline = Seconds(number(f.deadline, math.Inf(-1)))
	}
	job.Work = Iterations(number(f.work, 0))
	job.Duration = Seconds(number("duration", 0))
	job.Batch = whole("batch_size")
	job.GPUs = whole("num_gpu")
	switch guess := r.Optional(guessColumn); guess {
	case "", "0":
	case "1":
		job.Guess = true
	default:
		errs = append(errs, fmt.Errorf("%s is %q: it must be 1 for a job that was never measured, else 0 or nothing",
			guessColumn, guess))
	}
	if text := r.Optional(priorityColumn); text != "" {
		priority := number(priorityColumn, -mostPriority)
		if priority != math.Trunc(priority) || priority > mostPriority {
			errs = append(errs, fmt.Errorf("%s is %g: it must be a whole number from -%d to %[3]d",
				priorityColumn, priority, mostPriority))
		}
		job.Priority = int(priority)
	}
	err := errors.Join(errs...)
	if err == nil && job.Work == 0 {
		err = fmt.Errorf("%s is 0: a job without work is none", f.work)
	}
	return job, err
}
