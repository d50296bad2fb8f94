package invariant

import (
	"regexp"
	"strconv"

	"github.com/takt-dev/takt/api/v1alpha1"
)

// itHas is what is said of a job about the workers that it has at that moment.
var itHas = regexp.MustCompile(`\bIt has (\d+) workers?\b`)

// present checks that a job is said to have the workers that run, and no others: those that it is to have are yet
// to come.
func (f *found) present(status *v1alpha1.ElasticJobStatus) {
	says := []string{status.Message}
	for _, c := range status.Conditions {
		says = append(says, c.Message)
	}
	for _, text := range says {
		for _, told := range itHas.FindAllStringSubmatch(text, -1) {
			n, err := strconv.Atoi(told[1])
			f.unless(err == nil && int32(n) == status.Workers.Running, "%q is said, and %d workers run", told[0],
				status.Workers.Running)
		}
	}
}
