package yield

import (
	"maps"
	"slices"

	"github.com/takt-dev/takt/elastic"
)

// Seen is what is seen of all jobs of that sort, by their names. They have no part in a plan.
type Seen struct {
	Sizes   map[string]Size    `json:"sizes,omitempty"`
	Refused map[string]Refused `json:"refused,omitempty"`
}

// Yield is what others have settled about a job.
type Yield struct {
	Job string `json:"job"`
	// Stays is why it keeps the size that others have set; empty if it does not.
	Stays Stays `json:"stays,omitempty"`
	// LetRun says that Takt lets go of it, so that it runs as it is written.
	LetRun bool `json:"letRun,omitempty"`
}

// Yields are those of all jobs that Takt yields to, in the order of their names.
func (s Seen) Yields(now elastic.Seconds) (all []Yield) {
	for _, job := range slices.Sorted(maps.Keys(s.Sizes)) {
		if stays := s.Sizes[job].Stays(now); stays != "" {
			all = append(all, Yield{Job: job, Stays: stays})
		}
	}
	for _, job := range slices.Sorted(maps.Keys(s.Refused)) {
		if s.Refused[job].LetsRun(now) {
			all = append(all, Yield{Job: job, LetRun: true})
		}
	}
	return all
}
