package wording

import (
	"strings"
	"testing"
)

func TestSentencesEndInOneFullStop(t *testing.T) {
	for name, test := range map[string]struct {
		of   []string
		want string
	}{
		"as they are": {[]string{"It runs.", "", "Why not?"}, "It runs. Why not?"},
		"without a full stop": {
			[]string{"The job has failed.", "worker 0 says so"}, "The job has failed. worker 0 says so.",
		},
		"with more than one": {[]string{"The job has failed..", "So it is."}, "The job has failed. So it is."},
		"that were cut":      {[]string{"The job has failed…", "So it…."}, "The job has failed… So it…"},
		"with an open end":   {[]string{"The job has failed:", "So it is;"}, "The job has failed. So it is."},
		"over several lines": {
			[]string{"The job has failed:\n  worker 0\n", " So it is."}, "The job has failed: worker 0. So it is.",
		},
		"of nothing but blanks": {[]string{"It runs.", " \n"}, "It runs."},
	} {
		t.Run(name, func(t *testing.T) {
			if got := Sentences(test.of...); got != test.want {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
}

// What is too long ends with a whole sentence, or with a whole word: half a URL leads nowhere.
func TestNoSentenceIsCutInTheMiddleOfAWord(t *testing.T) {
	url := "http://10.0.0.1:9090/metrics?with=" + strings.Repeat("x", 60)
	for name, test := range map[string]struct{ text, want string }{
		"short enough": {"It runs.", "It runs."},
		"ends with a sentence": {
			"It runs on what is free, and that is all. See " + url, "It runs on what is free, and that is all.",
		},
		"a first sentence is all": {"No progress was read yet from " + url + " or others.", "No progress was read yet from…"},
		"hardly anything is left": {
			"So. No progress was read yet from the source at " + url, "So. No progress was read yet from the source at…",
		},
		"one long word": {strings.Repeat("ü", 200), strings.Repeat("ü", 38) + "…"},
		"a number is no end": {"It takes 1.5 times as long as it did, and will take 2.5 times as long before it is done",
			"It takes 1.5 times as long as it did, and will take 2.5 times as long before…"},
	} {
		t.Run(name, func(t *testing.T) {
			if got := ClipTo(test.text, 80); got != test.want {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
}
