package elastic

import "slices"

// Variant is another way to find out how fast a job trains of which nothing is known, to compare with what Takt
// does, which is the zero value. Nobody can choose one: the benchmarks plan in variants, and nothing else.
type Variant struct {
	Start  Start
	Trials Trials
}

// Start is the size that such a job begins with, where nobody else needs the GPUs.
type Start int

// Starts.
const (
	AtWritten  Start = iota // the size that it was written for, or what is free of it
	AtSmallest              // its smallest size
	AtLargest               // its largest size, or what is free of it
)

// Trials are when others give back GPUs so that such a job can be measured.
type Trials int

// When others give back GPUs.
const (
	TrialsWorthIt Trials = iota // their plans stand it, and it costs them less than the trial gains
	NoTrials                    // never
	EagerTrials                 // their plans stand it, whatever it costs them
)

// Variants are those that are compared; the first is what Takt does.
func Variants() []Variant {
	return []Variant{{}, {Start: AtSmallest}, {Start: AtLargest}, {Trials: NoTrials}, {Trials: EagerTrials}}
}

func (s Start) String() string { return [...]string{"as written", "smallest", "largest"}[s] }

func (t Trials) String() string { return [...]string{"worth it", "none", "eager"}[t] }

// Plan is the function of that name, in a variant.
func (v Variant) Plan(s Snapshot) Decision {
	s.Jobs = slices.Clone(s.Jobs)
	for i := range s.Jobs {
		j := &s.Jobs[i]
		if len(j.Sizes) == 0 ||
			slices.ContainsFunc(j.Sizes, func(s Size) bool { return max(s.Speed, s.Expected, s.Best) > 0 }) {
			continue
		}
		switch v.Start {
		case AtSmallest:
			j.Written = 0
		case AtLargest:
			j.Written = j.Sizes[len(j.Sizes)-1].Workers
		case AtWritten:
		}
		j.Tried = j.Tried || v.Trials == NoTrials
	}
	return plan(s, v.Trials == EagerTrials)
}
