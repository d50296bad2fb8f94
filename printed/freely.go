package printed

import (
	"hash/fnv"
	"math"
	"regexp"
	"slices"
	"strings"
	"unicode"
)

// readFreely reads a piece that has no form as a whole: words and brackets with numbers, and settings.
func (s *seen) readFreely(text string, at glance) {
	s.readWords(text)
	if !s.counts() && (at.bracket || at.slash && counts(text)) && !s.has(aside) {
		s.readForms(plainCounts, text, at)
	}
	if !s.counts() && !s.has(aside) {
		s.readUnits(text)
	}
	if at.slash && s.epoch == nil && s.batch == nil && (s.step == nil || s.step.Total == 0) && !s.has(aside) {
		s.readShortened(text)
	}
	mayPlan := at.assigns || at.dots || at.pipe || strings.Contains(text, " max iter") || strings.Contains(text, "('") ||
		strings.Contains(text, "total ") || strings.Contains(text, " per epoch") || strings.Contains(text, "/epoch") ||
		strings.Contains(text, "totalling ") ||
		saysTraining(text)
	if mayPlan && !s.has(aside) {
		s.readPlan(text)
		if s.epoch != nil && s.step != nil && s.step.Total == s.planned.Steps {
			s.planned.Steps = 0 // they may be those of the epoch
		}
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

// counts says at a glance whether a text may count up to something, as in 3/10, and not only tell a rate, as in img/s.
func counts(text string) bool {
	for i := 1; i < len(text); i++ {
		if text[i-1] == '/' && (text[i] == ' ' || text[i] >= '0' && text[i] <= '9') {
			return true
		}
	}
	return false
}

// readEngine reads that an engine of Ignite begins or ends.
func (s *seen) readEngine(text string) {
	s.engineEnds = strings.Contains(text, "engine run complete")
	s.engine = amountBehind(text, engineRun)
}

// readOuter reads which of several passes through all epochs a piece names.
func (s *seen) readOuter(text string, has glance) {
	said := func(word string) bool { return strings.Contains(text, word) }
	ofMany := has.slash && counts(text) || strings.Contains(text, " of ")
	if !slices.ContainsFunc(passes, said) && (!ofMany || !slices.ContainsFunc(passesOf, said)) {
		return
	}
	if at := outer.FindStringSubmatchIndex(text); at != nil {
		word := text[at[2]:at[3]]
		if c, ok := counted(text[at[4]:at[5]], text[at[6]:at[7]]); ok && (word != "member" || !said("rank")) {
			s.outer, s.outerAt, s.outerAlone = &c, at[0], !mayBeOfScript[word]
			s.ofStage, s.inTurn = word == "stage" || word == "phase", word == "episode"
		}
		return
	}
	at := pass.FindStringSubmatchIndex(text)
	if at == nil || passOver.MatchString(text[at[0]:]) || !endsPlainly(text[:at[0]], text[at[0]:at[2]]) {
		return
	}
	if alone := strings.TrimSpace(text[at[0]:at[1]]) == strings.TrimSpace(text); alone && strings.ContainsAny(text, ":=") {
		return // as of a setting
	}
	if c, ok := counted(text[at[2]:at[3]], ""); ok {
		s.outer, s.outerAt, s.outerAlone = &c, at[0], strings.Contains(text[at[0]:at[2]], "fold")
	}
}

// readSweep reads that a sweep begins, or its next job: one training after another, each of which has all epochs.
func (s *seen) readSweep(text string) bool {
	if !slices.ContainsFunc(sweeps, func(word string) bool { return strings.Contains(text, word) }) {
		return false
	}
	match := sweep.FindStringSubmatch(text)
	if match == nil {
		return false
	}
	over, at, jobs := match[1], match[2]+match[3], match[4]
	s.sweeps, s.overs = true, match[2] == ""
	switch {
	case over != "":
		c, ok := counted(over, "")
		s.outer, s.outerAlone = &Count{Done: c.Done + 1}, ok
	case at != "":
		c, ok := counted(at, "")
		s.outer, s.outerAlone = &c, ok
	default:
		total, _ := number(jobs)
		s.outer, s.outerAlone = &Count{Total: total}, true
	}
	return true
}

// endsPlainly says that no setting stands before a pass through all epochs, and, but for a fold, no word.
func endsPlainly(before, pass string) bool {
	if strings.ContainsAny(before, `{"'(`) {
		return false
	}
	before = strings.TrimRight(before, " ")
	return strings.Contains(pass, "fold") || before == "" || !inWord(before[len(before)-1])
}

// lookBesideEpoch takes what stands beside the words that name an epoch: the steps of it, or a result of it. A result
// tells that the epoch is over, unless something still counts.
func (s *seen) lookBesideEpoch(text string) {
	if s.batch == nil && s.step == nil && s.whole == nil {
		var match []string
		for _, beside := range []*regexp.Regexp{besideEpoch, plainBeside, wordBeside} {
			if match == nil {
				match = beside.FindStringSubmatch(text[s.named[1]:])
			}
		}
		if match != nil {
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
	if part == nil && s.whole == nil &&
		(overBehind.MatchString(text[s.named[1]:]) || overBefore.MatchString(text[:s.named[0]])) {
		s.mark |= ended
		return
	}
	if !measured(text) || part != nil && part.Total > 0 {
		return
	}
	if part != nil || s.whole != nil || countsIn(text[:s.named[0]]) || countsIn(text[s.named[1]:]) ||
		sharePlain.MatchString(text[s.named[1]:]) {
		s.mark, s.closes = s.mark|mayEnd, lettersOf(text)
	} else {
		s.mark, s.closes = s.mark|ended, lettersOf(text)
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
		before := strings.TrimRight(text[:i], "\"'[(]:=#. ")
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
