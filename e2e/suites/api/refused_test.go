package api

import (
	"strings"
	"testing"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/takt-dev/takt/e2e/lib/cluster"
)

const (
	goodJob    = `jobRef: {apiVersion: kubeflow.org/v1, kind: PyTorchJob, name: resnet}`
	goodResize = `elasticJob: resnet, epoch: 1, from: 2, to: 4, mode: Live, reason: DeadlineRisk`
)

func elasticJob(spec string) string {
	return "kind: ElasticJob\nmetadata: {name: refused}\nspec:\n  " + strings.ReplaceAll(spec, "\n", "\n  ")
}

func resize(spec string) string {
	return "kind: Resize\nmetadata: {name: resnet-1}\nspec: {" + spec + "}"
}

func queue(spec string) string {
	return "kind: TrainingQueue\nmetadata: {name: refused}\nspec: {" + spec + "}"
}

// wantRefused fails unless the API server has refused something as invalid, in the words wanted.
func wantRefused(t *testing.T, err error, words []string) {
	t.Helper()
	if !apierrors.IsInvalid(err) {
		t.Fatalf("the API server should refuse this as invalid, but answers: %v", err)
	}
	for _, want := range words {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("the answer does not say %q:\n%v", want, err)
		}
	}
}

func TestBadObjectsAreRefusedWithASentence(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("a", 253)
	cases := map[string]struct {
		manifest string
		want     []string // what the answer says: where the fault is, and what to do
	}{
		"both deadline and deadlineAfter": {
			elasticJob(goodJob + "\ndeadline: 2026-11-21T18:00:00Z\ndeadlineAfter: 6h"),
			[]string{"spec", "give deadline or deadlineAfter, not both.",
				"give the moment as deadline instead, or write the time span in the annotation"},
		},
		"after itself": {
			elasticJob(goodJob + "\nafter: [{name: refused}]"),
			[]string{"spec.after names this job itself: it would never start. Take that name out"},
		},
		"after a job of no name": {
			elasticJob(goodJob + "\nafter: [{name: Prepare}]"),
			[]string{"spec.after[0].name", "must be the name of an ElasticJob"},
		},
		"after one job twice": {
			elasticJob(goodJob + "\nafter: [{name: a}, {name: a}]"),
			[]string{"spec.after[1]", "Duplicate value"},
		},
		"after too many": {
			elasticJob(goodJob + "\nafter: [" + strings.Repeat("{name: a}, ", 16) + "{name: a}]"),
			[]string{"spec.after", "must have at most 16 items"},
		},
		"negative duration": {
			elasticJob(goodJob + "\ndeadlineAfter: -6h"),
			[]string{"spec.deadlineAfter", "must be a duration in hours, minutes and seconds, such as 6h or 1h30m"},
		},
		"zero duration": {
			elasticJob(goodJob + "\ndeadlineAfter: 0h0m"),
			[]string{"spec.deadlineAfter", "deadlineAfter must be longer than zero"},
		},
		"empty duration": {
			elasticJob(goodJob + "\ndeadlineAfter: ''"),
			[]string{"spec.deadlineAfter", "must be a duration in hours, minutes and seconds"},
		},
		"expected without workers": {
			elasticJob(goodJob + "\nexpected: {duration: 6h}"),
			[]string{"spec.expected", "give both expected.duration, such as 6h, and expected.workers, such as 4"},
		},
		"expected at once": {
			elasticJob(goodJob + "\nexpected: {duration: 0h, workers: 4}"),
			[]string{"spec.expected.duration", "expected.duration must be longer than zero"},
		},
		"gone at once": {
			elasticJob(goodJob + "\nttlAfterFinished: 0s"),
			[]string{"spec.ttlAfterFinished", "ttlAfterFinished must be longer than zero"},
		},
		"too great a priority": {
			elasticJob(goodJob + "\npriority: 1001"),
			[]string{"spec.priority", "should be less than or equal to 1000"},
		},
		"duration in days": {
			elasticJob(goodJob + "\ndeadlineAfter: 2d"),
			[]string{"spec.deadlineAfter", "in hours, minutes and seconds"},
		},
		"duration that no program could hold": {
			elasticJob(goodJob + "\ndeadlineAfter: 99999999999999999999h"),
			[]string{"spec.deadlineAfter", "must be a duration"},
		},
		"deadline that is no time": {
			elasticJob(goodJob + "\ndeadline: tomorrow"),
			[]string{"spec.deadline", "must be an RFC 3339 time with a zone, such as 2026-11-21T18:00:00Z"},
		},
		"deadline that is a duration": {
			elasticJob(goodJob + "\ndeadline: 6h"),
			[]string{"spec.deadline", "this is a time span, not a moment: use deadlineAfter for it"},
		},
		"deadline that Go would write in another millennium": {
			elasticJob(goodJob + "\ndeadline: '9999-12-31T23:59:59-12:00'"),
			[]string{"spec.deadline", "must be an RFC 3339 time"},
		},
		"deadline that Go takes for none": {
			elasticJob(goodJob + "\ndeadline: '0001-01-01T00:00:00Z'"),
			[]string{"spec.deadline", "must be an RFC 3339 time"},
		},
		"deadline without a zone": {
			elasticJob(goodJob + "\ndeadline: '2026-11-21T18:00:00'"),
			[]string{"spec.deadline", "with a zone"},
		},
		"deadline on a day that does not exist": {
			elasticJob(goodJob + "\ndeadline: '2026-02-30T18:00:00Z'"),
			[]string{"spec.deadline", "must be an RFC 3339 time"},
		},
		"deadline in lower case, which Go cannot read": {
			elasticJob(goodJob + "\ndeadline: '2026-11-21t18:00:00z'"),
			[]string{"spec.deadline", "must be an RFC 3339 time"},
		},
		"min > max": {
			elasticJob(goodJob + "\nworkers: {min: 5, max: 4}"),
			[]string{"spec.workers", "workers.min must not be greater than workers.max: lower min or raise max"},
		},
		"min < 0": {
			elasticJob(goodJob + "\nworkers: {min: -1}"),
			[]string{"spec.workers.min", "greater than or equal to 0"},
		},
		"max < 1": {
			elasticJob(goodJob + "\nworkers: {max: 0}"),
			[]string{"spec.workers.max", "greater than or equal to 1"},
		},
		"no sizes": {
			elasticJob(goodJob + "\nworkers: {sizes: []}"),
			[]string{"spec.workers.sizes", "should have at least 1 items"},
		},
		"a size of no workers": {
			elasticJob(goodJob + "\nworkers: {sizes: [0, 1]}"),
			[]string{"spec.workers.sizes[0]", "greater than or equal to 1"},
		},
		"sizes out of bounds": {
			elasticJob(goodJob + "\nworkers: {sizes: [1, 8], min: 2, max: 4}"),
			[]string{"spec.workers", "none of workers.sizes is within workers.min and workers.max and a multiple of " +
				"workers.multipleOf: name one that is"},
		},
		"sizes that are no multiples": {
			elasticJob(goodJob + "\nworkers: {sizes: [2, 3], multipleOf: 4}"),
			[]string{"spec.workers", "none of workers.sizes is within"},
		},
		"multiples of nothing": {
			elasticJob(goodJob + "\nworkers: {multipleOf: 0}"),
			[]string{"spec.workers.multipleOf", "greater than or equal to 1"},
		},
		"no multiple within bounds": {
			elasticJob(goodJob + "\nworkers: {min: 9, max: 15, multipleOf: 8}"),
			[]string{
				"spec.workers", "no multiple of workers.multipleOf is within workers.min and workers.max: raise max, or lower min",
			},
		},
		"a greatest size below the multiple": {
			elasticJob(goodJob + "\nworkers: {max: 7, multipleOf: 8}"),
			[]string{"spec.workers", "no multiple of workers.multipleOf is within"},
		},
		"job of an unknown kind": {
			elasticJob("jobRef: {apiVersion: kubeflow.org/v1, kind: MPIJob, name: resnet}"),
			[]string{"spec.jobRef.kind", "supported values: ", `"PyTorchJob"`, `"TFJob"`, `"Job"`},
		},
		"job of an unknown group": {
			elasticJob("jobRef: {apiVersion: apps/v1, kind: PyTorchJob, name: resnet}"),
			[]string{"spec.jobRef.apiVersion", "supported values: ", `"kubeflow.org/v1"`, `"batch/v1"`},
		},
		"job of the group of another kind": {
			elasticJob("jobRef: {apiVersion: batch/v1, kind: PyTorchJob, name: resnet}"),
			[]string{"spec.jobRef", "jobRef.apiVersion must be batch/v1 for a Job"},
		},
		"Job of the group of other kinds": {
			elasticJob("jobRef: {apiVersion: kubeflow.org/v1, kind: Job, name: bert}"),
			[]string{"spec.jobRef", "jobRef.apiVersion must be batch/v1 for a Job"},
		},
		"no job": {
			elasticJob("queue: research"),
			[]string{"spec.jobRef", "Required value"},
		},
		"job with an empty name": {
			elasticJob("jobRef: {apiVersion: kubeflow.org/v1, kind: PyTorchJob, name: ''}"),
			[]string{"spec.jobRef.name", "must be the name of a training job"},
		},
		"job with a name of 253 characters": {
			elasticJob("jobRef: {apiVersion: kubeflow.org/v1, kind: PyTorchJob, name: " + long + "}"),
			[]string{"spec.jobRef.name", "1 to 54 lower case letters", "the job could not name its pods"},
		},
		"job with a name that no service can have": {
			elasticJob("jobRef: {apiVersion: kubeflow.org/v1, kind: PyTorchJob, name: 1bert}"),
			[]string{"spec.jobRef.name", "beginning with a letter"},
		},
		"Job with a name of 59 characters": {
			elasticJob("jobRef: {apiVersion: batch/v1, kind: Job, name: " + strings.Repeat("b", 59) + "}"),
			[]string{"spec.jobRef.name", "1 to 58 lower case letters", "the Job could not name its pods"},
		},
		"profile that is no DNS label": {
			elasticJob(goodJob + "\nprofile: ResNet_50"),
			[]string{"spec.profile", "must be a DNS label of at most 63 characters, such as resnet50-imagenet"},
		},
		"profile of 64 characters": {
			elasticJob(goodJob + "\nprofile: " + long[:64]),
			[]string{"spec.profile", "63"},
		},
		"queue that is no DNS label": {
			elasticJob(goodJob + "\nqueue: Team A"),
			[]string{"spec.queue", "must be the name of a TrainingQueue"},
		},
		"unknown guarantee": {
			elasticJob(goodJob + "\nguarantee: Sure"),
			[]string{"spec.guarantee", `supported values: "Promise", "BestEffort"`},
		},
		"ElasticJob with a name of 253 characters": {
			"kind: ElasticJob\nmetadata: {name: " + long + "}\nspec: {" + goodJob + "}",
			[]string{"metadata.name must be a DNS label of at most 63 characters", "choose a shorter or plainer name"},
		},
		"TrainingQueue with a name of 253 characters": {
			"kind: TrainingQueue\nmetadata: {name: " + long + "}\nspec: {}",
			[]string{"metadata.name must be a DNS label of at most 63 characters"},
		},
		"TrainingProfile with a name of 253 characters": {
			"kind: TrainingProfile\nmetadata: {name: " + long + "}",
			[]string{"metadata.name must be a DNS label of at most 63 characters"},
		},
		"queue with weight 0":      {queue("weight: 0"), []string{"spec.weight", "greater than or equal to 1"}},
		"queue with weight -1":     {queue("weight: -1"), []string{"spec.weight", "greater than or equal to 1"}},
		"queue with guaranteed -1": {queue("guaranteed: -1"), []string{"spec.guaranteed", "greater than or equal to 0"}},
		"queue with unknown borrowing": {queue("borrowing: Maybe"), []string{"spec.borrowing",
			`supported values: "Allow", "Forbid"`}},
		"queue that can have nothing": {
			queue("borrowing: Forbid"),
			[]string{"spec", "guaranteed nothing: raise guaranteed, or set borrowing to Allow"},
		},
		"guaranteed > limit": {
			queue("guaranteed: 9, limit: 8"),
			[]string{"spec", "guaranteed must not be greater than limit: lower guaranteed or raise limit"},
		},
		"queue that lets nobody wait": {
			queue("jobs: {maxWait: 0s}"), []string{"spec.jobs.maxWait", "must be longer than zero"},
		},
		"queue that gives its jobs no time": {
			queue("jobs: {deadlineAfter: 0s}"), []string{"spec.jobs.deadlineAfter", "must be longer than zero"},
		},
		"queue that gives its jobs a day": {
			queue("jobs: {deadlineAfter: 1d}"), []string{"spec.jobs.deadlineAfter", "such as 6h or 1h30m"},
		},
		"selector with an unknown operator": {
			queue("namespaceSelector: {matchExpressions: [{key: team, operator: Is, values: [a]}]}"),
			[]string{"spec.namespaceSelector.matchExpressions[0].operator",
				`supported values: "In", "NotIn", "Exists", "DoesNotExist"`},
		},
		"selector In without values": {
			queue("namespaceSelector: {matchExpressions: [{key: team, operator: In}]}"),
			[]string{"spec.namespaceSelector.matchExpressions[0]", "values must be given with the operators In and NotIn"},
		},
		"selector Exists with values": {
			queue("namespaceSelector: {matchExpressions: [{key: team, operator: Exists, values: [a]}]}"),
			[]string{"spec.namespaceSelector.matchExpressions[0]", "left out with Exists and DoesNotExist"},
		},
		"selector with a key that is no label": {
			queue("namespaceSelector: {matchExpressions: [{key: 'a b', operator: Exists}]}"),
			[]string{"spec.namespaceSelector.matchExpressions[0].key", "key must be a label key"},
		},
		"selector with a value that is no label value": {
			queue("namespaceSelector: {matchExpressions: [{key: team, operator: In, values: ['a b']}]}"),
			[]string{"spec.namespaceSelector.matchExpressions[0].values", "values has a value that no label can have"},
		},
		"selector with labels that cannot be": {
			queue("namespaceSelector: {matchLabels: {'a b': c}}"),
			[]string{"spec.namespaceSelector.matchLabels", "matchLabels has a key that no label can have"},
		},
		"selector with label values that cannot be": {
			queue("namespaceSelector: {matchLabels: {team: 'a b'}}"),
			[]string{"spec.namespaceSelector.matchLabels", "matchLabels has a value that no label can have"},
		},
		"progress up to nothing": {
			elasticJob(goodJob + "\nprogress: {total: '0.0'}"),
			[]string{"spec.progress", "total must be more than zero"},
		},
		"progress in a total that is no number": {
			elasticJob(goodJob + "\nprogress: {total: 1e3}"),
			[]string{"spec.progress.total", "must be"},
		},
		"progress from an unknown source": {
			elasticJob(goodJob + "\nprogress: {source: Telepathy}"),
			[]string{"spec.progress.source", `supported values: "Agent", "Annotation"`},
		},
		"progress from Prometheus without a metric": {
			elasticJob(goodJob + "\nprogress: {source: Prometheus}"),
			[]string{"spec.progress", "metric is the name of the metric to read, with the sources Prometheus and CustomMetrics"},
		},
		"progress from logs with a metric": {
			elasticJob(goodJob + "\nprogress: {source: Logs, metric: steps, total: '10'}"),
			[]string{"spec.progress", "leave it out with others"},
		},
		"progress in a metric from nowhere": {
			elasticJob(goodJob + "\nprogress: {metric: steps, total: '10'}"),
			[]string{"spec.progress", "give source with metric: Prometheus or CustomMetrics"},
		},
		"progress in a metric of no total": {
			elasticJob(goodJob + "\nprogress: {source: Prometheus, metric: steps}"),
			[]string{"spec.progress", "say what metric counts up to: give either total, such as 1000, or totalMetric"},
		},
		"progress in a metric of two totals": {
			elasticJob(goodJob + "\nprogress: {source: Prometheus, metric: steps, total: '10', totalMetric: all}"),
			[]string{"spec.progress", "give either total, such as 1000, or totalMetric"},
		},
		"progress in a metric of no name": {
			elasticJob(goodJob + "\nprogress: {source: Prometheus, metric: '{}', total: '10'}"),
			[]string{"spec.progress.metric", "metric must be the name of a metric, such as train_steps_total"},
		},
		"progress with a total metric alone": {
			elasticJob(goodJob + "\nprogress: {totalMetric: steps}"),
			[]string{"spec.progress", "totalMetric goes with metric"},
		},
		"progress at port 0": {
			elasticJob(goodJob + "\nprogress: {source: Prometheus, metric: steps, total: '10', port: 0}"),
			[]string{"spec.progress.port", "greater than or equal to 1"},
		},
		"progress at the port of a log": {
			elasticJob(goodJob + "\nprogress: {source: Logs, port: 8080}"),
			[]string{"spec.progress", "port and path are for the source Prometheus: leave them out with others"},
		},
		"progress at a path of another host": {
			elasticJob(goodJob + "\nprogress: {source: Prometheus, metric: steps, total: '10', path: 'http://example.com'}"),
			[]string{"spec.progress.path", "path must begin with '/', as in /metrics"},
		},
		"progress from the container of an annotation": {
			elasticJob(goodJob + "\nprogress: {source: Annotation, container: pytorch}"),
			[]string{"spec.progress", "container is for the source Logs: leave it out with others"},
		},
		"progress from a container that cannot be": {
			elasticJob(goodJob + "\nprogress: {source: Logs, container: Py_Torch}"),
			[]string{"spec.progress.container", "container must be the name of a container of the pods of the job"},
		},
		"selector that is empty": {
			queue("namespaceSelector: {}"),
			[]string{"spec.namespaceSelector", "an empty selector chooses nothing: give matchLabels or matchExpressions"},
		},
		"selector whose only value was forgotten": {
			queue("namespaceSelector: {matchLabels: {department: }}"),
			[]string{"spec.namespaceSelector.matchLabels", "should have at least 1 properties"},
		},
		"selector that is a string": {
			queue("namespaceSelector: team=a"),
			[]string{"spec.namespaceSelector", "must be of type object"},
		},
		"resize to the same size": {
			resize(strings.Replace(goodResize, "to: 4", "to: 2", 1)), []string{"spec", "from and to are the same size"},
		},
		"resize of unknown mode": {resize(strings.Replace(goodResize, "Live", "Warm", 1)), []string{"spec.mode",
			`supported values: "Live", "Cold"`}},
		"resize for an unknown reason": {
			resize(strings.Replace(goodResize, "DeadlineRisk", "Whim", 1)), []string{"spec.reason", "supported values"},
		},
		"resize of epoch 0": {
			resize(strings.Replace(goodResize, "epoch: 1", "epoch: 0", 1)), []string{"spec.epoch", "greater than or equal to 1"},
		},
		"resize to less than nothing": {
			resize(strings.Replace(goodResize, "to: 4", "to: -1", 1)), []string{"spec.to", "greater than or equal to 0"},
		},
		"resize without a job": {
			resize(strings.Replace(goodResize, "elasticJob: resnet, ", "", 1)), []string{"spec.elasticJob", "Required value"},
		},
		"resize acceptable above to": {
			resize(goodResize + ", acceptable: 5"), []string{"spec", "acceptable is for a growing job only"},
		},
		"resize placed within no time": {
			resize(goodResize + ", placeWithinSeconds: 0"), []string{"spec.placeWithinSeconds", "greater than or equal to 1"},
		},
		"resize with another name": {strings.Replace(resize(goodResize), "name: resnet-1", "name: resnet-2", 1),
			[]string{"the name of a Resize is that of its ElasticJob and its epoch", "such as resnet-3"}},
		"resize with a name of 253 characters": {strings.Replace(resize(goodResize), "name: resnet-1", "name: "+long, 1),
			[]string{"the name of a Resize is that of its ElasticJob and its epoch"}},
		"resize of a job with long name": {
			resize(strings.Replace(goodResize, "resnet", long, 1)), []string{"spec.elasticJob", "63"},
		},
	}
	c := connect(t)
	namespace := cluster.Shared().Namespace(t)
	for name, test := range cases {
		t.Run(name, func(t *testing.T) {
			bad := object(t, test.manifest, namespace)
			err := c.Create(t.Context(), bad)
			wantRefused(t, err, test.want)
			if err := c.Get(t.Context(), client.ObjectKeyFromObject(bad), bad); !apierrors.IsNotFound(err) {
				t.Errorf("it was stored all the same: %v", err)
			}
		})
	}
}

func TestBadChangesAreRefusedWithASentence(t *testing.T) {
	t.Parallel()
	cases := map[string]struct {
		manifest string
		path     []string
		value    string
		want     []string
	}{
		"another job": {
			elasticJob(goodJob), []string{"spec", "jobRef", "name"}, "bert",
			[]string{"spec.jobRef",
				"jobRef cannot be changed: delete this ElasticJob (its job keeps running) and create one for the other job"},
		},
		"another kind of job": {
			elasticJob(goodJob), []string{"spec", "jobRef", "kind"}, "TFJob",
			[]string{"spec.jobRef", "jobRef cannot be changed"},
		},
		"another resize": {
			resize(goodResize), []string{"spec", "reason"}, "SpareCapacity",
			[]string{"spec", "the spec of a Resize cannot be changed", "a newer decision is a new Resize"},
		},
		"another message of a resize": {
			resize(goodResize), []string{"spec", "message"}, "because",
			[]string{"spec", "the spec of a Resize cannot be changed"},
		},
	}
	c := connect(t)
	for name, test := range cases {
		t.Run(name, func(t *testing.T) {
			good := object(t, test.manifest, cluster.Shared().Namespace(t))
			if err := c.Create(t.Context(), good); err != nil {
				t.Fatal(err)
			}
			changed := good.DeepCopy()
			if err := unstructured.SetNestedField(changed.Object, test.value, test.path...); err != nil {
				t.Fatal(err)
			}
			err := c.Update(t.Context(), changed)
			wantRefused(t, err, test.want)
			if err := c.Get(t.Context(), client.ObjectKeyFromObject(good), changed); err != nil {
				t.Fatal(err)
			}
			if changed.GetResourceVersion() != good.GetResourceVersion() {
				t.Error("something was stored all the same")
			}
		})
	}
}

func TestBadStatusIsRefused(t *testing.T) {
	t.Parallel()
	cases := map[string]struct {
		manifest, status string
		want             []string
	}{
		"unknown verdict": {
			elasticJob(goodJob), "verdict: Fine", []string{"status.verdict", `supported values: "Estimating", "OnTrack"`},
		},
		"time that Go cannot read": {
			elasticJob(goodJob), "prediction: {eta: '2026-11-21t18:00:00z'}", []string{
				"status.prediction.eta", "must be an RFC 3339 time",
			},
		},
		"more than all of the work": {
			elasticJob(goodJob), "progress: {partsPerMillion: 1000001}", []string{
				"status.progress.partsPerMillion", "less than or equal to 1000000",
			},
		},
		"negative pause": {
			resize(goodResize), "cost: {pause: -9s}", []string{
				"status.cost.pause", "must be a duration in hours, minutes and seconds",
			},
		},
		"phase that has not come about": {
			resize(goodResize), "conditions: [" + strings.Replace(condition("Placed"), "True", "False", 1) + "]",
			[]string{"status.conditions", "a condition of a Resize is added when it has come about",
				"say in status.placement what does not fit"},
		},
		"speed of nothing": {
			"kind: TrainingProfile\nmetadata: {name: refused}", "speeds: [" + speed(1, "0") + "]",
			[]string{"status.speeds[0].perSecond", "perSecond must be more than zero"},
		},
		"restart of an unknown kind": {
			"kind: TrainingProfile\nmetadata: {name: refused}", "restarts: [" + restarted("Warm", 9000) + "]",
			[]string{"status.restarts[0].kind", `supported values: "Start", "Live", "Cold"`},
		},
		"restart that took less than no time": {
			"kind: TrainingProfile\nmetadata: {name: refused}", "restarts: [" + restarted("Live", -1) + "]",
			[]string{"status.restarts[0].pauseMilliseconds", "greater than or equal to 0"},
		},
		"speed that takes Go for ever to read": {
			"kind: TrainingProfile\nmetadata: {name: refused}", "speeds: [" + speed(1, "1e999999999") + "]",
			[]string{"status.speeds[0].perSecond", "must be a decimal number such as 12.5"},
		},
		"speed of no run": {
			"kind: TrainingProfile\nmetadata: {name: refused}",
			"speeds: [" + strings.Replace(speed(1, "1"), "run: resnet-1f9c, ", "", 1) + "]",
			[]string{"status.speeds[0].run", "Required value"},
		},
		"restart of an empty run": {
			"kind: TrainingProfile\nmetadata: {name: refused}",
			"restarts: [" + strings.Replace(restarted("Live", 1), "resnet-1f9c", "''", 1) + "]",
			[]string{"status.restarts[0].run", "should be at least 1 chars long"},
		},
		"speed without workers": {
			"kind: TrainingProfile\nmetadata: {name: refused}", "speeds: [" + speed(0, "1") + "]",
			[]string{"status.speeds[0].workers", "greater than or equal to 1"},
		},
	}
	c := connect(t)
	for name, test := range cases {
		t.Run(name, func(t *testing.T) {
			stored := object(t, test.manifest, cluster.Shared().Namespace(t))
			if err := c.Create(t.Context(), stored); err != nil {
				t.Fatal(err)
			}
			bad := object(t, test.manifest+"\nstatus: {"+test.status+"}", stored.GetNamespace())
			bad.SetResourceVersion(stored.GetResourceVersion())
			err := c.Status().Update(t.Context(), bad)
			wantRefused(t, err, test.want)
		})
	}
}
