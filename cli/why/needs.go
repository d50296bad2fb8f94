package why

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/cli/show"
	"github.com/takt-dev/takt/cli/whatif"
	"github.com/takt-dev/takt/elastic"
)

// needs says what would do for a job that is not on track. For one that takes no part in the plan no size and no GPUs
// would: what keeps it from that is told before.
func (c Case) needs(p *planned) []string {
	st := c.Job.Status
	late := st.Verdict == v1alpha1.VerdictAtRisk || st.Verdict == v1alpha1.VerdictInfeasible
	if !late || st.Over() || st.SuspendedByUser() || p == nil && c.Snapshot != nil {
		return nil
	}
	var said []string
	if enough := st.Prediction.SufficientWorkers; enough != nil {
		said = append(said, fmt.Sprintf("%s would be enough even at the pessimistic end of the estimate, if it had them "+
			"from now on.", elastic.Count(elastic.Workers(*enough))))
	} else if st.Verdict == v1alpha1.VerdictAtRisk {
		said = append(said, "No number of workers that it may have is known to be enough for sure.")
	}
	if p != nil {
		switch more, enough := whatif.Needs(*p.snapshot, p.job().Name); {
		case enough && more > 0:
			said = append(said, fmt.Sprintf("With %s more in pool %q it would be on track. takt whatif %s --gpus +%d says "+
				"what that would be like.",
				elastic.CountGPUs(more), p.job().Pool, c.Asked, more))
		case !enough:
			said = append(said, "More GPUs alone would not put it on track.")
		}
	}
	return append(said,
		fmt.Sprintf("takt whatif %s --deadline 6h says what another deadline would bring, and cost others.", c.Asked))
}

// holders says who has the GPUs that the job could have.
func (c Case) holders(b *strings.Builder, p *planned) error {
	if c.Job.Status.Over() {
		return nil
	}
	if p == nil {
		said := c.Unseen
		if c.Snapshot != nil {
			said = "It is not planned for at present, so it waits for no GPUs."
		}
		section(b, "Who holds the GPUs", said)
		return nil
	}
	pool := p.job().Pool
	rows := p.rows()
	all, held := p.gpus(pool), elastic.GPUs(0)
	for _, r := range rows {
		held += r.gpus
	}
	section(b, "Who holds the GPUs", inAll(p, pool, all, held))
	const shown = 15
	table := show.Columns{Text: 5}
	for _, r := range rows[:min(len(rows), shown)] {
		table.Rows = append(table.Rows, []string{
			"    " + r.job.Name, elastic.CountGPUs(r.gpus), string(r.outcome.Verdict), r.right(), r.outcome.Why,
		})
	}
	if err := table.Write(b); err != nil {
		return err
	}
	if more := len(rows) - shown; more > 0 {
		fmt.Fprintf(b, "    and %s\n", elastic.CountOf(more, "other job"))
	}
	return nil
}

// gpus is how many a pool has.
func (p *planned) gpus(pool string) elastic.GPUs {
	all := elastic.GPUs(0)
	for _, n := range p.snapshot.Nodes {
		if n.Pool == pool {
			all += n.GPUs
		}
	}
	return all
}

// rows are the jobs that hold GPUs of its pool, those first that have most.
func (p *planned) rows() []row {
	var rows []row
	for i, j := range p.snapshot.Jobs {
		if j.Pool == p.job().Pool && j.Workers > 0 {
			rows = append(rows, row{j, p.decision.Jobs[i], j.GPUs(j.Workers)})
		}
	}
	slices.SortStableFunc(rows, func(a, b row) int { return cmp.Compare(b.gpus, a.gpus) })
	return rows
}

// row is a job that holds GPUs.
type row struct {
	job     elastic.Job
	outcome elastic.Outcome
	gpus    elastic.GPUs
}

func (r row) right() string {
	if r.outcome.Promised {
		return "promised"
	}
	return "-"
}

// inAll is the pool in a sentence or two.
func inAll(p *planned, pool string, all, held elastic.GPUs) string {
	name := fmt.Sprintf("Pool %q", pool)
	if pool == "" {
		name = "The cluster"
	}
	var said strings.Builder
	fmt.Fprintf(&said,
		"%s has %s that jobs may have, beside pods that Takt does not look after. Jobs hold %d, and %d are free.",
		name, elastic.CountGPUs(all), held, max(all-held, 0))
	for _, d := range p.snapshot.Demands {
		if d.Pool == pool && d.GPUs > 0 {
			fmt.Fprintf(&said, " Pods that Takt does not look after wait for %s.", elastic.CountGPUs(d.GPUs))
		}
	}
	for _, q := range p.snapshot.Queues {
		if q.Pool == pool && q.Name == p.job().Queue && q.Limit != nil {
			fmt.Fprintf(&said, " Its queue %s may have %d at most.", q.Name, *q.Limit)
		}
	}
	return said.String()
}
