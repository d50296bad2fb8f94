package operator

import "strings"

// longestMessage is what a status has room for.
const longestMessage = 1024

// sentences joins those that say something, as far as a status has room for them. Each ends in one full
// stop, also if somebody else has written it.
func sentences(all ...string) string {
	joined := ""
	for _, s := range all {
		s = fullStop(s)
		switch next := joined + " " + s; {
		case s == "":
		case joined == "":
			joined = s
		case len(next) <= longestMessage:
			joined = next
		}
	}
	return clip(joined)
}

// fullStop is a sentence in one line, with one full stop at its end.
func fullStop(sentence string) string {
	said := strings.TrimRight(strings.Join(strings.Fields(sentence), " "), ".,:; ")
	if said == "" || strings.HasSuffix(said, "?") || strings.HasSuffix(said, "!") || strings.HasSuffix(said, "…") {
		return said
	}
	return said + "."
}

// clip shortens a message to what there is room for. The API server refuses a longer one, and with it
// all else that a status says.
func clip(message string) string { return clipTo(message, longestMessage) }

// clipTo ends a text with its last sentence that there is room for, if that is most of it; else with a whole
// word, so that no address or command is cut off.
func clipTo(text string, most int) string {
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
