package begin

import "github.com/takt-dev/takt/elastic"

// settlesFor are the sizes that a growth may settle for: all that the job may have on the way. One that never has
// another size waits for all.
func settlesFor(job elastic.Job, r elastic.Resize) (sizes []elastic.Workers) {
	if r.To < r.From {
		return nil
	}
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
