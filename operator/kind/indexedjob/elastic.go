package indexedjob

import (
	"fmt"
	"slices"
	"strconv"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"

	"github.com/takt-dev/takt/elastic"
	"github.com/takt-dev/takt/elastic/resize"
	"github.com/takt-dev/takt/operator/kind"
	"github.com/takt-dev/takt/operator/kind/torchrun"
)

// defaultContainer is the annotation by which a pod names the container that matters most.
const defaultContainer = "kubectl.kubernetes.io/default-container"

// trainer is the container that trains: the one that the pod names as its default, else the first.
func trainer(b *batchv1.Job) *corev1.Container {
	containers := b.Spec.Template.Spec.Containers
	if len(containers) == 0 {
		return nil
	}
	named := slices.IndexFunc(containers, func(c corev1.Container) bool {
		return c.Name == b.Spec.Template.Annotations[defaultContainer]
	})
	return &containers[max(named, 0)]
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

// liveObjections are those to resizing an elastic Job while it trains. None can be mended: the template of a Job stays
// as it was created.
func liveObjections(b *batchv1.Job) []kind.Objection {
	var found []kind.Objection
	if backend, _ := said(b, "rdzv-backend", "PET_RDZV_BACKEND"); backend != "c10d" {
		found = append(found, kind.Objection{Reason: "RendezvousFixed", Message: "Workers join and leave a training where torchrun " +
			"has --rdzv-backend c10d, and this Job does not say so. Create it with that, and with --rdzv-endpoint JOB-0.SERVICE:29500, " +
			"where SERVICE is a headless Service that its pods name as their subdomain."})
	}
	text, _ := said(b, "max-restarts", "PET_MAX_RESTARTS")
	if n, _ := strconv.Atoi(text); n < torchrun.FewestRestarts {
		found = append(found, kind.Objection{Reason: "MaxRestartsTooLow", Message: fmt.Sprintf(
			"Its workers may restart %s, and every time that the Job shrinks would use one up. Create it with torchrun --max-restarts 100.",
			elastic.CountOf(n, "time"))})
	}
	if limit := b.Spec.BackoffLimit; limit != nil && *limit < 1 {
		found = append(found, kind.Objection{Reason: "BackoffLimitZero", Message: "With spec.backoffLimit 0 the whole Job fails as soon as " +
			"one worker is evicted or replaced. Set it to 1 or more."})
	}
	return found
}
