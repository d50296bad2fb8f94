package settings

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/util/validation"
)

// ValueError says which setting has a value that it cannot have.
type ValueError struct {
	Key   string // as it is written in the file, such as planning.every
	Value string
	Want  string // what is allowed
}

func (e *ValueError) Error() string {
	return fmt.Sprintf("%s is %s, but must be %s", e.Key, e.Value, e.Want)
}

// Validate returns everything that is wrong with the settings, joined: a *ValueError for each.
func (s Settings) Validate() error {
	c := &checks{}
	c.scope(s)
	c.gpus(s.GPUs)
	c.leavingNodes(s.LeavingNodes)
	c.outsiders(s.Outsiders)
	c.planning(s.Planning)
	c.progress(s.Progress)
	c.usage(s.Usage)
	c.positive("status.every", s.Status.Every.Duration)
	c.resizes(s.Resizes)
	c.agent(s.Agent)
	c.records(s.Records)
	c.elasticJobs(s.ElasticJobs)
	c.leaderElection(s.LeaderElection)
	c.endpoints(s.Metrics, s.Health)
	c.page(s.Page, s.Metrics)
	c.api(s.API)
	c.log(s.Log)
	return errors.Join(c.errs...)
}

// checks collect what is wrong.
type checks struct{ errs []error }

func (c *checks) must(holds bool, key string, value any, want string) {
	if holds {
		return
	}
	shown := fmt.Sprint(value)
	if text, ok := value.(string); ok {
		shown = fmt.Sprintf("%q", text)
	}
	c.errs = append(c.errs, &ValueError{key, shown, want})
}

// number is one that must be within the bounds of its setting, or of the list of that name, of which it is an entry.
func (c *checks) number(key string, value float64) {
	setting, _, _ := strings.Cut(key, "[")
	within := Numbers[setting]
	c.must(within.has(value), key, plain(value), within.String())
}

func (c *checks) positive(key string, value time.Duration) bool {
	c.must(value > 0, key, value, "greater than 0s")
	return value > 0
}

// shorter compares two durations that make sense by themselves.
func (c *checks) shorter(key string, value time.Duration, longerKey string, longer time.Duration) {
	if value > 0 && longer > 0 {
		c.must(value < longer, key, value, fmt.Sprintf("shorter than %s, which is %s", longerKey, longer))
	}
}

func (c *checks) label(key, value string) {
	c.must(len(validation.IsQualifiedName(value)) == 0, key, value,
		"the key of a label: a name such as gpu, or example.com/gpu")
}

func (c *checks) namespace(key, value string) {
	c.must(len(validation.IsDNS1123Label(value)) == 0, key, value,
		"the name of a namespace: at most 63 small letters, digits and '-', such as team-a")
}
