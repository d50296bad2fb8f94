package printed

import "strconv"

// follow is the process that is followed where several are told apart: that of the lowest number, of those whose counts
// tell progress. Another may count without saying up to what.
type follow struct {
	any    bool
	number int
	tells  bool
	others int // how many counts in a row were of others
	lost   int // how often it was not heard of any more
}

// is says whether a process is the one that is followed.
func (f *follow) is(process string) bool {
	const (
		mostOthers = 64
		mostLost   = 2 // numbers that never come again are none of processes
	)
	number, err := strconv.Atoi(process)
	if err != nil || f.lost >= mostLost {
		return true
	}
	if f.any && number > f.number && f.tells && f.others < mostOthers {
		f.others++
		return false
	}
	if f.others >= mostOthers {
		f.lost++
	}
	f.tells = f.tells && f.any && number == f.number
	f.any, f.number, f.others = true, number, 0
	return true
}
