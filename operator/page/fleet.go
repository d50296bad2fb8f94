package page

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/operator/cached"
	"github.com/takt-dev/takt/told"
	"github.com/takt-dev/takt/version"
)

// rowsAPage is how many jobs, and queues, are shown at a time.
const rowsAPage = 200

// frame is what all pages have.
type frame struct {
	Title string
	Now   time.Time
	Again int // the seconds after which it is loaded anew; 0: never
}

// fleet is all jobs, or those of a namespace.
type fleet struct {
	frame
	Namespace string // empty: all
	Summary   string
	Tallies   []tally
	Query     query
	Choices   []string
	Heads     []head
	Rows      []row
	Costs     bool
	Found     int
	First     int // of the rows that are shown, from 1
	Last      int
	Before    string // links; empty: there is none
	After     string
	Toggle    string // a link that has the page loaded anew, or not any more
	Queues    []queue
	More      int // queues that are not shown
	// QueueCosts says that some queue has a cost.
	QueueCosts bool
	// MakeQueue is the command that makes the queue of jobs that name none.
	MakeQueue string
}

// tally is how many jobs have a verdict.
type tally struct {
	Verdict verdict
	Count   int
	Link    string
}

// head is the head of a column.
type head struct {
	Name, Link, Sorted string
}

// row is a job among others.
type row struct {
	Namespace, Name, Link, Queue string
	Verdict                      verdict
	Workers                      string
	Progress                     string
	Percent                      int
	Expected, Band               string
	Deadline, DeadlineAt         string
	Slack                        string
	Late                         bool
	Cost                         string
}

func (s *Server) fleet(ctx context.Context, asked place, q query) (fleet, error) {
	var jobs v1alpha1.ElasticJobList
	if err := s.reader.List(ctx, &jobs, client.InNamespace(asked.namespace), cached.AtOnce); err != nil {
		return fleet{}, err
	}
	now := s.now()
	f := fleet{frame: frame{Title: "All jobs", Now: now}, Namespace: asked.namespace, Query: q, Choices: verdictChoices(),
		Summary: told.Summary(jobs.Items), MakeQueue: version.OfRelease().Apply("queue")}
	if asked.namespace != "" {
		f.Title = "Jobs of " + asked.namespace
	}
	if q.Again {
		f.Again = everySeconds
	}
	toggled := q
	toggled.Again = !q.Again
	f.Toggle = toggled.link()
	f.Costs = slices.ContainsFunc(jobs.Items, func(j v1alpha1.ElasticJob) bool { return j.Status.Cost.SoFar != "" })
	f.tally(jobs.Items)
	f.heads()
	found := q.sorted(slices.DeleteFunc(slices.Clone(jobs.Items), func(j v1alpha1.ElasticJob) bool {
		return !q.matches(&j)
	}))
	f.turnTo(len(found))
	for i := f.First; i <= f.Last && i > 0; i++ {
		f.Rows = append(f.Rows, f.row(&found[i-1]))
	}
	return f, s.queues(ctx, &f, jobs.Items)
}

// turnTo finds the rows of the page that is asked for; the last page, where there are not so many.
func (f *fleet) turnTo(found int) {
	pages := max(1, (found+rowsAPage-1)/rowsAPage)
	f.Query.Page = min(f.Query.Page, pages)
	f.Found, f.Last = found, min(f.Query.Page*rowsAPage, found)
	f.First = min((f.Query.Page-1)*rowsAPage+1, found)
	at := func(page int) string { q := f.Query; q.Page = page; return q.link() }
	if f.Query.Page > 1 {
		f.Before = at(f.Query.Page - 1)
	}
	if f.Query.Page < pages {
		f.After = at(f.Query.Page + 1)
	}
}

func (f *fleet) tally(jobs []v1alpha1.ElasticJob) {
	counts := map[v1alpha1.Verdict]int{}
	for i := range jobs {
		counts[jobs[i].Status.Verdict]++
	}
	for _, name := range f.Choices {
		v := v1alpha1.Verdict(name)
		if counts[v] > 0 {
			f.Tallies = append(f.Tallies, tally{verdictOf(v), counts[v], query{Verdict: name, Again: f.Query.Again}.link()})
		}
	}
}

func (f *fleet) heads() {
	names := []string{"Job", "Queue", "Verdict", "Workers", "Progress", "Expected", "Deadline", "Slack"}
	if f.Costs {
		names = append(names, "Cost")
	}
	for _, name := range names {
		column := strings.ToLower(name)
		h := head{Name: name, Link: f.Query.by(column).link()}
		if column == "verdict" { // the order of who is to be looked at first
			column = ""
			h.Link = query{Text: f.Query.Text, Verdict: f.Query.Verdict, Again: f.Query.Again}.link()
		}
		if f.Query.Sort == column {
			h.Sorted = "ascending"
			if f.Query.Down {
				h.Sorted = "descending"
			}
		}
		f.Heads = append(f.Heads, h)
	}
}

func (f *fleet) row(job *v1alpha1.ElasticJob) row {
	st := job.Status
	slack, known := told.Slack(job)
	r := row{
		Namespace: job.Namespace, Name: job.Name, Queue: job.Spec.Queue, Verdict: verdictOf(st.Verdict),
		Workers:  told.Workers(job),
		Progress: st.Summary.Progress, Percent: percent(st.Progress), Expected: f.from(st.Prediction.ETA),
		Deadline:   f.from(st.Deadline),
		DeadlineAt: string(st.Deadline), Slack: st.Summary.Slack, Late: known && slack < 0, Cost: st.Summary.Cost,
	}
	r.Link = job.Name // beside the page of its namespace
	if f.Namespace == "" {
		r.Link = ofNamespace + job.Namespace + "/" + job.Name
	}
	if st.Prediction.ETA == "" && st.Prediction.StartsAt != "" {
		r.Expected = "starts " + f.from(st.Prediction.StartsAt)
	}
	if earliest, latest := f.from(st.Prediction.Earliest), f.from(st.Prediction.Latest); earliest != "" && latest != "" &&
		!st.Over() {
		r.Band = strings.TrimPrefix(earliest, "in ") + " to " + strings.TrimPrefix(latest, "in ")
	}
	return r
}

// from is a moment as it is reckoned from now; empty where there is none.
func (f *fleet) from(at v1alpha1.Time) string { return told.FromNow(f.Now, at) }

func percent(p v1alpha1.ProgressStatus) int { return int(min(max(p.PartsPerMillion, 0), 1e6) / 1e4) }

// queue is a queue among others.
type queue struct {
	Name, Guaranteed, Limit                    string
	Used, Borrowed, Promised, Running, Waiting int32
	Cost, Expected, PerDeadline, Short         string
}

// queues are all of them; beside the jobs of a namespace, those that these use.
func (s *Server) queues(ctx context.Context, f *fleet, jobs []v1alpha1.ElasticJob) error {
	var list v1alpha1.TrainingQueueList
	if err := s.reader.List(ctx, &list, cached.AtOnce); err != nil {
		return err
	}
	used := map[string]bool{}
	for i := range jobs {
		used[jobs[i].Spec.Queue] = true
	}
	all := slices.DeleteFunc(slices.Clone(list.Items), func(q v1alpha1.TrainingQueue) bool {
		return f.Namespace != "" && !used[q.Name]
	})
	slices.SortFunc(all, func(a, b v1alpha1.TrainingQueue) int {
		return cmp.Or(cmp.Compare(b.Status.Used, a.Status.Used), strings.Compare(a.Name, b.Name))
	})
	f.More = max(0, len(all)-rowsAPage)
	for i := range all[:len(all)-f.More] {
		f.Queues = append(f.Queues, queueOf(&all[i]))
		f.QueueCosts = f.QueueCosts || all[i].Status.Cost != v1alpha1.QueueCostStatus{}
	}
	return nil
}

func queueOf(q *v1alpha1.TrainingQueue) queue {
	st := q.Status
	shown := queue{
		Name: q.Name, Guaranteed: number(q.Spec.Guaranteed, "0"), Limit: number(q.Spec.Limit, "none"),
		Used: st.Used, Borrowed: st.Borrowed, Promised: st.Promised, Running: st.Running, Waiting: st.Waiting,
		Cost: string(st.Cost.SoFar), Expected: string(st.Cost.Expected), PerDeadline: string(st.Cost.PerDeadlineMet),
	}
	for _, c := range st.Conditions {
		if c.Type == v1alpha1.ConditionGuaranteed && c.Status == "False" {
			shown.Short = c.Message
		}
	}
	return shown
}

func number(n *int32, otherwise string) string {
	if n == nil {
		return otherwise
	}
	return fmt.Sprint(*n)
}
