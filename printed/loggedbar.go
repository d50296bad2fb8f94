package printed

import (
	"math"
	"strings"
)

// readLoggedBar reads a bar that is written as a line of a log, and says whether there is one.
func (s *seen) readLoggedBar(text string) bool {
	match := loggedBar.FindStringSubmatch(text)
	if match == nil {
		return false
	}
	label, unit := match[1], match[6]
	done, ok := scaled(match[2], strings.TrimSuffix(match[3], unit))
	total, fine := scaled(match[4], strings.TrimSuffix(match[5], unit))
	*s = seen{form: "tqdm", bar: true, process: s.process}
	if !ok || !fine || total == 0 || done > total || labelAside(label, text) || asideUnits[unit] {
		s.mark = aside
		return true
	}
	s.apart = lastPlace(match[4], total) / 2
	s.readLabel(label, Count{done, total}, "")
	return true
}

// lastPlace is what the last digit of a number counts that is shortened, as 0.1 million in 1.2M; 0 of a whole number.
func lastPlace(digits string, value float64) float64 {
	shown, _ := number(digits)
	_, places, _ := strings.Cut(digits, ".")
	if shown == 0 || value == shown {
		return 0
	}
	return value / shown / math.Pow10(len(places))
}

// takeRounded takes a bar of a rounded total for one of all steps, where these are as many but for that.
func (r *Reader) takeRounded(s *seen) {
	all := r.stepsInAll()
	if c := s.step; c != nil && c.Total != all && math.Abs(c.Total-all) <= s.apart {
		s.step = &Count{min(c.Done, all), all}
	}
}
