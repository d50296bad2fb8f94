package changes_test

import (
	"testing"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/operator/changes"
	"github.com/takt-dev/takt/operator/fixture"
	"github.com/takt-dev/takt/operator/kind/known"
)

// An ElasticJob keeps the job of its own name from having one, whichever job it is for itself.
func TestWhichJobsAnElasticJobConcerns(t *testing.T) {
	for name, test := range map[string]struct {
		kind, job string
		want      []string
	}{
		"of its name":         {"PyTorchJob", "resnet", []string{"resnet"}},
		"of another name":     {"PyTorchJob", "bert", []string{"resnet", "bert"}},
		"of another kind":     {"TFJob", "resnet", []string{"resnet"}},
		"of another name too": {"TFJob", "bert", []string{"resnet"}},
	} {
		t.Run(name, func(t *testing.T) {
			pytorch, _ := known.ByKind("PyTorchJob")
			ej := fixture.ElasticJob("resnet", func(ej *v1alpha1.ElasticJob) {
				ej.Spec.JobRef.Kind, ej.Spec.JobRef.Name = test.kind, test.job
			})
			var got []string
			for _, r := range changes.JobOf(pytorch)(t.Context(), ej) {
				got = append(got, r.Name)
			}
			if len(got) != len(test.want) || got[len(got)-1] != test.want[len(test.want)-1] {
				t.Errorf("%v, want %v", got, test.want)
			}
		})
	}
}
