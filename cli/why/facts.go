package why

import (
	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/elastic"
)

// Facts are the same for programs.
type Facts struct {
	Namespace string                    `json:"namespace"`
	Name      string                    `json:"name"`
	Status    v1alpha1.ElasticJobStatus `json:"status"`
	Resizes   []string                  `json:"resizes"`
	// AsOf is the moment of the snapshot, which Planned and Holders are of.
	AsOf    *elastic.Seconds `json:"asOf,omitempty"`
	Planned *elastic.Outcome `json:"planned,omitempty"`
	Holders []Holder         `json:"holders,omitempty"`
	Unseen  string           `json:"unseen,omitempty"`
}

// Holder is a job that holds GPUs of the same pool.
type Holder struct {
	Job      string          `json:"job"`
	GPUs     elastic.GPUs    `json:"gpus"`
	Verdict  elastic.Verdict `json:"verdict"`
	Promised bool            `json:"promised,omitempty"`
	Why      string          `json:"why"`
}

// Facts gives them.
func (c Case) Facts() Facts {
	f := Facts{Namespace: c.Job.Namespace, Name: c.Job.Name, Status: c.Job.Status, Resizes: []string{}, Unseen: c.Unseen}
	for _, r := range c.Resizes {
		f.Resizes = append(f.Resizes, r.Name)
	}
	if p := c.plan(); p != nil {
		outcome := p.outcome()
		f.AsOf, f.Planned = &p.snapshot.Now, &outcome
		for _, r := range p.rows() {
			f.Holders = append(f.Holders, Holder{r.job.Name, r.gpus, r.outcome.Verdict, r.outcome.Promised, r.outcome.Why})
		}
	}
	return f
}
