package operator

import (
	"fmt"
	"testing"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/takt-dev/takt/api/v1alpha1"
)

// Whoever may write ElasticJobs may name any queue in them, and a deadline that has passed.
func TestNoUserCanMakeEndlessMetrics(t *testing.T) {
	m := newMetrics()
	for i := range 10 * mostQueues {
		m.judged(fmt.Sprint("queue-", i), v1alpha1.VerdictMissed)
	}
	series := make(chan prometheus.Metric, 20*mostQueues)
	m.deadlines.Collect(series)
	if len(series) != mostQueues+1 {
		t.Errorf("there are %d series, want %d and one for all others", len(series), mostQueues)
	}
}
