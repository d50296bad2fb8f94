package planning

import (
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/elastic"
	"github.com/takt-dev/takt/operator/capacity"
	"github.com/takt-dev/takt/shares"
)

// What queues are guaranteed is divided among the kinds of GPUs, for all of them together: where there is enough for
// all, there is enough of each kind.
func TestAQueueSaysWhetherThereAreTooFewGPUsForItsGuarantee(t *testing.T) {
	sc := &Scene{
		Supply: &capacity.Supply{Nodes: []elastic.Node{{Name: "a", Pool: "A100", GPUs: 1}, {Name: "t", Pool: "T4", GPUs: 1}}},
	}
	for _, name := range []string{"research", "vision"} {
		sc.queues = append(sc.queues, &v1alpha1.TrainingQueue{ObjectMeta: metav1.ObjectMeta{Name: name}})
	}
	for guaranteed, want := range map[int32]string{
		1: "", 2: "All queues together are guaranteed 4 GPUs, and the nodes have 2 ",
	} {
		for _, queue := range sc.queues {
			queue.Spec.Guaranteed = &guaranteed
		}
		sc.guaranteed = shares.Of(sc.queues, sc.Supply.Nodes)
		for _, name := range []string{"research", "vision"} {
			if got := tooMuchGuaranteed(sc, name); !strings.HasPrefix(got, want) || want == "" && got != "" {
				t.Errorf("%s, which is guaranteed %d, says: %s", name, guaranteed, got)
			}
		}
	}
}

// What others keep until they end is not to be had, though there are GPUs enough: see testdata/borrowedforgood.txt.
func TestAQueueSaysThatOthersKeepWhatItIsGuaranteed(t *testing.T) {
	sc := &Scene{Supply: &capacity.Supply{Nodes: []elastic.Node{{Name: "a", Pool: "A100", GPUs: 4}}}}
	sc.guaranteed = []elastic.Queue{{Name: "research", Pool: "A100"}, {Name: "vision", Pool: "A100", Guaranteed: 3}}
	for name, test := range map[string]struct {
		job  elastic.Job
		want string
	}{
		"it gives that back": {elastic.Job{Queue: "research", Workers: 2}, ""},
		"it waits":           {elastic.Job{Queue: "research", Uninterruptible: true}, ""},
		"it keeps it": {elastic.Job{Queue: "research", Workers: 2, Uninterruptible: true},
			"A100: all queues together are guaranteed 3 GPUs, and 2 are left beside what "},
		"it keeps what is left": {elastic.Job{Queue: "research", Workers: 1, Uninterruptible: true}, ""},
		"it is its own":         {elastic.Job{Queue: "vision", Workers: 3, Uninterruptible: true}, ""},
	} {
		test.job.Pool = "A100"
		sc.Snapshot.Jobs = []elastic.Job{test.job}
		got := tooMuchGuaranteed(sc, "vision")
		if !strings.HasPrefix(got, test.want) || test.want == "" && got != "" {
			t.Errorf("%s: vision says: %s", name, got)
		}
		if got := tooMuchGuaranteed(sc, "research"); got != "" {
			t.Errorf("%s: research says: %s", name, got)
		}
	}
}
