package begin

import "github.com/takt-dev/takt/elastic"

// SettlesFor are the sizes that a growth may settle for where fewer workers find room than were free, the smallest
// first: all that the job may have on the way. One that never has another size waits for all.
func SettlesFor(job elastic.Job, r elastic.Resize) (sizes []elastic.Workers) {
	if job.Uninterruptible {
		return []elastic.Workers{r.To}
	}
	for _, size := range job.Sizes {
		if size.Workers > r.From && size.Workers <= r.To {
			sizes = append(sizes, size.Workers)
		}
	}
	return sizes
}
