package reporting

import (
	"fmt"
	"strings"

	"github.com/takt-dev/takt/operator/view"
	"github.com/takt-dev/takt/operator/wording"
)

// afterOthers says of a job that was to start after others what the plan does not know: that it runs already, or what
// is special about one that it waits for.
func afterOthers(s *view.Subject) string {
	if len(s.After) == 0 || s.Blocked() != nil {
		return ""
	}
	if !s.HasBegun() {
		var notes []string
		for _, p := range s.After {
			notes = append(notes, p.Note)
		}
		return wording.Sentences(notes...)
	}
	var names []string
	for _, p := range s.After {
		names = append(names, p.Name)
	}
	return fmt.Sprintf("It has begun already, so it does not wait for %s.", strings.Join(names, ", "))
}

// awaited names those that keep a job from starting.
func awaited(s *view.Subject) string {
	var names []string
	for _, p := range s.Awaits() {
		names = append(names, p.Name)
	}
	return strings.Join(names, " and ")
}
