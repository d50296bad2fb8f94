package plugin

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/takt-dev/takt/scheduler/gang"
)

// placed tells the Resize of a gang that all of it has nodes, and which.
func (t *Takt) placed(pod *corev1.Pod) {
	var where map[string]int
	var change gang.Change
	var tell bool
	t.with(func(b *gang.Book, now time.Time) {
		var since time.Time
		where, change, since, tell = b.Where(uidOf(pod))
		placedGangs.Inc()
		if !since.IsZero() {
			placeSeconds.Observe(now.Sub(since).Seconds())
		}
	})
	if !tell {
		return
	}
	names := slices.SortedFunc(maps.Keys(where), func(a, b string) int {
		return cmp.Or(cmp.Compare(where[b], where[a]), strings.Compare(a, b))
	})
	all, parts := 0, []string{}
	for i, name := range names {
		all += where[name]
		if i < 8 {
			parts = append(parts, fmt.Sprintf("%d on %s", where[name], name))
		}
	}
	if more := len(names) - len(parts); more > 0 {
		parts = append(parts, fmt.Sprintf("the others on %d more nodes", more))
	}
	t.reports.tell(change, all, fmt.Sprintf("All %d new pods have a node: %s.", all, strings.Join(parts, ", ")))
}
