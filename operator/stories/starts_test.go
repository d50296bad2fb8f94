package stories

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/takt-dev/takt/elastic"
	"github.com/takt-dev/takt/operator/zoo/habit"
)

// newcomers are a part of the animals, of which nothing is known when they are first seen.
func newcomers() []habit.Animal {
	var some []habit.Animal
	for i, animal := range habit.Animals() {
		if i%3 == 0 && animal.Ran == 0 {
			some = append(some, animal)
		}
	}
	return some
}

// A training that is alone begins as the variant has it.
func TestStoryATrainingAloneBeginsAsTheVariantHasIt(t *testing.T) {
	for i, want := range []int{2, 1, most} { // the first seed has it written for 2
		variant := elastic.Variants()[i]
		t.Run(variant.Start.String(), func(t *testing.T) {
			j := visit{animal: habit.Animals()[0], variant: variant}.watch(t)
			if j.begins != want {
				t.Errorf("it begins with %d workers, want %d", j.begins, want)
			}
		})
	}
}

// TestStoryZooStarts writes what each start and each kind of trial costs trainings that are alone, and in companies. It
// judges nothing.
func TestStoryZooStarts(t *testing.T) {
	if *zooOut == "" {
		t.Skip("compares variants for make zoo")
	}
	const crews = 4
	animals := newcomers()
	alone, together := map[int][]*judged{}, map[int][]*judged{}
	t.Run("variants", func(t *testing.T) { // which ends when all of them have
		for v, variant := range elastic.Variants() {
			together[v] = make([]*judged, 4*crews)
			for i := range crews {
				t.Run(fmt.Sprintf("company %d, start %s, trials %s", i, variant.Start, variant.Trials), func(t *testing.T) {
					t.Parallel()
					copy(together[v][4*i:], company(t, fourOf(animals, uint64(i)), uint64(i), false, variant))
				})
			}
			if variant.Trials != elastic.TrialsWorthIt {
				continue // nobody else could give anything
			}
			alone[v] = make([]*judged, len(animals))
			for i, animal := range animals {
				t.Run(animal.Name+", start "+variant.Start.String(), func(t *testing.T) {
					t.Parallel()
					alone[v][i] = visit{animal: animal, seed: uint64(i), variant: variant}.watch(t)
				})
			}
		}
	})
	if err := publish(*zooOut, "Starts and trials in the zoo",
		startsTable(len(animals), crews, alone, together)); err != nil {
		t.Error(err)
	}
}

func startsTable(animals, companies int, alone, together map[int][]*judged) string {
	var b strings.Builder
	fmt.Fprintf(&b, `
Written by `+"`make zoo`"+`: %d of the animals, alone on 16 GPUs with the deadline that the size would meet which they
were written for; and %d times four of them on 16 GPUs, which is what the four were written for. The variants are
those of [starts and trials](#starts-and-trials). Resizes and pause, which is all time in which it did not go on, are those
of a training after its start; lost are the GPU seconds in which its workers had GPUs and did not train, with its start,
and twice is the work that was done twice, at the size that it was written for. Means of one training.

| | start | trials | begins with | time to a verdict | deadlines met | resizes | pause | GPU seconds lost | twice |
|---|---|---|---|---|---|---|---|---|---|
`, animals, companies)
	for _, part := range []struct {
		name string
		of   map[int][]*judged
	}{{"alone", alone}, {"four at a time", together}} {
		for v, variant := range elastic.Variants() {
			if all := part.of[v]; len(all) > 0 {
				fmt.Fprintf(&b, "| %s | %s | %s | %s |\n", part.name, variant.Start, variant.Trials, spent(all))
			}
		}
	}
	b.WriteString("\n" + startsSaid + "\n")
	return b.String()
}

// startsSaid is what the figures say.
const startsSaid = `Started as written all are in time. Started small they make about twice the resizes, and one is late of each kind; but
they are told one to three minutes sooner. Started at its largest size a training that is alone is never resized and told
soonest, though its start holds more GPUs; four of them are resized twice as often, and pause by far the longest. So what is
built is not the cheapest for one that is alone. Trials change nothing here, eager or none.`

// spent is what one variant has cost, as columns.
func spent(all []*judged) string {
	n := float64(len(all))
	begins, resizes, idle, met := 0, 0, 0, 0
	first, stood, lost := time.Duration(0), time.Duration(0), time.Duration(0)
	for _, j := range all {
		if j.first < 0 {
			j.first = j.Ended.Sub(j.seen)
		}
		if j.met() {
			met++
		}
		begins, resizes, idle = begins+j.begins, resizes+j.resizes, idle+j.Idle
		first, stood, lost = first+j.first, stood+j.Stood, lost+j.Lost
	}
	return strings.Join([]string{
		fmt.Sprintf("%.1f", float64(begins)/n), fmt.Sprintf("%.0f s", first.Seconds()/n),
		fmt.Sprintf("%d of %d", met, len(all)),
		fmt.Sprintf("%.2f", float64(resizes)/n), fmt.Sprintf("%.0f s", stood.Seconds()/n),
		fmt.Sprintf("%.0f", float64(idle)/n),
		fmt.Sprintf("%.0f s", lost.Seconds()/n),
	}, " | ")
}
