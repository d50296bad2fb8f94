package stories

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/elastic"
	"github.com/takt-dev/takt/operator/fixture"
	"github.com/takt-dev/takt/operator/zoo"
	"github.com/takt-dev/takt/operator/zoo/habit"
)

var zooOnly = flag.String("animal", "", "the only `animal` of the zoo to look after, whose story is told")

// visit is one look at an animal that has a cluster of 16 GPUs for itself.
type visit struct {
	animal habit.Animal
	dies   bool // the operator, now and then
	tight  bool // the deadline: it takes the best size from early on
	seed   uint64

	variant elastic.Variant
}

func (v visit) String() string {
	switch {
	case v.dies:
		return v.animal.Name + ", and the operator dies"
	case v.tight:
		return v.animal.Name + ", in a hurry"
	}
	return v.animal.Name
}

// watch looks after the animal until it is done.
func (v visit) watch(t *testing.T) *judged {
	random := rand.New(rand.NewPCG(v.seed, 1))
	l := newLoop(t)
	l.variant = v.variant
	l.z.Nodes(2, 8)
	written := []int{2, 4}[random.IntN(2)]
	training := l.z.Add("job", v.animal.Habits, 1, written, most)
	l.z.Clock.Run(l.z.Clock.Now().Add(v.animal.Ran), training.Over)
	left := max(training.Left(written), 0)
	if v.tight {
		left = max(training.Left(most), 0)
	}
	// A clairvoyant starts it at that size, or gives it that size once.
	left += 2*(v.animal.Restart+v.animal.Compiles) + time.Minute
	deadline := l.z.Clock.Now().Add(time.Duration(float64(left) * (1.2 + random.Float64())))
	j := l.judge("job", v.animal.Name, training, deadline, true)
	l.take("job", deadline)
	l.begin()
	if v.dies {
		l.mayDie(random, training)
	}
	if *zooOnly != "" {
		l.narrate("job")
	}
	l.until(j)
	return j
}

// most is how many workers any of them may have.
const most = 8

// until lets time pass until all trainings are over, and what is said of them is said.
func (l *loop) until(all ...*judged) {
	l.z.Clock.Run(l.z.Clock.Now().Add(100*time.Hour), func() bool {
		return !slices.ContainsFunc(all, func(j *judged) bool {
			return !j.Over() || l.z.Clock.Now().Sub(j.Ended) < time.Minute
		})
	})
}

// take has Takt look after a job.
func (l *loop) take(name string, deadline time.Time) { l.takeAs(name, "", deadline) }

// takeAs has it look after a job of a profile.
func (l *loop) takeAs(name, profile string, deadline time.Time) {
	ej := &v1alpha1.ElasticJob{
		ObjectMeta: metav1.ObjectMeta{Namespace: zoo.Namespace, Name: name},
		Spec: v1alpha1.ElasticJobSpec{
			JobRef: v1alpha1.JobReference{APIVersion: "kubeflow.org/v1", Kind: "PyTorchJob", Name: name},
			Queue:  "default", Profile: profile, Guarantee: v1alpha1.GuaranteeBestEffort, Deadline: v1alpha1.NewTime(deadline),
			Workers: v1alpha1.WorkerRange{Min: new(int32(1)), Max: new(int32(most))},
		},
	}
	l.came = l.z.Clock.Now()
	if err := l.z.Server.Create(l.t.Context(), ej); err != nil {
		l.t.Fatal(err)
	}
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
		line, at := r.Spec.Message, l.z.Clock.Now().Sub(fixture.Start)
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
			l.t.Logf("%s %8s %s (%s done, to spare %s, from %s to %s)", name, l.z.Clock.Now().Sub(fixture.Start), said,
				s.Summary.Progress, s.Summary.Slack, s.Prediction.Earliest, s.Prediction.Latest)
		}
		last = said
		return true
	})
}

// company are four trainings on a cluster that has GPUs for the four as they were written. Left alone from the
// beginning, each would be in time.
func company(t *testing.T, animals []habit.Animal, seed uint64, dies bool, variant elastic.Variant) []*judged {
	random := rand.New(rand.NewPCG(seed, 2))
	l := newLoop(t)
	l.variant = variant
	l.z.Nodes(2, 8)
	l.begin()
	var all []*judged
	for i, animal := range animals {
		name := fmt.Sprintf("job-%d", i)
		animal.Ran = 0
		training := l.z.Add(name, animal.Habits, 1, 4, most)
		left := training.Takes(4) + 2*(animal.Restart+animal.Compiles) + 2*time.Minute
		deadline := l.z.Clock.Now().Add(time.Duration(float64(left) * (1.25 + random.Float64()/2)))
		all = append(all, l.judge(name, animal.Name, training, deadline, false))
		if animal.Name == *zooOnly {
			l.narrate(name)
		}
		l.take(name, deadline)
		l.z.Clock.Run(l.z.Clock.Now().Add(time.Duration(random.IntN(240))*time.Second), func() bool { return false })
	}
	if dies {
		l.mayDie(random, all[0].Training)
	}
	l.until(all...)
	return all
}

// fourOf draws four animals.
func fourOf(animals []habit.Animal, seed uint64) []habit.Animal {
	random := rand.New(rand.NewPCG(seed, 3))
	var four []habit.Animal
	for _, k := range random.Perm(len(animals))[:4] {
		four = append(four, animals[k])
	}
	return four
}

// TestStoryZoo looks after every animal alone, and after four of them at a time. None is to suffer.
func TestStoryZoo(t *testing.T) {
	var visits []visit
	var random *rand.Rand // nil where all is played
	if testing.Short() {
		random = sample(t)
	}
	for i, animal := range habit.Animals() {
		three := []visit{
			{animal: animal, seed: uint64(i)}, {animal: animal, dies: true, seed: uint64(i)}, {
				animal: animal, tight: true, seed: uint64(i),
			},
		}
		if random != nil {
			k := random.IntN(3)
			three = three[k : k+1]
		}
		if *zooOnly == "" || animal.Name == *zooOnly {
			visits = append(visits, three...)
		}
	}
	fours := companies(habit.Animals())
	which := make([]int, 0, len(fours))
	for i := range fours {
		which = append(which, i)
	}
	switch {
	case *zooOnly != "":
		which = nil
	case random != nil:
		which = random.Perm(len(fours))[:2]
	}
	alone, together := make([]*judged, len(visits)), make([][]*judged, len(which))
	t.Run("animals", func(t *testing.T) { // which ends when all of them have
		for i, v := range visits {
			t.Run(v.String(), func(t *testing.T) {
				t.Parallel()
				alone[i] = v.watch(t)
				alone[i].blame(t)
			})
		}
		for i, k := range which {
			t.Run(fmt.Sprintf("company %d", k), func(t *testing.T) {
				t.Parallel()
				together[i] = company(t, fours[k], uint64(k), k%2 == 1, elastic.Variant{})
				for _, j := range together[i] {
					j.blame(t)
				}
			})
		}
	})
	if t.Failed() || *zooOnly != "" {
		return
	}
	whole := sum(slices.Concat(append(together, alone)...))
	wanted, least, widest := 0.95, 0.85, 0.95
	if random != nil { // of a sample: as it may be drawn from a zoo in which the whole is as it should be
		wanted, least, widest = 0.88, 0.76, 0.97
	}
	if whole.met < wanted {
		t.Errorf("%.1f %% were in time, where a clairvoyant would have been always", 100*whole.met)
	}
	if whole.truth < least || whole.truth > widest {
		t.Errorf("%.1f %% of what was said of the end was true, want %.0f to %.0f %%", 100*whole.truth, 100*least, 100*widest)
	}
	if whole.needless > 0 {
		t.Errorf("%s of work were lost to resizes that were not needed", whole.needless)
	}
	for _, a := range byAnimal(slices.Concat(append(together, alone)...)) {
		if random == nil && 2*a.shown < a.had {
			t.Errorf("of what was told of one that %s, once that was seen, %s was true: most is to be", a.name,
				share(a.shown, a.had))
		}
	}
	if whole.gaveBack > 0 {
		t.Errorf("%s of work were lost to growths that were given back within %s, though nobody new had come",
			whole.gaveBack, soon)
	}
	if *zooOut != "" {
		if err := publish(*zooOut, "The zoo", zooTable(visits, alone, slices.Concat(together...))); err != nil {
			t.Error(err)
		}
	}
}
