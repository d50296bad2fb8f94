package printed

import "strings"

func wordList(text string) map[string]bool {
	list := map[string]bool{}
	for word := range strings.FieldsSeq(text) {
		list[word] = true
	}
	return list
}

// labelBytes are how much of what stands before a counter is looked at.
const labelBytes = 64

// besides says whether one of the last two words before a counter is one of these. Behind a number stands what says
// nothing of this counter.
func besides(label string, words map[string]bool) bool {
	found := 0
	for word := range wordsBackwards(label) {
		if found++; found > 2 || word == "" {
			return false
		}
		if words[word] {
			return true
		}
	}
	return false
}

// anyOf says whether any word of a label is one of these.
func anyOf(label string, words map[string]bool) bool {
	for word := range wordsBackwards(label) {
		if words[word] {
			return true
		}
	}
	return false
}

// wordsBackwards gives the words of a label from its end on, and an empty one for each number.
func wordsBackwards(label string) func(yield func(string) bool) {
	return func(yield func(string) bool) {
		first := max(0, len(label)-labelBytes)
		for end := len(label); end > first; {
			b := label[end-1]
			switch {
			case isLetter(b):
				begin := end
				for begin > first && isLetter(label[begin-1]) {
					begin--
				}
				if !yield(label[begin:end]) {
					return
				}
				end = begin
			case b >= '0' && b <= '9':
				for end > first && label[end-1] >= '0' && label[end-1] <= '9' {
					end--
				}
				if !yield("") {
					return
				}
			default:
				end--
			}
		}
	}
}

func isLetter(b byte) bool { return b >= 'a' && b <= 'z' || b >= 0x80 }

// wordless is a label without its numbers, by which it is told from others.
func wordless(label string) string {
	var kept strings.Builder
	for word := range wordsBackwards(label) {
		if word != "" {
			kept.WriteString(word)
			kept.WriteByte(' ')
		}
	}
	return kept.String()
}

// measured says whether a piece tells a result.
func measured(text string) bool {
	for _, word := range measures {
		for from := 0; ; {
			i := strings.Index(text[from:], word)
			if i < 0 {
				break
			}
			if from += i + len(word); from == len(text) || !inWord(text[from]) || text[from] >= 0x80 {
				return true
			}
		}
	}
	return false
}

// processOf gives which process has written a piece, as what the launcher put before it says, and the rest.
func processOf(text string) (process, rest string) {
	if text == "" || text[0] != '[' && text[0] != '(' && (text[0] < '0' || text[0] > '9') {
		return "", text
	}
	if f, _ := numberedForm(text); f != nil {
		return "", text
	}
	for i := range processes {
		if !processes[i].lead.mayFit(text) {
			continue
		}
		if match := processes[i].pattern().FindStringSubmatchIndex(text); match != nil {
			return text[match[2]:match[3]], text[match[1]:]
		}
	}
	return "", text
}

// tellsSaved says whether a piece tells that the state was saved.
func tellsSaved(text string) bool {
	const most = 1 << 10
	text = text[:min(len(text), most)]
	at := saved.FindStringIndex(text)
	// Behind it may be the path of the checkpoint, with any word in it.
	return at != nil && !notSaved.MatchString(text[:at[1]]) && !failed.MatchString(text)
}
