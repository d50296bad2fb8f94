package replay

import (
	"cmp"
	"strings"
	"time"

	"github.com/takt-dev/takt/records"
)

// predecessors are the jobs that others may have waited for, by their namespace and ElasticJob.
type predecessors map[[2]string][]records.Record

func newPredecessors(all []records.Record) predecessors {
	p := predecessors{}
	for _, r := range all {
		if _, ran := needsOf(r); ran && r.Outcome == records.Succeeded {
			name := [2]string{r.Namespace, cmp.Or(r.ElasticJob, r.Name)}
			p[name] = append(p[name], r)
		}
	}
	return p
}

// of are the IDs of the jobs that a job has waited for: of several of one name the last that had ended by the time at
// which it began, as far as that is known. What is not on record is not waited for.
func (p predecessors) of(r records.Record) string {
	var ids []string
	began := r.Ended
	for _, spell := range r.Trained {
		began = began.Add(-time.Duration(spell.Seconds * float64(time.Second)))
	}
	for _, name := range r.After {
		var last *records.Record
		for i, before := range p[[2]string{r.Namespace, name}] {
			if before.UID != r.UID && !before.Ended.After(began) && (last == nil || before.Ended.After(last.Ended)) {
				last = &p[[2]string{r.Namespace, name}][i]
			}
		}
		if last != nil {
			ids = append(ids, idOf(*last))
		}
	}
	return strings.Join(ids, " ")
}
