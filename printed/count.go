package printed

import "strconv"

// maxCount is the most that is counted: above it, floats skip numbers.
const maxCount = 1 << 53

// Count is how far something is. Total is 0 where it is not said.
type Count struct{ Done, Total float64 }

// isPartOf says whether a count may be of an epoch, and another of all of them.
func (c Count) isPartOf(all Count) bool {
	return c.Total > 0 && c.Total < all.Total && c.Done <= all.Done
}

// counted reads a count, with what it counts up to or without.
func counted(done, total string) (Count, bool) {
	d, ok := number(done)
	if !ok || d > maxCount {
		return Count{}, false
	}
	if total == "" || total == "null" {
		return Count{Done: d}, true
	}
	t, ok := number(total)
	return Count{d, t}, ok && t > 0 && t <= maxCount && d <= t
}

// number reads a plain decimal number, without a sign, an exponent or names such as Inf.
func number(text string) (float64, bool) {
	dot := -1
	for i := range len(text) {
		switch b := text[i]; {
		case b >= '0' && b <= '9':
		case b == '.' && dot < 0 && i > 0:
			dot = i
		default:
			return 0, false
		}
	}
	whole, part := len(text), 0
	if dot >= 0 {
		whole, part = dot, len(text)-dot-1
	}
	if whole == 0 || whole > 15 || dot >= 0 && (part == 0 || part > 12) {
		return 0, false
	}
	value, err := strconv.ParseFloat(text, 64)
	return value, err == nil
}

// scaled reads a number as tqdm shortens it.
func scaled(text, suffix string) (float64, bool) {
	value, ok := number(text)
	switch suffix {
	case "k":
		value *= 1e3
	case "m":
		value *= 1e6
	case "g":
		value *= 1e9
	case "t":
		value *= 1e12
	}
	return value, ok && value <= maxCount
}
