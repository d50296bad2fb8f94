package planning

import (
	"github.com/takt-dev/takt/elastic"
	"github.com/takt-dev/takt/operator/memory"
)

// notTaken hinders a job that is to give back what nobody can take yet.
var notTaken = memory.Hindrance{Reason: memory.ReasonNotTaken, Message: "It keeps its size until those that are to have its GPUs can take them: they are still being resized."}

// premature says of each pool that nobody could take now what others give back in it: what those that can begin are to have
// is free as it is; byName is where in the snapshot each job is. Where workers take several GPUs, it depends on the nodes
// what is free, and nothing is premature; nor is it where others than Takt's jobs want GPUs.
func premature(sc *Scene, d elastic.Decision, byName map[string]int, free map[string]elastic.GPUs) map[string]bool {
	early := map[string]bool{}
	if len(sc.Snapshot.Demands) > 0 {
		return early
	}
	for _, job := range sc.Snapshot.Jobs {
		if job.GPUsPerWorker > 1 {
			return early
		}
	}
	wanted, blocked := map[string]elastic.GPUs{}, map[string]bool{}
	for _, r := range d.Resizes {
		i := byName[r.Job]
		switch pool := d.Jobs[i].Pool; {
		case r.To <= r.From:
		case sc.Subjects[i].Active() != nil:
			blocked[pool] = true
		default:
			wanted[pool] += elastic.GPUs(r.To - r.From)
		}
	}
	for pool := range blocked {
		early[pool] = wanted[pool] <= free[pool]
	}
	return early
}
