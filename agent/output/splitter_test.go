package output

import (
	"bytes"
	"slices"
	"strings"
	"testing"
)

// given are the lines that a splitter gives, as "line" or "state\r".
func given(to *[]string) func([]byte, bool) {
	return func(line []byte, overwritten bool) {
		text := string(line)
		if overwritten {
			text += "\r"
		}
		*to = append(*to, text)
	}
}

func TestLines(t *testing.T) {
	long := strings.Repeat("x", maxLine)
	for name, test := range map[string]struct {
		pieces []string
		want   []string
		rest   []string // what is drawn when nothing more comes
	}{
		"lines":      {[]string{"one\ntwo\n"}, []string{"one", "two"}, nil},
		"in pieces":  {[]string{"o", "ne\nt", "w", "o\n"}, []string{"one", "two"}, nil},
		"not ended":  {[]string{"one\ntwo"}, []string{"one"}, nil},
		"empty ones": {[]string{"\n\none\n\n\r\r\n"}, []string{"one"}, nil},
		"of Windows": {[]string{"one\r\ntwo\r", "\nthree\r\n"}, []string{"one", "two", "three"}, nil},
		"a bar of tqdm": {[]string{"\r 1%|", "\r 2%|", "\r 3%|"}, []string{" 1%|\r", " 2%|\r"},
			[]string{" 3%|\r"}},
		"a bar that ends its line": {[]string{" 1%|\r", " 2%|\r"}, []string{" 1%|\r"}, []string{" 2%|\r"}},
		"a bar that is complete":   {[]string{"\r 9%|\r10%|\n"}, []string{" 9%|\r", "10%|"}, nil},
		"a line cut anywhere":      {[]string{"step 42"}, nil, nil},
		"a long line":              {[]string{long + long + long + "\nnext\n"}, []string{long, "next"}, nil},
		"a long line in pieces":    {[]string{long, long, long, "\nnext\n"}, []string{long, "next"}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			var got, rest []string
			var s splitter
			for _, piece := range test.pieces {
				s.split([]byte(piece), given(&got))
			}
			s.rest(given(&rest))
			if !slices.Equal(got, test.want) || !slices.Equal(rest, test.rest) {
				t.Errorf("got %.80q and then %q, want %.80q and then %q", got, rest, test.want, test.rest)
			}
		})
	}
}

func TestAGapMakesNoLineOfTwo(t *testing.T) {
	var got []string
	var s splitter
	s.split([]byte("one\nstep 4"), given(&got))
	s.gap()
	s.split([]byte("20/1000\ntwo\n"), given(&got))
	if want := []string{"one", "two"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// An hour without a line break, and a line of 10 MB, take no more memory than any other line.
func TestALineWithoutEndTakesNoMemory(t *testing.T) {
	var s splitter
	piece := bytes.Repeat([]byte("."), bufferSize)
	for range 10 << 20 / bufferSize {
		s.split(piece, func([]byte, bool) { t.Error("there is no line") })
	}
	if cap(s.start) > 2*maxLine {
		t.Errorf("%d bytes are kept", cap(s.start))
	}
}

// A piece of nothing but carriage returns is read once, and not once for each.
func BenchmarkCarriageReturns(b *testing.B) {
	var s splitter
	piece := bytes.Repeat([]byte("1%\r"), bufferSize/3)
	b.SetBytes(int64(len(piece)))
	for b.Loop() {
		s.split(piece, func([]byte, bool) {})
	}
}

func BenchmarkLines(b *testing.B) {
	var s splitter
	piece := bytes.Repeat([]byte("Epoch 3/10: step 420/1000 loss 0.12345 lr 0.0001 throughput 123.4 samples/s\n"),
		bufferSize/77)
	b.SetBytes(int64(len(piece)))
	for b.Loop() {
		s.split(piece, func([]byte, bool) {})
	}
}

// slowly splits in the way that is obviously right: all at once.
func slowly(text string) []string {
	var lines []string
	text, _ = strings.CutSuffix(text, "\r") // nobody knows yet what it ends
	for len(text) > 0 {
		at := strings.IndexAny(text, "\r\n")
		if at < 0 {
			return lines
		}
		line, end := text[:at], ""
		switch {
		case strings.HasPrefix(text[at:], "\r\n"):
			text = text[at+2:]
		case text[at] == '\r':
			text, end = text[at+1:], "\r"
		default:
			text = text[at+1:]
		}
		if line = line[:min(len(line), maxLine)]; line != "" {
			lines = append(lines, line+end)
		}
	}
	return lines
}

func FuzzSplitter(f *testing.F) {
	f.Add("one\r\ntwo\r three\n\rfour", uint8(3))
	f.Add("\r\r\n\n\r", uint8(1))
	f.Fuzz(func(t *testing.T, text string, size uint8) {
		var got []string
		var s splitter
		for rest := []byte(text); len(rest) > 0; {
			n := min(len(rest), max(1, int(size)))
			piece := slices.Clone(rest[:n])
			s.split(piece, given(&got))
			clear(piece) // nothing of it may have been kept
			rest = rest[n:]
		}
		if want := slowly(text); !slices.Equal(got, want) {
			t.Errorf("in pieces of %d, %.200q is %.200q, want %.200q", size, text, got, want)
		}
	})
}
