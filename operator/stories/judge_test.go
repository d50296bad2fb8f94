package stories

import (
	"cmp"
	"fmt"
	"strings"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/elastic"
	"github.com/takt-dev/takt/elastic/resize"
	"github.com/takt-dev/takt/operator/fixture"
	"github.com/takt-dev/takt/operator/zoo"
	"github.com/takt-dev/takt/operator/zoo/habit"
)

// judged is what became of one training, and of what was said of it.
type judged struct {
	*zoo.Training
	name     string // of the animal
	job      string
	deadline time.Time
	seen     time.Time // when Takt first saw it

	begins   int           // with so many workers
	harm     []string      // what must never be
	tried    int           // with so many workers it has trained, at most
	turns    int           // how often it was stopped, or a resize of it was taken back
	resizes  int           // that changed a size, but for the start
	needless time.Duration // work lost to resizes that were not needed
	gaveBack time.Duration // work lost to growths that were given back soon, though nobody new had come
	first    time.Duration // until the first verdict that tells anything; negative without one
	readings []interval
	knew     bool // that it was told when it will end
	waited   time.Duration
	trained  time.Duration

	estimating time.Duration // for how long nothing has been decided while GPUs were free
	othersTook time.Time     // when another was last given more workers
	grew       change        // its last growth
	flaps      int           // growths that were given back soon, with nobody new there
	last       v1alpha1.Verdict
}

// interval is when a training will end, as it was said once.
type interval struct {
	earliest, latest time.Time
	shown            bool // the training had shown all of its habits
}

// held is how many of the intervals held the truth, of all or of those alone that were told once all habits were shown.
func (j *judged) held(shown bool) (in, all int) {
	for _, r := range j.readings {
		if shown && !r.shown {
			continue
		}
		if all++; !j.Ended.Before(r.earliest) && !j.Ended.After(r.latest) {
			in++
		}
	}
	return in, all
}

// blame fails a test for all harm that was done.
func (j *judged) blame(t *testing.T) {
	t.Helper()
	for _, harm := range j.harm {
		t.Errorf("%s: %s", j.name, harm)
	}
	switch {
	case !j.Over():
		t.Errorf("%s has not ended", j.name)
	case j.cut() && j.last != v1alpha1.VerdictMissed:
		t.Errorf("%s was ended at %.0f %%, and is called %s", j.name, 100*j.Done(), j.last)
	}
}

// outcome is that of several trainings.
type outcome struct {
	met, truth float64 // as parts of all, and of all that was said
	needless   time.Duration
	gaveBack   time.Duration
}

func sum(all []*judged) outcome {
	f, in, told := outcome{}, 0, 0
	for _, j := range all {
		if j.met() {
			f.met += 1 / float64(len(all))
		}
		held, said := j.held(false)
		in, told = in+held, told+said
		f.needless += j.needless
		f.gaveBack += j.gaveBack
	}
	f.truth = float64(in) / float64(max(told, 1))
	return f
}

// met says that its work was done in time, whatever its job says.
func (j *judged) met() bool { return j.finished() && !j.Ended.After(j.deadline) }

// finished says that its work is done.
func (j *judged) finished() bool { return j.Over() && j.Done() >= 1 }

// cut says that it counts as finished, and its work is not done.
func (j *judged) cut() bool { return j.Over() && j.Succeeded && j.Done() < 1 }

// judge watches one training that nobody but Takt does any harm to.
func (l *loop) judge(name, animal string, training *zoo.Training, deadline time.Time, alone bool) *judged {
	j := &judged{Training: training, name: animal, job: name, deadline: deadline, seen: l.z.Clock.Now(), first: -1}
	blame := func(format string, args ...any) {
		j.harm = append(j.harm, l.z.Clock.Now().Sub(fixture.Start).Round(time.Second).String()+" "+fmt.Sprintf(format,
			args...))
	}
	l.judged = append(l.judged, j)
	l.z.Server.Watch(func(before, after client.Object) {
		j.deleted(l, before, after, blame)
		switch o := after.(type) {
		case *v1alpha1.Resize:
			switch {
			case o.Spec.ElasticJob == name:
				j.resize(before, o, alone, blame)
				if before == nil {
					j.begun(l, o, alone, blame)
				}
			case o.Spec.To > o.Spec.From:
				j.othersTook = l.z.Clock.Now()
			}
		case *v1alpha1.ElasticJob:
			if o.Name == name && before != nil {
				j.status(&o.Status, l.z.Clock.Now(), alone, blame)
			}
		}
	})
	l.z.Clock.Every(time.Minute, func() bool {
		var ej v1alpha1.ElasticJob
		if l.z.Server.Get(l.t.Context(), types.NamespacedName{Namespace: zoo.Namespace, Name: name}, &ej) != nil {
			return false
		}
		j.minute(l, &ej.Status, blame)
		return training.Ended.IsZero()
	})
	return j
}

// begun notes that a resize has begun which takes workers from a training that goes on, or gives it some.
func (j *judged) begun(l *loop, r *v1alpha1.Resize, alone bool, blame func(string, ...any)) {
	switch from, to := r.Spec.From, r.Spec.To; {
	case to < from && !alone:
		if j.unknown(l, r, blame); to > 0 {
			j.gives(l, r, blame)
		}
	case to > from && from > 0:
		j.grew = change{l.z.Clock.Now(), j.LosesNow()}
	}
}

// minute looks at a training once a minute: when it is said to end, and whether it waits though it need not.
func (j *judged) minute(l *loop, s *v1alpha1.ElasticJobStatus, blame func(string, ...any)) {
	if j.Crew() > 0 {
		j.trained += time.Minute
		earliest, noEarliest := s.Prediction.Earliest.Time()
		latest, noLatest := s.Prediction.Latest.Time()
		if noEarliest == nil && noLatest == nil {
			after, ever := j.Life.Shows()
			j.readings = append(j.readings, interval{earliest, latest, ever && j.Life.Ran+j.trained > after+time.Minute})
		}
	}
	j.undecided(l, s, blame)
	if !l.z.Waits(j.Training) || l.z.Free() < j.Least() {
		j.waited = 0
		return
	}
	if j.waited += time.Minute; j.waited == 5*time.Minute {
		blame("waits while GPUs are free: %s %s", s.Verdict, s.Message)
	}
}

// resize judges a change of the size. A training that is healthy is not to lose by it.
func (j *judged) resize(before client.Object, r *v1alpha1.Resize, alone bool, blame func(string, ...any)) {
	from, to := int(r.Spec.From), int(r.Spec.To)
	if before == nil {
		if from == 0 {
			j.begins = cmp.Or(j.begins, to)
			return
		}
		j.resizes++
		defer func() { j.tried = max(j.tried, from, to) }()
		stays, goes := j.Left(from), j.Left(to)+j.LosesNow()+j.Life.Restart+j.Life.Compiles
		switch {
		case to == 0 && !alone:
			j.turns++
		case alone && to < from && goes >= stays:
			blame("%d→%d while it is alone: %s %s", from, to, r.Spec.Reason, r.Spec.Message)
		case to > from && to > j.tried && (j.Life.Scaling < badly || j.Life.Most > 0 || j.Life.Across > 0):
			// Who knows before it was tried?
		case to > from && goes > stays && (alone || r.Spec.Reason == v1alpha1.ResizeReason(elastic.SpareCapacity)):
			j.needless += j.LosesNow()
			blame("%d→%d costs more than it gains, %s of work: %s %s", from, to, j.LosesNow(), r.Spec.Reason, r.Spec.Message)
		}
		return
	}
	life, end := j.Life, r.Ending()
	if end != nil && before.(*v1alpha1.Resize).Ending() == nil && life.Tells > 0 && !life.Unreachable {
		took := end.LastTransitionTime.Sub(r.CreationTimestamp.Time)
		tells := max(life.Tells*time.Duration(max(life.Buffered, 1)), life.Seldom, 10*time.Second, j.next(max(to, 1)))
		takes := 2*time.Minute + life.Restart + life.Compiles + life.Evaluates + 6*tells + life.Holds(most)
		if took > takes {
			blame("%d→%d has ended only after %s: %s", from, to, took, end.Message)
		}
	}
	was := before.(*v1alpha1.Resize).Ending()
	switch end := r.Ending(); {
	case was != nil || end == nil || end.Type == v1alpha1.ConditionSucceeded:
		if was == nil && end != nil && j.cut() && end.Reason != string(resize.JobIsCutShort) {
			blame("%d→%d has ended it at %.0f %%, and is called %s: %s", from, to, 100*j.Done(), end.Type, end.Message)
		}
	case j.Over():
	case end.Reason == string(resize.Withdrawn) && !alone:
		j.turns++
	default:
		blame("%d→%d has ended as %s: %s %s", from, to, end.Type, end.Reason, end.Message)
	}
}

// badly is how a training scales of which nobody can tell whether more workers are worth what the change costs.
const badly = 0.5

// next is how long it takes with some workers until there is something new to tell: a step, or a whole percent.
func (j *judged) next(workers int) time.Duration {
	units := j.Life.Total
	if j.Life.As == habit.Percents {
		units = 100
	}
	return time.Duration(float64(j.Takes(workers)) / units)
}

// status judges what is said.
func (j *judged) status(s *v1alpha1.ElasticJobStatus, now time.Time, alone bool, blame func(string, ...any)) {
	if s.Verdict != j.last {
		j.last = s.Verdict
		// an end is told in whole seconds
		if s.Verdict == v1alpha1.VerdictMet && (!j.finished() || j.Ended.After(j.deadline.Add(time.Second))) {
			blame("it is called met")
		}
		if s.Verdict == v1alpha1.VerdictMissed && now.Before(j.deadline) && j.finished() {
			blame("it is called missed")
		}
	}
	if j.first < 0 && s.Verdict != "" && s.Verdict != v1alpha1.VerdictEstimating {
		j.first = now.Sub(j.seen)
	}
	if alone && strings.Contains(s.Message, "thers need") {
		blame("nobody else is there: %s", s.Message)
	}
	if j.knew && strings.Contains(s.Message, "othing is known") && len(j.harm) < 20 {
		blame("forgotten: %s", s.Message)
	}
	if why := contradicted(s); why != "" && len(j.harm) < 20 {
		blame("%q, and %s", s.Message, why)
	}
	j.knew = j.knew || s.Prediction.ETA != ""
}
