package planning

import (
	"testing"
	"time"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/elastic"
	"github.com/takt-dev/takt/operator/capacity"
	"github.com/takt-dev/takt/operator/memory"
	"github.com/takt-dev/takt/operator/view"
)

func TestAJobThatWaitsStaysWhereItIsPlanned(t *testing.T) {
	fits := []capacity.Fit{{Pool: "roomy"}, {Pool: "planned"}, {Pool: "said"}}
	ej := &v1alpha1.ElasticJob{}
	s := &view.Subject{ElasticJob: ej, Known: &memory.Job{}}
	if got := plannedIn(s, fits); got != "roomy" {
		t.Errorf("at first it is planned in %q", got)
	}
	ej.Status = v1alpha1.ElasticJobStatus{Pool: "said"}
	if got := plannedIn(s, fits); got != "said" {
		t.Errorf("a process that has only just started plans it in %q", got)
	}
	s.Known.Decide(elastic.Outcome{Pool: "planned"}, time.Time{}, present)
	if got := plannedIn(s, fits); got != "planned" {
		t.Errorf("it was planned elsewhere, and is in %q now", got)
	}
	if got := plannedIn(s, fits[:1]); got != "roomy" {
		t.Errorf("the nodes where it was planned are gone, and it is in %q", got)
	}
}
