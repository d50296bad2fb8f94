package elastic

// enough is the smallest size at which a planned job would meet its deadline beside the plans of all others, if it had
// that from now on. Its plan may have more: as it was made when others had plans that are no more, as a change would
// cost more than it saves, or as nobody else has a plan for these GPUs. It is asked once all plans are made.
func (p *pool) enough(j *trainee) Workers {
	if j.does == 0 {
		j.does = p.findEnough(j)
	}
	return j.does
}

func (p *pool) findEnough(j *trainee) Workers {
	if !j.planned {
		return j.now
	}
	redone, released := j.Left+j.loses(j.Workers, j.Left), false
	for i := range j.counted {
		s := &j.counted[i]
		if s.Workers >= j.now {
			break
		}
		if p.now+j.Pause+s.train(redone) > j.due() {
			continue
		}
		if !released {
			p.timeline.release(j)
			defer p.timeline.hold(j, j.spans)
			released = true
		}
		if p.timeline.window(j, j.at(p.now), s, redone) != nil {
			return s.Workers
		}
	}
	return j.now
}
