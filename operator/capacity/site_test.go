package capacity

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"

	"github.com/takt-dev/takt/elastic"
)

// TestSites says on which nodes workers may be, where that is not simply a matter of GPUs.
func TestSites(t *testing.T) {
	nodes := []*corev1.Node{inZone("a", "x"), inZone("b", "x"), inZone("c", "y")}
	type most = map[string]elastic.Workers
	for name, test := range map[string]struct {
		pods []*corev1.Pod
		ask  Worker
		want most
	}{
		"anywhere":                  {ask: bert(anything)},
		"anywhere, others hold one": {pods: []*corev1.Pod{somePod("p", "a")}, ask: bert(anything)},
		"anywhere that takes pods":  {pods: []*corev1.Pod{bertOn("closed")}, ask: bert(anything)},
		"in a zone":                 {ask: bert(selecting(zone, "x")), want: most{"a": 8, "b": 8}},
		"one on each node":          {ask: bert(apart(hostname, "job", "bert")), want: most{"a": 1, "b": 1, "c": 1}},
		"one in each zone, where they are": {pods: []*corev1.Pod{bertOn("b")},
			ask: bert(apart(zone, "job", "bert"), "b"), want: most{"b": 1, "c": 1}},
		"little memory":   {ask: bert(asking(string(nvidia), "1", "memory", "200Gi")), want: most{"a": 2, "b": 2, "c": 2}},
		"all in one zone": {ask: bert(togetherInZone("job", "bert")), want: most{"a": 8, "b": 8}},
		"all in the zone that has room now": {pods: []*corev1.Pod{worker("p", "a", like(asking(string(nvidia), "8"))),
			worker("q", "b", like(asking(string(nvidia), "8")))},
			ask: bert(togetherInZone("job", "bert")), want: most{"c": 8}},
	} {
		t.Run(name, func(t *testing.T) {
			s := read(append([]*corev1.Node{inZone("closed", "x", cordoned)}, nodes...), test.pods...)
			s.SiteOf(bert(selecting(zone, "y")))
			name, got := s.SiteOf(test.ask), most(nil)
			for _, site := range s.Sites() {
				if site.Name == name {
					got = site.Most
				}
			}
			if again := s.SiteOf(test.ask); again != name {
				t.Errorf("it is %q again", again)
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("site (-want +got):\n%s", diff)
			}
		})
	}
}

// TestJobsShareSites asks for workers of two jobs that have the same habit.
func TestJobsShareSites(t *testing.T) {
	s := read([]*corev1.Node{inZone("a", "x"), inZone("b", "y")})
	one, other := s.SiteOf(bert(apart(hostname, "job", "bert"))), s.SiteOf(Worker{Template: template(
		apart(hostname, "job", "resnet")), Namespace: "team-b", Labels: map[string]string{"job": "resnet"}})
	if one == "" || one != other || len(s.Sites()) != 1 {
		t.Errorf("sites %q and %q of %v", one, other, s.Sites())
	}
	if most, bounded := s.MostOnOne(one); !bounded || most != 1 {
		t.Errorf("%d on one node", most)
	}
	if _, bounded := s.MostOnOne(""); bounded {
		t.Error("bounded anywhere")
	}
}
