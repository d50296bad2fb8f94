package printed

import (
	"fmt"
	"maps"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// framework is how the trainings of a framework print, in templates: moment.fill says what stands for what. A template
// that begins with \r is written over the line, and one with $k is printed for each step of an evaluation. Those in
// testdata/frameworks have a file for a family, and a line for each template, behind what it is for.
type framework struct {
	command string   // of the worker
	begin   []string // at each start
	resume  []string // at each but the first
	epoch   []string // as an epoch begins
	steps   []report
	over    []string // as an epoch is over
	end     []string

	behind  int     // by how many steps it may be told too little; 1 if it is 0
	ofUnits float64 // what it counts up to where that is neither the epochs nor the steps
	unknown string  // a part of why nothing is told: nothing says how much there is to do

	is map[string]bool
}

// What a framework may be.
const (
	midway = "midway" // it goes on from any step, else from the beginning of an epoch
	learns = "learns" // nothing says how long an epoch is before the first is over
	zero   = "zero"   // it counts epochs from 0, which only the first of them shows
	untold = "untold" // its bars name no epoch, so that a tail may take one of an epoch for one of the whole
	single = "single" // it is one process, or one of them prints
	headed = "headed" // nothing is understood without its head
)

// report is a line that is printed every so many steps, from the first of an epoch on or from the last of so many.
type report struct {
	every int
	first bool
	line  string
}

// The size of each of these trainings.
const (
	runEpochs = 5
	runSteps  = 20 // of an epoch
	runAll    = runEpochs * runSteps
	runEval   = 8
)

// moment is where a training is when it prints.
type moment struct {
	epoch, step, eval int
	times             int // as many workers as at first
}

// steps are how many an epoch has, and done how many are done in all.
func (m moment) steps() int { return runSteps / max(1, m.times) }
func (m moment) done() int  { return m.epoch*m.steps() + m.step }

// fill puts numbers into a template. Digits before a letter are those of a format.
//
//	$e $E $L $N  the epoch from 0 and from 1, the last one from 0, and how many there are
//	$i $s $m $n  the same of the steps of an epoch
//	$j $g $J $G  the same of the steps of the whole
//	$x $X $y $Y  samples of the epoch and of the whole, that are done and in all
//	$k $K        steps of an evaluation
//	$p $P $f $h  percent of the epoch and of the whole, and epochs with a part, as they are and to a hundredth
//	$B $A $b $Q  bars of tqdm of the epoch, of the whole and of the epochs, and that of Keras
//	$w $t $r     a loss, the time that was taken, and what is left
func (m moment) fill(template string) string {
	const batch = 64
	g, n, all := m.done(), m.steps(), runEpochs*m.steps()
	numbers := map[byte]int{'e': m.epoch, 'E': m.epoch + 1, 'L': runEpochs - 1, 'N': runEpochs, 'i': m.step - 1,
		's': m.step, 'm': n - 1, 'n': n, 'j': g - 1, 'g': g, 'J': all - 1, 'G': all, 'x': batch * m.step,
		'X': batch * n, 'y': batch * g, 'Y': batch * all, 'k': m.eval, 'K': runEval, 'p': 100 * m.step / n,
		'P': 100 * g / all}
	texts := map[byte]func() string{
		'f': func() string { return fmt.Sprint(math.Round(100*float64(g)/float64(n)) / 100) },
		'w': func() string { return fmt.Sprintf("%.4f", 2.5/float64(g+1)) },
		'h': func() string { return fmt.Sprintf("%.2f", float64(g)/float64(n)) },
		'b': func() string { return bar("", m.epoch+m.step/n, runEpochs) },
		'B': func() string { return bar("", m.step, n) }, 'A': func() string { return bar("", g, all) },
		'Q': func() string { return fmt.Sprintf("%d/%d [==>.......]", m.step, n) },
		't': func() string { return fmt.Sprintf("%.3gs", 0.5173*float64(g)) },
		'r': func() string { return fmt.Sprintf("%.3gs", 0.5173*float64(all-g)) },
	}
	var out strings.Builder
	for i := 0; i < len(template); i++ {
		end := i + 1
		for template[i] == '$' && end < len(template) && template[end] >= '0' && template[end] <= '9' {
			end++
		}
		if template[i] != '$' || end == len(template) {
			out.WriteByte(template[i])
			continue
		}
		if text, ok := texts[template[end]]; ok {
			out.WriteString(text())
		} else if n, ok := numbers[template[end]]; ok {
			fmt.Fprintf(&out, "%"+template[i+1:end]+"d", n)
		} else {
			panic("no number is called " + template[i:end+1])
		}
		i = end
	}
	return out.String()
}

// frameworks are those of testdata/frameworks, by their names.
func frameworks(t *testing.T) map[string]*framework {
	t.Helper()
	files, err := filepath.Glob("testdata/frameworks/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatal("there are none: ", err)
	}
	all := map[string]*framework{}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for part := range strings.SplitSeq(string(text), "\n== ") {
			name, lines, _ := strings.Cut(strings.TrimPrefix(part, "== "), "\n")
			f := &framework{is: map[string]bool{}}
			for line := range strings.SplitSeq(lines, "\n") {
				if key, template, ok := strings.Cut(line, ":"); ok && !f.set(key, strings.TrimPrefix(template, " ")) {
					t.Fatalf("%s: nothing is called %q", file, key)
				}
			}
			all[name] = f
		}
	}
	return all
}

// signs are how signs are written that nobody sees.
var signs = strings.NewReplacer(`\r`, "\r", `\n`, "\n", `\t`, "\t", `\b`, "\b", `\e`, "\x1b", `\s`, " ", `\\`, `\`)

// set takes a line of a file; false if it is of nothing that is known.
func (f *framework) set(key, template string) bool {
	template = signs.Replace(template)
	number, _ := strconv.Atoi(template)
	switch key {
	case "command":
		f.command = template
	case "begin":
		f.begin = append(f.begin, template)
	case "resume":
		f.resume = append(f.resume, template)
	case "epoch":
		f.epoch = append(f.epoch, template)
	case "over":
		f.over = append(f.over, template)
	case "end":
		f.end = append(f.end, template)
	case "is":
		maps.Copy(f.is, wordList(template))
	case "behind":
		f.behind = number
	case "counts to":
		f.ofUnits = float64(number)
	case "unknown":
		f.unknown = template
	default:
		every, each := strings.CutPrefix(key, "each ")
		every, first := strings.CutPrefix(every, "from 0 each ")
		number, err := strconv.Atoi(every)
		f.steps = append(f.steps, report{number, first, template})
		return err == nil && number > 0 && each != first
	}
	return true
}
