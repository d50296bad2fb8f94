package indexedjob

import (
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"

	"github.com/takt-dev/takt/elastic/resize"
	"github.com/takt-dev/takt/operator/kind"
	"github.com/takt-dev/takt/operator/kind/torchrun"
)

// trainer is the container that trains; nil if there is none.
func trainer(b *batchv1.Job) *corev1.Container {
	return kind.Trainer(b.Spec.Template.Annotations, &b.Spec.Template.Spec, "")
}

// said is what torchrun is told for an option: by the command, else by the variable that it reads.
func said(b *batchv1.Job, option, variable string) (string, bool) {
	if value, given := torchrun.Option(trainer(b), option); given {
		return value, true
	}
	value, given := torchrun.Environment(trainer(b), variable)
	return value, given && value != ""
}

// nodes is how many pods torchrun is told to expect: a number, or a range.
func nodes(b *batchv1.Job) (string, bool) { return said(b, "nnodes", "PET_NNODES") }

// elasticRange is the range of sizes that torchrun is told of; false if its workers cannot join and leave.
func elasticRange(b *batchv1.Job) (least, most resize.Workers, elastic bool) {
	text, _ := nodes(b)
	return torchrun.NodesRange(text)
}
