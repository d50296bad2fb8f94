package wording

import "strings"

// LongestMessage is what a status has room for.
const LongestMessage = 1024

// Sentences joins those that say something, as far as a status has room for them. Each ends in one full
// stop, also if somebody else has written it.
func Sentences(all ...string) string {
	joined := ""
	for _, s := range all {
		s = fullStop(s)
		switch next := joined + " " + s; {
		case s == "":
		case joined == "":
			joined = s
		case len(next) <= LongestMessage:
			joined = next
		}
	}
	return Clip(joined)
}

// fullStop is a sentence in one line, with one full stop at its end.
func fullStop(sentence string) string {
	said := strings.TrimRight(strings.Join(strings.Fields(sentence), " "), ".,:; ")
	if said == "" || strings.HasSuffix(said, "?") || strings.HasSuffix(said, "!") || strings.HasSuffix(said, "…") {
		return said
	}
	return said + "."
}

// Clip shortens a message to what there is room for. The API server refuses a longer one, and with it
// all else that a status says.
func Clip(message string) string { return ClipTo(message, LongestMessage) }

// ClipTo ends a text with its last sentence that there is room for, if that is most of it; else with a whole
// word, so that no address or command is cut off.
func ClipTo(text string, most int) string {
	if len(text) <= most {
		return text
	}
	if end := strings.LastIndex(text[:most+1], ". ") + 1; end > most/3 {
		return text[:end]
	}
	text = strings.ToValidUTF8(text[:most-len("…")], "")
	if word := strings.LastIndexByte(text, ' '); word > 0 {
		text = strings.TrimRight(text[:word], " ,:;(")
	}
	return text + "…"
}
