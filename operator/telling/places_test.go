package telling

import (
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/takt-dev/takt/api/v1alpha1"
)

var now = time.Unix(1e9, 0)

// A tenant may make as many jobs as it likes: nobody else loses a figure by that, and there are never more than so
// many.
func TestNoTenantTakesTheFiguresOfOthers(t *testing.T) {
	var all []*v1alpha1.ElasticJob
	for i := range 10_000 {
		all = append(all, job("greedy", fmt.Sprintf("flood-%05d", i), time.Hour, 1))
	}
	for i := range 5 {
		all = append(all, job("small", fmt.Sprint("resnet-", i), 0, 0))
	}
	for i := range 300 {
		all = append(all, job("large", fmt.Sprintf("bert-%03d", i), 0, 0))
	}
	chosen, leftOut := newPlaces(500).give(all, now)
	got := map[string]int{}
	for _, ej := range chosen {
		got[ej.Namespace]++
	}
	if diff := cmp.Diff(map[string]int{"small": 5, "large": 247, "greedy": 248}, got); diff != "" ||
		leftOut != len(all)-500 {
		t.Errorf("%d are left out; by namespace, -want +got:\n%s", leftOut, diff)
	}
}

// With more namespaces than places, there are no more figures than places.
func TestManyNamespacesGetNoMoreFigures(t *testing.T) {
	var all []*v1alpha1.ElasticJob
	for i := range 10_000 {
		all = append(all, job(fmt.Sprintf("team-%05d", i), "resnet", 0, 1))
	}
	if chosen, leftOut := newPlaces(500).give(all, now); len(chosen) != 500 || leftOut != 9500 {
		t.Errorf("%d have figures and %d have none", len(chosen), leftOut)
	}
}

// Those that train come first, then the oldest.
func TestJobsThatTrainHaveFiguresFirst(t *testing.T) {
	ended := job("team", "ended", 9*time.Hour, 0)
	ended.Status.Conditions = []metav1.Condition{{Type: v1alpha1.ConditionSucceeded, Status: metav1.ConditionTrue}}
	all := []*v1alpha1.ElasticJob{
		job("team", "new", 0, 2), job("team", "old", 2*time.Hour, 1), job("team", "waits", 3*time.Hour, 0), ended,
		job("team", "waits-too", time.Hour, 0),
	}
	chosen, leftOut := newPlaces(3).give(all, now)
	var got []string
	for _, ej := range chosen {
		got = append(got, ej.Name)
	}
	if diff := cmp.Diff([]string{"old", "new", "waits"}, got); diff != "" || leftOut != 1 {
		t.Errorf("%d are left out; -want +got:\n%s", leftOut, diff)
	}
}

// What Prometheus was told once, it keeps: a tenant whose jobs come and go by the thousand makes it learn no more names
// an hour than there are places, and takes no place of others.
func TestJobsThatComeAndGoAreNotAllTold(t *testing.T) {
	p, told := newPlaces(500), map[string]bool{}
	steady := []*v1alpha1.ElasticJob{job("small", "resnet", 0, 1), job("small", "bert", 0, 0)}
	const minutes = 120
	for minute := range minutes {
		all := steady
		for i := range 600 {
			all = append(all, job("greedy", fmt.Sprintf("flood-%d-%d", minute, i), 0, 1))
		}
		chosen, leftOut := p.give(all, now.Add(time.Duration(minute)*time.Minute))
		if leftOut != len(all)-len(chosen) {
			t.Fatalf("of %d jobs %d have figures, and %d are left out", len(all), len(chosen), leftOut)
		}
		known := 0
		for _, ej := range chosen {
			told[ej.Namespace+"/"+ej.Name] = true
			if ej.Namespace == "small" {
				known++
			}
		}
		if known != len(steady) {
			t.Fatalf("in minute %d, %d of the jobs of others have figures", minute, known)
		}
	}
	if most := minutes / 60 * 500; len(told) > most || len(told) < most/2 {
		t.Errorf("in %d minutes %d jobs were told of, want no more than %d, and not many fewer", minutes, len(told), most)
	}
	if len(p.taken) > p.most {
		t.Errorf("%d places are taken, of %d", len(p.taken), p.most)
	}
}

// A tenant who has his jobs train in turn does not have them all told of: a place is held for an hour, whoever trains.
func TestAPlaceIsHeldForAnHour(t *testing.T) {
	p := newPlaces(1)
	a, b := job("team", "a", time.Hour, 1), job("team", "b", 0, 0)
	for _, step := range []struct {
		after  time.Duration
		trains *v1alpha1.ElasticJob
		want   string
	}{{0, a, "a"}, {time.Minute, b, "a"}, {held - time.Second, b, "a"}, {held, b, "b"}, {2*held - time.Second, a, "b"},
		{2 * held, a, "a"}} {
		a.Status.Workers.Running, b.Status.Workers.Running = 0, 0
		step.trains.Status.Workers.Running = 1
		if chosen, _ := p.give([]*v1alpha1.ElasticJob{a, b}, now.Add(step.after)); len(chosen) != 1 ||
			chosen[0].Name != step.want {
			t.Errorf("after %v, %v have figures, want %s", step.after, chosen, step.want)
		}
	}
}
