package printed

import (
	"math"
	"strings"
)

// readBar reads a bar and what is written before it. It says whether there is one.
func (s *seen) readBar(text string) bool {
	form, at := barOfTqdm, strings.Index(text, "%|")
	if at < 0 {
		form, at = barWithoutWidth, strings.Index(text, "% ")
	}
	if at < 0 {
		return s.readBarOfOthers(text)
	}
	match := form.FindStringSubmatch(text[at:])
	switch {
	case match != nil:
	case form == barWithoutWidth:
		return s.readOtherBar(text) || s.readBarOfOthers(text)
	default:
		return false
	}
	label, percent := percentage(text[:at])
	*s = seen{form: "tqdm", bar: true, nested: s.nested, process: s.process, saved: s.saved,
		outer: s.outer, outerAt: s.outerAt, ofStage: s.ofStage, inTurn: s.inTurn}
	if s.rest = strings.TrimPrefix(text[at+len(match[0]):], "]"); len(s.rest) >= shortest {
		s.saved = false // it is read there
	}
	done, ok := scaled(match[1], match[2])
	total, fine := scaled(match[3], match[4])
	if labelAside(label, match[5]) || unitAside(label, match[5]) {
		if s.mark = aside; ok && fine && !beginsAside(label, match[5]) {
			s.results = &Count{done, total}
		}
		s.refutes = total
		return true
	}
	// What the bar says twice must agree, up to the rounding of large numbers.
	if !ok || !fine || total == 0 || done > total || math.Abs(100*done/total-percent) > 1.5 {
		s.mark = aside
		return true
	}
	c := Count{done, total}
	if total == 1 && wordless(label) == "" { // such as of files that are looked for: no training has one step
		s.mark = aside
		return true
	}
	s.apart = lastPlace(match[3], total) / 2
	if strings.HasPrefix(strings.TrimLeft(label, " "), "best trial:") { // of a study of Optuna: these are the whole
		s.whole, s.trains, s.study = &c, true, true
		return true
	}
	s.readLabel(label, c, match[5])
	s.countWithin(len(label))
	return true
}

// readOtherBar reads a bar that newer versions of Ultralytics draw.
func (s *seen) readOtherBar(text string) bool {
	at := strings.Index(text, "% ")
	if at < 0 {
		return false
	}
	match := barOfUltralytics.FindStringSubmatch(text[at:])
	if match == nil {
		return false
	}
	label, _ := percentage(text[:at])
	c, ok := counted(match[1], match[2])
	*s = seen{form: "Ultralytics", bar: true, nested: s.nested, process: s.process, saved: s.saved}
	if !ok || c.Total == 0 || labelAside(label, text[at+len(match[0]):]) {
		s.mark = aside
		return true
	}
	s.readLabel(label, c, "")
	return true
}

// readBarOfOthers reads a bar of another library. One of percent has a label that says that it is of the training.
func (s *seen) readBarOfOthers(text string) bool {
	for _, form := range otherBars {
		if !strings.Contains(text, form.has) {
			continue
		}
		match := form.is.FindStringSubmatchIndex(text)
		if match == nil {
			continue
		}
		label, total := text[:match[0]], text[match[4]:match[5]]
		percent := total == "%"
		if percent {
			total = "100"
		}
		*s = seen{form: "bar", bar: true, nested: s.nested, process: s.process, saved: s.saved}
		c, ok := counted(text[match[2]:match[3]], total)
		if !ok || labelAside(label, text[match[1]:]) || percent && !anyOf(label, trainings) && !anyOf(label, loops) {
			s.mark = aside
			return true
		}
		s.readLabel(label, c, "")
		return true
	}
	return false
}

// readLabel reads what stands before a bar.
func (s *seen) readLabel(label string, c Count, rest string) {
	s.label, s.trains = wordless(label), anyOf(label, trainings)
	for i := range labels {
		f := &labels[i]
		numbers, _, ok := f.find(label)
		if ok && s.take(f, numbers) {
			s.form, s.way, s.framed = f.name, wayOf(f.name, ""), f.name != anyEpoch
			break
		}
	}
	switch {
	case s.epoch != nil && c.Total == s.epoch.Total && (c.Done == s.epoch.Done || c.Done == s.epoch.Done-1):
		s.epoch, s.loop = &c, true // the bar counts these very epochs
		s.mark = s.mark&^fromOne | fromZero | partly
	case s.epoch != nil:
		// With an epoch before it the bar is of that epoch. Lightning counts these from 0, as its version at the end of
		// the bar gives away, or with RWKV, which has none, the tokens of a second.
		s.batch = &c
		if s.mark&(fromZero|fromOne) == 0 && (strings.Contains(rest, "v_num=") || strings.Contains(rest, "kt/s=")) {
			s.mark |= fromZero
			s.form, s.framed = "Lightning", true
		} else if s.mark&fromZero == 0 && s.epoch.Total == 0 && strings.Contains(label, "#") {
			s.mark |= fromOne // as people number things
		}
	case s.isOfEpoch(rest):
		s.batch = &c
	case loops[unitOf(rest)]:
		s.label += "epochs"
		s.epoch, s.loop = &c, true
		s.mark |= fromZero | partly
	case anyOf(label, loops) && !anyOf(label, trainingSteps):
		s.epoch, s.loop = &c, true
		s.mark |= fromZero | partly
	default:
		s.step = &c
	}
}

// isOfEpoch takes the epoch that stands behind the times and the rate of a bar, if it says how many there are: then the
// bar is of that epoch, too.
func (s *seen) isOfEpoch(behind string) bool {
	match := epochBehind.FindStringSubmatch(behind)
	if match == nil {
		return false
	}
	c, ok := counted(match[1], match[2])
	if ok {
		s.epoch, s.way = &c, wayOf("behind a bar", "")
	}
	return ok
}

// percentage cuts the digits off the end of a text.
func percentage(text string) (label string, percent float64) {
	end := len(text)
	for end > 0 && len(text)-end < 3 && text[end-1] >= '0' && text[end-1] <= '9' {
		end--
	}
	percent, _ = number(text[end:])
	return text[:end], percent
}

// labelAside says whether a label is that of something else, such as of the results that Ultralytics prints, or of what
// Sentence Transformers encode. What stands behind the bar may show that it is of a training all the same.
func labelAside(label, behind string) bool {
	return anyOf(label, asides) || anyOf(label, chores) || prepares(label, behind) ||
		strings.TrimRight(label, ": ") == "batches" ||
		strings.Contains(label, " class ") && strings.Contains(label, " images ")
}

// prepares says that a label begins with what is done before a training or beside it, and does not name a training of
// that, an epoch or a step, and that nothing tells a loss, which is of a training unless what is trained is used there.
func prepares(label, behind string) bool {
	word := firstWord(strings.TrimLeft(label, " "))
	return preparations[word] && !anyOf(label, loops) && !anyOf(label, oneStep) &&
		lastWord(strings.TrimRight(label, ": ")) != "training" &&
		(uses[word] || !tellsLoss(label) && !tellsLoss(behind))
}

// tellsLoss says that a text tells a loss, and not that of an evaluation.
func tellsLoss(text string) bool {
	at := lossTold.FindStringIndex(text)
	return at != nil && !besides(text[:at[0]], asides)
}

// beginsAside says that a label begins with a word for something else, and does not merely end with results of it.
func beginsAside(label, behind string) bool {
	word := firstWord(strings.TrimLeft(label, " "))
	return word == "" || asides[word] || chores[word] || prepares(label, behind) || evaluations[word]
}

// digitsOfBytes are how many digits a rate has that is one of bytes where nothing is named: a training that makes so
// many steps in a second names them.
const digitsOfBytes = 6

// rateOf is the rate that stands behind the times of a bar, as in "01:23<01:40, 1.4s/it", and its unit.
func rateOf(rest string) (amount, unit string, ok bool) {
	_, rest, _ = strings.Cut(rest, ",")
	rest, _, _ = strings.Cut(rest, ",")
	amount, per, ok := strings.Cut(rest, "/")
	if unit = strings.TrimLeft(amount, " ?0123456789."); unit == "s" {
		unit = per
	}
	return amount, strings.TrimSpace(unit), ok
}

// unitOf is the unit of that rate.
func unitOf(rest string) string {
	_, unit, _ := rateOf(rest)
	return unit
}

// unitAside says whether the rate of a bar with this label is one of bytes, or of what no training goes through. It
// stands behind the times, as in "00:01<00:01, 45.0mb/s" or "01:23<01:40, 1.4s/it".
func unitAside(label, rest string) bool {
	amount, unit, ok := rateOf(rest)
	bytes := strings.TrimLeft(unit, "kmgt")
	fast := digits(strings.TrimLeft(amount, " "), 0) >= digitsOfBytes && wordless(label) == ""
	return ok && (bytes == "b" || bytes == "ib" || asideUnits[unit] || fast ||
		unit == "ba" && !anyOf(label, trainings) && !anyOf(label, loops)) // batches of a data set, or of a training
}
