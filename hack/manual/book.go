package manual

import (
	"fmt"
	"slices"
	"strings"
)

// Book is what one test has to play.
type Book struct{ left []Passage }

// For is the book of a player, of the documents below a folder. What is in a passage that others judge is left out of
// it.
func For(root string, player Player) (*Book, error) {
	all, err := Collect(root)
	if err != nil {
		return nil, err
	}
	b := &Book{}
	for _, p := range all {
		if p.Script = p.toPlay(player); p.Script != "" && playerOf(p) == player {
			b.left = append(b.left, p)
		}
	}
	if len(b.left) == 0 {
		return nil, fmt.Errorf("no document has anything for %s", player)
	}
	return b, nil
}

// Take gives what is to be played now, in the order of the documents: the passages of a file under a heading, or all of
// the file, or of all files, where these are empty.
func (b *Book) Take(file, heading string) []Passage {
	return b.TakeIf(func(p Passage) bool {
		return (file == "" || p.File == file) && (heading == "" || p.Heading == heading)
	})
}

// TakeIf gives those of which this is true.
func (b *Book) TakeIf(is func(Passage) bool) []Passage {
	var taken []Passage
	b.left = slices.DeleteFunc(b.left, func(p Passage) bool {
		if is(p) {
			taken = append(taken, p)
			return true
		}
		return false
	})
	return taken
}

// Left names what nobody has taken.
func (b *Book) Left() []string {
	var left []string
	for _, p := range b.left {
		left = append(left, p.Where()+": "+p.Command())
	}
	return left
}

// Where says where a passage is.
func (p Passage) Where() string { return fmt.Sprintf("%s:%d", p.File, p.Line) }

// Lines are the commands of a passage, each with the lines by which it goes on.
func (p Passage) Lines() []string {
	var all []string
	more := false
	for line := range strings.Lines(p.Script) {
		if more {
			all[len(all)-1] += line
		} else {
			all = append(all, line)
		}
		more = strings.HasSuffix(line, "\\\n")
	}
	return all
}

// toPlay is the script without the commands that another test judges, or none.
func (p Passage) toPlay(player Player) string {
	var script strings.Builder
	for _, line := range p.Lines() {
		if _, none := exceptionOf(p.File, line); none || player != Sources && player != Image && ofSources(line) {
			continue
		}
		script.WriteString(line)
	}
	return script.String()
}

// needing are commands that ask for more than their name: where a sentence names them alone, it tells nobody to call
// them so.
var needing = []string{
	"kubectl apply", "kubectl patch", "kubectl delete", "kubectl scale", "kubectl explain", "kubectl port-forward",
	"kubectl takt", "takt why", "takt whatif", "takt timeline", "takt submit", "takt suspend", "takt resume", "takt trace",
	"takt plan", "takt sim", "takt predict", "helm upgrade", "helm uninstall", "localcluster image", "localcluster check",
	"localcluster load",
}

// Named says whether a sentence names a command without saying what it is to be called with. Such a command is asked
// for its help: that tells whether there is one, and whether it has the flags.
func (p Passage) Named() bool {
	words := strings.Fields(strings.TrimPrefix(p.Script, "bin/"))
	if p.Fenced || len(words) < 2 || !slices.Contains(needing, words[0]+" "+words[1]) {
		return false
	}
	for _, word := range words[2:] {
		if !strings.HasPrefix(word, "-") && words[0] != "localcluster" {
			return false
		}
	}
	return true
}
