package printed

import (
	"regexp"
	"strings"
	"sync"
)

// form is one way to print progress. Its pattern is matched against text in lower case. In it a space stands for any
// white space or none, and a name in angle brackets for a number:
//
//	<epoch>/<epochs>   epochs, and how many there are in all
//	<batch>/<batches>  steps within an epoch
//	<step>/<steps>     steps of an epoch or of the whole: the form does not say
//	<whole>/<wholes>   steps of the whole training
//	<slice>/<slices>   parts of an epoch, counted from 0, each of which has the steps of <batches>
type form struct {
	name string
	// from is the text that the pattern begins with, at the beginning of a word. Where it is empty, the pattern begins
	// where the piece does.
	from string
	is   string
	also string // must stand behind the match
	mark mark

	examples []example

	lead    lead
	pattern func() *pattern
}

// pattern is a pattern as it is matched, and where the numbers are in it.
type pattern struct {
	*regexp.Regexp
	slots [slots]int
}

// example is a line, and what is read of it; nothing if want is empty.
type example struct{ line, want string }

// mark is what a form says besides its numbers.
type mark int

const (
	fromZero  mark = 1 << iota // the first epoch is 0
	fromOne                    // the first epoch is 1
	toLast                     // the number behind the slash is that of the last epoch, counted from 0
	ended                      // the epoch that is named is over
	partly                     // the epoch is a fraction, and all of it is done
	aside                      // this counts something else than the training
	mayEnd                     // a result beside other counters: the epoch is over if there is one such line an epoch
	atFirst                    // nothing that counts may stand before it
	alone                      // no word may stand before it
	labelled                   // what stands before the first number says what is counted
	barsOfAll                  // bars of this framework count the whole training
	ofBatches                  // a setting that calls them batches says how many steps there are
	inQuotes                   // a whole number is a fraction, too: all values are written as short as may be
)

// The numbers of a form.
const (
	slotEpoch = iota
	slotEpochs
	slotBatch
	slotBatches
	slotStep
	slotSteps
	slotWhole
	slotWholes
	slotSlice
	slotSlices
	slots
)

var slotNames = [slots]string{"epoch", "epochs", "batch", "batches", "step", "steps", "whole", "wholes", "slice",
	"slices"}

var placeholder = regexp.MustCompile(`<([a-z]+)>`)

// made are forms that are ready for use. Their patterns are compiled when they are first needed: a training prints in
// one or two forms, and all of them would take longer than the rest of the start of a program.
func made(forms []form) []form {
	for i := range forms {
		f := &forms[i]
		f.lead = leadOf(f.is)
		f.pattern = sync.OnceValue(func() *pattern { return compiled(f.is) })
	}
	return forms
}

func compiled(is string) *pattern {
	p := &pattern{Regexp: regexp.MustCompile(expanded(is))}
	for slot, name := range slotNames {
		p.slots[slot] = p.SubexpIndex(name)
	}
	return p
}

func expanded(pattern string) string {
	pattern = strings.ReplaceAll(pattern, " ", `\s*`)
	return placeholder.ReplaceAllStringFunc(pattern, func(name string) string {
		whole := `[0-9]+`
		if !strings.HasPrefix(name, "<epoch") { // nobody has thousands of these
			whole = `(?:[0-9]{1,3}(?:,[0-9]{3})+|[0-9]+)`
		}
		return `\s*(?P` + name + whole + `(?:\.[0-9]+)?)`
	})
}

// counter is what stands behind a word that says what is counted, such as "epoch": a number, and maybe how many there
// are.
func counter(of string) string {
	total := of + "s"
	if of == "batch" {
		total = "batches"
	}
	return `\b["'\]]?(?: n(?:o|r|umber)\b\.?)? [:=#]? ["'\[(]? <` + of + `>(?: (?:/|\(?(?:out )?of) <` + total + `>)?`
}

// mostPlaces is in how many places of a piece a form is looked for.
const mostPlaces = 4

// find gives the numbers of the first place where a form is, and where that begins; false if it is nowhere.
func (f *form) find(text string) (numbers [slots]string, from int, ok bool) {
	if f.from == "" {
		if strings.Contains(text, f.also) {
			numbers, _, ok = f.at(text, 0)
		}
		return numbers, 0, ok
	}
	start := 0
	for range mostPlaces {
		i := strings.Index(text[start:], f.from)
		if i < 0 {
			break
		}
		if start += i; wordBegins(text, start) {
			if numbers, _, ok = f.at(text, start); ok {
				return numbers, start, true
			}
		}
		start += len(f.from)
	}
	return numbers, 0, false
}

// at gives the numbers of a form that begins in a place, and where it ends.
func (f *form) at(text string, start int) (numbers [slots]string, to int, ok bool) {
	if !f.lead.mayFit(text[start:]) {
		return numbers, 0, false
	}
	pattern := f.pattern()
	match := pattern.FindStringSubmatchIndex(text[start:])
	if match == nil {
		return numbers, 0, false
	}
	to = start + match[1]
	if f.also != "" && !strings.Contains(text[to:], f.also) {
		return numbers, 0, false
	}
	for slot, group := range pattern.slots {
		if group > 0 && match[2*group] >= 0 {
			numbers[slot] = strings.ReplaceAll(text[start+match[2*group]:start+match[2*group+1]], ",", "")
		}
	}
	return numbers, to, true
}

// wordBegins says whether a word may begin at a place of a text.
func wordBegins(text string, at int) bool { return at == 0 || !inWord(text[at-1]) || !inWord(text[at]) }

// beginnings tell the bytes that a word may begin with in a text: most forms are seen by these to be nowhere in it.
func beginnings(text string, is *[256]bool) {
	within := false
	for i := range len(text) {
		was := within
		if within = inWord(text[i]); !was || !within {
			is[text[i]] = true
		}
	}
}

func inWord(b byte) bool { return ofWords[b] }

// ofWords are the bytes that a word is made of.
var ofWords = func() (is [256]bool) {
	for b := range is {
		is[b] = b >= 'a' && b <= 'z' || b >= '0' && b <= '9' || b == '_' || b >= 0x80
	}
	return is
}()
