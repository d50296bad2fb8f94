package policies

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/takt-dev/takt/simulator"
)

var all = map[string]func() simulator.Policy{
	"takt":              func() simulator.Policy { return newTakt() },
	"elasticflow":       func() simulator.Policy { return newElasticflow() },
	"fifo":              func() simulator.Policy { return fifo{} },
	"edf-admission":     func() simulator.Policy { return newEDFAdmission() },
	"edf-elastic":       func() simulator.Policy { return newEDFElastic() },
	"elasticflow-fixed": func() simulator.Policy { return newElasticflowFixed() },
	"tiresias":          func() simulator.Policy { return tiresias{} },
	"optimus":           func() simulator.Policy { return optimus{} },
	"edf":               func() simulator.Policy { return newEDF() },
}

// New makes a policy by its name.
func New(name string) (simulator.Policy, error) {
	if policy, ok := all[name]; ok {
		return policy(), nil
	}
	return nil, fmt.Errorf("there is no policy %q: choose from %s", name, strings.Join(Names(), ", "))
}

// Names are the policies that there are.
func Names() []string { return slices.Sorted(maps.Keys(all)) }
