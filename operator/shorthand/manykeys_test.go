package shorthand_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/takt-dev/takt/operator/shorthand"
)

// A job may have thousands of keys. Few of them are looked at.
func TestFewOfManyUnknownKeysAreTold(t *testing.T) {
	many := map[string]string{}
	for i := range 14_000 {
		many[fmt.Sprintf("takt.dev/workrs-%05d", i)] = ""
	}
	said := shorthand.Read(many, nil, time.UTC)
	last := said.Faults[len(said.Faults)-1].Sentence
	if len(said.Faults) > 30 || !strings.Contains(last, "There are more keys") {
		t.Errorf("%d faults, the last of them %q", len(said.Faults), last)
	}
}
