package plugin

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/takt-dev/takt/elastic"
	"github.com/takt-dev/takt/scheduler/gang"
)

// placed tells a Resize that all its pods fit, and where, before they are bound: that may take a while, and it
// must not settle for fewer meanwhile. A gang counts as placed once it is bound.
func (h *sharedState) placed(p gang.Placed) {
	if p.Bound {
		placedGangs.Inc()
		if !p.Since.IsZero() {
			placeSeconds.Observe(time.Since(p.Since).Seconds())
		}
	}
	if p.Bound || !p.Told {
		return
	}
	names := slices.SortedFunc(maps.Keys(p.Nodes), func(a, b string) int {
		return cmp.Or(cmp.Compare(p.Nodes[b], p.Nodes[a]), strings.Compare(a, b))
	})
	all, parts := 0, []string{}
	for i, name := range names {
		all += p.Nodes[name]
		if i < 8 {
			parts = append(parts, fmt.Sprintf("%d on %s", p.Nodes[name], name))
		}
	}
	if more := len(names) - len(parts); more > 0 {
		parts = append(parts, fmt.Sprintf("the others on %s", elastic.CountOf(more, "more node")))
	}
	fit := fmt.Sprintf("All %s fit", elastic.CountOf(all, "new pod"))
	if all == 1 {
		fit = "The new pod fits"
	}
	h.reports.tell(p.Change, all, fmt.Sprintf("%s: %s.", fit, strings.Join(parts, ", ")))
}
