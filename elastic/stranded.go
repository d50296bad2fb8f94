package elastic

import "cmp"

// placeWithin is how long workers may take to find nodes.
func (s Settings) placeWithin() Seconds { return cmp.Or(s.PlaceWithin, placeWithin) }

// stopStranded stops jobs that can start on other nodes than those to which their workers are kept, which are gone.
// Nobody trains who would lose anything by that. The nodes may be back soon: so that is waited for as long as workers
// may take to find nodes, unless such a job is to have fewer workers, which it can begin with at once elsewhere.
func (d *Decision) stopStranded(jobs []Job, s Settings, now Seconds) {
	for i, j := range jobs {
		o := &d.Jobs[i]
		if j.Stranded == nil || j.Uninterruptible || o.Workers == 0 {
			continue
		}
		o.Reason = NodesGone
		if over := *j.Stranded + s.placeWithin(); now < over && o.Workers >= j.Workers {
			o.Workers = j.Workers
			o.Why = has + j.count(o.Workers) + ", whose nodes are gone: it starts on others, unless these are back within " +
				Shorten(s.placeWithin()) + "."
			d.wakeBy(over)
			continue
		}
		o.Workers = 0
		o.Why = "It is stopped, and starts on other nodes: those to which Takt has kept its workers are gone."
	}
}
