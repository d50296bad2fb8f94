package replay

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"time"

	"github.com/takt-dev/takt/records"
)

// Trace is a table of jobs, and a table of speeds for each of the models that they name.
type Trace struct {
	Jobs   [][]string
	Speeds map[string][][]string

	Guesses int // jobs that were never measured
	LeftOut int // jobs that never ran
}

// columns are the heads of the table of jobs.
var columns = []string{
	"job_id", "submission_time", "num_iteration", "model_name", "deadline", "batch_size", "num_gpu", "duration",
	"gpu_type", "guess", "queue", "priority", "after", "deadline_by",
}

// Make makes the trace of all jobs that have ever run, in the order in which they came.
func Make(all []records.Record) Trace {
	t := Trace{Jobs: [][]string{columns}, Speeds: map[string][][]string{}}
	sorted := slices.SortedFunc(slices.Values(all), func(a, b records.Record) int {
		return cmp.Or(a.Submitted.Compare(b.Submitted), cmp.Compare(a.Namespace, b.Namespace),
			cmp.Compare(a.Name, b.Name), cmp.Compare(a.UID, b.UID))
	})
	models, before := models{}, newPredecessors(all)
	var first time.Time
	for _, r := range sorted {
		needs, ran := needsOf(r)
		if !ran {
			t.LeftOut++
			continue
		}
		if first.IsZero() {
			first = r.Submitted
		}
		if needs.guess {
			t.Guesses++
		}
		model, row := models.row(r, needs.speeds)
		t.Jobs = append(t.Jobs, jobRow(r, needs, model, row, first, before.of(r)))
	}
	for name, m := range models {
		t.Speeds[name] = m.table()
	}
	return t
}

func jobRow(r records.Record, needs needs, model string, row int, first time.Time, after string) []string {
	gpus := needs.closestTo(r.GPUs(r.Written))
	deadline, by, guess := "", "", "0"
	switch {
	case r.Outcome != records.Succeeded: // what has failed would be in time with less work
		by = "nobody"
	case !r.Deadline.IsZero():
		deadline = seconds(r.Deadline.Sub(first))
		if r.ByQueue {
			by = "queue"
		}
	}
	if needs.guess {
		guess = "1"
	}
	return []string{
		idOf(r), seconds(r.Submitted.Sub(first)), number(needs.work),
		model, deadline, strconv.Itoa(row), strconv.Itoa(gpus), number(needs.work / needs.speeds[gpus]),
		r.GPUType, guess, r.Queue, strconv.Itoa(min(max(r.Priority, -mostPriority), mostPriority)), after, by,
	}
}

// mostPriority is the greatest that a job has, and that takt sim reads.
const mostPriority = 1000

// idOf names a job in a trace.
func idOf(r records.Record) string { return fmt.Sprintf("%s/%s-%.8s", r.Namespace, r.Name, r.UID) }

func seconds(d time.Duration) string { return strconv.FormatFloat(d.Seconds(), 'f', 0, 64) }

// number is a number to six digits: more would only be noise.
func number(f float64) string { return strconv.FormatFloat(f, 'g', 6, 64) }

// models are the tables of speeds by the name of the model. A row of them is what takt sim calls a batch size: jobs of
// one model that were equally fast share one.
type models map[string]*model

type model struct{ rows []speeds }

// row is the model of a job and its row in there, from 1.
func (m models) row(r records.Record, s speeds) (name string, row int) {
	name = fileName(r)
	if m[name] == nil {
		m[name] = &model{}
	}
	of := m[name]
	for i, other := range of.rows {
		if maps.Equal(other, s) {
			return name, i + 1
		}
	}
	of.rows = append(of.rows, s)
	return name, len(of.rows)
}

// table has a column for each number of GPUs.
func (m model) table() [][]string {
	sizes := map[int]bool{}
	for _, row := range m.rows {
		for gpus := range row {
			sizes[gpus] = true
		}
	}
	sorted := slices.Sorted(maps.Keys(sizes))
	head := []string{"global_batch_size"}
	for _, gpus := range sorted {
		head = append(head, strconv.Itoa(gpus))
	}
	table := [][]string{head}
	for i, row := range m.rows {
		line := []string{strconv.Itoa(i + 1)}
		for _, gpus := range sorted {
			cell := ""
			if speed := row[gpus]; speed > 0 {
				cell = number(speed)
			}
			line = append(line, cell)
		}
		table = append(table, line)
	}
	return table
}
