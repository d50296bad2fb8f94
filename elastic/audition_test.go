package elastic

import (
	"fmt"
	"slices"
	"testing"
)

// However few rehearsals a plan may make, and however many newcomers find no node, the others are promised what they
// ask for.
func TestWhoFitsOnNoNodeKeepsNoPromiseFromOthers(t *testing.T) {
	for name, test := range map[string]struct {
		nodes, newcomers int
		fitsNot          func(i int) bool
	}{
		"the first of few":              {16, 12, func(i int) bool { return i == 0 }},
		"each third":                    {64, 60, func(i int) bool { return i%3 == 0 }},
		"the first, among many nodes":   {40_000, 12, func(i int) bool { return i == 0 }},
		"half of all, among many nodes": {40_000, 40, func(i int) bool { return i%2 == 0 }},
	} {
		t.Run(name, func(t *testing.T) {
			p := &pool{}
			for i := range test.nodes {
				p.nodes = append(p.nodes, Node{Name: fmt.Sprint(i), GPUs: 2})
			}
			fresh := make([]*trainee, test.newcomers)
			for i := range fresh {
				fresh[i] = &trainee{Job: Job{Name: fmt.Sprint(i)}, gpus: 2}
				if test.fitsNot(i) {
					fresh[i].gpus = 4
				}
				fresh[i].spans, fresh[i].planned = []Span{{Seconds(i), 100, 1}}, true
			}
			kept := p.onNodes(nil, fresh)
			for i, j := range fresh {
				if got := slices.Contains(kept, j); got == test.fitsNot(i) {
					t.Errorf("%d is promised what it asks for: %t", i, got)
				}
			}
			if most := 10 * test.nodes; p.rehearsedNew > max(mostRehearsed, most) {
				t.Errorf("it took %d", p.rehearsedNew)
			}
		})
	}
}

// A newcomer in the way of a promise that stands is left out, and nobody else is; those that stay find their nodes in a
// rehearsal of them alone.
func TestOnlyWhoIsInTheWayOfAPromiseIsLeftOut(t *testing.T) {
	p := &pool{nodes: []Node{{Name: "large", GPUs: 8}}}
	stands := &trainee{Job: Job{Name: "stands"}, gpus: 8}
	stands.spans = []Span{{50, 100, 1}}
	wide := &trainee{Job: Job{Name: "wide"}, gpus: 8}
	wide.spans = []Span{{1, 60, 1}}
	fresh := []*trainee{wide}
	for i := range 20 {
		p.nodes = append(p.nodes, Node{Name: fmt.Sprint(i), GPUs: 1})
		small := &trainee{Job: Job{Name: fmt.Sprint("small-", i)}, gpus: 1}
		small.spans = []Span{{0, 90, 1}}
		fresh = append(fresh, small)
	}
	kept := p.hear([]*trainee{stands}, fresh)
	if !slices.Equal(kept, fresh[1:]) {
		t.Errorf("%d of %d are kept", len(kept), len(fresh)-1)
	}
	if !p.perform(append(kept, stands)) {
		t.Error("they do not find their nodes")
	}
	fresh[20].spans = []Span{{0, 70, 1}, {70, 90, 21}} // it grows, when there is no room
	if kept := p.hear([]*trainee{stands}, fresh[1:]); !slices.Equal(kept, fresh[1:20]) {
		t.Errorf("%d of 19 are kept", len(kept))
	}
}
