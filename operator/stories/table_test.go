package stories

import (
	"cmp"
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"
)

var zooOut = flag.String("zoo", "", "the `file` to write the table of the zoo to")

// publish writes a section in the place of the one before.
func publish(file, heading, section string) error {
	heading = "\n## " + heading + "\n"
	page, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	before, old, found := strings.Cut(string(page), heading)
	after := ""
	if _, rest, more := strings.Cut(old, "\n## "); more {
		after = "\n## " + rest
	}
	if !found {
		before = strings.TrimRight(before, "\n") + "\n"
	}
	return os.WriteFile(file, []byte(before+heading+section+after), 0o644)
}

func zooTable(visits []visit, alone, together []*judged) string {
	var b strings.Builder
	whole := sum(append(append([]*judged{}, alone...), together...))
	fmt.Fprintf(&b, `
Written by `+"`make zoo`"+`: trainings with the habits of real ones, whose operator is the real one, on a clock of
its own and an API server in memory. Each has 16 GPUs for itself, three times: with a deadline that the size
would meet which it was written for, 1.2 to 2.2 times over; with the same one, and an operator that dies every
20 minutes, between two things that it does or in the middle of one; and with a deadline that only its largest size
would meet, 1.2 to 2.2 times over. Lost is the work that was done twice, at the size that it was written for. Truth
is how often, asked every minute, the end was between the earliest and the latest that were told. Then four at a time
share a cluster that just has room for them as they were written.

In time: %.1f %% of all, where at least 95 %% are wanted. Truth: %.1f %%, where 85 to 95 %% are wanted; where each training
counts once, however often it was read, %.1f %%. Lost to resizes that were not needed: %s. Lost to growths that were given
back within %s, though nobody new had come: %s, where none is wanted%s. No training was rolled back, restarted or made
smaller for its silence, nor because nothing was known of it, as long as nobody else needed its GPUs; the test fails if
one is.

| training | in time | first verdict | resizes | lost | truth | operator dies: resizes | lost | truth | in a hurry: in time | resizes | truth |
|---|---|---|---|---|---|---|---|---|---|---|---|
`, 100*whole.met, 100*whole.truth, 100*meanOfAnimals(slices.Concat(alone, together)), whole.needless, short(soon),
		whole.gaveBack.Round(time.Second), fallsShort(whole.gaveBack > 0))
	for i := 0; i+2 < len(visits); i += 3 {
		calm, dies, tight := alone[i], alone[i+1], alone[i+2]
		fmt.Fprintf(&b, "| %s | %s | %s | %d | %s | %s | %d | %s | %s | %s | %d | %s |\n", visits[i].animal.Name,
			yes(calm.met()), short(calm.first), calm.resizes, short(calm.Lost), calm.truth(),
			dies.resizes, short(dies.Lost), dies.truth(), yes(tight.met()), tight.resizes, tight.truth())
	}
	all, resizes, turns, lost, took := sum(together), 0, 0, time.Duration(0), time.Duration(0)
	for _, j := range together {
		resizes, turns, lost, took = resizes+j.resizes, turns+j.turns, lost+j.Lost, took+j.Ended.Sub(j.Submitted)
	}
	fmt.Fprintf(&b, "\nFour at a time, %d trainings: in time %.1f %%, %.1f resizes each, of which %d stopped one that "+
		"ran or were taken back; "+
		"lost %.1f %% of their time; truth %.1f %%.\n", len(together), 100*all.met,
		float64(resizes)/float64(len(together)), turns,
		100*lost.Seconds()/took.Seconds(), 100*all.truth)
	b.WriteString(truthTable(slices.Concat(alone, together)))
	return b.String()
}

// fallsShort marks a figure that does.
func fallsShort(does bool) string {
	if does {
		return " (**falls short**)"
	}
	return ""
}

func yes(holds bool) string {
	if holds {
		return "yes"
	}
	return "**no**"
}

func (j *judged) truth() string {
	in, all := j.held(false)
	return share(in, all)
}

func share(in, all int) string {
	if all == 0 {
		return "nothing told"
	}
	return fmt.Sprintf("%.0f %%", 100*float64(in)/float64(all))
}

// believable is how often an interval held the truth, over all looks at one kind of training.
type believable struct {
	name       string
	in, all    int
	shown, had int // of what was told once it had shown all of its habits
}

// byAnimal sorts them, the least true first.
func byAnimal(all []*judged) (sorted []believable) {
	of := map[string]*believable{}
	for _, j := range all {
		b := of[j.name]
		if b == nil {
			b = &believable{name: j.name}
			of[j.name] = b
		}
		in, told := j.held(false)
		shown, had := j.held(true)
		b.in, b.all, b.shown, b.had = b.in+in, b.all+told, b.shown+shown, b.had+had
	}
	for _, b := range of {
		if b.all > 0 {
			sorted = append(sorted, *b)
		}
	}
	slices.SortFunc(sorted, func(a, b believable) int {
		return cmp.Or(cmp.Compare(a.in*b.all, b.in*a.all), cmp.Compare(a.name, b.name))
	})
	return sorted
}

// meanOfAnimals is how often the interval held the truth where each animal counts once: one that takes ten hours is
// read ten times as often as one that takes an hour.
func meanOfAnimals(all []*judged) float64 {
	shares, animals := 0.0, byAnimal(all)
	for _, a := range animals {
		shares += float64(a.in) / float64(a.all)
	}
	return shares / float64(max(len(animals), 1))
}

func truthTable(all []*judged) string {
	var b strings.Builder
	b.WriteString(`
How often the interval held the truth, by training, over all looks at it, alone and four at a time; the least true first. The
second figure is of what was told once the training had shown all of its habits, such as its first evaluation: before,
nobody can tell that it has them. The past of one never tells whose speed or total is going to be another, or which
goes on after its last step. Four at a time, one also ends sooner than it was told where others end and leave it their GPUs.

| training | truth | of | once its habits were shown | of |
|---|---|---|---|---|
`)
	for _, a := range byAnimal(all) {
		shown := "never"
		if a.had > 0 {
			shown = share(a.shown, a.had)
		}
		fmt.Fprintf(&b, "| %s | %s | %d | %s | %d |\n", a.name, share(a.in, a.all), a.all, shown, a.had)
	}
	return b.String()
}

// short is a span as a table has room for.
func short(d time.Duration) string {
	switch {
	case d < 0:
		return "never"
	case d == 0:
		return "0"
	case d < time.Minute:
		return d.Round(time.Second).String()
	}
	return strings.TrimSuffix(d.Round(time.Minute).String(), "0s")
}
