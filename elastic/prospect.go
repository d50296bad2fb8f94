package elastic

import "math"

// prospect finds the sizes to grow to into what is left over. Reservations count on sizes that are sure to
// be faster than smaller ones; but a size that only may be would never become sure if it were never
// tried, and the GPUs would idle.
func (j *trainee) prospect() {
	fastest := Speed(0)
	for _, s := range j.fit {
		if s.Expected = max(s.Speed, s.Expected); s.Speed == 0 {
			continue
		}
		brings := s.tried(fastest)
		if brings > fastest {
			j.likely = append(j.likely, s)
		}
		if brings > s.Expected {
			if j.worth == nil {
				j.worth = map[Workers]Speed{}
			}
			j.worth[s.Workers] = brings
		}
		fastest = max(fastest, s.Expected)
	}
}

// tried is the speed that a job gets by trying a size on average, if the fastest of the smaller ones has
// some speed: where the size turns out to be slower, the job leaves it again. What a try brings may be
// much more than what is expected of the size as such, if little is known of it. That counts if it makes
// a difference.
func (s Size) tried(fastest Speed) Speed {
	const difference = 1.05
	if fastest <= 0 || s.Best <= s.Expected {
		return s.Expected
	}
	// The speed is log-normal, and 95 % of what it may be is below the best.
	const z95 = 1.6448536269514722
	sigma := math.Log(float64(s.Best/s.Expected)) / z95
	d := math.Log(float64(s.Expected/fastest)) / sigma
	slower, faster := normal(-d), math.Exp(sigma*sigma/2)*normal(d+sigma)
	mean := Speed(slower)*fastest + Speed(faster)*s.Expected
	if mean = min(mean, s.Best); mean < difference*max(fastest, s.Expected) {
		return s.Expected
	}
	return mean
}

// normal is the part of a normal distribution below some number of standard deviations.
func normal(z float64) float64 { return math.Erfc(-z/math.Sqrt2) / 2 }

// brings is what growing to a size brings.
func (j *trainee) brings(s Size) Speed { return max(s.Expected, j.worth[s.Workers]) }

// ample are the sizes to grow to into what is left over.
func (j *trainee) ample() []Size {
	if j.hopeful() || len(j.likely) == 0 {
		return j.Sizes
	}
	return j.likely
}
