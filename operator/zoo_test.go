package operator

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"testing"
	"text/tabwriter"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/operator/zoo"
)

var zooOnly = flag.String("animal", "", "the only animal of the zoo to watch, and to tell the story of")

// alone is a training that has a cluster of 16 GPUs for itself.
func alone(t *testing.T, animal zoo.Animal, seed uint64, dies bool) *judged {
	t.Helper()
	random := rand.New(rand.NewPCG(seed, 1))
	l := newLoop(t)
	l.z.Nodes(2, 8)
	written := []int{2, 4}[random.IntN(2)]
	training := l.z.Add("job", animal.Habits, 1, written, 8)
	l.z.Clock.Run(l.z.Clock.Now().Add(animal.Ran), training.Over)
	// With the size that it was written for it is met, and there is a little time for what a resize costs.
	left := max(training.Left(written), 0) + 2*(animal.Restart+animal.Compiles) + time.Minute
	deadline := l.z.Clock.Now().Add(time.Duration(float64(left) * (1.2 + random.Float64())))
	return l.watch(training, animal.Name, deadline, random, dies, *zooOnly != "")
}

func (l *loop) take(name string, deadline time.Time, most int32) {
	ej := &v1alpha1.ElasticJob{
		ObjectMeta: metav1.ObjectMeta{Namespace: zoo.Namespace, Name: name},
		Spec: v1alpha1.ElasticJobSpec{
			JobRef: v1alpha1.JobReference{APIVersion: "kubeflow.org/v1", Kind: "PyTorchJob", Name: name},
			Queue:  "default", Guarantee: v1alpha1.GuaranteeBestEffort, Deadline: v1alpha1.NewTime(deadline),
			Workers: v1alpha1.WorkerRange{Min: new(int32(1)), Max: &most},
		},
	}
	if err := l.z.Server.Create(l.t.Context(), ej); err != nil {
		l.t.Fatal(err)
	}
}

func (l *loop) watch(training *zoo.Training, name string, deadline time.Time, random *rand.Rand, dies, aloud bool) *judged {
	j := l.judge("job", training, deadline, true)
	j.name = name
	l.take("job", deadline, 8)
	l.begin()
	if dies {
		l.mayDie(random, training)
	}
	if aloud {
		l.narrate("job")
	}
	l.z.Clock.Run(deadline.Add(24*time.Hour), func() bool {
		return training.Over() && l.z.Clock.Now().Sub(training.Ended) > time.Minute
	})
	return j
}

// mayDie has processes die now and then: between two things that they do, or in the middle of one.
func (l *loop) mayDie(random *rand.Rand, training *zoo.Training) {
	l.z.Clock.In(time.Duration(random.ExpFloat64()*float64(20*time.Minute)), func() {
		if !training.Over() {
			l.die(random.IntN(4))
			l.mayDie(random, training)
		}
	})
}

// narrate tells what is said of a job whenever it changes.
func (l *loop) narrate(name string) {
	last := ""
	l.z.Clock.Every(10*time.Second, func() bool {
		var ej v1alpha1.ElasticJob
		if err := l.z.Server.Get(l.t.Context(), types.NamespacedName{Namespace: zoo.Namespace, Name: name}, &ej); err != nil {
			return false
		}
		s := ej.Status
		said := fmt.Sprintf("%s %s/%d %s", s.Verdict, s.Summary.Workers, s.Workers.Desired, s.Message)
		if said != last {
			l.t.Logf("%8s %s (%s done, to spare %s, from %s to %s)", l.z.Clock.Now().Sub(start), said, s.Summary.Progress, s.Summary.Slack, s.Prediction.Earliest, s.Prediction.Latest)
		}
		last = said
		return true
	})
}

func TestZoo(t *testing.T) {
	out := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
	defer out.Flush()
	in, all, met, of := 0, 0, 0, 0
	for i, animal := range zoo.Animals() {
		if *zooOnly != "" && animal.Name != *zooOnly {
			continue
		}
		for _, dies := range []bool{false, true} {
			began := time.Now()
			j := alone(t, animal, uint64(i), dies)
			held, told := j.held()
			in, all, of = in+held, all+told, of+1
			if j.met() {
				met++
			}
			fmt.Fprintf(out, "%s\t%v\tmet %v\ttook %s of %s\tfirst %s\t%d resizes\trestarts %d\tlost %s\tneedless %s\tin %d of %d\t%s\n", j.name, dies, j.met(),
				j.Ended.Sub(j.Submitted).Round(time.Second), j.deadline.Sub(j.Submitted).Round(time.Second), j.first, j.resizes, j.Restarts, j.Lost.Round(time.Second), j.needless, held, told, time.Since(began).Round(time.Millisecond))
			for _, h := range j.harm {
				fmt.Fprintf(out, "    %s\n", h)
			}
		}
	}
	fmt.Fprintf(out, "met %d of %d, in the interval %d of %d\n", met, of, in, all)
}
