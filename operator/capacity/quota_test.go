package capacity

import (
	"maps"
	"slices"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/takt-dev/takt/elastic"
	"github.com/takt-dev/takt/elastic/begin"
)

// someQuota is a quota of namespace team-a that has been counted.
func someQuota(name string, hard, used corev1.ResourceList,
	changes ...func(*corev1.ResourceQuota)) *corev1.ResourceQuota {
	q := &corev1.ResourceQuota{ObjectMeta: metav1.ObjectMeta{Namespace: "team-a", Name: name}}
	q.Spec.Hard, q.Status.Hard, q.Status.Used = hard, hard, used
	for _, change := range changes {
		change(q)
	}
	return q
}

func scoped(scopes ...corev1.ResourceQuotaScope) func(*corev1.ResourceQuota) {
	return func(q *corev1.ResourceQuota) { q.Spec.Scopes = scopes }
}

func ofPriority(operator corev1.ScopeSelectorOperator, values ...string) func(*corev1.ResourceQuota) {
	return func(q *corev1.ResourceQuota) {
		q.Spec.ScopeSelector = &corev1.ScopeSelector{MatchExpressions: []corev1.ScopedResourceSelectorRequirement{
			{ScopeName: corev1.ResourceQuotaScopePriorityClass, Operator: operator, Values: values},
		}}
	}
}

const gpuRequests = "requests.nvidia.com/gpu"

func TestWhatABudgetLeaves(t *testing.T) {
	gpu := string(nvidia)
	for name, test := range map[string]struct {
		quotas      []*corev1.ResourceQuota
		template    *corev1.PodTemplateSpec
		want        elastic.Workers
		wantLimited bool
		wantWhy     string
	}{
		"no quota": {},
		"GPUs": {
			quotas: []*corev1.ResourceQuota{someQuota("gpus", amounts(gpuRequests, "8"), amounts(gpuRequests, "6"))},
			want:   2, wantLimited: true,
			wantWhy: "ResourceQuota gpus in namespace team-a allows 2 more of nvidia.com/gpu; a worker takes 1",
		},
		"GPUs of which some are too few for a worker": {
			quotas:   []*corev1.ResourceQuota{someQuota("gpus", amounts(gpuRequests, "8"), amounts(gpuRequests, "5"))},
			template: template(asking(gpu, "4")), want: 0, wantLimited: true,
			wantWhy: "ResourceQuota gpus in namespace team-a allows 3 more of nvidia.com/gpu; a worker takes 4",
		},
		"nothing left": {
			quotas: []*corev1.ResourceQuota{someQuota("gpus", amounts(gpuRequests, "4"), amounts(gpuRequests, "6"))},
			want:   0, wantLimited: true,
			wantWhy: "ResourceQuota gpus in namespace team-a allows no more of nvidia.com/gpu; a worker takes 1",
		},
		"the strictest counts": {
			quotas: []*corev1.ResourceQuota{
				someQuota("z", amounts(gpuRequests, "8", "pods", "20"), amounts(gpuRequests, "1", "pods", "17")),
				someQuota("a", amounts(gpuRequests, "8"), nil),
			},
			want: 3, wantLimited: true, wantWhy: "ResourceQuota z in namespace team-a allows 3 more of pods; a worker takes 1",
		},
		"the first of two that are as strict": {
			quotas: []*corev1.ResourceQuota{
				someQuota("z", amounts("pods", "3"), nil),
				someQuota("a", amounts("pods", "3"), nil),
			},
			want: 3, wantLimited: true, wantWhy: "ResourceQuota a in namespace team-a allows 3 more of pods; a worker takes 1",
		},
		"memory in the words of people": {
			quotas:   []*corev1.ResourceQuota{someQuota("m", amounts("memory", "64Gi"), amounts("memory", "40Gi"))},
			template: template(asking(gpu, "1", "memory", "16Gi")), want: 1, wantLimited: true,
			wantWhy: "ResourceQuota m in namespace team-a allows 24Gi more of memory; a worker takes 16Gi",
		},
		"parts of a CPU": {
			quotas:   []*corev1.ResourceQuota{someQuota("c", amounts("requests.cpu", "4"), amounts("requests.cpu", "500m"))},
			template: template(asking(gpu, "1", "cpu", "1500m")), want: 2, wantLimited: true,
			wantWhy: "ResourceQuota c in namespace team-a allows 3500m more of cpu; a worker takes 1500m",
		},
		"limits": {
			quotas: []*corev1.ResourceQuota{someQuota("l", amounts("limits.cpu", "10"), amounts("limits.cpu", "1"))},
			template: template(func(s *corev1.PodSpec) {
				s.Containers[0].Resources.Requests = amounts(gpu, "1", "cpu", "1")
				s.Containers[0].Resources.Limits = amounts("cpu", "4")
			}),
			want: 2, wantLimited: true,
			wantWhy: "ResourceQuota l in namespace team-a allows 9 more of limits.cpu; a worker takes 4",
		},
		"a limit is taken for the request": {
			quotas: []*corev1.ResourceQuota{someQuota("r", amounts("requests.memory", "10Gi"), nil)},
			template: template(func(s *corev1.PodSpec) {
				s.Containers[0].Resources = corev1.ResourceRequirements{Limits: amounts(gpu, "1", "memory", "4Gi")}
			}),
			want: 2, wantLimited: true,
			wantWhy: "ResourceQuota r in namespace team-a allows 10Gi more of memory; a worker takes 4Gi",
		},
		"all pods there are": {
			quotas: []*corev1.ResourceQuota{someQuota("p", amounts("count/pods", "5"), amounts("count/pods", "1"))},
			want:   4, wantLimited: true,
			wantWhy: "ResourceQuota p in namespace team-a allows 4 more of count/pods; a worker takes 1",
		},
		"not about workers": {quotas: []*corev1.ResourceQuota{
			someQuota("q", amounts("services", "0", "count/jobs.batch", "0", "requests.storage", "0", "requests.amd.com/gpu",
				"0", "limits.cpu", "0"), nil),
		}},
		"not counted yet": {
			quotas: []*corev1.ResourceQuota{someQuota("new", amounts(gpuRequests, "8"), nil, func(q *corev1.ResourceQuota) {
				q.Status = corev1.ResourceQuotaStatus{}
			})},
			want: 0, wantLimited: true,
			wantWhy: "ResourceQuota new in namespace team-a is new, and Kubernetes has not counted yet what is used of it: " +
				"nothing can be created until it has",
		},
		"other scopes": {quotas: []*corev1.ResourceQuota{
			someQuota("a", amounts("pods", "0"), nil, scoped(corev1.ResourceQuotaScopeTerminating)),
			someQuota("b", amounts("pods", "0"), nil, scoped(corev1.ResourceQuotaScopeNotBestEffort)),
			someQuota("c", amounts("pods", "0"), nil, ofPriority(corev1.ScopeSelectorOpIn, "high", "low")),
			someQuota("d", amounts("pods", "0"), nil, scoped(corev1.ResourceQuotaScopeNotTerminating),
				ofPriority(corev1.ScopeSelectorOpExists)),
			someQuota("e", amounts("pods", "0"), nil, scoped(corev1.ResourceQuotaScopeCrossNamespacePodAffinity)),
			someQuota("f", amounts("pods", "0"), nil, scoped("Unheard")),
		}},
	} {
		t.Run(name, func(t *testing.T) {
			if test.template == nil {
				test.template = template()
			}
			got, limited, why := NewBudget(test.quotas).Left(Charged{Template: test.template})
			if got != test.want || limited != test.wantLimited || why != test.wantWhy {
				t.Errorf("Left = %d, %t, %q\nwant %d, %t, %q", got, limited, why, test.want, test.wantLimited, test.wantWhy)
			}
		})
	}
}

func TestScopes(t *testing.T) {
	plain := template()
	limited := template(asking(string(nvidia), "1", "cpu", "1"))
	timed := template(func(s *corev1.PodSpec) { s.ActiveDeadlineSeconds = new(int64(60)) })
	high := template(func(s *corev1.PodSpec) { s.PriorityClassName = "high" })
	far := template(func(s *corev1.PodSpec) {
		s.Affinity = &corev1.Affinity{PodAntiAffinity: &corev1.PodAntiAffinity{
			PreferredDuringSchedulingIgnoredDuringExecution: []corev1.WeightedPodAffinityTerm{
				{PodAffinityTerm: corev1.PodAffinityTerm{Namespaces: []string{"team-b"}}},
			},
		}}
	})
	for name, test := range map[string]struct {
		scope   func(*corev1.ResourceQuota)
		counted []*corev1.PodTemplateSpec
		not     []*corev1.PodTemplateSpec
	}{
		"Terminating": {
			scoped(corev1.ResourceQuotaScopeTerminating), []*corev1.PodTemplateSpec{timed}, []*corev1.PodTemplateSpec{plain},
		},
		"NotTerminating": {
			scoped(corev1.ResourceQuotaScopeNotTerminating), []*corev1.PodTemplateSpec{plain}, []*corev1.PodTemplateSpec{timed},
		},
		"BestEffort": {
			scoped(corev1.ResourceQuotaScopeBestEffort), []*corev1.PodTemplateSpec{plain}, []*corev1.PodTemplateSpec{limited},
		},
		"NotBestEffort": {
			scoped(corev1.ResourceQuotaScopeNotBestEffort), []*corev1.PodTemplateSpec{limited}, []*corev1.PodTemplateSpec{plain},
		},
		"both": {
			scoped(corev1.ResourceQuotaScopeNotBestEffort, corev1.ResourceQuotaScopeNotTerminating),
			[]*corev1.PodTemplateSpec{limited}, []*corev1.PodTemplateSpec{plain, timed},
		},
		"any class": {
			ofPriority(corev1.ScopeSelectorOpExists), []*corev1.PodTemplateSpec{high}, []*corev1.PodTemplateSpec{plain},
		},
		"no class": {
			ofPriority(corev1.ScopeSelectorOpDoesNotExist), []*corev1.PodTemplateSpec{plain}, []*corev1.PodTemplateSpec{high},
		},
		"a class": {
			ofPriority(corev1.ScopeSelectorOpIn, "high"), []*corev1.PodTemplateSpec{high}, []*corev1.PodTemplateSpec{plain},
		},
		"not one": {
			ofPriority(corev1.ScopeSelectorOpNotIn, "high"), []*corev1.PodTemplateSpec{plain}, []*corev1.PodTemplateSpec{high},
		},
		"namespaces": {scoped(corev1.ResourceQuotaScopeCrossNamespacePodAffinity), []*corev1.PodTemplateSpec{far},
			[]*corev1.PodTemplateSpec{plain}},
	} {
		t.Run(name, func(t *testing.T) {
			quotas := []*corev1.ResourceQuota{someQuota("q", amounts("pods", "3"), nil, test.scope)}
			for _, template := range test.counted {
				if _, limited, _ := NewBudget(quotas).Left(Charged{Template: template}); !limited {
					t.Errorf("does not count %+v", template.Spec)
				}
			}
			for _, template := range test.not {
				if _, limited, _ := NewBudget(quotas).Left(Charged{Template: template}); limited {
					t.Errorf("counts %+v", template.Spec)
				}
			}
		})
	}
}

// What is left is told for each bound by itself, and so is what a worker takes of it, and what to say of it.
func TestBudget(t *testing.T) {
	uncounted := func(q *corev1.ResourceQuota) { q.Status = corev1.ResourceQuotaStatus{} }
	b := NewBudget([]*corev1.ResourceQuota{
		someQuota("gpus", amounts(gpuRequests, "10"), amounts(gpuRequests, "2")),
		someQuota("cpus", amounts("cpu", "9"), amounts("cpu", "1")),
		someQuota("new", amounts("pods", "9"), nil, uncounted),
	})
	left := map[string]int64{}
	b.Leaves(left)
	if want := map[string]int64{"team-a/gpus " + gpuRequests: 8, "team-a/cpus cpu": 8000}; !maps.Equal(left, want) {
		t.Errorf("they leave %v, want %v", left, want)
	}
	wide := template(asking(string(nvidia), "1", "cpu", "3"))
	want := []begin.Charge{{Quota: "team-a/cpus cpu", Each: 3000}, {Quota: "team-a/gpus " + gpuRequests, Each: 1},
		{Quota: "team-a/new pods", Each: 1}}
	if got := b.Charges(Charged{Template: wide}); !slices.Equal(got, want) {
		t.Errorf("a worker takes %v, want %v", got, want)
	}
	for bound, want := range map[string]string{
		"team-a/cpus cpu": "ResourceQuota cpus in namespace team-a allows 2 more of cpu; a worker takes 3",
		"team-a/gpus " +
			gpuRequests: "ResourceQuota gpus in namespace team-a allows 2k more of nvidia.com/gpu; a worker takes 1",
		"team-a/new pods": "ResourceQuota new in namespace team-a is new, and Kubernetes has not counted yet what is " +
			"used of it: nothing can be created until it has",
	} {
		if got := b.Says(bound, Charged{Template: wide}, 2000); got != want {
			t.Errorf("of %s it says %q, want %q", bound, got, want)
		}
	}
}

// What Kubernetes has added to a worker that runs it adds to the next as well.
func TestAWorkerTakesNoLessThanOneThatRuns(t *testing.T) {
	b := NewBudget([]*corev1.ResourceQuota{someQuota("cpus", amounts("cpu", "9"), amounts("cpu", "1"))})
	for name, test := range map[string]struct {
		says, runs string // so many CPUs; empty is none
		want       elastic.Workers
		limited    bool
	}{
		"none runs":                  {says: "2", want: 4, limited: true},
		"one has what it says":       {says: "2", runs: "2", want: 4, limited: true},
		"one has more":               {says: "2", runs: "4", want: 2, limited: true},
		"one has what nothing says":  {runs: "4", want: 2, limited: true},
		"it has less, and says more": {says: "4", runs: "2", want: 2, limited: true},
		"neither has any":            {},
	} {
		t.Run(name, func(t *testing.T) {
			of := func(cpus string) *corev1.PodTemplateSpec {
				if cpus == "" {
					return template()
				}
				return template(asking("cpu", cpus))
			}
			worker := Charged{Template: of(test.says)}
			if test.runs != "" {
				worker.Running = &corev1.Pod{Spec: of(test.runs).Spec}
			}
			got, limited, _ := b.Left(worker)
			if got != test.want || limited != test.limited || limited != (len(b.Charges(worker)) > 0) {
				t.Errorf("%d more are left (%t), want %d; one takes %v", got, limited, test.want, b.Charges(worker))
			}
		})
	}
}
