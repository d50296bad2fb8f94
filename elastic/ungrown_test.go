package elastic

import "testing"

// Nothing of what a promise counts on is given up while it cannot be had. A size into which a job was growing is no
// part of that, if it was to have it only as GPUs were free: what is reserved while it grows begins with it all the
// same.
func TestWhatIsKeptForAPromiseThatCannotBeHadNow(t *testing.T) {
	for name, test := range map[string]struct {
		spare    Workers
		reserved []Span
		want     Workers
	}{
		"it grew for its deadline":       {0, []Span{{To: 100, Workers: 3}}, 3},
		"it grew into free GPUs":         {3, []Span{{To: 100, Workers: 3}}, 0},
		"it needs another size later":    {3, []Span{{To: 9, Workers: 3}, {From: 9, To: 99, Workers: 2}}, 2},
		"it is to have another size now": {3, []Span{{To: 100, Workers: 2}}, 2},
	} {
		job := Job{Promised: true, Reserved: test.reserved, Ungrown: &Ungrown{Spare: test.spare}}
		if got := job.promisedSize(); got != test.want {
			t.Errorf("%s: it is to have %d, want %d", name, got, test.want)
		}
	}
}
