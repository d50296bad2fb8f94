package elastic

import "slices"

// leaveNodes has jobs train on without their last workers where these are on nodes that are about to go. The nodes go
// anyway: whoever waits for that loses what it has trained since its checkpoint, and stands still for a while.
// All else stays as it was planned: a job grows again, on nodes that stay, from the next plan on.
func (d Decision) leaveNodes(jobs []Job) {
	for i := range jobs {
		o := &d.Jobs[i]
		if to := jobs[i].withoutLeavers(); to > 0 && to < o.Workers {
			o.Workers, o.Reason = to, NodesLeave
			o.Why = isToHave + jobs[i].count(to) + ": the others are on nodes that are about to go."
		}
	}
}

// withoutLeavers is the size at which a job trains on without those whose nodes are about to go; 0 where it keeps its
// size. One that would lose all its work by that takes its chance, and so does one that would have to send away more
// workers that could stay than others: those of the highest indices leave.
func (j Job) withoutLeavers() (to Workers) {
	if len(j.Leave) == 0 || j.Unsaved || j.Uninterruptible {
		return 0
	}
	for _, s := range slices.Backward(j.Sizes) {
		if sent := int(j.Workers - s.Workers); int(s.Workers) <= j.Leave[0] && sent <= 2*len(j.Leave) {
			return s.Workers
		}
	}
	return 0
}
