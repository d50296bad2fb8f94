package stories

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	kubeflow "github.com/kubeflow/training-operator/pkg/apis/kubeflow.org/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/elastic"
	"github.com/takt-dev/takt/operator/fixture"
	"github.com/takt-dev/takt/operator/view"
	"github.com/takt-dev/takt/operator/zoo"
)

// soon is within what time somebody has to use what was taken from a training, and how long a growth has to last.
const soon = 10 * time.Minute

// change is a change of size of a training, and the work that it costs at that moment.
type change struct {
	at   time.Time
	cost time.Duration
}

// gives judges that a training was made smaller while others are there: somebody has to take what it gives.
func (j *judged) gives(l *loop, r *v1alpha1.Resize, blame func(string, ...any)) {
	if r.Spec.Reason == v1alpha1.ResizeReason(elastic.RangeChanged) {
		return // as its owner wants it
	}
	at := l.z.Clock.Now()
	what := fmt.Sprintf("%d→%d %s: %s", r.Spec.From, r.Spec.To, r.Spec.Reason, r.Spec.Message)
	l.z.Clock.In(soon, func() {
		if !j.Over() && j.othersTook.Before(at.Add(-time.Minute)) && !l.othersWait(j) {
			blame("nobody has taken within %s what it gave: %s", soon, what)
		}
	})
	if j.grew.at.After(l.came) && at.Sub(j.grew.at) < soon {
		j.flaps++
		j.gaveBack += j.grew.cost + j.LosesNow()
		l.t.Logf("%s, %s: it grew %s ago: %s", j.name, at.Sub(fixture.Start), at.Sub(j.grew.at), what)
	}
}

// unknown judges that GPUs are taken from a training of which nothing is known: somebody has to need them.
func (j *judged) unknown(l *loop, r *v1alpha1.Resize, blame func(string, ...any)) {
	if j.knew || r.Spec.Reason == v1alpha1.ResizeReason(elastic.RangeChanged) ||
		slices.ContainsFunc(l.judged, func(other *judged) bool { return other != j && !other.Over() && l.needs(other) }) {
		return
	}
	blame("nothing is known of it, and nobody needs its GPUs: %d→%d %s: %s", r.Spec.From, r.Spec.To, r.Spec.Reason,
		r.Spec.Message)
}

// needs says that a training waits, is promised, or would be late with the workers that it has: in truth, or as it was
// told.
func (l *loop) needs(j *judged) bool {
	var ej v1alpha1.ElasticJob
	if err := l.z.Server.Get(l.t.Context(), client.ObjectKey{Namespace: zoo.Namespace, Name: j.job}, &ej); err != nil {
		return false
	}
	admitted := meta.FindStatusCondition(ej.Status.Conditions, v1alpha1.ConditionAdmitted)
	return l.z.Waits(j.Training) || admitted != nil && admitted.Reason == view.ReasonPromised ||
		ej.Status.Verdict == v1alpha1.VerdictAtRisk || l.z.Clock.Now().Add(j.Left(j.Crew())).After(j.deadline)
}

// othersWait says that another training has no workers.
func (l *loop) othersWait(j *judged) bool {
	for _, other := range l.judged {
		if other != j && l.z.Waits(other.Training) {
			return true
		}
	}
	return false
}

// deleted judges that a worker was deleted: one that its job is to have may not be, as long as it trains.
func (j *judged) deleted(l *loop, before, after client.Object, blame func(string, ...any)) {
	pod, is := before.(*corev1.Pod)
	gone := after == nil || after.GetDeletionTimestamp() != nil
	if !is || !gone || pod.DeletionTimestamp != nil || j.Over() {
		return
	}
	if owner := metav1.GetControllerOf(pod); owner == nil || owner.Name != j.job {
		return
	}
	var job kubeflow.PyTorchJob
	if l.z.Server.Get(l.t.Context(), client.ObjectKey{Namespace: zoo.Namespace, Name: j.job}, &job) != nil ||
		*job.Spec.RunPolicy.Suspend {
		return
	}
	index, _ := strconv.Atoi(pod.Labels[kubeflow.ReplicaIndexLabel])
	if wanted := int(*job.Spec.PyTorchReplicaSpecs[kubeflow.PyTorchJobReplicaTypeWorker].Replicas); index < wanted {
		blame("worker %d of %d was deleted", index, wanted)
	}
}

// undecided judges that nothing is decided of a training that runs while GPUs are free: for as long as it takes to hear
// it three times, and as anything takes that never tells.
func (j *judged) undecided(l *loop, s *v1alpha1.ElasticJobStatus, blame func(string, ...any)) {
	if s.Verdict != v1alpha1.VerdictEstimating || j.Crew() == 0 || l.z.Free() == 0 {
		j.estimating = 0
		return
	}
	tells := j.Life.Tells
	if j.Life.Each {
		tells = j.Takes(j.Crew()) / time.Duration(max(j.Life.Epochs, 1))
	}
	tells *= time.Duration(max(j.Life.Buffered, 1))
	most := (15*time.Minute + j.Life.Compiles + j.Life.Evaluates + 3*tells).Truncate(time.Minute)
	if j.estimating += time.Minute; j.estimating == most {
		blame("undecided for %s while GPUs are free: %s", most, s.Message)
	}
}

const lessThanASecond = "less than a second"

var (
	figureToSpare  = regexp.MustCompile(`with (` + lessThanASecond + `|\w+) to spare`)
	figureMissed   = regexp.MustCompile(`miss its deadline by (` + lessThanASecond + `|\w+)`)
	figureAfter    = regexp.MustCompile(`[Aa]t worst it will end (` + lessThanASecond + `|\w+) after it`)
	figureFinished = regexp.MustCompile(`It finished (\w+) (before|after) its deadline`)
)

// column is a span that a column tells.
type column struct {
	time.Duration
	known bool
}

// contradicted is what the sentence of a status says that its columns do not; empty if they agree.
func contradicted(s *v1alpha1.ElasticJobStatus) string {
	deadline, err := s.Deadline.Time()
	if err != nil {
		return ""
	}
	eta, errETA := s.Prediction.ETA.Time()
	latest, errLatest := s.Prediction.Latest.Time()
	slack, worst := column{deadline.Sub(eta), errETA == nil}, column{deadline.Sub(latest), errLatest == nil}
	columns := map[*regexp.Regexp]column{
		figureToSpare: slack, figureMissed: slack, figureAfter: worst, figureFinished: slack,
	}
	if s.Verdict == v1alpha1.VerdictOnTrack {
		columns[figureToSpare] = worst
	}
	for figure, is := range columns {
		found := figure.FindStringSubmatch(s.Message)
		if found != nil && (!is.known || !figureOf(found[1], is.Abs())) {
			return fmt.Sprintf("by its columns it is %s, SLACK %s", is, s.Summary.Slack)
		}
	}
	if errETA == nil && s.Summary.Slack != "" && !figureOf(strings.TrimPrefix(s.Summary.Slack, "-"), slack.Abs()) {
		return fmt.Sprintf("SLACK is %s, and by the ETA %s", s.Summary.Slack, slack)
	}
	return ""
}

// figureOf says whether a span is that which is written, which has lost what is below its last unit. Moments are
// written in whole seconds.
func figureOf(text string, is time.Duration) bool {
	if text == lessThanASecond {
		text = "0s"
	}
	days := 0
	if before, after, found := strings.Cut(text, "d"); found {
		days, _ = strconv.Atoi(before)
		text = after
		if text == "" {
			text = "0h"
		}
	}
	written, err := time.ParseDuration(text)
	if err != nil {
		return false
	}
	written += time.Duration(24*days) * time.Hour
	unit := time.Second
	switch {
	case days > 0:
		unit = time.Hour
	case written >= 10*time.Minute:
		unit = time.Minute
	}
	return is > written-3*time.Second && is < written+unit+3*time.Second
}
