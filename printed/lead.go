package printed

import "strings"

// lead is what the pattern of a form begins with, as far as that is so plain that no regular expression is needed. Most
// places where a form may begin are none, which the lead shows in a hundredth of the time.
type lead []part

// part is one part of a lead: a byte, or one of these.
type part int

const (
	someSpace part = -1 - iota // or none
	someDigits
)

// leadOf reads the lead of a pattern as it stands in the grammar. It ends before what may be read in several ways.
func leadOf(pattern string) lead {
	var l lead
	pattern = strings.TrimPrefix(pattern, "^")
	for pattern != "" {
		next, length := partOf(pattern)
		if length == 0 || len(l) > 0 && l[len(l)-1] == someDigits && !endsDigits(pattern[length:], next) {
			break
		}
		if next == someDigits {
			l = append(l, someSpace) // as it stands before any number
		}
		l, pattern = append(l, next), pattern[length:]
	}
	return l
}

// partOf is the part that a pattern begins with; 0 bytes of it if that is not plain.
func partOf(pattern string) (part, int) {
	next, length := part(pattern[0]), 1
	switch {
	case pattern[0] == ' ':
		return someSpace, len(" ") + len(pattern[1:]) - len(strings.TrimPrefix(pattern[1:], "?"))
	case pattern[0] == '<':
		return someDigits, strings.IndexByte(pattern, '>') + 1
	case pattern[0] == '\\' && len(pattern) > 1 && !inWord(pattern[1]) && (pattern[1] < 'A' || pattern[1] > 'Z'):
		next, length = part(pattern[1]), 2
	case strings.IndexByte(`\[](){}|.*+?^$`, pattern[0]) >= 0 || pattern[0] >= 0x80:
		return 0, 0
	}
	if length < len(pattern) && strings.IndexByte("?*+{", pattern[length]) >= 0 {
		return 0, 0
	}
	return next, length
}

// endsDigits says whether a number ends where a part begins: what may go on with the number may as well belong to it.
func endsDigits(rest string, next part) bool {
	if next == someSpace && rest != "" {
		after, length := partOf(rest)
		return length > 0 && after != someSpace && endsDigits("", after)
	}
	return next != someSpace && next != someDigits && next != '.' && next != ',' && (next < '0' || next > '9')
}

// mayFit says whether a form may begin where the text does. It is true wherever the pattern fits.
func (l lead) mayFit(text string) bool {
	at := 0
	for _, p := range l {
		switch p {
		case someSpace:
			for at < len(text) && isSpace(text[at]) {
				at++
			}
		case someDigits:
			end := digits(text, at)
			if end == at {
				return false
			}
			for at = end; at < len(text) && text[at] == ',' && threeDigits(text[at+1:]); at += len(",000") {
			}
			if at < len(text) && text[at] == '.' {
				if end = digits(text, at+1); end > at+1 {
					at = end
				}
			}
		default:
			if at == len(text) || part(text[at]) != p {
				return false
			}
			at++
		}
	}
	return true
}

// digits is where the digits end that begin at a place of a text.
func digits(text string, at int) int {
	for at < len(text) && text[at] >= '0' && text[at] <= '9' {
		at++
	}
	return at
}

// isSpace says whether a byte is white space to a regular expression.
func isSpace(b byte) bool { return b == ' ' || b == '\t' || b == '\n' || b == '\f' || b == '\r' }
