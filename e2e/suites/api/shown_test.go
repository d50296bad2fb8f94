package api

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/e2e/lib/cluster"
)

// rows are the lines of a table of kubectl, with one space between columns.
func rows(table string) []string {
	var rows []string
	for line := range strings.Lines(table) {
		rows = append(rows, strings.Join(strings.Fields(line), " "))
	}
	return rows
}

func TestColumnsShowWhatMatters(t *testing.T) {
	t.Parallel()
	c := connect(t)
	namespace := cluster.Shared().Namespace(t)
	job := &v1alpha1.ElasticJob{
		ObjectMeta: metav1.ObjectMeta{Name: "resnet", Namespace: namespace},
		Spec: v1alpha1.ElasticJobSpec{
			JobRef: v1alpha1.JobReference{APIVersion: "kubeflow.org/v1", Kind: "PyTorchJob", Name: "resnet"},
		},
	}
	if err := c.Create(t.Context(), job); err != nil {
		t.Fatal(err)
	}
	job.Status = v1alpha1.ElasticJobStatus{
		Verdict:    v1alpha1.VerdictOnTrack,
		Deadline:   "2026-11-21T18:00:00Z",
		Prediction: v1alpha1.PredictionStatus{ETA: "2026-11-21T17:21:00Z"},
		Summary:    v1alpha1.ElasticJobSummary{Job: "PyTorchJob/resnet", Workers: "4/8", Progress: "42%", Slack: "39m"},
	}
	if err := c.Status().Update(t.Context(), job); err != nil {
		t.Fatal(err)
	}
	change := &v1alpha1.Resize{
		ObjectMeta: metav1.ObjectMeta{Name: "resnet-3", Namespace: namespace},
		Spec: v1alpha1.ResizeSpec{
			ElasticJob: "resnet", Epoch: 3, From: 2, To: 4, Mode: v1alpha1.ResizeLive, Reason: v1alpha1.ReasonDeadlineRisk,
		},
	}
	if err := c.Create(t.Context(), change); err != nil {
		t.Fatal(err)
	}
	for _, phase := range []string{v1alpha1.ConditionProposed, v1alpha1.ConditionPlaced, v1alpha1.ConditionSucceeded} {
		change.Status.Conditions = append(change.Status.Conditions, metav1.Condition{
			Type: phase, Status: metav1.ConditionTrue, Reason: "Test", LastTransitionTime: metav1.NewTime(time.Unix(0, 0)),
		})
	}
	change.Status.Reached = v1alpha1.ConditionSucceeded
	change.Status.Cost = v1alpha1.ResizeCost{
		Pause: v1alpha1.NewDuration(9 * time.Second), Lost: v1alpha1.NewDuration(0),
	}
	if err := c.Status().Update(t.Context(), change); err != nil {
		t.Fatal(err)
	}
	begun := &v1alpha1.Resize{
		ObjectMeta: metav1.ObjectMeta{Name: "resnet-4", Namespace: namespace},
		Spec: v1alpha1.ResizeSpec{
			ElasticJob: "resnet", Epoch: 4, From: 4, To: 2, Mode: v1alpha1.ResizeCold, Reason: v1alpha1.ReasonGivenBack,
		},
	}
	if err := c.Create(t.Context(), begun); err != nil {
		t.Fatal(err)
	}
	share := createQueue(t, c, "kind: TrainingQueue\nmetadata: {generateName: test-}\nspec: {guaranteed: 4, limit: 8}")

	cases := map[string]struct {
		arguments []string
		want      []string
	}{
		"ElasticJob": {[]string{"get", "elasticjobs"}, []string{
			"NAME JOB WORKERS PROGRESS DEADLINE ETA SLACK VERDICT MISSPELT AGE",
			"resnet PyTorchJob/resnet 4/8 42% 2026-11-21T18:00:00Z 2026-11-21T17:21:00Z 39m OnTrack",
		}},
		"ElasticJob by its short name": {
			[]string{"get", "ej", "resnet", "-o", "name"}, []string{"elasticjob.takt.dev/resnet"},
		},
		"Resize": {[]string{"get", "rz"}, []string{
			"NAME JOB FROM TO REASON PHASE PAUSE LOST AGE",
			"resnet-3 resnet 2 4 DeadlineRisk Succeeded 9s 0s",
			"resnet-4 resnet 4 2 GivenBack UnderWay", // nothing of how far it has come is on record yet
		}},
		"TrainingQueue": {[]string{"get", "tq", share.GetName()}, []string{
			"NAME GUARANTEED LIMIT WEIGHT PRIORITY USED BORROWED RUNNING WAITING AGE",
			share.GetName() + " 4 8 1 0",
		}},
		"everything of Takt": {[]string{"get", "takt", "-o", "name"}, []string{
			"elasticjob.takt.dev/resnet", "resize.takt.dev/resnet-3", "resize.takt.dev/resnet-4",
			"trainingqueue.takt.dev/" + share.GetName(),
		}},
	}
	for name, test := range cases {
		t.Run(name, func(t *testing.T) {
			table, err := cluster.Shared().Kubectl(t.Context(), append(test.arguments, "--namespace", namespace)...)
			if err != nil {
				t.Fatal(err)
			}
			// the queues of other tests are in no namespace, either
			got := slices.DeleteFunc(rows(table), func(row string) bool {
				return strings.HasPrefix(row, "trainingqueue.takt.dev/") && row != "trainingqueue.takt.dev/"+share.GetName()
			})
			for i := range got {
				if fields := strings.Fields(got[i]); i > 0 && strings.HasSuffix(got[0], "AGE") {
					got[i] = strings.Join(fields[:len(fields)-1], " ") // the age depends on the clock
				}
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

func TestExplainSpeaksOfEveryField(t *testing.T) {
	t.Parallel()
	for resource, want := range map[string][]string{
		"elasticjob.spec": {
			"deadline\t<string>", "deadlineAfter\t<string>", "enum: Promise, BestEffort", "jobRef\t<Object> -required-",
		},
		"ej.spec.progress": {
			"enum: Agent, Annotation, Prometheus, Logs", "total\t<string>", "where to read: Agent, Annotation, Prometheus",
		},
		"ej.status.verdict":  {"ENUM:\n    Estimating\n    OnTrack", "whether the job will be finished in time"},
		"resize.spec":        {"from\t<integer> -required-", "enum: Live, Cold"},
		"trainingqueue.spec": {"guaranteed\t<integer>", "priority decides between queues before weights do"},
		"tp.status.speeds": {
			"run\t<string> -required-", "perSecond\t<string> -required-", "the typical number of units per second",
		},
	} {
		t.Run(resource, func(t *testing.T) {
			text, err := cluster.Shared().Kubectl(t.Context(), "explain", resource)
			if err != nil {
				t.Fatal(err)
			}
			for _, want := range want {
				if !strings.Contains(text, want) {
					t.Errorf("kubectl explain %s does not say %q:\n%s", resource, want, text)
				}
			}
		})
	}
}
