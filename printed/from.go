package printed

import "slices"

// from are the last numbers that the output has said of where the training goes on. One of them may be its step.
type from struct {
	all   [mostFrom]float64
	next  int
	whole bool // a bar counts all steps since then, so that none counts those that are left
}

// mostFrom are how many of them are remembered: some lines may say it.
const mostFrom = 8

// read takes the whole numbers of a text.
func (f *from) read(text string) {
	for i := 0; i < len(text); i++ {
		end := digits(text, i)
		if end == i {
			continue
		}
		if value, ok := number(text[i:end]); ok && value > 0 {
			f.add(value)
		}
		i = end
	}
}

// join takes what another piece has said.
func (f *from) join(other *from) {
	for i := range other.all {
		if value := other.all[(other.next+i)%mostFrom]; value > 0 {
			f.add(value)
		}
	}
}

func (f *from) add(value float64) {
	f.all[f.next] = value
	f.next = (f.next + 1) % mostFrom
	f.whole = false
}

// rest gives a count of all steps for one of those that were left when the training went on: a bar may count these.
func (f *from) rest(c Count, all float64) Count {
	f.whole = f.whole || c.Total > 0 && c.Total == all
	if before := all - c.Total; !f.whole && c.Total > 0 && before > 0 && slices.Contains(f.all[:], before) {
		return Count{before + c.Done, all}
	}
	return c
}
