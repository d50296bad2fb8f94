package printed

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"
)

// output is a part of what a training prints, and how many steps are done then.
type output struct {
	text   string
	done   int
	counts bool // it tells how far it is
	starts bool // it is printed as the training starts
}

// prints is what a training prints from a step to another.
func (f *framework) prints(from, to int) []output { return f.printsAt(1, from, to) }

// printsAt is the same with so many times as many workers, to whom an epoch has fewer steps. Steps are counted as they
// were before.
func (f *framework) printsAt(times, from, to int) (all []output) {
	at := moment{epoch: from / runSteps, step: from % runSteps / times, times: times}
	from, to = from/times, to/times
	add := func(template string, counts, starts bool) {
		evaluated := 1
		if strings.Contains(template, "$k") {
			evaluated = runEval
		}
		for k := range evaluated {
			at.eval = k + 1
			text := at.fill(template)
			if !strings.HasPrefix(template, "\r") {
				text += "\n"
			}
			all = append(all, output{text, times * at.done(), counts, starts})
		}
	}
	each := func(templates []string, counts, starts bool) {
		for _, template := range templates {
			add(template, counts, starts)
		}
	}
	each(f.begin, false, true)
	if from > 0 {
		each(f.resume, false, true)
	}
	for ; at.done() < to; at = (moment{epoch: at.epoch + 1, times: times}) {
		each(f.epoch, false, at.done() == from)
		for at.step < at.steps() && at.done() < to {
			at.step++
			for _, r := range f.steps {
				first := 0
				if r.first {
					first = 1
				}
				if every := min(r.every, at.steps()); at.step%every == first%every {
					add(r.line, strings.ContainsAny(r.line, "$"), false)
				}
			}
		}
		if at.step < at.steps() {
			return all
		}
		each(f.over, len(f.steps) == 0, false)
	}
	if to == runEpochs*at.steps() {
		each(f.end, false, false)
		add("", false, false)
	}
	return all
}

// checked follows a training, and checks what is read of it.
type checked struct {
	*testing.T
	*framework
	reader Reader
	lag    int    // by how many steps a process may be behind another
	tail   bool   // what comes is the end of an output
	drawn  output // what is written over next: it is read then
	glued  bool   // the next line stands behind one that was cut off
	counts int    // how often it was told how far it is, since it has started
	first  int    // the step that was seen at first, from 1
	times  int    // as many workers as at first
}

func (f *framework) check(t *testing.T) *checked {
	c := &checked{T: t, framework: f, times: 1}
	c.reader.Plan(Command(strings.Fields(moment{}.fill(f.command))))
	return c
}

// hears takes a part of what is printed, and checks what is read by then.
func (c *checked) hears(o output) {
	c.Helper()
	c.reader.Write([]byte(o.text), noon.Add(time.Duration(o.done)*time.Second))
	if !strings.HasSuffix(o.text, "\n") {
		c.drawn, o = o, c.drawn
	} else {
		c.drawn = output{}
	}
	if o.text != "" {
		c.judge(o)
	}
}

// judge checks what is read when a part of what is printed was read.
func (c *checked) judge(o output) {
	c.Helper()
	if o.starts {
		c.counts = 0
	}
	if c.first == 0 {
		c.first = o.done + 1
	}
	if o.counts && c.glued {
		c.glued = false
	} else if o.counts {
		c.counts++
	}
	now := c.reader.Reading()
	if !now.Known() || c.counts == 0 || c.tail && c.is[untold] && o.done < c.first+runSteps {
		return
	}
	if c.unknown != "" {
		c.Fatalf("%q is read as %v", o.text, now)
	}
	total := map[string]float64{Epochs: runEpochs, Steps: float64(runAll / c.times)}[now.Unit]
	if now.Total != total && now.Total != c.ofUnits && (!c.is[zero] || !c.tail || now.Total != total-1) {
		c.Fatalf("after %q: %v, of which there are %d epochs of %d steps", o.text, now, runEpochs, runSteps)
	}
	const rounded = 0.6 // of a step
	done, behind, ahead := now.Share()*runAll, max(1, c.behind)*c.times+c.lag, float64(c.lag)+rounded
	if c.is[learns] && o.done-c.first < 2*runSteps || c.first > 1 && c.is[zero] {
		behind = max(behind, runSteps+c.lag)
	}
	if c.is[learns] {
		ahead += float64(c.longest()) / 2
	}
	if done > float64(o.done)+ahead {
		c.Fatalf("after %q: %v, which is ahead of step %d of %d", o.text, now, o.done, runAll)
	}
	if o.counts && done < float64(o.done-behind)-rounded {
		c.Fatalf("after %q: %v, which is behind step %d of %d", o.text, now, o.done, runAll)
	}
}

func (c *checked) hearsAll(all []output) {
	c.Helper()
	for _, o := range all {
		c.hears(o)
	}
}

// ended checks that all is done at the end.
func (c *checked) ended() {
	c.Helper()
	now := c.reader.Reading()
	switch {
	case c.unknown != "":
		if !strings.Contains(now.Doubt, c.unknown) {
			c.Fatalf("in the end: %v, want %q", now, c.unknown)
		}
	case !now.Known():
		c.Fatalf("in the end: %v", now)
	case now.Share() < 1-float64(max(1, c.behind)*c.times+c.lag)/runAll-1e-9 && !c.is[zero]:
		c.Fatalf("in the end: %v", now)
	}
}

// tells says whether the lines that a training prints as it goes on, or its command line, say how much there is to do.
func (f *framework) tells() bool {
	all := f.command + strings.Join(f.epoch, "") + strings.Join(f.over, "")
	for _, r := range f.steps {
		all += r.line
	}
	return strings.Contains(all, "$N") || strings.Contains(all, "$G") || strings.Contains(all, "$J")
}

// from is where a training goes on that was seen at a step.
func (f *framework) from(step int) int {
	if f.is[midway] {
		return step / 10 * 10
	}
	return step / runSteps * runSteps
}

// comings are the ways in which the output of a training comes.
var comings = map[string]func(c *checked){
	"whole":   func(c *checked) { c.hearsAll(c.prints(0, runAll)) },
	"resumed": func(c *checked) { c.hearsAll(c.prints(c.from(45), runAll)) },
	"restarted": func(c *checked) {
		c.hearsAll(c.prints(0, 65))
		c.counts = 0
		c.hearsAll(c.prints(c.from(52), runAll))
	},
	"with more workers": func(c *checked) {
		c.hearsAll(c.prints(0, 65))
		c.counts, c.times = 0, 2
		c.hearsAll(c.printsAt(2, c.from(52), runAll))
	},
	"with fewer workers": func(c *checked) {
		c.times = 2
		c.hearsAll(c.printsAt(2, 0, 66))
		c.counts, c.times = 0, 1
		c.hearsAll(c.prints(c.from(52), runAll))
	},
	"cut off": func(c *checked) {
		before := c.prints(0, 67)
		last := before[len(before)-1]
		c.hearsAll(before[:len(before)-1])
		read := c.reader.Reading()
		last.text = strings.TrimRight(last.text[:len(last.text)*2/3], "\n")
		c.hears(last)
		if now := c.reader.Reading(); !strings.ContainsAny(last.text, "\r\n\b") && now != read {
			c.Errorf("the beginning of %q is read as %v", last.text, now)
		}
		c.glued, c.counts = true, 0
		c.hearsAll(c.prints(c.from(62), runAll))
	},
	"tail": func(c *checked) {
		c.tail = true
		c.reader.Missed()
		all := c.prints(0, runAll)
		for i, o := range all {
			if o.done > 47 {
				o.text = o.text[len(o.text)/2:]
				c.hears(output{text: o.text, done: o.done})
				c.hearsAll(all[i+1:])
				return
			}
		}
	},
	"beside else": func(c *checked) {
		for i, o := range c.prints(0, runAll) {
			if strings.HasSuffix(o.text, "\n") && !strings.HasPrefix(o.text, "\r") {
				c.hears(output{text: elsewhere[i%len(elsewhere)] + "\n", done: o.done})
			}
			c.hears(o)
		}
	},
	"four ranks":   func(c *checked) { c.lag = c.longest(); c.hearsRanks("[default%d]:") },
	"four, unsaid": func(c *checked) { c.lag = 3 * c.longest(); c.hearsRanks("") },
}

// elsewhere are lines beside those of a training, which count something else.
var elsewhere = []string{
	"Downloading data: 100%|##########| 26.4M/26.4M [00:01<00:00, 18.7MB/s]",
	"Map (num_proc=8):  45%|####5     | 450/1000 [00:01<00:01, 450.00 examples/s]",
	"Loading checkpoint shards:  50%|#####     | 2/4 [00:03<00:03,  1.6s/it]",
	"Fetching 3 files:  33%|###3      | 1/3 [00:01<00:02,  1.1s/it]",
	"Evaluating:  50%|#####     | 4/8 [00:01<00:01,  3.1it/s]",
	"Tokenizing 3/50", "Found 4/8 GPUs", "loss 3/10", "accuracy 45/100 (45%)", "GPU memory: 31.2/80.0 GB",
	"EarlyStopping counter: 3 out of 7", "[3/4] c++ -MMD -MF fused_adam.o", "Retry 2/5 in 3 s", "validation step 3/8",
	"eval batch 3/8, loss 0.3", "Sampling step 3/50", "k-means iteration 3/100",
	"WARNING: gradient overflow, 3 steps skipped",
	"Best epoch: 2/5", "Best model so far: epoch 2", "lr will decay at epoch 30", "checkpoint-500 deleted",
	"saves a checkpoint every 500 steps", "Test: 3/8 correct", "worker 3/4 ready", "12/24 12:00:00 all is well",
	"grad norm 3.2/10.0",
	"INFO 127.0.0.1:5000 GET /metrics 200 12/100", "NCCL INFO Channel 03/16 : 0 1 2 3", "layer 3/12 frozen",
	"lr: 3/10 of its peak",
	"{'rank': 3, 'world_size': 4}", `{"event": "gc", "freed": 3, "total": 100}`, "val_loss improved from 0.5 to 0.4",
}

// longest is how many steps there are from one report to the next.
func (f *framework) longest() int {
	longest := 1
	for _, r := range f.steps {
		longest = max(longest, r.every)
	}
	if len(f.steps) == 0 {
		longest = runSteps
	}
	return longest
}

// hearsRanks has four processes print the same, one a little behind the other.
func (c *checked) hearsRanks(prefix string) {
	all := c.prints(0, runAll)
	noise := rand.New(rand.NewPCG(1, 2))
	var at [4]int
	for at[0] < len(all) || at[1] < len(all) || at[2] < len(all) || at[3] < len(all) {
		rank := noise.IntN(4)
		first := min(at[0], at[1], at[2], at[3])
		if at[rank] == len(all) || at[rank] > first+1 {
			continue
		}
		o := all[at[rank]]
		at[rank]++
		if prefix != "" {
			lines := strings.FieldsFunc(o.text, func(r rune) bool { return r == '\r' || r == '\n' })
			o.text = ""
			for _, line := range lines {
				o.text += fmt.Sprintf(prefix, rank) + line + "\n"
			}
			o.counts = o.counts && rank == 0
			if rank > 0 {
				o.done = all[min(at[0], len(all)-1)].done
			}
		} else {
			o.counts, o.starts = o.counts && rank == 0, o.starts && rank == 0
		}
		c.hears(o)
	}
}

// Of whatever framework, and however its output comes, what is read is never ahead of the training nor behind its last
// report, and all totals are right.
func TestStoryFrameworksAreFollowed(t *testing.T) {
	for name, f := range frameworks(t) {
		for way, take := range comings {
			if f.is[single] && strings.HasPrefix(way, "four") {
				continue
			}
			if (f.is[midway] || f.is[learns]) && strings.HasPrefix(way, "with ") {
				continue // each of these counts the steps of the whole in a way of its own then
			}
			t.Run(name+", "+way, func(t *testing.T) {
				c := f.check(t)
				take(c)
				if way != "tail" || f.tells() && !f.is[headed] {
					c.ended()
				}
			})
		}
	}
}
