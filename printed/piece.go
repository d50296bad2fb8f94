package printed

import (
	"hash/fnv"
	"math"
	"slices"
	"strings"
	"unicode"
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

	outer *Count // of what all epochs are gone through for, such as a fold

	bar    bool
	label  string // of a bar, without its numbers
	nested bool   // the bar is drawn below another one
	loop   bool   // the bar counts epochs that are over
	trains bool   // the label says that this is the training

	command bool // it is no output, but a command line
	unclear bool // which says several things
	planned Work
	words   uint64 // of what says planned, without its numbers
	saved   bool

	way        uint64  // in which it names the epoch
	engine     float64 // how many epochs an engine of Ignite has that begins
	engineEnds bool

	named  [2]int // where the words stand that name the epoch
	closes uint64 // the words of a piece that may tell that an epoch is over

	rest string // what stands behind a bar: a line may begin where a bar was left
}

// counts says whether the piece tells how far something is.
func (s *seen) counts() bool {
	return s.epoch != nil || s.batch != nil || s.step != nil || s.whole != nil
}

func (s *seen) has(m mark) bool { return s.mark&m != 0 }

// glance says what a piece may hold, so that most pieces are not looked at any further.
type glance struct{ digits, slash, percent, brace, bracket, dots, assigns bool }

func (g *glance) see(b byte) {
	switch {
	case b >= '0' && b <= '9':
		g.digits = true
	case b == '/':
		g.slash = true
	case b == '%':
		g.percent = true
	case b == '{':
		g.brace = true
	case b == '[':
		g.bracket = true
	case b == '=' || b == ':':
		g.assigns = true
	}
}

// halfWidth is the plain form of a wide character of Chinese or Japanese text, of which these are the last two bytes.
func halfWidth(second, third byte) (byte, bool) {
	switch {
	case second == 0xbc && third >= 0x81 && third <= 0xbf:
		return third - 0x81 + '!', true
	case second == 0xbd && third >= 0x80 && third <= 0x9e:
		return third - 0x80 + '`', true
	}
	return 0, false
}

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
		case b == 0xe3 && i+2 < len(piece) && piece[i+1] == 0x80 && piece[i+2] == 0x80: // a wide space
			b, i = ' ', i+2
		case b == 0xef && i+2 < len(piece):
			if as, ok := halfWidth(piece[i+1], piece[i+2]); ok {
				if b, i = as, i+2; b >= 'A' && b <= 'Z' {
					b += 'a' - 'A'
				}
				at.see(b)
			}
		case b >= 'A' && b <= 'Z':
			b += 'a' - 'A'
		case b == '.':
			at.dots = at.dots || i > 1 && piece[i-1] == '.' && piece[i-2] == '.'
		default:
			at.see(b)
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
	if strings.Contains(text, "engine run ") {
		s.readEngine(text)
	}
	if at.slash || strings.Contains(text, " of ") {
		s.readOuter(text)
	}
	if at.brace && s.readJSON(text) {
		return s
	}
	if at.percent && s.readBar(text) {
		return s
	}
	if !s.readLines(text, at) {
		s.readFreely(text, at)
	}
	if at.percent && at.slash {
		s.takeShare(text)
	}
	if at.percent && !s.has(aside) {
		s.takePercent(text)
	}
	return s
}

// readFreely reads a piece that has no form as a whole: words and brackets with numbers, and settings.
func (s *seen) readFreely(text string, at glance) {
	s.readWords(text)
	if !s.counts() && at.bracket && !s.has(aside) {
		s.readForms(brackets, text, at)
	}
	if (at.assigns || at.dots) && !s.has(aside) {
		s.readPlan(text)
		if s.planned.Steps > 0 {
			s.words = wordsOf(text)
		}
		if s.epoch != nil && s.form == "epochs" {
			s.planned.Epochs = 0 // it is the epoch that it is in, whatever it is called
		}
	}
	if s.has(aside) {
		s.epoch, s.batch, s.step, s.whole = nil, nil, nil, nil
	}
	if s.epoch != nil && !s.loop && !s.has(partly) {
		s.lookBesideEpoch(text)
	}
}

// readEngine reads that an engine of Ignite begins or ends.
func (s *seen) readEngine(text string) {
	s.engineEnds = strings.Contains(text, "engine run complete")
	s.engine = amountBehind(text, engineRun)
}

// readOuter reads which of several passes through all epochs a piece names.
func (s *seen) readOuter(text string) {
	if !slices.ContainsFunc(passes, func(word string) bool { return strings.Contains(text, word) }) {
		return
	}
	if match := outer.FindStringSubmatch(text); match != nil {
		if c, ok := counted(match[1], match[2]); ok {
			s.outer = &c
		}
	}
}

// lookBesideEpoch takes what stands beside the words that name an epoch: the steps of it, or a result of it. A result
// tells that the epoch is over, unless something still counts.
func (s *seen) lookBesideEpoch(text string) {
	if s.batch == nil && s.step == nil && s.whole == nil {
		if match := besideEpoch.FindStringSubmatch(text[s.named[1]:]); match != nil {
			if c, ok := counted(match[1], match[2]); ok && c.Total > 0 {
				s.batch = &c
			}
		} else if match := shareBeside.FindStringSubmatch(text[s.named[1]:]); match != nil {
			if c, ok := counted(match[1], "100"); ok {
				s.batch = &c
			}
		}
	}
	part := s.batch
	if part == nil {
		part = s.step
	}
	if !measured(text) || part != nil && part.Total > 0 {
		return
	}
	if part != nil || s.whole != nil || countsIn(text[:s.named[0]]) || countsIn(text[s.named[1]:]) {
		s.mark, s.closes = s.mark|mayEnd, lettersOf(text)
	} else {
		s.mark |= ended
	}
}

// countsIn says whether anything is counted in a text: a number behind one of the words in within or before "it", or
// one of several.
func countsIn(text string) bool {
	for i := 0; i < len(text); i++ {
		if text[i] < '0' || text[i] > '9' || i > 0 && (inWord(text[i-1]) || text[i-1] == '.') {
			continue
		}
		end := i
		for end < len(text) && text[end] >= '0' && text[end] <= '9' {
			end++
		}
		behind := strings.TrimLeft(text[end:], " ")
		before := strings.TrimRight(text[:i], "\"'[(]:=# ")
		word := before[len(strings.TrimRightFunc(before, unicode.IsLetter)):]
		if within[word] || strings.HasPrefix(behind, "it") && (len(behind) == 2 || !inWord(behind[2])) ||
			strings.HasPrefix(behind, "/") || strings.HasPrefix(behind, "of ") || strings.HasPrefix(behind, "%|") {
			return true
		}
		i = end
	}
	return false
}

// takeShare takes the share of a part that the program has reckoned itself: as much as several processes have seen
// together, each of which counts what it has seen up to what all have to see.
func (s *seen) takeShare(text string) {
	const apart = 0.011 // as it is rounded
	part := s.batch
	if part == nil {
		part = s.step
	}
	if part == nil || part.Total == 0 || part.Done == 0 || !strings.Contains(text, "%)") {
		return
	}
	match := shareOf.FindStringSubmatch(text)
	if match == nil {
		return
	}
	c, ok := counted(match[1], match[2])
	percent, fine := number(match[3])
	share := c.Done / c.Total
	processes := math.Round(percent / 100 / share)
	if ok && fine && c == *part && percent <= 100 && processes > 1 && math.Abs(percent/100-processes*share) < apart {
		part.Done = c.Total * percent / 100
	}
}

// takePercent takes how many percent are done, where nothing is counted that says how much there is.
func (s *seen) takePercent(text string) {
	for _, c := range []*Count{s.batch, s.step, s.whole} {
		if c != nil && c.Total > 0 {
			return
		}
	}
	match := percentDone.FindStringSubmatchIndex(text)
	if match == nil || anyOf(text[:match[0]], asides) || evaluations[firstWord(text)] {
		return
	}
	for group := 2; group < len(match); group += 2 {
		if match[group] < 0 {
			continue
		}
		if c, ok := counted(text[match[group]:match[group+1]], "100"); ok {
			s.form, s.step, s.whole = "percent", &c, nil
		}
	}
}

// lettersOf tells what is said in other words from what is said with other numbers or signs.
func lettersOf(text string) uint64 {
	words := fnv.New64a()
	for i := 0; i < len(text); i++ {
		if text[i] >= '0' && text[i] <= '9' {
			for i+1 < len(text) && (text[i+1] >= '0' && text[i+1] <= '9' || text[i+1] == '.' || text[i+1] == 'e') {
				i++
			}
			continue
		}
		if isLetter(text[i]) {
			_, _ = words.Write([]byte{text[i]})
		}
	}
	return words.Sum64()
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
		if ok && f.mark&atFirst != 0 && namesCounts(text[:begin]) {
			continue
		}
		if f.mark&labelled != 0 {
			begin = strings.IndexAny(text, "0123456789")
		}
		if !ok || !s.take(f, numbers) {
			continue
		}
		s.form, s.way = f.name, wayOf(f.name, "")
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
	if evaluations[firstWord(text)] {
		s.mark |= aside
		return
	}
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
		if word.mark&atFirst != 0 && s.counts() {
			continue
		}
		label, bare := text[:at], numbers[slotEpochs]+numbers[slotSteps]+numbers[slotWholes] == ""
		switch {
		case besides(label, asides):
			s.mark |= aside
		case bare && (word.mark&aside != 0 && (one.epoch == nil || !result.MatchString(text[end:])) ||
			besides(label, amounts) || refers(label) || one.epoch != nil && anyOf(label, begins)):
		case !one.wholeNumbers() && (one.epoch == nil || bare && (besides(label, results) || isTime(text[end:]))):
		default:
			if one.epoch != nil {
				s.named, s.way = [2]int{at, end}, wayOf("epoch", label)
				s.mark &^= partly
				if strings.Contains(numbers[slotEpoch], ".") {
					s.mark |= partly
				}
			}
			s.merge(one, word.name)
		}
	}
}

func firstWord(text string) string {
	end := 0
	for end < len(text) && isLetter(text[end]) {
		end++
	}
	return text[:end]
}

// wholeNumbers says whether all that is counted is whole: a share of an epoch may be one, and that of a step is a
// result.
func (s *seen) wholeNumbers() bool {
	for _, c := range []*Count{s.epoch, s.batch, s.step, s.whole} {
		if c != nil && c.Done != math.Trunc(c.Done) {
			return false
		}
	}
	return true
}

// namesCounts says whether a text names anything that is counted.
func namesCounts(text string) bool {
	for _, word := range []string{"epoch", "step", "iter", "batch", "round", "episode", "generation"} {
		if strings.Contains(text, word) {
			return true
		}
	}
	return false
}

// refers says whether what stands before a number says that the training is somewhere else: right before it, or in the
// same clause, where the number stands behind "at" or in parentheses.
func refers(label string) bool {
	clause := label[strings.LastIndexAny(label, "|,;")+1:]
	before := strings.TrimRight(clause, " ")
	return besides(clause, references) ||
		(strings.HasSuffix(before, "(") || strings.HasSuffix(before, " at")) && anyOf(clause, references)
}

// isTime says whether a number is one of seconds or the like, by what stands behind it.
func isTime(behind string) bool {
	unit := firstWord(strings.TrimLeft(behind, " "))
	return unit == "s" || unit == "ms" || unit == "sec" || unit == "secs" || unit == "seconds" || unit == "min" ||
		unit == "minutes"
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
