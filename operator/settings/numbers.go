package settings

import (
	"fmt"
	"strconv"

	"github.com/takt-dev/takt/price"
)

// Bounds are which numbers a setting may be.
type Bounds struct {
	Least, Most float64
	// Above says that it must be more than the least.
	Above bool
}

const (
	// The planner refuses more GPUs.
	mostGPUs = 1 << 22
	// The planner refuses snapshots with numbers beyond this.
	mostOfAFactor = 1e6
)

// Numbers are the bounds of each setting that is a number, or has numbers in a list, by its key. What may be any number
// of its type is not among them.
var Numbers = map[string]Bounds{
	"gpus.prices":           {Most: price.Most},
	"outsiders.most":        {Most: mostGPUs},
	"outsiders.reserve":     {Most: mostGPUs},
	"planning.promiseShare": {Most: 1, Above: true},
	"planning.payback":      {Most: mostOfAFactor, Above: true},
	"planning.cooldown":     {Most: mostOfAFactor, Above: true},
	// Less than this would cut off any answer that is worth reading, more would fill the memory.
	"progress.maxBytes":      {Least: 1 << 10, Most: 1 << 26},
	"usage.idleBelowPercent": {Most: 100, Above: true},
	"resizes.keep":           {Least: 1, Most: 1000},
	"records.keep":           {Most: 10_000},
	"records.folderMiB":      {Least: 1, Most: 1 << 20},
	"metrics.jobs":           {Most: 10_000},
	"api.qps":                {Most: mostOfAFactor, Above: true},
	"api.burst":              {Least: 1, Most: 1e6},
	"api.workers":            {Least: 1, Most: 1000},
	"log.level":              {Most: 9},
}

// has says that a number is within them. It is so written that NaN is not.
func (b Bounds) has(n float64) bool {
	return n <= b.Most && (n > b.Least || n == b.Least && !b.Above)
}

func (b Bounds) String() string {
	if b.Above {
		return fmt.Sprintf("greater than %s and at most %s", plain(b.Least), plain(b.Most))
	}
	return fmt.Sprintf("from %s to %s", plain(b.Least), plain(b.Most))
}

// plain is a number as people write it.
func plain(n float64) number { return number(strconv.FormatFloat(n, 'f', -1, 64)) }

// number is one that is written already, and stands without quotes.
type number string
