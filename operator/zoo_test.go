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

	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/operator/zoo"
)

var zooFrom = flag.Int("from", 0, "the first of them")

var zooRounds = flag.Int("rounds", 12, "how many full clusters there are")

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
	l.z.Server.Watch(func(_, after client.Object) {
		r, is := after.(*v1alpha1.Resize)
		if !is || r.Spec.ElasticJob != name {
			return
		}
		line, at := r.Spec.Message, l.z.Clock.Now().Sub(start)
		if n := len(r.Status.Conditions); n > 0 {
			line = r.Status.Conditions[n-1].Type + " " + r.Status.Conditions[n-1].Message
		}
		l.t.Logf("%s %8s   resize %d→%d: %s", name, at.Round(time.Second), r.Spec.From, r.Spec.To, line)
	})
	last := ""
	l.z.Clock.Every(10*time.Second, func() bool {
		var ej v1alpha1.ElasticJob
		if err := l.z.Server.Get(l.t.Context(), types.NamespacedName{Namespace: zoo.Namespace, Name: name}, &ej); err != nil {
			return false
		}
		s := ej.Status
		said := fmt.Sprintf("%s %s/%d %s", s.Verdict, s.Summary.Workers, s.Workers.Desired, s.Message)
		if said != last {
			l.t.Logf("%s %8s %s (%s done, to spare %s, from %s to %s)", name, l.z.Clock.Now().Sub(start), said, s.Summary.Progress, s.Summary.Slack, s.Prediction.Earliest, s.Prediction.Latest)
		}
		last = said
		return true
	})
}

// full are four trainings, and one without a deadline, on a cluster that has GPUs for the four as they were
// written. Left alone from the beginning, each would be met.
func full(t *testing.T, animals []zoo.Animal, seed uint64, dies bool) []*judged {
	t.Helper()
	random := rand.New(rand.NewPCG(seed, 2))
	l := newLoop(t)
	l.z.Nodes(2, 8)
	l.begin()
	var all []*judged
	for i, animal := range animals {
		name := fmt.Sprintf("job-%d", i)
		animal.Ran = 0
		training := l.z.Add(name, animal.Habits, 1, 4, 8)
		left := training.Takes(4) + 2*(animal.Restart+animal.Compiles) + 2*time.Minute
		deadline := l.z.Clock.Now().Add(time.Duration(float64(left) * (1.25 + random.Float64()/2)))
		j := l.judge(name, training, deadline, false)
		all = append(all, j)
		l.take(name, deadline, 8)
		if *zooOnly != "" {
			l.narrate(name)
		}
		l.z.Clock.Run(l.z.Clock.Now().Add(time.Duration(random.IntN(240))*time.Second), func() bool { return false })
	}
	if dies {
		l.mayDie(random, all[0].Training)
	}
	end := start.Add(48 * time.Hour)
	l.z.Clock.Run(end, func() bool {
		for _, j := range all {
			if !j.Over() || l.z.Clock.Now().Sub(j.Ended) < time.Minute {
				return false
			}
		}
		return true
	})
	for i, j := range all {
		j.name = animals[i].Name
	}
	return all
}

func TestZooFull(t *testing.T) {
	out := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
	defer out.Flush()
	in, all, met, of := 0, 0, 0, 0
	animals := zoo.Animals()
	for round := uint64(*zooFrom); round < uint64(*zooFrom+*zooRounds); round++ {
		random := rand.New(rand.NewPCG(round, 3))
		var four []zoo.Animal
		for _, i := range random.Perm(len(animals))[:4] {
			four = append(four, animals[i])
		}
		began := time.Now()
		for _, j := range full(t, four, round, round%2 == 1) {
			held, told := j.held()
			in, all, of = in+held, all+told, of+1
			if j.met() {
				met++
			}
			fmt.Fprintf(out, "%d %s\tmet %v\ttook %s of %s\tfirst %s\t%d resizes\trestarts %d\tlost %s\tneedless %s\tin %d of %d\t%s\n", round, j.name, j.met(),
				j.Ended.Sub(j.Submitted).Round(time.Second), j.deadline.Sub(j.Submitted).Round(time.Second), j.first, j.resizes, j.Restarts, j.Lost.Round(time.Second), j.needless, held, told, time.Since(began).Round(time.Millisecond))
			for _, h := range j.harm {
				fmt.Fprintf(out, "    %s\n", h)
			}
		}
	}
	fmt.Fprintf(out, "met %d of %d, in the interval %d of %d\n", met, of, in, all)
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
