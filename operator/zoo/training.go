package zoo

import (
	"fmt"
	"math"
	"strings"
	"time"

	kubeflow "github.com/kubeflow/training-operator/pkg/apis/kubeflow.org/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/takt-dev/takt/operator/progress"
)

// Training is one job that trains, second by second.
type Training struct {
	Habits

	Submitted time.Time
	Deadline  time.Time
	Ended     time.Time // zero while it goes on
	Succeeded bool
	// Lost is the work that was done and had to be done again, in seconds of the training; Restarts counts how
	// often its workers changed since it has begun.
	Lost     time.Duration
	Restarts int
	// Stood is how long it did not go on between its beginning and its end, and Idle how many GPU seconds its
	// workers had GPUs and did not train, its beginning included.
	Stood time.Duration
	Idle  int

	key     types.NamespacedName
	written int // workers that it was written for
	least   int
	pods    map[string]*corev1.Pod

	total   float64
	done    float64
	saved   float64
	crew    string        // the workers that train
	idle    time.Duration // until it goes on
	spell   time.Duration // how long it has trained, or evaluated, in this turn
	resting bool
	since   time.Duration // the last save
	saving  time.Duration
	age     time.Duration // since its workers last changed
	ran     time.Duration // since it first trained
	began   float64       // what was done when its counter last began at zero
	told    time.Duration // since it last told
	epoch   int           // that it last told of
	kept    []string      // what it has said, and is to say again
	log     []string
	noted   string
}

// mostLines are kept of a log.
const mostLines = 40

func (t *Training) rate(workers int) float64 {
	return t.Speed * math.Pow(float64(workers), t.Scaling)
}

// Takes is how long a training takes at a size from its first pod on, if nothing comes in between.
func (t *Training) Takes(workers int) time.Duration {
	trains := t.total / t.rate(workers)
	slower := 1.0
	switch {
	case t.Drift > 0 && t.Halves:
		slower = 0.5 + 0.5/t.Drift
	case t.Drift > 0:
		slower = math.Log(t.Drift) / (t.Drift - 1)
	}
	if t.Warm > 1 && t.Epochs > 0 {
		slower += (t.Warm - 1) / float64(t.Epochs)
	}
	if t.Straggles {
		slower *= 6.0 / 5.5
	}
	trains *= slower
	if t.Evaluates > 0 {
		trains *= 1 + t.Evaluates.Seconds()/t.Trains.Seconds()
	}
	if t.Saves > 0 {
		trains *= 1 / (1 - t.Saves.Seconds()/t.SavesEvery.Seconds())
	}
	if t.Crashes > 0 {
		trains *= 1 + (t.Restart+t.Compiles+t.SavesEvery/2).Seconds()/t.Crashes.Seconds()
	}
	return starts + t.Compiles + t.Restart + time.Duration(trains*float64(time.Second))
}

// second is one second of a training.
func (z *Zoo) second(t *Training) {
	workers, crew := z.crewOf(t)
	if crew != t.crew {
		z.changed(t, crew)
	}
	goes := workers > 0 && workers >= t.least
	if t.Idle += z.held(t); goes && t.idle == 0 {
		t.Idle -= workers
	} else if t.done > 0 || t.Restarts > 0 {
		t.Stood += time.Second
	}
	if !goes {
		return
	}
	t.age += time.Second
	t.ran += time.Second
	if t.idle > 0 {
		t.idle -= time.Second
		return
	}
	if t.Crashes > 0 && t.age >= t.Crashes {
		z.goBack(t)
		return
	}
	z.save(t)
	if t.saving > 0 {
		t.saving -= time.Second
	} else if t.turn() {
		t.done = min(t.total, t.done+t.rate(workers)*t.slowness())
	}
	z.tell(t)
	if t.done >= t.total {
		z.end(t, kubeflow.JobSucceeded)
	}
}

// changed has a training go on with other workers, from where it last saved. So it is when a worker comes or
// leaves, too: torchrun starts all of them again.
func (z *Zoo) changed(t *Training, crew string) {
	began := t.crew != "" || t.done > 0
	t.crew = crew
	if began {
		t.Restarts++
		z.goBack(t)
	} else {
		t.idle = t.Compiles + t.Restart
	}
}

func (z *Zoo) goBack(t *Training) {
	back := t.saved
	if t.Forgets {
		back = 0
	}
	t.Lost += time.Duration((t.done - back) / t.rate(t.written) * float64(time.Second))
	t.done, t.idle, t.age, t.saving, t.since, t.spell, t.resting = back, t.Restart+t.Compiles, 0, 0, 0, 0, false
	if t.Anew {
		t.began = t.done
	}
	t.epoch, t.kept = -1, nil
}

// save keeps what is done, every so often.
func (z *Zoo) save(t *Training) {
	if t.Forgets || t.SavesEvery == 0 {
		return
	}
	if t.since += time.Second; t.since < t.SavesEvery {
		return
	}
	t.since, t.saved, t.saving = 0, t.done, t.Saves
	if t.TellsSaves {
		z.write(t, fmt.Sprintf("Saved checkpoint to /data/step-%d.pt", int(t.done)))
	}
}

// turn says whether it trains in this second: it may evaluate.
func (t *Training) turn() bool {
	if t.Evaluates == 0 {
		return true
	}
	t.spell += time.Second
	switch {
	case t.resting && t.spell > t.Evaluates:
		t.resting, t.spell = false, time.Second
	case !t.resting && t.spell > t.Trains:
		t.resting, t.spell = true, time.Second
	}
	return !t.resting
}

// slowness is the part of its speed that it has at this moment.
func (t *Training) slowness() float64 {
	share, part := t.done/t.total, 1.0
	switch {
	case t.Drift > 0 && t.Halves && share >= 0.5:
		part = t.Drift
	case t.Drift > 0 && !t.Halves:
		part = 1 + (t.Drift-1)*share
	}
	if t.Warm > 1 && t.Epochs > 0 && share < 1/float64(t.Epochs) {
		part /= t.Warm
	}
	if t.Straggles && t.ran%(30*time.Minute) > 25*time.Minute {
		part /= 2
	}
	return part
}

// tell says how far the training is, if it is time to.
func (z *Zoo) tell(t *Training) {
	t.told += time.Second
	epoch := int(t.done / t.total * float64(max(t.Epochs, 1)))
	due := t.Tells > 0 && t.told >= t.Tells && !t.resting && t.saving == 0
	due = due || t.Each && epoch > t.epoch && t.epoch >= 0
	if t.Each {
		t.epoch = epoch
	}
	if !due {
		return
	}
	t.told = 0
	said := t.says(epoch)
	for range max(t.Burst, 1) {
		z.write(t, said)
	}
	if t.Twice {
		z.write(t, said)
	}
	if t.Late && len(t.kept) > 0 {
		z.write(t, t.kept[0])
	}
	t.kept = []string{said}
}

// says is what a training says of how far it is.
func (t *Training) says(epoch int) string {
	total, done := t.total, t.done
	if t.Revised > 0 && t.done < t.total/2 {
		total = t.total / t.Revised
	}
	if t.Anew {
		done, total = done-t.began, total-t.began
	}
	each := total / float64(max(t.Epochs, 1))
	switch t.As {
	case Percents:
		return fmt.Sprintf("%d%%", int(100*done/total))
	case PerEpoch:
		return fmt.Sprintf("Epoch [%d/%d], Step [%d/%d], Loss: 0.42", epoch+1, t.Epochs, int(done-float64(epoch)*each), int(each))
	case EpochsAlone:
		return fmt.Sprintf("Epoch %d/%d loss=0.42", epoch, t.Epochs)
	case StepsAlone, WithoutTotal:
		return fmt.Sprintf("step %d loss=0.42 lr=0.001", int(done))
	default:
		return fmt.Sprintf("step %d/%d loss=0.42 lr=0.001", int(done), int(total))
	}
}

// write writes a line to the log of the first worker, or an annotation on the job.
func (z *Zoo) write(t *Training, said string) {
	if t.By == Annotation {
		if said == t.noted && t.Burst == 0 && !t.Twice {
			return
		}
		t.noted = said
		said = annotated(said)
		Change(z.Server, &kubeflow.PyTorchJob{ObjectMeta: metav1.ObjectMeta{Namespace: t.key.Namespace, Name: t.key.Name}},
			func(job *kubeflow.PyTorchJob) {
				metav1.SetMetaDataAnnotation(&job.ObjectMeta, progress.ProgressAnnotation, said)
			})
		return
	}
	t.log = append(t.log, z.Clock.Now().UTC().Format(time.RFC3339Nano)+" "+said+"\n")
	t.log = t.log[max(0, len(t.log)-mostLines):]
}

// annotated is what a line says, as annotations say it.
func annotated(said string) string {
	var done, total int
	if n, _ := fmt.Sscanf(said, "step %d/%d", &done, &total); n == 2 {
		return fmt.Sprintf("%d/%d steps", done, total)
	}
	return said
}

// Left is how long the rest takes at a size, if nothing comes in between.
func (t *Training) Left(workers int) time.Duration {
	if workers < max(t.least, 1) {
		return 1000 * time.Hour
	}
	return time.Duration((1 - t.done/t.total) * float64(t.Takes(workers)-starts-t.Compiles-t.Restart))
}

// LosesNow is the work that a restart would cost at this moment, in time at the present size.
func (t *Training) LosesNow() time.Duration {
	back := t.saved
	if t.Forgets {
		back = 0
	}
	return time.Duration((t.done - back) / t.rate(max(t.Crew(), 1)) * float64(time.Second)).Round(time.Second)
}

// Crew is how many workers train.
func (t *Training) Crew() int { return strings.Count(t.crew, " ") }

// Least is the smallest size that it may have.
func (t *Training) Least() int { return t.least }

// Done is the share of the work that is done.
func (t *Training) Done() float64 { return t.done / t.total }

// Over says that it has ended.
func (t *Training) Over() bool { return !t.Ended.IsZero() }
