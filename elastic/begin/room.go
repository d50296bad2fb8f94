package begin

import "github.com/takt-dev/takt/elastic"

// count counts what is free: what the nodes have, without what the workers hold, or are about to, and what is only
// coming.
func (b *beginning) count() {
	b.free, b.spent = map[string]elastic.GPUs{}, map[string]int64{}
	for _, node := range b.Nodes {
		b.free[node.Pool] += node.GPUs
	}
	for pool, gpus := range b.Coming {
		b.free[pool] -= gpus
	}
	for i, job := range b.Jobs {
		holds := job.GPUs(job.Workers)
		if s, seen := b.Seen[job.Name]; seen {
			if holds = elastic.GPUs(s.Holds) * each(job); s.UnderWay != nil {
				holds = max(holds, job.GPUs(job.Workers))
			}
		}
		if job.OnItsOwn {
			job = b.job(i)
			holds = max(holds, job.GPUs(b.decision.Jobs[i].Workers)) // nobody begins that, and others leave it room
		}
		b.free[job.Pool] -= holds
	}
}

func each(job elastic.Job) elastic.GPUs { return max(job.GPUsPerWorker, 1) }

// take is the size that there is room for now, at most that of the change, and why it is not all of it. What a growing
// job takes is spent. What is given back may take its time, but somewhere that ends: until then a job waits for all
// that it is to have, as growing twice would cost two pauses.
func (b *beginning) take(i int, r elastic.Resize) (elastic.Workers, Hindrance) {
	if r.To <= r.From {
		return r.To, Hindrance{}
	}
	job, s := b.job(i), b.Seen[r.Job]
	wanted, why := r.To-r.From, s.overQuota(r.To)
	free := max(job.Leaders-r.From, 0) // those who take none
	if room := elastic.Workers(max(b.free[job.Pool], 0)/each(job)) + free; room < wanted {
		why = Hindrance{Reason: NotFree, To: r.To}
		since := b.Now
		if s.AwaitsSince != nil {
			since = *s.AwaitsSince
		}
		if b.Now-since < b.Waits.Drain || job.Uninterruptible {
			return r.From, why // one that never changes its size again has what was decided, or waits
		}
		wanted = room
	}
	if left, of, limited := b.left(s); limited && left+free < wanted {
		wanted = left + free
		why = Hindrance{Reason: Quota, To: r.To, Most: r.From + left + free, Quota: of, Left: b.Quotas[of] - b.spent[of]}
		if job.Uninterruptible {
			return r.From, why
		}
	}
	to := r.From
	for _, size := range job.Sizes { // only sizes that it may have
		if size.Workers > r.From && size.Workers <= r.From+wanted {
			to = size.Workers
		}
	}
	for _, charge := range s.Takes {
		b.spent[charge.Quota] += int64(job.Using(to)-job.Using(r.From)) * charge.Each
	}
	b.free[job.Pool] -= job.GPUs(to) - job.GPUs(r.From)
	return to, why
}

// left is how many more workers the quotas of a job allow, and which of them allows the fewest.
func (b *beginning) left(s Seen) (workers elastic.Workers, of string, limited bool) {
	for _, charge := range s.Takes {
		left := elastic.Workers(max(b.Quotas[charge.Quota]-b.spent[charge.Quota], 0) / max(charge.Each, 1))
		if !limited || left < workers {
			workers, of, limited = left, charge.Quota, true
		}
	}
	return workers, of, limited
}

// overQuota is what to say of a job that has been decided to have so many workers, as many as a quota allows.
func (s Seen) overQuota(workers elastic.Workers) Hindrance {
	if s.Most == nil || workers < *s.Most {
		return Hindrance{}
	}
	return Hindrance{Reason: Quota, To: workers, Most: *s.Most}
}
