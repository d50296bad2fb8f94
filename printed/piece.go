package printed

import "strings"

// seen is what one piece of output says: a line, or one state of a line that is written over itself.
type seen struct {
	text    string // in small letters
	form    string // by which it was understood; empty if by none
	process string // the rank or process that it says has written it; empty if it does not
	mark    mark

	// Each is nil where the piece does not say it.
	epoch  *Count
	batch  *Count // steps within an epoch
	step   *Count // of an epoch or of the whole
	whole  *Count // steps of the whole training
	round  *Count // of episodes or the like, where it does not say how many there are,
	rounds plan   // and what they are
	share  *Count // percent of the whole, where nothing says how many steps there are

	outer   *Count // of what all epochs are gone through for, such as a fold
	outerAt int    // where it stands
	// outerAlone says that it is one also where no epoch stands behind it.
	outerAlone bool

	bar     bool
	label   string  // of a bar, without its numbers
	nested  bool    // the bar is drawn below another one
	loop    bool    // the bar counts epochs that are over
	trains  bool    // the label says that this is the training
	refutes float64 // up to what a bar of something else counts, which did not look like that where it began
	results *Count  // of a bar whose label ends with results of something else
	study   bool    // or a study that has many trainings
	framed  bool    // it has a form in which a framework counts its training, and nothing else

	command    bool // it is no output, but a command line
	unclear    bool // which says several things
	settings   bool // it shows those of a program
	planned    Work
	inSentence bool   // as a sentence says, which may tell of a part
	optional   Work   // as options say, which count where settings do not say it
	words      uint64 // of what says planned, without its numbers
	saved      bool
	resumes    bool    // it says that the training goes on from a checkpoint
	loaded     float64 // the epoch of that; 0 if it does not say it
	from       from    // the last numbers that it says then

	way        uint64  // in which it names the epoch
	engine     float64 // how many epochs an engine of Ignite has that begins
	engineEnds bool

	named  [2]int // where the words stand that name the epoch
	begins int    // where the words stand that name the step
	// rounded is by how much more than it says the step may be.
	rounded float64
	micro   Count // batches that were gone through in so many steps
	// apart is by how much the total of a bar may be another, as it is rounded.
	apart float64
	// ofStage says that what stands in the place of a pass may be a part of the model, such as stage 1/4 of a pipeline.
	ofStage bool
	sweeps  bool   // the pass is a training of a sweep,
	overs   bool   // of which it says how many are over
	inTurn  bool   // passes such as episodes: one training goes through all of them, one after the other
	ofPass  bool   // the epoch is the pass itself, which has no other
	closes  uint64 // the words of a piece that may tell that an epoch is over

	rest string // what stands behind a bar: a line may begin where a bar was left
}

// counts says whether the piece tells how far something is.
func (s *seen) counts() bool {
	return s.epoch != nil || s.batch != nil || s.step != nil || s.whole != nil
}

// bare is a count of steps that nothing says the total of.
func (s *seen) bare() *Count {
	for _, c := range []*Count{s.batch, s.step, s.whole} {
		if c != nil {
			if c.Total > 0 {
				return nil
			}
			return c
		}
	}
	return nil
}

// namesPass says that a piece tells which pass through all epochs begins: it counts nothing, or an epoch behind that.
func (s *seen) namesPass() bool {
	if !s.counts() {
		return s.outerAlone && !s.has(aside)
	}
	return s.epoch != nil && s.outerAt < s.named[0] && !s.has(aside)
}

func (s *seen) has(m mark) bool { return s.mark&m != 0 }

// glance says what a piece may hold, so that most pieces are not looked at any further.
type glance struct{ digits, slash, percent, brace, bracket, dots, assigns, pipe, foreign, drawn bool }

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
	case b == '|':
		g.pipe = true
	case b == '=' || b == ':':
		g.assigns = true
	case b == 0xe2: // signs of bars
		g.drawn = true
	case b == 0xc3 || b == 0xd0 || b == 0xd1 || b >= 0xe3 && b <= 0xed: // letters with marks, and those of other scripts
		g.foreign = true
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
	s.resumes = strings.Contains(text, "resuming") || strings.Contains(text, "resumed") ||
		strings.Contains(text, "continuing training") ||
		strings.Contains(text, "checkpoint") && strings.Contains(text, "load")
	if s.resumes {
		s.from.read(text)
		s.loaded = epochLoaded(text)
	}
	if !at.digits {
		s.readLines(text, at)
		return s
	}
	s.process, text = processOf(text)
	if s.readNumbered(text) {
		return s
	}
	if strings.HasPrefix(text, "wandb: ") { // what it sums up in the end is no progress
		s.mark = aside
		return s
	}
	if isForeign(text, at) {
		text, at.assigns = inEnglish(text), true
	}
	if strings.Contains(text, "engine run ") {
		s.readEngine(text)
	}
	s.text = text
	if s.readSweep(text) {
		return s
	}
	s.readOuter(text, at)
	if showsSettings(text) {
		s.readSettings(text)
		return s
	}
	if at.brace && s.readJSON(text) {
		return s
	}
	if at.percent && s.readBar(text) || at.slash && strings.Contains(text, "progress on:") && s.readLoggedBar(text) {
		return s
	}
	switch {
	case s.readLines(text, at):
		s.readTitleBehind(text)
	case !at.percent && at.drawn && s.readBarOfOthers(text):
		return s
	case adjustsRate(text):
		s.mark |= aside
	default:
		s.readFreely(text, at)
		s.countWithin(s.begins)
	}
	if s.batch != nil && s.step != nil && s.batch.Total > 0 && s.step.Total > s.batch.Total {
		s.whole, s.step = s.step, nil // one of them is of an epoch, and this is the other
	}
	if at.percent && at.slash {
		s.takeShare(text)
	}
	if at.percent && !s.has(aside) {
		s.takePercent(text)
	}
	return s
}

// epochLoaded is the epoch of a checkpoint, as a piece says that has loaded it; 0 if it does not, or if the checkpoint
// may be from the middle of that epoch.
func epochLoaded(text string) float64 {
	if !strings.Contains(text, "load") || strings.Contains(text, "step") || strings.Contains(text, "iter") {
		return 0
	}
	match := epochOfCheckpoint.FindStringSubmatch(text)
	if match == nil {
		return 0
	}
	epoch, _ := number(match[1])
	return epoch
}

// adjustsRate says that a piece tells of a schedule for the learning rate.
func adjustsRate(text string) bool {
	return strings.Contains(text, "ing ") && (strings.Contains(text, "ing l") || strings.Contains(text, "ing the l")) &&
		adjusts.MatchString(text)
}

// readTitleBehind leaves the title of an epoch to be read that stands behind a bar of Keras which was cut off.
func (s *seen) readTitleBehind(text string) {
	const title = "epoch "
	if at := strings.LastIndex(text, title); s.form == "Keras" && at > 0 && digits(text, at+len(title)) > at+len(title) {
		s.rest = text[at:]
	}
}

// countWithin takes steps for those of the pass that stands before them, in whose place there is one epoch then.
func (s *seen) countWithin(begins int) {
	within := s.outer != nil && s.outer.Total > 0 && s.outerAt < begins && !s.ofStage
	if !within || s.epoch != nil || s.step == nil || s.step.Total == 0 {
		return
	}
	s.countAs(s.step)
	s.named = [2]int{begins, begins}
}

// countAs takes steps for those of the one epoch of a pass.
func (s *seen) countAs(steps *Count) {
	s.epoch, s.batch, s.step, s.whole, s.mark = &Count{1, 1}, steps, nil, nil, s.mark&^partly
	s.way, s.ofPass = wayOf("pass", ""), true
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
		if s.step != nil && s.epoch != nil && s.batch == nil && s.step.isPartOf(*one.step) {
			s.batch = s.step
		}
		s.step = one.step
	}
	if one.whole != nil {
		s.whole = one.whole
	}
}
