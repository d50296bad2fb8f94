package main

import (
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/takt-dev/takt/elastic"
	"github.com/takt-dev/takt/simulator"
)

// comparisons are of one workload on clusters of several sizes, in the order in which these were asked for.
type comparisons []comparison

// compareSizes runs all policies on a cluster of each size.
func (s simulation) compareSizes(ctx context.Context, w workload, stderr io.Writer) (comparisons, error) {
	var all comparisons
	for _, gpus := range s.sizes {
		s.gpus = gpus
		c, err := s.compare(ctx, w, stderr)
		if err != nil {
			return nil, err
		}
		all = append(all, c)
	}
	return all, nil
}

func (c comparisons) results() (all []simulator.Result) {
	for _, of := range c {
		all = append(all, of.results()...)
	}
	return all
}

func (c comparisons) writeTable(w io.Writer) error {
	var bounds []string
	for _, of := range c {
		bounds = append(bounds, fmt.Sprintf("%d on %s", of.bound.Met(), elastic.CountOf(of.gpus, "GPU")))
	}
	return c[0].write(w, c.results(), fmt.Sprintf("The bound: of the %s no scheduler can meet more than %s.",
		elastic.CountOf(c[0].bound.Jobs, "deadline"), strings.Join(bounds, ", ")))
}
