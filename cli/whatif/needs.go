package whatif

import "github.com/takt-dev/takt/elastic"

// Needs is how many more GPUs in its pool would put a job on track; 0 if it is, and false where no number that it could
// use would.
func Needs(s elastic.Snapshot, name string) (elastic.GPUs, bool) {
	at, err := find(s, name)
	if err != nil || len(s.Jobs[at].Sizes) == 0 {
		return 0, false
	}
	job := s.Jobs[at]
	onTrack := func(more elastic.GPUs) bool {
		changed, err := Change{More: more}.apply(s, at)
		return err == nil && elastic.Plan(changed).Jobs[at].Verdict == elastic.OnTrack
	}
	if onTrack(0) {
		return 0, true
	}
	most := max(job.Sizes[len(job.Sizes)-1].Workers, job.MayHave)
	if !onTrack(job.GPUs(most)) {
		return 0, false
	}
	// More GPUs hardly ever make it worse, so the least number is found by halving.
	least := elastic.Workers(0)
	for most-least > 1 {
		if middle := (least + most) / 2; onTrack(job.GPUs(middle)) {
			most = middle
		} else {
			least = middle
		}
	}
	return job.GPUs(most), true
}
