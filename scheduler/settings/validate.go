package settings

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/util/validation"
)

// Validate names everything that makes no sense, and says what would.
func (s *Settings) Validate() error {
	c := &check{}
	g := s.Gangs
	c.span("gangs.hold", g.Hold, time.Second, 15*time.Minute)
	c.span("gangs.orphan", g.Orphan, time.Second, 24*time.Hour)
	c.span("gangs.report", g.Report, time.Second, time.Minute)
	c.span("gangs.starving", g.Starving, time.Second, 7*24*time.Hour)
	c.must(g.Foreign == Ignore || g.Foreign == Include, "gangs.foreign", g.Foreign, "Ignore or Include")
	c.span("order.patience", s.Order.Patience, 0, 24*time.Hour)
	c.span("order.headStart", s.Order.HeadStart, 0, 24*time.Hour)
	c.packing(s.Packing)
	return errors.Join(c.wrong...)
}

type check struct{ wrong []error }

func (c *check) must(holds bool, name string, value any, want string) {
	if !holds {
		c.wrong = append(c.wrong, fmt.Errorf("%s is %q, but must be %s", name, fmt.Sprint(value), want))
	}
}

func (c *check) span(name string, value Span, least, most time.Duration) {
	var shown any = value.Duration
	if value.wrong != "" {
		shown = value.wrong
	}
	c.must(value.wrong == "" && value.Duration >= least && value.Duration <= most, name, shown,
		fmt.Sprintf("between %s and %s", least, most))
}

func (c *check) packing(p Packing) {
	c.must(len(p.Resources) > 0, "packing.resources", p.Resources, "one name or more, such as nvidia.com/gpu")
	for i, name := range p.Resources {
		good := len(validation.IsQualifiedName(name)) == 0 && strings.Contains(name, "/")
		c.must(good, fmt.Sprintf("packing.resources[%d]", i), name,
			"the name of an extended resource, such as nvidia.com/gpu")
	}
	const most = 1_000_000
	c.must(p.Apart >= 0 && p.Apart <= most, "packing.apart", p.Apart, "between 0 and 1000000")
	names := map[string]bool{Node: true, None: true}
	for i, l := range p.Levels {
		at := fmt.Sprintf("packing.levels[%d]", i)
		c.must(len(validation.IsDNS1123Label(l.Name)) == 0 && !names[l.Name], at+".name", l.Name,
			"a name of its own, neither node nor none, in lower case letters, digits and '-', such as rack")
		names[l.Name] = true
		c.must(len(validation.IsQualifiedName(l.Key)) == 0, at+".key", l.Key,
			"the key of a label of nodes, such as topology.kubernetes.io/rack")
		c.must(l.Apart >= 0 && l.Apart <= most, at+".apart", l.Apart, "between 0 and 1000000")
	}
}
