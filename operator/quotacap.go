package operator

import (
	"fmt"

	"github.com/takt-dev/takt/elastic"
	"github.com/takt-dev/takt/operator/memory"
)

// quotaCap is the size beyond which a quota does not let a job grow; why is empty if none does.
type quotaCap struct {
	most elastic.Workers
	why  string
}

// hinders is what to say of a job that has been decided to have so many workers.
func (c quotaCap) hinders(workers elastic.Workers) memory.Hindrance {
	if c.why == "" || workers < c.most {
		return memory.Hindrance{}
	}
	return memory.Hindrance{Reason: memory.ReasonQuota, Message: fmt.Sprintf("It can have no more than %s: %s.", elastic.Count(c.most), c.why)}
}
