package shorthand

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/takt-dev/takt/api/v1alpha1"
)

func TestWhatAJobSays(t *testing.T) {
	workers := func(from, to int64) Fields { return Fields{WorkersMin: from, WorkersMax: to} }
	expected := func(took string, at int64) Fields { return Fields{ExpectedDuration: took, ExpectedWorkers: at} }
	for name, test := range map[string]struct {
		labels, annotations map[string]string
		want                Fields
		asks                bool
		says                []string // what the sentences on it say
	}{
		"nothing":          {nil, nil, Fields{}, false, nil},
		"a queue":          {map[string]string{QueueLabel: "research"}, nil, Fields{Queue: "research"}, true, nil},
		"a queue, unnamed": {map[string]string{QueueLabel: ""}, nil, Fields{}, true, nil},
		"a deadline":       {nil, map[string]string{DeadlineAnnotation: "6h"}, Fields{}, true, nil},
		"its progress only": {nil, map[string]string{Prefix + "progress": "42%",
			Prefix + "checkpoint": "2026-11-21T18:00:00Z"}, Fields{}, false, nil},
		"what Takt keeps": {nil, map[string]string{Prefix + "ask": "{}", Prefix + "returns-to": "2",
			MomentAnnotation: "{}", TakenAnnotation: "{}"}, Fields{}, false, nil},
		"other keys": {map[string]string{"app": "x"},
			map[string]string{"localcluster.takt.dev/simulate": "x", "example.com/deadline": "6h"}, Fields{}, false, nil},
		"a range": {nil, map[string]string{WorkersAnnotation: "1-8"}, workers(1, 8), false, nil},
		"sizes": {
			nil, map[string]string{WorkersAnnotation: "8, 1,2 or 4 workers"}, Fields{Sizes: List("1,2,4,8")}, false, nil,
		},
		"multiples": {nil, map[string]string{WorkersAnnotation: "8-64 by 8"},
			Fields{WorkersMin: int64(8), WorkersMax: int64(64), MultipleOf: int64(8)}, false, nil},
		"multiples of what?": {
			nil, map[string]string{WorkersAnnotation: "1-9 by 2"}, Fields{}, false, []string{"all sizes such as 1,2,4,8"},
		},
		"a size of none": {
			nil, map[string]string{WorkersAnnotation: "0,2"}, Fields{}, false, []string{"all sizes such as 1,2,4,8"},
		},
		"a range, airy":        {nil, map[string]string{WorkersAnnotation: " 1 - 8 "}, workers(1, 8), false, nil},
		"a range of torchrun":  {nil, map[string]string{WorkersAnnotation: "1:8"}, workers(1, 8), false, nil},
		"a range, dots":        {nil, map[string]string{WorkersAnnotation: "1..8"}, workers(1, 8), false, nil},
		"a range, in words":    {nil, map[string]string{WorkersAnnotation: "1 to 8 workers"}, workers(1, 8), false, nil},
		"a range, a long dash": {nil, map[string]string{WorkersAnnotation: "1–8"}, workers(1, 8), false, nil},
		"a number":             {nil, map[string]string{WorkersAnnotation: "4"}, workers(4, 4), false, nil},
		"not to be interrupted": {
			nil, map[string]string{InterruptibleAnnotation: "False"}, Fields{Interruptible: false}, false, nil,
		},
		"may be interrupted": {
			nil, map[string]string{InterruptibleAnnotation: "yes"}, Fields{Interruptible: true}, false, nil,
		},
		"without the agent": {nil, map[string]string{AgentAnnotation: "off"}, Fields{Agent: false}, false, nil},
		"with the agent":    {nil, map[string]string{AgentAnnotation: " True"}, Fields{Agent: true}, false, nil},
		"all": {map[string]string{QueueLabel: "research"},
			map[string]string{GuaranteeAnnotation: "best-effort", ProfileAnnotation: "resnet50"},
			Fields{Queue: "research", Guarantee: "BestEffort", Profile: "resnet50"}, true, nil},

		"no time": {nil, map[string]string{DeadlineAnnotation: "soon"}, Fields{}, true,
			[]string{`takt.dev/deadline is "soon": write a time span such as 6h, or a moment such as 2026-11-21T18:00:00Z.`}},
		"no time at all": {nil, map[string]string{DeadlineAnnotation: ""}, Fields{}, true,
			[]string{`takt.dev/deadline is ""`}},
		"no workers":       {nil, map[string]string{WorkersAnnotation: "0"}, Fields{}, false, []string{`takt.dev/workers is "0": write a number of workers such as 4, a range such as 1-8, all sizes such as 1,2,4,8, or a range of multiples such as 8-64 by 8.`}},
		"negative workers": {nil, map[string]string{WorkersAnnotation: "-3"}, Fields{}, false, []string{WorkersAnnotation}},
		"the wrong way":    {nil, map[string]string{WorkersAnnotation: "8-1"}, Fields{}, false, []string{WorkersAnnotation}},
		"too many workers": {
			nil, map[string]string{WorkersAnnotation: "1-9999999999"}, Fields{}, false, []string{WorkersAnnotation},
		},
		"words": {nil, map[string]string{WorkersAnnotation: "many"}, Fields{}, false, []string{WorkersAnnotation}},
		"no guarantee": {nil, map[string]string{GuaranteeAnnotation: "yes"}, Fields{}, false,
			[]string{`takt.dev/guarantee is "yes": write Promise or BestEffort.`}},
		"interrupted never": {nil, map[string]string{InterruptibleAnnotation: "never"}, Fields{}, false,
			[]string{`takt.dev/interruptible is "never": write "false" if the job is never to be stopped or restarted, or "true".`}},
		"an agent of a sort": {nil, map[string]string{AgentAnnotation: "007"}, Fields{}, false,
			[]string{`takt.dev/agent is "007": write "false" if the pods of the job are to be without Takt's agent, or "true".`}},
		"what the agent reads": {nil, map[string]string{"takt.dev/save-signal": "SIGUSR1"}, Fields{}, false,
			[]string{"takt.dev/save-signal is read on pods only: write it among"}},
		"a slip in what it reads": {nil, map[string]string{"takt.dev/checkpoint_paths": "/data"}, Fields{}, false,
			[]string{"write takt.dev/checkpoint-path, among the annotations of the template"}},
		"what Takt tells the agent": {nil, map[string]string{"takt.dev/let-in": "3"}, Fields{}, false,
			[]string{"takt.dev/let-in is what Takt writes on pods"}},
		"saved at some time": {nil, map[string]string{CheckpointAnnotation: "just now"}, Fields{}, false,
			[]string{"takt.dev/checkpoint cannot be read: write the moment of the last checkpoint such as " +
				"2026-11-21T18:00:00Z."}},
		"saved, as Python writes it": {
			nil, map[string]string{CheckpointAnnotation: "2026-11-21 18:00:00.123456+00:00"}, Fields{}, false, nil,
		},
		"saved, in seconds": {nil, map[string]string{CheckpointAnnotation: "1795284000.25"}, Fields{}, false, nil},
		"saved, in steps": {nil, map[string]string{CheckpointAnnotation: "1200"}, Fields{}, false,
			[]string{"such as 2026-11-21T18:00:00Z"}},
		"what hindered the agent": {nil, map[string]string{"takt.dev/agent-fault": "{}"}, Fields{}, false, nil},
		"a short last call":       {nil, map[string]string{"takt.dev/last-call": "2"}, Fields{}, false, nil},
		"a slip in a key": {
			nil, map[string]string{"takt.dev/interuptible": "false"}, Fields{}, false, []string{"write takt.dev/interruptible."},
		},
		"after others": {nil, map[string]string{AfterAnnotation: " prepare, pretrain  prepare"},
			Fields{After: Names("prepare, pretrain")}, false, nil},
		"after itself": {nil, map[string]string{AfterAnnotation: "prepare, resnet"}, Fields{}, false,
			[]string{`takt.dev/after is "prepare, resnet": a job cannot wait for itself: take out resnet.`}},
		"after nobody": {
			nil, map[string]string{AfterAnnotation: ", "}, Fields{}, false, []string{"such as prepare, pretrain"},
		},
		"after a job of no name": {
			nil, map[string]string{AfterAnnotation: "prepare, Train"}, Fields{}, false, []string{"such as prepare, pretrain"},
		},
		"no profile": {
			nil, map[string]string{ProfileAnnotation: "ResNet_50"}, Fields{}, false, []string{"such as resnet50-imagenet"},
		},
		"expected": {
			nil, map[string]string{ExpectedAnnotation: "6h at 4 workers"}, expected("6h0m0s", 4), false, nil,
		},
		"expected, short": {
			nil, map[string]string{ExpectedAnnotation: " 1d12h@1 "}, expected("36h0m0s", 1), false, nil,
		},
		"expected, words": {
			nil, map[string]string{ExpectedAnnotation: "90 minutes with 8 Workers"}, expected("1h30m0s", 8), false, nil,
		},
		"expected of none": {nil, map[string]string{ExpectedAnnotation: "6h"}, Fields{}, false,
			[]string{`takt.dev/expected is "6h": write how long the whole training takes and with how many workers, such as 6h at 4 workers.`}},
		"expected at none": {
			nil, map[string]string{ExpectedAnnotation: "6h at 0 workers"}, Fields{}, false, []string{"such as 6h at 4 workers"},
		},
		"expected on GPUs": {
			nil, map[string]string{ExpectedAnnotation: "6h on 8 GPUs"}, Fields{}, false, []string{"such as 6h at 4 workers"},
		},
		"expected, bare": {nil, map[string]string{ExpectedAnnotation: "6 at 4 workers"}, Fields{}, false,
			[]string{`takt.dev/expected is "6 at 4 workers": a number has no unit: write 6h at 4 workers for hours, or 6m at 4 workers for minutes.`}},
		"expected in fortnights": {nil, map[string]string{ExpectedAnnotation: "2 fortnights at 4 workers"}, Fields{}, false,
			[]string{`"fortnights" is no unit`}},
		"expected as a label": {
			map[string]string{ExpectedAnnotation: "6h-at-4"}, nil, Fields{}, false, []string{"is read only as an annotation"},
		},
		"expect": {
			nil, map[string]string{"takt.dev/expect": "6h at 4 workers"}, Fields{}, false, []string{"write takt.dev/expected."},
		},
		"before others": {
			nil, map[string]string{PriorityAnnotation: " 10"}, Fields{Priority: int64(10)}, false, nil,
		},
		"behind others": {
			nil, map[string]string{PriorityAnnotation: "-1000"}, Fields{Priority: int64(-1000)}, false, nil,
		},
		"before all others": {nil, map[string]string{PriorityAnnotation: "1001"}, Fields{}, false,
			[]string{`takt.dev/priority is "1001": write a number from -1000 to 1000, such as 10; jobs without one have 0.`}},
		"before some": {
			nil, map[string]string{PriorityAnnotation: "high"}, Fields{}, false, []string{"write a number from -1000 to 1000"},
		},
		"in a label": {
			map[string]string{PriorityAnnotation: "10"}, nil, Fields{}, false, []string{"is read only as an annotation"},
		},
		"a time to stay": {nil, map[string]string{TTLAnnotation: "7d"}, Fields{TTL: "168h0m0s"}, false, nil},
		"stays for how long?": {nil, map[string]string{TTLAnnotation: "3600"}, Fields{}, false,
			[]string{`takt.dev/ttl-after-finished is "3600": a number has no unit: write 3600h for hours, or 3600m for minutes.`}},
		"stays for ever": {nil, map[string]string{TTLAnnotation: "for ever"}, Fields{}, false,
			[]string{"write how long the ElasticJob is to stay once the job has ended, such as 24h or 7d."}},
		"stays for no time": {nil, map[string]string{TTLAnnotation: "0s"}, Fields{}, false, []string{TTLAnnotation}},
		"no queue": {map[string]string{QueueLabel: "Team_A"}, nil, Fields{}, true,
			[]string{`takt.dev/queue is "Team_A": write the name of a TrainingQueue`}},

		"the queue as an annotation": {nil, map[string]string{QueueLabel: "research"}, Fields{}, true,
			[]string{`takt.dev/queue ("research") is an annotation of the job, and is read only as a label: write it among its labels.`}},
		"the deadline as a label": {map[string]string{DeadlineAnnotation: "6h"}, nil, Fields{}, true,
			[]string{`takt.dev/deadline ("6h") is a label of the job, and is read only as an annotation: write it among its annotations.`}},
		"a slip of the pen": {nil, map[string]string{"takt.dev/deadlin": "6h"}, Fields{}, true,
			[]string{"takt.dev/deadlin is no key that Takt knows: write takt.dev/deadline."}},
		"another case": {
			nil, map[string]string{"takt.dev/Deadline": "6h"}, Fields{}, true, []string{"write takt.dev/deadline."},
		},
		"dashes": {
			nil, map[string]string{"takt.dev/dead-line": "6h"}, Fields{}, true, []string{"write takt.dev/deadline."},
		},
		"a slip, and another place": {nil, map[string]string{"takt.dev/que": "research"}, Fields{}, true,
			[]string{"takt.dev/que is no key that Takt knows: write takt.dev/queue, as a label."}},
		"of another word": {
			nil, map[string]string{"takt.dev/worker": "1-8"}, Fields{}, false, []string{"write takt.dev/workers."},
		},
		"a key of nobody": {nil, map[string]string{"takt.dev/colour": "red"}, Fields{}, false,
			[]string{"takt.dev/colour is no key that Takt knows: take it off the job, or write one of takt.dev/checkpoint, " +
				"takt.dev/deadline"}},
		"a key of pods": {nil, map[string]string{"takt.dev/topology-required": "rack"}, Fields{}, false,
			[]string{"takt.dev/topology-required is read on pods only"}},
	} {
		t.Run(name, func(t *testing.T) {
			got := Read(test.labels, test.annotations, nil).Of("resnet")
			if diff := cmp.Diff(test.want, got.Fields); diff != "" || got.Asks != test.asks {
				t.Errorf("it asks: %t, want %t; -want +got\n%s", got.Asks, test.asks, diff)
			}
			told := Sentences(got.Faults)
			for _, text := range test.says {
				if !strings.Contains(told, text) {
					t.Errorf("%q does not say %q", told, text)
				}
			}
			if len(got.Faults) != len(test.says) {
				t.Errorf("told: %q, want %q", told, test.says)
			}
		})
	}
}

// People write on the pods what belongs on the job, and then wait for something to happen.
func TestWhatIsWrittenOnThePodsIsNamed(t *testing.T) {
	for name, test := range map[string]struct {
		job, labels, annotations map[string]string
		says                     []string
	}{
		"nothing": {nil, nil, map[string]string{"prometheus.io/scrape": "true"}, nil},
		"a deadline": {nil, nil, map[string]string{DeadlineAnnotation: "6h"},
			[]string{`takt.dev/deadline ("6h") is an annotation of the pods, and is read only on the job itself: write it among the annotations of its own metadata.`}},
		"a queue": {nil, map[string]string{QueueLabel: "research"}, nil,
			[]string{`takt.dev/queue ("research") is a label of the pods, and is read only on the job itself: write it among the labels of its own metadata.`}},
		"the queue as an annotation": {
			nil, nil, map[string]string{QueueLabel: "research"}, []string{"write it among the labels of its own metadata"},
		},
		"the queue as both": {nil, map[string]string{QueueLabel: "research"},
			map[string]string{QueueLabel: "research"}, []string{"an annotation of the pods"}},
		"on the job as well": {
			map[string]string{DeadlineAnnotation: "6h"}, nil, map[string]string{DeadlineAnnotation: "6h"}, nil,
		},
		"a key of pods": {nil, map[string]string{v1alpha1.EpochLabel: "3"},
			map[string]string{v1alpha1.TopologyRequiredAnnotation: "rack", v1alpha1.AgentAnnotation: "1"}, nil},
		"that they have the agent": {nil, nil, map[string]string{AgentAnnotation: "injected"}, nil},
		"that they have it not": {nil, nil, map[string]string{AgentAnnotation: "False"},
			[]string{`takt.dev/agent ("False") is an annotation of the pods, which are without the agent: write it among the annotations of the metadata of the job itself.`}},
	} {
		t.Run(name, func(t *testing.T) {
			template := &corev1.PodTemplateSpec{
				ObjectMeta: metav1.ObjectMeta{Labels: test.labels, Annotations: test.annotations},
			}
			got := Read(nil, test.job, nil).OnPods(template)
			told := Sentences(got.Faults)
			for _, text := range test.says {
				if !strings.Contains(told, text) {
					t.Errorf("%q does not say %q", told, text)
				}
			}
			if len(got.Faults) != len(test.says) || got.Asks != (test.job != nil) {
				t.Errorf("it asks: %t, and is told: %q, want %q", got.Asks, told, test.says)
			}
		})
	}
	leader := &corev1.PodTemplateSpec{}
	leader.Annotations = map[string]string{DeadlineAnnotation: "6h"}
	for _, templates := range [][]*corev1.PodTemplateSpec{{nil, leader}, {{}, leader}, {leader, leader}} {
		if got := Read(nil, nil, nil).OnPods(templates...); len(got.Faults) != 1 || got.Faults[0].Key != DeadlineAnnotation {
			t.Errorf("on the pod of the leader: %v", got.Faults)
		}
	}
	if got := Read(nil, nil, nil).OnPods(nil); len(got.Faults) > 0 {
		t.Errorf("without pods: %v", got.Faults)
	}
}

func TestManyFaultsFitIntoAMessage(t *testing.T) {
	on := map[string]string{}
	for _, key := range []string{"a", "b", "c", "d", "e", "f"} {
		on[Prefix+strings.Repeat(key, 55)] = strings.Repeat("x", 1000)
	}
	faults := Read(nil, on, nil).Faults
	if told := Sentences(faults); !strings.Contains(told, "More keys cannot be used: takt.dev/ddd") || len(told) > 1200 {
		t.Errorf("%d bytes: %s", len(told), told)
	}
	if keys := Keys(faults); len(keys) > 64 {
		t.Errorf("%d bytes: %s", len(keys), keys)
	}
}

func TestWordsThatAreTheSame(t *testing.T) {
	six, eight := map[string]string{DeadlineAnnotation: "6h"}, map[string]string{DeadlineAnnotation: "8h"}
	told := map[string]string{DeadlineAnnotation: "6h", Prefix + "progress": "42%"}
	empty := map[string]string{QueueLabel: ""}
	for name, test := range map[string]struct {
		labelsA, annotationsA, labelsB, annotationsB map[string]string
		want                                         bool
	}{
		"the same":         {nil, six, nil, six, true},
		"progress":         {nil, six, nil, told, true},
		"another deadline": {nil, six, nil, eight, false},
		"an empty queue":   {nil, six, empty, six, false},
	} {
		t.Run(name, func(t *testing.T) {
			if got := SameWords(test.labelsA, test.annotationsA, test.labelsB, test.annotationsB); got != test.want {
				t.Errorf("%t", got)
			}
			a, b := Read(test.labelsA, test.annotationsA, nil), Read(test.labelsB, test.annotationsB, nil)
			if got := a.Digest == b.Digest; got != test.want {
				t.Errorf("digests %s and %s", a.Digest, b.Digest)
			}
		})
	}
}

func TestWhatIsKeptOnAJobIsOfThatJobAndThoseWords(t *testing.T) {
	at := time.Date(2026, 11, 21, 18, 0, 0, 0, time.UTC)
	text, err := EncodeMoment("job", "6h", at.Add(time.Millisecond))
	if err != nil {
		t.Fatal(err)
	}
	kept := map[string]string{MomentAnnotation: text, DeadlineAnnotation: "6h"}
	if got, ok := DecodeMoment("job", "6h", kept); !ok || !got.Equal(at) {
		t.Errorf("%v %t, want %v", got, ok, at)
	}
	if _, ok := DecodeMoment("another", "6h", kept); ok {
		t.Error("a copied manifest brings its moment along")
	}
	if _, ok := DecodeMoment("job", "8h", kept); ok {
		t.Error("other words mean the same")
	}
	for _, broken := range []string{"", "6h", "{", `{"job":"job","text":"6h"}`} {
		if _, ok := DecodeMoment("job", "6h", map[string]string{MomentAnnotation: broken}); ok {
			t.Errorf("%s is a moment", broken)
		}
	}
	said := Read(nil, kept, nil)
	if kept[TakenAnnotation], err = EncodeTaken("job", said); err != nil || !WasTaken("job", said, kept) ||
		WasTaken("another", said, kept) {
		t.Errorf("taken: %s, %v", kept[TakenAnnotation], err)
	}
	if kept[DeadlineAnnotation] = "8h"; WasTaken("job", Read(nil, kept, nil), kept) {
		t.Error("it was taken for other words")
	}
}

func TestWhenAnAnnotationWasWritten(t *testing.T) {
	at := func(minute int) *metav1.Time { return new(metav1.Date(2026, 11, 21, 12, minute, 0, 0, time.UTC)) }
	entry := func(when *metav1.Time, fields string) metav1.ManagedFieldsEntry {
		return metav1.ManagedFieldsEntry{Manager: "someone", Time: when, FieldsV1: metav1.NewFieldsV1(fields)}
	}
	deadline := `{"f:metadata":{"f:annotations":{".":{},"f:takt.dev/deadline":{}}}}`
	progress := `{"f:metadata":{"f:annotations":{"f:takt.dev/progress":{}}}}`
	for name, test := range map[string]struct {
		entries []metav1.ManagedFieldsEntry
		want    *metav1.Time
	}{
		"nobody knows":        {nil, nil},
		"by one":              {[]metav1.ManagedFieldsEntry{entry(at(5), deadline), entry(at(1), progress)}, at(5)},
		"by two who agree":    {[]metav1.ManagedFieldsEntry{entry(at(5), deadline), entry(at(3), deadline)}, at(3)},
		"by one without time": {[]metav1.ManagedFieldsEntry{entry(nil, deadline)}, nil},
		"what cannot be read": {[]metav1.ManagedFieldsEntry{entry(at(5), "{")}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			got, ok := WrittenAt(test.entries, DeadlineAnnotation)
			if ok != (test.want != nil) || ok && !got.Equal(test.want.Time) {
				t.Errorf("%v %t, want %v", got, ok, test.want)
			}
		})
	}
}

func TestWhoseWordAFieldIs(t *testing.T) {
	eight := int32(8)
	ej := &v1alpha1.ElasticJob{Spec: v1alpha1.ElasticJobSpec{
		Queue: "default", Guarantee: "Promise", Deadline: "2026-11-21T20:00:00Z", Profile: "old",
		Workers: v1alpha1.WorkerRange{Max: &eight},
	}}
	ej.ManagedFields = []metav1.ManagedFieldsEntry{
		{Manager: Manager, Operation: "Apply",
			FieldsV1: metav1.NewFieldsV1(`{"f:spec":{"f:jobRef":{"f:name":{}},"f:profile":{}}}`)},
		{Manager: "kubectl-edit", Operation: "Update",
			FieldsV1: metav1.NewFieldsV1(`{"f:spec":{"f:deadline":{},"f:workers":{"f:max":{}}}}`)},
		{Manager: "takt-operator", Operation: "Update", Subresource: "status",
			FieldsV1: metav1.NewFieldsV1(`{"f:status":{}}`)},
	}
	owners, has := OwnersOf(ej), Of(&ej.Spec)
	if diff := cmp.Diff(Owners{Job: map[Field]bool{Profile: true},
		Others: map[Field]bool{Deadline: true, WorkersMax: true}, Touched: true}, owners); diff != "" {
		t.Error(diff)
	}
	said := Said{written: map[string]string{DeadlineAnnotation: "6h"}}
	says := Fields{Deadline: "2026-11-21T18:00:00Z", WorkersMin: int64(1), WorkersMax: int64(8), Queue: "research"}
	wanted := said.Wanted(says, has, owners)
	if diff := cmp.Diff(Fields{WorkersMin: int64(1), Queue: "research"}, wanted); diff != "" {
		t.Error(diff)
	}
	if owners.Settled(wanted, has) || !owners.Settled(Fields{Profile: "old"}, has) ||
		owners.Settled(Fields{Profile: "new"}, has) || owners.Settled(Fields{}, has) {
		t.Error("it is not seen what the job has said")
	}
	// Both say eight workers at most: that is no conflict.
	want := []string{"takt.dev/deadline (6h) is overruled by spec.deadline of this ElasticJob, which is " +
		"2026-11-21T20:00:00Z: write the same in both, or take one of them away."}
	if diff := cmp.Diff(want, said.Overruled(says, has, owners)); diff != "" {
		t.Error(diff)
	}
	// A bound of theirs that leaves no size with one of the job wins alone.
	nine := Fields{WorkersMin: int64(9), WorkersMax: int64(10)}
	if diff := cmp.Diff(Fields{}, said.Wanted(nine, has, owners)); diff != "" {
		t.Error(diff)
	}
	// A span that somebody gives there counts as well, and the two are never there at once.
	ej.ManagedFields[1].FieldsV1 = metav1.NewFieldsV1(`{"f:spec":{"f:deadlineAfter":{}}}`)
	if wanted := said.Wanted(says, has, OwnersOf(ej)); wanted[Deadline] != nil {
		t.Error("the deadline of the job joins the span")
	}
	// What cannot be read changes nothing.
	ej.ManagedFields[0].FieldsV1 = metav1.NewFieldsV1(`{"f:spec":{"f:profile":{},"f:queue":{}}}`)
	misspelt := Read(nil, map[string]string{ProfileAnnotation: "No Name"}, nil)
	if diff := cmp.Diff(Fields{Profile: "old"}, misspelt.Wanted(Fields{}, has, OwnersOf(ej))); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(map[string]any{
		"queue": "research", "interruptible": false, "workers": map[string]any{"min": int64(1), "max": int64(8)},
	},
		Fields{Queue: "research", Interruptible: false, WorkersMin: int64(1), WorkersMax: int64(8)}.Spec()); diff != "" {
		t.Error(diff)
	}
}

// That somebody has applied a manifest with the number of masters tells nothing of who has set that of the workers.
func TestWhoeverAppliesTheReplicasOfAMasterHasNotSetThoseOfWorkers(t *testing.T) {
	entry := func(replicas string) []metav1.ManagedFieldsEntry {
		return []metav1.ManagedFieldsEntry{{
			Manager: "kubectl-client-side-apply", Operation: metav1.ManagedFieldsOperationUpdate,
			FieldsV1: metav1.NewFieldsV1(`{"f:spec":{"f:pytorchReplicaSpecs":{` + replicas + `}}}`),
		}}
	}
	for replicas, want := range map[string]bool{
		`"f:Master":{"f:replicas":{}},"f:Worker":{"f:template":{}}`: false,
		`"f:Master":{"f:replicas":{}},"f:Worker":{"f:replicas":{}}`: true,
		`"f:Worker":{"f:replicas":{}}`:                              true,
	} {
		if got := Applied(entry(replicas), "replicas", "Master"); got != want {
			t.Errorf("%s: %t, want %t", replicas, got, want)
		}
	}
}

// Whoever applies whole manifests is known by what he notes of them, whatever he is called.
func TestWhoAppliesWholeManifests(t *testing.T) {
	const (
		replicas = `"f:spec":{"f:pytorchReplicaSpecs":{"f:Worker":{"f:replicas":{}}}}`
		all      = `"f:spec":{"f:pytorchReplicaSpecs":{"f:Worker":{"f:replicas":{},"f:template":{}}}}`
		noted    = `"f:metadata":{"f:annotations":{"f:kubectl.kubernetes.io/last-applied-configuration":{}}}`
		update   = metav1.ManagedFieldsOperationUpdate
		apply    = metav1.ManagedFieldsOperationApply
	)
	for name, test := range map[string]struct {
		manager   string
		operation metav1.ManagedFieldsOperationType
		fields    string
		want      bool
	}{
		"Argo CD":                  {"argocd-controller", update, noted + "," + replicas, true},
		"Flux":                     {"kustomize-controller", apply, all, true},
		"kubectl apply":            {"kubectl-client-side-apply", update, replicas, true},
		"a part is applied":        {"night-stop", apply, replicas, false},
		"kubectl scale":            {"kubectl", update, replicas, false},
		"kubectl edit":             {"kubectl-edit", update, noted + "," + replicas, false},
		"kubectl replace":          {"kubectl-replace", update, noted + "," + replicas, false},
		"takt":                     {"takt", update, noted + "," + replicas, false},
		"others have scaled since": {"argocd-controller", update, noted, false},
	} {
		entries := []metav1.ManagedFieldsEntry{{Manager: test.manager, Operation: test.operation,
			FieldsV1: metav1.NewFieldsV1("{" + test.fields + "}")}}
		if got := Applied(entries, "replicas", "Master"); got != test.want {
			t.Errorf("%s: %t, want %t", name, got, test.want)
		}
		if Applied(append(entries, metav1.ManagedFieldsEntry{Manager: "kubectl", Operation: update,
			FieldsV1: metav1.NewFieldsV1("{" + replicas + "}")}), "replicas", "Master") {
			t.Errorf("%s: and somebody has set it as well", name)
		}
	}
}
