package printed

import (
	"hash/fnv"
	"strings"
)

// seen is what one piece of output says: a line, or one state of a line that is written over itself.
type seen struct {
	form    string // by which it was understood; empty if by none
	process string // the rank or process that it says has written it; empty if it does not
	mark    mark

	// Each is nil where the piece does not say it.
	epoch *Count
	batch *Count // steps within an epoch
	step  *Count // of an epoch or of the whole
	whole *Count // steps of the whole training

	bar    bool
	label  string // of a bar, without its numbers
	nested bool   // the bar is drawn below another one
	loop   bool   // the bar counts epochs that are over
	trains bool   // the label says that this is the training

	planned Work
	words   uint64 // of what says planned, without its numbers
	saved   bool

	rest string // what stands behind a bar: a line may begin where a bar was left
}

// counts says whether the piece tells how far something is.
func (s *seen) counts() bool {
	return s.epoch != nil || s.batch != nil || s.step != nil || s.whole != nil
}

func (s *seen) has(m mark) bool { return s.mark&m != 0 }

// glance says what a piece may hold, so that most pieces are not looked at any further.
type glance struct{ digits, slash, percent, brace, bracket, dots, assigns bool }

// plain puts a piece into buffer in lower case and without the codes of a terminal. Up says that these end by moving
// the cursor up, as below a bar that is drawn within another one.
func plain(piece, buffer []byte) (text []byte, at glance, up bool) {
	text = buffer[:0]
	for i := 0; i < len(piece); i++ {
		b := piece[i]
		switch {
		case b == 0x1b && i+1 < len(piece) && piece[i+1] == '[':
			end := i + 2
			for end < len(piece) && end < i+20 && (piece[end] < '@' || piece[end] > '~') {
				end++
			}
			if end < len(piece) && piece[end] >= '@' && piece[end] <= '~' {
				up = piece[end] == 'A'
				i = end
				continue
			}
		case b >= 'A' && b <= 'Z':
			b += 'a' - 'A'
		case b >= '0' && b <= '9':
			at.digits = true
		case b == '/':
			at.slash = true
		case b == '%':
			at.percent = true
		case b == '{':
			at.brace = true
		case b == '[':
			at.bracket = true
		case b == '=' || b == ':':
			at.assigns = true
		case b == '.':
			at.dots = at.dots || i > 1 && piece[i-1] == '.' && piece[i-2] == '.'
		}
		if b != ' ' && b != '\t' {
			up = false
		}
		text = append(text, b)
	}
	return text, at, up
}

// read reads a piece in plain text.
func read(text string, at glance, nested bool) seen {
	s := seen{nested: nested}
	if strings.Contains(text, "checkpoint") || strings.Contains(text, "snapshot") || strings.Contains(text, ".ckpt") {
		s.saved = tellsSaved(text)
	}
	if !at.digits {
		s.readLines(text, at)
		return s
	}
	s.process, text = processOf(text)
	if at.brace && s.readJSON(text) {
		return s
	}
	if at.percent && s.readBar(text) {
		return s
	}
	if s.readLines(text, at) {
		return s
	}
	s.readWords(text)
	if !s.counts() && at.bracket && !s.has(aside) {
		s.readForms(brackets, text, at)
	}
	if (at.assigns || at.dots) && !s.has(aside) {
		s.readPlan(text)
		if s.planned.Steps > 0 {
			s.words = wordsOf(text)
		}
	}
	if s.has(aside) {
		s.epoch, s.batch, s.step, s.whole = nil, nil, nil, nil
	}
	if s.epoch != nil && measured(text) {
		s.mark |= ended
	}
	return s
}

// wordsOf tells what is said in other words from what is said with other numbers.
func wordsOf(text string) uint64 {
	words := fnv.New64a()
	for i := range len(text) {
		if b := text[i]; (b < '0' || b > '9') && b != ',' {
			_, _ = words.Write([]byte{b})
		}
	}
	return words.Sum64()
}

// readLines reads a piece that has the form of a line that is known as a whole.
func (s *seen) readLines(text string, at glance) bool { return s.readForms(lines, text, at) }

func (s *seen) readForms(forms []form, text string, at glance) bool {
	from, absent := "", false
	for i := range forms {
		f := &forms[i]
		if f.from == "" && !at.slash && !at.brace && !at.bracket {
			continue
		}
		if f.from != from { // forms that begin alike stand beside each other
			from, absent = f.from, !strings.Contains(text, f.from)
		}
		if absent {
			continue
		}
		numbers, begin, ok := f.find(text)
		if f.mark&labelled != 0 {
			begin = strings.IndexAny(text, "0123456789")
		}
		if !ok || !s.take(f, numbers) {
			continue
		}
		s.form = f.name
		if f.mark&aside != 0 || besides(text[:begin], asides) {
			*s = seen{form: f.name, mark: aside, saved: s.saved, process: s.process}
		}
		return true
	}
	return false
}

// take takes the numbers of a form, if they can be counts.
func (s *seen) take(f *form, numbers [slots]string) bool {
	var found [slots]*Count
	for slot := 0; slot < slots; slot += 2 {
		if numbers[slot] == "" {
			continue
		}
		c, ok := counted(numbers[slot], numbers[slot+1])
		if !ok {
			return false
		}
		found[slot] = &c
	}
	s.epoch, s.batch, s.step, s.whole = found[slotEpoch], found[slotBatch], found[slotStep], found[slotWhole]
	s.mark |= f.mark
	return true
}

// readWords reads numbers that follow a word that says what they count.
func (s *seen) readWords(text string) {
	const most = 32
	from := 0
	for range most {
		at, word := nextWord(text, from)
		if word == nil {
			return
		}
		from = at + len(word.from)
		numbers, end, ok := word.at(text, at)
		if !ok {
			continue
		}
		from = end
		if strings.IndexByte(ends, text[end-1]) >= 0 {
			from-- // what ends one counter may begin the next
		}
		var one seen
		if !endsWell(text, end) || !one.take(word, numbers) {
			continue
		}
		label, bare := text[:at], numbers[slotEpochs]+numbers[slotSteps]+numbers[slotWholes] == ""
		switch {
		case besides(label, asides):
			s.mark |= aside
		case bare && (word.mark&aside != 0 || besides(label, amounts)):
		default:
			s.merge(one, word.name)
		}
	}
}

func (s *seen) merge(one seen, form string) {
	if one.counts() {
		s.form = form
	}
	if one.epoch != nil {
		s.epoch = one.epoch
	}
	if one.batch != nil {
		s.batch = one.batch
	}
	if one.step != nil {
		s.step = one.step
	}
	if one.whole != nil {
		s.whole = one.whole
	}
}

// nextWord finds the next word of a text that may be followed by a count.
func nextWord(text string, from int) (int, *form) {
	for i := from; i < len(text); i++ {
		if first[text[i]] && (i == 0 || !inWord(text[i-1])) {
			for w := range words {
				if strings.HasPrefix(text[i:], words[w].from) {
					return i, &words[w]
				}
			}
		}
	}
	return 0, nil
}

// ends are what may stand behind a number.
const ends = ")]}|\"'` \t"

// first are the bytes that one of the words begins with.
var first = func() (is [256]bool) {
	for _, word := range words {
		is[word.from[0]] = true
	}
	return is
}()

// endsWell says whether a number ends where a pattern has ended, and is not part of a date, version or path.
func endsWell(text string, end int) bool {
	if end == len(text) {
		return true
	}
	switch b := text[end]; b {
	case '.', ',', ':', ';':
		return end+1 == len(text) || text[end+1] < '0' || text[end+1] > '9'
	default:
		return strings.IndexByte(ends, b) >= 0
	}
}
