package elastic

// tenant is a queue during the sharing of what is left over.
type tenant struct {
	Queue
	share
	used       GPUs
	unreserved GPUs // of those, what jobs have for whom nothing is reserved
}

// own is how many GPUs the queue may have in all, as far as the queue itself goes, and room how many
// more than it has.
func (t *tenant) own() GPUs {
	if !t.mayBorrow {
		return min(t.guaranteed, t.limit)
	}
	return t.limit
}

func (t *tenant) room() GPUs { return t.own() - t.used }

// turn is the queue whose turn it is, of those that are still in the game; there may be none.
func (p *pool) turn(in func(queue int) bool) (queue int, ok bool) {
	queue = -1
	for q := range p.tenants {
		if in(q) && (queue < 0 || byShare.compare(&p.tenants[q], &p.tenants[queue]) < 0) {
			queue = q
		}
	}
	return queue, queue >= 0
}

// inTurn offers something to every job that wants it: to one queue at a time, and within it by their rank. What a job
// wants does not depend on what others are given.
func (p *pool) inTurn(wants func(*trainee) bool, offer func(*trainee)) {
	lists := make([][]*trainee, len(p.tenants))
	for _, j := range p.order {
		if wants(j) {
			lists[j.queue] = append(lists[j.queue], j)
		}
	}
	for {
		q, ok := p.turn(func(q int) bool { return len(lists[q]) > 0 })
		if !ok {
			return
		}
		offer(lists[q][0])
		lists[q] = lists[q][1:]
	}
}
