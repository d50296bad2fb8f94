package printed

import (
	"strings"
	"unicode"
)

// readUnits reads a count with a total whose unit stands behind it, as "580 of 9000 updates": by itself, or behind a
// word that says that so many are done.
func (s *seen) readUnits(text string) {
	if !anyUnit(text) {
		return
	}
	at := unitBehind.FindStringSubmatchIndex(text)
	if at == nil {
		return
	}
	label := strings.TrimRight(text[:at[2]], " ")
	word := label[len(strings.TrimRightFunc(label, unicode.IsLetter)):]
	if word != "" && !done[word] ||
		besides(label, asides) || besides(label, amounts) || anyOf(label, begins) {
		return
	}
	bare := strings.NewReplacer(",", "")
	c, ok := counted(bare.Replace(text[at[2]:at[3]]), bare.Replace(text[at[4]:at[5]]))
	switch unit := text[at[6]:at[7]]; {
	case !ok:
	case unit == "epochs":
		s.form, s.epoch, s.mark = "epochs behind", &c, s.mark|partly
	default:
		s.form, s.step = unit, &c
	}
}

// readShortened reads a count of which the numbers are shortened, as "tokens: 1.2b/300b".
func (s *seen) readShortened(text string) {
	if !shortens(text) {
		return
	}
	at := shortened.FindStringSubmatchIndex(text)
	if at == nil || besides(text[:at[0]], asides) {
		return
	}
	part := func(group int) string { return text[at[2*group]:at[2*group+1]] }
	if part(5) == "k" && amountsOnly[part(1)] {
		return // such as of one text
	}
	giga := strings.NewReplacer("b", "g")
	done, ok := scaled(part(2), giga.Replace(part(3)))
	total, fine := scaled(part(4), giga.Replace(part(5)))
	if ok && fine && total > 0 && done <= total {
		s.form, s.step = "shortened", &Count{done, total}
	}
}

// shortens says at a glance whether a text may have a shortened number in it.
func shortens(text string) bool {
	for i := 1; i < len(text); i++ {
		switch text[i] {
		case 'k', 'm', 'b', 't':
			if text[i-1] >= '0' && text[i-1] <= '9' && (i+1 == len(text) || !inWord(text[i+1])) {
				return true
			}
		}
	}
	return false
}

// anyUnit says at a glance whether a text may name a unit that is counted.
func anyUnit(text string) bool {
	for _, word := range []string{"steps", "iterations", "updates", "epochs"} {
		if strings.Contains(text, word) {
			return true
		}
	}
	return false
}
