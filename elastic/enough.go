package elastic

import "slices"

// enough is the smallest size at which a planned job would meet its deadline beside the plans of all others, if it had
// that from now on. Its plan may have more: as it was made when others had plans that are no more, as a change would
// cost more than it saves, or as nobody else has a plan for these GPUs. It is asked once all plans are made.
func (p *pool) enough(j *trainee) Workers {
	if j.suffices == 0 {
		j.suffices = p.findEnough(j)
	}
	return j.suffices
}

func (p *pool) findEnough(j *trainee) Workers {
	if !j.planned {
		return j.gets
	}
	redone := j.todo + j.loses(j.Workers, j.todo)
	var inTime []Size
	for _, s := range j.counted {
		if s.Workers < j.gets && p.now+j.Pause+j.lasts(s, redone) <= j.due() {
			inTime = append(inTime, s)
		}
	}
	enough := j.gets
	if len(inTime) > 0 {
		p.timeline.instead(j, func() bool {
			if at := slices.IndexFunc(inTime, func(s Size) bool {
				return p.timeline.window(j, j.at(p.now), &s, redone) != nil
			}); at >= 0 {
				enough = inTime[at].Workers
			}
			return false // it is only asked
		})
	}
	return enough
}
