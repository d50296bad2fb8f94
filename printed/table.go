package printed

import "strings"

// table reads the rows of a table that has a line an epoch, below a head that begins with the word epoch, or a line for
// so many steps, below one that begins with E and # as that of spaCy. The zero value has seen no head.
type table struct {
	columns int
	by      string // what stands between them
	within  bool   // it counts something else as well: it may have several lines an epoch
	steps   bool   // the second column counts the steps of the whole
	report  bool   // a report of how well each class is recognized goes on, whose rows look like those of the table
}

// averages begin the rows below those of the classes in such a report.
var averages = wordList("accuracy micro macro weighted samples avg")

// fewColumns are the fewest that a table has.
const fewColumns = 3

// head learns of the head of a table: names that are set apart, of which epoch is the first.
func (t *table) head(text string) {
	_, text = processOf(text)
	if strings.HasPrefix(strings.TrimLeft(text, " \t|"), "precision") {
		if names, _ := cells(text); len(names) >= fewColumns && names[0] == "precision" && names[1] == "recall" {
			t.report = true
			return
		}
	}
	if rest, ok := strings.CutPrefix(text, "e "); ok && strings.HasPrefix(strings.TrimLeft(rest, " "), "#  ") {
		names, by := cells(text)
		*t = table{columns: len(names), by: by, steps: true}
		return
	}
	behind, ok := strings.CutPrefix(strings.TrimLeft(text, " \t|"), "epoch")
	if next := strings.TrimLeft(behind, " \t|,"); !ok || next == "" || !isLetter(next[0]) {
		return // most lines that begin so go on with a number
	}
	names, by := cells(text)
	if len(names) < fewColumns || names[0] != "epoch" {
		return
	}
	within := false
	for _, name := range names {
		if strings.ContainsAny(name, " =:.") {
			return
		}
		within = within || counting[name]
	}
	*t = table{columns: len(names), by: by, within: within}
}

// row reads a row, of which all but the first cell are results or times.
func (t *table) row(text string) (s seen, ok bool) {
	if t.columns == 0 {
		return s, false
	}
	process, text := processOf(text)
	if t.report { // each of its rows ends with how many examples a class has
		row, _ := cells(text)
		ofClass := len(row) > 0 && strings.Trim(row[len(row)-1], "0123456789") == ""
		if t.report = ofClass && !averages[firstWord(strings.TrimLeft(text, " "))]; ofClass {
			return s, false
		}
	}
	if digits(strings.TrimLeft(text, " \t|"), 0) == 0 {
		return s, false
	}
	row, by := cells(text)
	if len(row) < fewColumns || len(row) > t.columns || by != t.by {
		return s, false
	}
	for _, cell := range row {
		if strings.Trim(cell, "0123456789.-+:%e") != "" && cell != "nan" && cell != "inf" && cell != "none" {
			return s, false
		}
	}
	c, ok := counted(row[0], "")
	if !ok || strings.Contains(row[0], ".") {
		return s, false
	}
	s = seen{text: text, process: process, form: "table", epoch: &c, mark: ended}
	s.way, s.closes = wayOf("table", ""), lettersOf("table")
	switch {
	case t.steps:
		steps, ok := counted(row[1], "")
		s.whole, s.mark, s.closes = &steps, fromZero, 0
		return s, ok
	case t.within:
		s.mark = mayEnd
	}
	return s, true
}

// cells are the columns of a line, and what stands between them: commas, bars, tabs or several spaces.
func cells(text string) (cells []string, by string) {
	text = strings.Trim(text, " \t|")
	by = "  "
	if at := strings.IndexAny(text, ",|\t"); at >= 0 {
		by = text[at : at+1]
	}
	for cell := range strings.SplitSeq(text, by) {
		if cell = strings.TrimSpace(cell); cell != "" {
			cells = append(cells, cell)
		}
	}
	return cells, by
}
