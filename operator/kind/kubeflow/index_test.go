package kubeflow

import (
	"testing"

	kubeflow "github.com/kubeflow/training-operator/pkg/apis/kubeflow.org/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/takt-dev/takt/elastic/resize"
	"github.com/takt-dev/takt/operator/kind"
)

func TestIndex(t *testing.T) {
	for name, c := range map[string]struct {
		kind        kind.Kind
		role, index string
		fixed       resize.Workers
		change      func(labels map[string]string)
		want        resize.Index
		wantTrains  bool
	}{
		"worker without a master": {kind: pytorchJob{}, role: "worker", index: "0", want: 0, wantTrains: true},
		"worker behind a master": {
			kind: pytorchJob{}, role: "worker", index: "2", fixed: 1, want: 3, wantTrains: true,
		},
		"master": {
			kind: pytorchJob{}, role: "master", index: "0", fixed: 1, want: 0, wantTrains: true,
		},
		"master that the job has no more":  {kind: pytorchJob{}, role: "master", index: "0"},
		"second master":                    {kind: pytorchJob{}, role: "master", index: "1", fixed: 1},
		"TensorFlow's worker":              {kind: tfJob{}, role: "worker", index: "12", want: 12, wantTrains: true},
		"TensorFlow's worker with a chief": {kind: tfJob{}, role: "worker", index: "0", fixed: 1, want: 1, wantTrains: true},
		"chief":                            {kind: tfJob{}, role: "chief", index: "0", fixed: 1, want: 0, wantTrains: true},
		"TensorFlow's master":              {kind: tfJob{}, role: "master", index: "0", fixed: 1, want: 0, wantTrains: true},
		"chief of a PyTorchJob":            {kind: pytorchJob{}, role: "chief", index: "0", fixed: 1},
		"parameter server":                 {kind: tfJob{}, role: "ps", index: "0"},
		"evaluator":                        {kind: tfJob{}, role: "evaluator", index: "0"},
		"no role":                          {kind: pytorchJob{}, index: "0"},
		"no index":                         {kind: pytorchJob{}, role: "worker"},
		"no number":                        {kind: pytorchJob{}, role: "worker", index: "one"},
		"negative":                         {kind: pytorchJob{}, role: "worker", index: "-1"},
		"with a sign":                      {kind: pytorchJob{}, role: "worker", index: "+1"},
		"too great":                        {kind: pytorchJob{}, role: "worker", index: "2147483648"},
		"of no job": {kind: pytorchJob{}, role: "worker", index: "0",
			change: func(l map[string]string) { delete(l, kubeflow.JobNameLabel) }},
		"of the other kind": {kind: pytorchJob{}, role: "worker", index: "0",
			change: func(l map[string]string) { l[kubeflow.OperatorNameLabel] = "tfjob-controller" }},
	} {
		t.Run(name, func(t *testing.T) {
			labels := map[string]string{
				kubeflow.JobNameLabel: "resnet", kubeflow.ReplicaTypeLabel: c.role, kubeflow.ReplicaIndexLabel: c.index,
			}
			if c.change != nil {
				c.change(labels)
			}
			got, trains := c.kind.Index(&corev1.Pod{ObjectMeta: metav1.ObjectMeta{Labels: labels}}, c.fixed)
			if trains != c.wantTrains || trains && got != c.want {
				t.Errorf("index %d, trains %v; want %d, %v", got, trains, c.want, c.wantTrains)
			}
		})
	}
}

func TestIndexOfAPodWithoutLabels(t *testing.T) {
	for _, k := range Kinds() {
		if got, trains := k.Index(&corev1.Pod{}, 0); trains {
			t.Errorf("%s: index %d", k.GroupVersionKind().Kind, got)
		}
	}
}
