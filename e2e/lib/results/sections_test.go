package results

import "testing"

func TestSectionsThatWereNotMeasuredAnewStay(t *testing.T) {
	before := Merge("preface\n", "", "\n## A\n\none\n\n## B\n\ntwo\n")
	if got, want := Merge("preface\n", before,
		"\n## B\n\nthree\n"), "preface\n\n## A\n\none\n\n## B\n\nthree\n"; got != want {
		t.Errorf("got:\n%s\nwant:\n%s", got, want)
	}
}
