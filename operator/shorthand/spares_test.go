package shorthand_test

import (
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/takt-dev/takt/operator/shorthand"
)

// Whoever wants a job to be left as it is, and writes that with a slip, gets no second chance once it was stopped.
func TestWhatMayBeMeantToSpareAJobSparesIt(t *testing.T) {
	type words map[string]string
	for name, test := range map[string]struct {
		labels, annotations, onPods words
		interruptible               any // nil is what nobody says
		held                        string
	}{
		"a slip":                {annotations: words{"takt.dev/interuptible": "false"}, interruptible: false},
		"a slip in a value":     {annotations: words{"takt.dev/interruptible": "flase"}, interruptible: false},
		"a slip in both":        {annotations: words{"takt.dev/interuptible": "flase"}, interruptible: false},
		"a label":               {labels: words{"takt.dev/interruptible": "false"}, interruptible: false},
		"on the pods":           {onPods: words{"takt.dev/interruptible": "false"}, interruptible: false},
		"a slip, and it may be": {annotations: words{"takt.dev/interuptible": "true"}},
		"a slip, and it is said": {annotations: words{
			"takt.dev/interuptible": "false", "takt.dev/interruptible": "true",
		}, interruptible: true},
		"a slip of a hold":          {annotations: words{"takt.dev/hodl": ""}, held: "takt.dev/hodl"},
		"a hold as a label":         {labels: words{"takt.dev/hold": ""}, held: "takt.dev/hold"},
		"a hold on the pods":        {onPods: words{"takt.dev/hold": "true"}, held: "takt.dev/hold"},
		"a slip in something else":  {annotations: words{"takt.dev/worker": "4"}},
		"a key that is like no key": {annotations: words{"takt.dev/note": "", "takt.dev/held": "until-admitted"}},
	} {
		t.Run(name, func(t *testing.T) {
			pods := &corev1.PodTemplateSpec{ObjectMeta: metav1.ObjectMeta{Annotations: test.onPods}}
			said := shorthand.Read(test.labels, test.annotations, time.UTC).OnPods(pods).OnPods(nil)
			if got := said.Fields[shorthand.Interruptible]; got != test.interruptible {
				t.Errorf("it is interruptible: %v, want %v", got, test.interruptible)
			}
			if got := shorthand.MayHold(test.labels, test.annotations, pods, nil); got != test.held {
				t.Errorf("it is held by %q, want %q", got, test.held)
			}
			told := shorthand.Sentences(said.Faults)
			if stopped := strings.Count(told, "counts as \"false\""); (stopped == 1) != (test.interruptible == false) {
				t.Errorf("told: %s", told)
			}
			if stays := strings.Count(told, "the size of the job stays"); (stays == 1) != (test.held != "") {
				t.Errorf("told: %s", told)
			}
		})
	}
}
