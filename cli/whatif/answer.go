package whatif

import (
	"math"

	"github.com/takt-dev/takt/elastic"
)

// Answer is what would become of a job and of the others.
type Answer struct {
	Job string `json:"job"`
	// AsOf is the moment of the snapshot.
	AsOf elastic.Seconds `json:"asOf"`
	// Is and Would are how the job stands as it is and as it would be.
	Is    Standing `json:"is"`
	Would Standing `json:"would"`
	// MayHave is how many workers it may have at most, where more were asked for, and Allow the sizes that would allow it
	// as many.
	MayHave elastic.Workers `json:"mayHave,omitempty"`
	Allow   string          `json:"allow,omitempty"`
	// Others are the jobs that would have it otherwise.
	Others []Other `json:"others"`
}

// Standing is what is decided about a job, by a deadline.
type Standing struct {
	elastic.Outcome
	Deadline *elastic.Seconds `json:"deadline,omitempty"`
}

// Other is a job that would have it otherwise.
type Other struct {
	Job   string   `json:"job"`
	Is    Standing `json:"is"`
	Would Standing `json:"would"`
}

// Ask has the planner decide about the snapshot as it is, and as it would be.
func Ask(s elastic.Snapshot, name string, c Change) (Answer, error) {
	at, err := find(s, name)
	if err != nil {
		return Answer{}, err
	}
	changed, err := c.apply(s, at)
	if err != nil {
		return Answer{}, err
	}
	is, would := elastic.Plan(s), elastic.Plan(changed)
	standing := func(of elastic.Snapshot, d elastic.Decision, i int) Standing {
		return Standing{d.Jobs[i], of.Jobs[i].Deadline}
	}
	a := Answer{Job: name, AsOf: s.Now, Is: standing(s, is, at), Would: standing(changed, would, at), Others: []Other{}}
	if most := s.Jobs[at].MayHave; most > 0 && c.Most > most {
		a.MayHave, a.Allow = most, c.sizes()
	}
	for i := range s.Jobs {
		if other := (Other{s.Jobs[i].Name, standing(s, is, i), standing(changed, would, i)}); i != at &&
			other.differs(s.Now) {
			a.Others = append(a.Others, other)
		}
	}
	return a, nil
}

// differs says whether anybody would notice.
func (o Other) differs(now elastic.Seconds) bool {
	return o.Is.Workers != o.Would.Workers || o.Is.Verdict != o.Would.Verdict || o.Is.Promised != o.Would.Promised ||
		(o.Is.ExpectedEnd == nil) != (o.Would.ExpectedEnd == nil) || o.moves(now) != 0
}

// moves is by how much later it would end; 0 where that is less than a minute, or than a hundredth of what is left.
func (o Other) moves(now elastic.Seconds) elastic.Seconds {
	if o.Is.ExpectedEnd == nil || o.Would.ExpectedEnd == nil {
		return 0
	}
	later := *o.Would.ExpectedEnd - *o.Is.ExpectedEnd
	if math.Abs(float64(later)) < max(60, float64(*o.Is.ExpectedEnd-now)/100) {
		return 0
	}
	return later
}
