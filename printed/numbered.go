package printed

import "strings"

// readNumbered reads a line that begins with what it counts. Where it says how long is left, it says the share that is
// done.
func (s *seen) readNumbered(text string) bool {
	f, numbers := numberedForm(text)
	if f == nil || !s.take(f, numbers) {
		return false
	}
	s.form = f.name
	if match := timesLeft.FindStringSubmatch(strings.TrimRight(text, " ")); match != nil {
		taken, left := spanOf(match[1]), spanOf(match[2])
		if taken > 0 {
			s.share = &Count{100 * taken / (taken + left), 100}
		}
	}
	return true
}

// numberedForm is the form of a line that begins with what it counts, and its numbers; nil if it has none.
func numberedForm(text string) (*form, [slots]string) {
	if text = strings.TrimLeft(text, " "); text == "" || text[0] < '0' || text[0] > '9' {
		return nil, [slots]string{}
	}
	for i := range numbered {
		if numbers, _, ok := numbered[i].at(text, 0); ok {
			return &numbered[i], numbers
		}
	}
	return nil, [slots]string{}
}

var spans = map[string]float64{"d": 86400, "h": 3600, "m": 60, "s": 1, "ms": 1e-3, "us": 1e-6, "ns": 1e-9}

// spanOf are the seconds of a time such as "14m 46s" or "58.6ms".
func spanOf(text string) (seconds float64) {
	for part := range strings.FieldsSeq(text) {
		value := strings.TrimRight(part, "dhmsun")
		amount, ok := number(value)
		if !ok {
			return 0
		}
		seconds += amount * spans[part[len(value):]]
	}
	return seconds
}
