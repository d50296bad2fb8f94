package resizing_test

import (
	"testing"

	"sigs.k8s.io/controller-runtime/pkg/client/interceptor"

	"github.com/takt-dev/takt/operator/fixture"
)

// Whoever deletes a record deletes it under way as well, and nobody ends it then.
func TestNothingIsRememberedOfARecordThatIsDeleted(t *testing.T) {
	ej := fixture.ElasticJob("resnet")
	job := fixture.PyTorchJob("resnet", 2)
	record := fixture.ResizeOf(ej, 1, 2, 4)
	o := fixture.Stopped(t, interceptor.Funcs{},
		append(fixture.CrewOn(job, "node", "node"), ej, job, record, fixture.Node("node", "4"))...)
	r := o.Resizer
	reconcile := func() {
		t.Helper()
		if _, err := r.Reconcile(t.Context(), fixture.Request(record.Name)); err != nil {
			t.Fatal(err)
		}
	}
	if reconcile(); r.Unwritten.Records() != 1 {
		t.Fatalf("%d records are remembered while one is under way", r.Unwritten.Records())
	}
	if err := o.Client.Delete(t.Context(), record); err != nil {
		t.Fatal(err)
	}
	if reconcile(); r.Unwritten.Records() > 0 {
		t.Errorf("%d records are remembered, and none is there", r.Unwritten.Records())
	}
}
