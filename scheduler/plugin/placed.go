package plugin

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/takt-dev/takt/scheduler/gang"
)

// placed notes that all of a gang is bound, and tells its Resize, and where.
func (h *house) placed(p gang.Placed) {
	placedGangs.Inc()
	if !p.Since.IsZero() {
		placeSeconds.Observe(time.Since(p.Since).Seconds())
	}
	if !p.Told {
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
		parts = append(parts, fmt.Sprintf("the others on %d more nodes", more))
	}
	h.reports.tell(p.Change, all, fmt.Sprintf("All %d new pods have a node: %s.", all, strings.Join(parts, ", ")))
}
