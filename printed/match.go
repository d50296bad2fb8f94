package printed

import "strings"

// readLines reads a piece that has the form of a line that is known as a whole.
func (s *seen) readLines(text string, at glance) bool {
	found := s.readForms(lines, text, at)
	s.framed = found && !s.has(aside)
	return found
}

func (s *seen) readForms(forms []form, text string, at glance) bool {
	from, absent := "", false
	var begins [256]bool
	known := false // a piece that has one of the first forms does not need it
	for i := range forms {
		f := &forms[i]
		if f.from == "" && !at.slash && !at.brace && !at.bracket && !at.pipe {
			continue
		}
		if f.from != from { // forms that begin alike stand beside each other
			if !known {
				beginnings(text, &begins)
				known = true
			}
			from, absent = f.from, f.from != "" && (!begins[f.from[0]] || !strings.Contains(text, f.from))
		}
		if absent {
			continue
		}
		numbers, begin, ok := f.find(text)
		if ok && (f.mark&atFirst != 0 && namesCounts(text[:begin]) || f.mark&alone != 0 && wordless(text[:begin]) != "") {
			continue
		}
		if f.mark&labelled != 0 {
			begin = strings.IndexAny(text, "0123456789")
		}
		if !ok || !s.take(f, numbers) {
			continue
		}
		s.form, s.way = f.name, wayOf(f.name, "")
		label := text[:begin]
		if f.mark&aside != 0 || besides(label, asides) ||
			f.mark&labelled != 0 && (labelAside(label, text) || unitAside(label, text)) {
			*s = seen{form: f.name, mark: aside, saved: s.saved, process: s.process}
		}
		return true
	}
	return false
}

// take takes the numbers of a form, if they can be counts.
func (s *seen) take(f *form, numbers [slots]string) bool {
	const share = partly | barsOfAll
	if f.mark&share == share && f.mark&inQuotes == 0 && !strings.Contains(numbers[slotEpoch], ".") {
		return false // whoever tells shares of epochs prints 3 of them as 3.0
	}
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
	if slice := found[slotSlice]; slice != nil && s.batch != nil {
		s.batch = &Count{slice.Done*s.batch.Total + s.batch.Done, slice.Total * s.batch.Total}
	}
	s.mark |= f.mark
	return true
}
