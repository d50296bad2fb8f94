package main

import (
	"context"
	_ "embed"
	"fmt"
	"math"
	"os"
	"strings"
	"sync"

	"github.com/takt-dev/takt/elastic"
)

// beginnings are the traces on which they are compared: with GPUs for all, and in want of them.
var beginnings = []trace{{"cluster10", 256}, {"cluster10", 32}, {"t4-195", 64}, {"t4-195", 32}}

//go:embed starts.md
var startsProse string

// starts compares the sizes that jobs may begin with, and when others give way so that they can be measured.
func (b *bench) starts(ctx context.Context) error {
	said, told, _ := strings.Cut(strings.TrimSpace(startsProse), "\nTABLE\n")
	b.say("%s", strings.TrimSpace(said))
	t := &table{}
	t.row("trace", "start", "trials", "time to a verdict", "deadlines met", "resizes", "pause", "GPU seconds lost")
	for _, tr := range beginnings {
		for _, v := range elastic.Variants() {
			if err := ctx.Err(); err != nil {
				return err
			}
			fmt.Fprintf(os.Stderr, "%s: start %s, trials %s\n", tr, v.Start, v.Trials)
			mean, spread, err := b.draws(tr, v)
			if err != nil {
				return err
			}
			t.row(tr, v.Start, v.Trials, fmt.Sprintf("%.0f s", mean.verdict), fmt.Sprintf("%.3f ± %.3f", mean.met, spread),
				fmt.Sprintf("%.2f", mean.resizes), fmt.Sprintf("%.0f s", mean.pause), fmt.Sprintf("%.0f", mean.lost))
		}
	}
	b.say("%s", strings.TrimSpace(t.String()))
	b.say("%s", strings.TrimSpace(told))
	return nil
}

// draws is the mean of five draws of the noise, and the standard deviation of the deadlines met.
func (b *bench) draws(tr trace, v elastic.Variant) (mean beginning, spread float64, err error) {
	var each [5]beginning
	var errs [len(each)]error
	var all sync.WaitGroup
	for i := range each {
		all.Go(func() { each[i], errs[i] = b.begin(tr, v, uint64(i+1)) })
	}
	all.Wait()
	const n = float64(len(each))
	for i, c := range each {
		if errs[i] != nil {
			return mean, 0, errs[i]
		}
		mean.verdict += c.verdict / n
		mean.met += c.met / n
		mean.resizes += c.resizes / n
		mean.pause += c.pause / n
		mean.lost += c.lost / n
	}
	for _, c := range each {
		spread += (c.met - mean.met) * (c.met - mean.met) / (n - 1)
	}
	return mean, math.Sqrt(spread), nil
}
