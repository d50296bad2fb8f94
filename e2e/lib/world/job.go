package world

import (
	"fmt"
	"maps"
	"strconv"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/takt-dev/takt/e2e/lib/training"
	"github.com/takt-dev/takt/operator/zoo/habit"
)

// Job is a training job to be made. Its zero value is one worker with one GPU that trains for hours,
// of a size that can change while it trains.
type Job struct {
	Workers int // declared; 1 if not given
	// Min and Max are the range that the job declares for itself; if not given, Min is 1 and Max is
	// Workers. A cold job declares none itself; it has the annotation takt.dev/workers instead, if
	// Max is given.
	Min, Max int
	// GPUs are those of each worker; 1 if not given, and none if negative.
	GPUs int
	// Cold makes the job one that must be stopped to be resized.
	Cold bool
	// Master gives a PyTorchJob a master, which trains as well.
	Master bool
	// Servers are the parameter servers of a TFJob. Without them it is cold.
	Servers int

	Suspended bool
	// What is written on the job for Takt, if given.
	Queue, Deadline, Guarantee, Profile string
	Labels, Annotations                 map[string]string

	// Training is how it trains; ten steps a second and worker at first, if not given.
	Training training.Spec
	// Habits are those of its training; drawn if neither these nor a Training are given and the suite says
	// DrawHabits.
	Habits *habit.Habits
	// Still says that nobody plays its training: its pods run, and it reports nothing.
	Still bool

	// PendingFor is how long its pods take to start, and StopAfter to stop, which is 1s if not given, and as long as their
	// grace period at most.
	PendingFor, StopAfter string
	// RestartPolicy of its pods; OnFailure if not given.
	RestartPolicy string
	// Change changes the job before it is made.
	Change func(job *unstructured.Unstructured)
}

// pendingFor is on a pod that takes longer to start: how long.
const pendingFor = "localcluster.takt.dev/pending-for"

// stopAfter is on the pods of jobs: how long they take to stop.
const stopAfter = "localcluster.takt.dev/stop-after"

// Endless trains longer than any test.
func Endless() training.Spec {
	return training.Spec{
		Total: 1e6, Unit: "steps", StepsPerSecond: training.Speed{Base: 10, Scaling: 0.9},
		Restart:         metav1.Duration{Duration: time.Second},
		CheckpointEvery: metav1.Duration{Duration: 2 * time.Second},
	}
}

// Steps is a training of so many steps at a speed, with a restart of a second.
func Steps(total float64, speed training.Speed) training.Spec {
	s := Endless()
	s.Total, s.StepsPerSecond = total, speed
	return s
}

// PyTorchJob makes one: with an elasticPolicy, unless it is cold.
func (w *World) PyTorchJob(name string, j Job) *unstructured.Unstructured {
	w.t.Helper()
	j.Workers = orElse(j.Workers, 1)
	replicas := map[string]any{"Worker": w.replicas(j, "pytorch", j.Workers, true)}
	if j.Master {
		replicas["Master"] = w.replicas(j, "pytorch", 1, true)
	}
	spec := map[string]any{"pytorchReplicaSpecs": replicas}
	if !j.Cold {
		spec["elasticPolicy"] = map[string]any{
			"rdzvBackend": "c10d", "minReplicas": int64(orElse(j.Min, 1)), "maxReplicas": int64(orElse(j.Max, j.Workers)),
		}
	}
	return w.makeJob("PyTorchJob", name, j, spec)
}

// TFJob makes one: with enableDynamicWorker, if it has parameter servers and is not cold.
func (w *World) TFJob(name string, j Job) *unstructured.Unstructured {
	w.t.Helper()
	j.Workers = orElse(j.Workers, 1)
	j.Cold = j.Cold || j.Servers == 0
	replicas := map[string]any{"Worker": w.replicas(j, "tensorflow", j.Workers, true)}
	if j.Servers > 0 {
		replicas["PS"] = w.replicas(j, "tensorflow", j.Servers, false)
	}
	spec := map[string]any{"tfReplicaSpecs": replicas}
	if !j.Cold {
		spec["enableDynamicWorker"] = true
		if j.Max > 0 {
			j.Annotations = with(j.Annotations, "takt.dev/workers", j.sizes())
		}
	}
	return w.makeJob("TFJob", name, j, spec)
}

func (j Job) sizes() string { return fmt.Sprintf("%d-%d", orElse(j.Min, 1), j.Max) }

// IndexedJob makes a Job of Kubernetes whose pods are numbered: with torchrun and a range of sizes, unless it is cold.
func (w *World) IndexedJob(name string, j Job) *unstructured.Unstructured {
	w.t.Helper()
	j.Workers = orElse(j.Workers, 1)
	template := w.replicas(j, "train", j.Workers, true)["template"].(map[string]any)
	pods := template["spec"].(map[string]any)
	pods["restartPolicy"] = orElse(j.RestartPolicy, "OnFailure")
	spec := map[string]any{
		"completionMode": "Indexed", "parallelism": int64(j.Workers), "completions": int64(j.Workers), "template": template,
	}
	if !j.Cold {
		pods["containers"].([]any)[0].(map[string]any)["command"] = []any{
			"torchrun", fmt.Sprintf("--nnodes=%d:%d", orElse(j.Min, 1), orElse(j.Max, j.Workers)),
			"--max-restarts=100", "--rdzv-backend=c10d", "train.py",
		}
		spec["backoffLimit"] = int64(100) // or too few could leave it, of many
	}
	return w.makeJob("Job", name, j, spec)
}

// makeJob makes a job of any kind.
func (w *World) makeJob(kind, name string, j Job, spec map[string]any) *unstructured.Unstructured {
	w.t.Helper()
	if j.Suspended && kind == "Job" {
		spec["suspend"] = true
	} else if j.Suspended {
		spec["runPolicy"] = map[string]any{"suspend": true}
	}
	job := &unstructured.Unstructured{Object: map[string]any{"spec": spec}}
	job.SetGroupVersionKind(schema.GroupVersionKind{Group: groupOf(kind), Version: "v1", Kind: kind})
	job.SetNamespace(w.Namespace)
	job.SetName(name)
	job.SetLabels(with(j.Labels, "takt.dev/queue", j.Queue))
	notes := j.Annotations
	notes = with(notes, "takt.dev/deadline", j.Deadline)
	notes = with(notes, "takt.dev/guarantee", j.Guarantee)
	notes = with(notes, "takt.dev/profile", j.Profile)
	if j.Cold && j.Max > 0 {
		notes = with(notes, "takt.dev/workers", j.sizes())
	}
	if !j.Still {
		how := j.Training
		if how.Total == 0 {
			how = Endless()
			how.Habits = w.draw(name)
		}
		if j.Habits != nil {
			how.Habits = j.Habits
		}
		notes = total(notes, how)
		notes = with(notes, training.SimulateAnnotation, how.String())
	}
	job.SetAnnotations(notes)
	if j.Change != nil {
		j.Change(job)
	}
	w.must(w.Client.Create(w.t.Context(), job))
	return job
}

// with is a copy with one more entry, if that has a value.
func with(entries map[string]string, key, value string) map[string]string {
	all := map[string]string{}
	maps.Copy(all, entries)
	if value != "" {
		all[key] = value
	}
	return all
}

// replicas are the pods of one role. They go to this world's nodes only, leave a lost node after two
// seconds, and stop quickly.
func (w *World) replicas(j Job, container string, count int, gpus bool) map[string]any {
	notes := map[string]any{stopAfter: orElse(j.StopAfter, "1s")}
	if habits := orElse(j.Habits, j.Training.Habits); habits != nil && habits.ExitsZero {
		notes["localcluster.takt.dev/stop-exit-code"] = "0"
	}
	if j.PendingFor != "" {
		notes[pendingFor] = j.PendingFor
	}
	limits := map[string]any{}
	if n := orElse(j.GPUs, 1); gpus && n > 0 {
		limits["nvidia.com/gpu"] = strconv.Itoa(n)
	}
	var tolerations []any
	for _, t := range w.tolerations() {
		entry := map[string]any{"key": t.Key, "operator": string(t.Operator), "effect": string(t.Effect)}
		if t.Value != "" {
			entry["value"] = t.Value
		}
		if t.TolerationSeconds != nil {
			entry["tolerationSeconds"] = *t.TolerationSeconds
		}
		tolerations = append(tolerations, entry)
	}
	return map[string]any{
		"replicas":      int64(count),
		"restartPolicy": orElse(j.RestartPolicy, "OnFailure"),
		"template": map[string]any{
			"metadata": map[string]any{"annotations": notes},
			"spec": map[string]any{
				"nodeSelector": map[string]any{mine: w.Namespace},
				"tolerations":  tolerations,
				"containers": []any{map[string]any{
					"name": container, "image": "example.com/train:1", "command": []any{"python", "train.py"},
					"resources": map[string]any{"limits": limits},
				}},
			},
		},
	}
}

func (w *World) tolerations() []corev1.Toleration {
	leave := int64(2)
	return []corev1.Toleration{
		{Key: mine, Operator: corev1.TolerationOpEqual, Value: w.Namespace, Effect: corev1.TaintEffectNoSchedule},
		{Key: corev1.TaintNodeUnreachable, Operator: corev1.TolerationOpExists, Effect: corev1.TaintEffectNoExecute,
			TolerationSeconds: &leave},
		{Key: corev1.TaintNodeNotReady, Operator: corev1.TolerationOpExists, Effect: corev1.TaintEffectNoExecute,
			TolerationSeconds: &leave},
	}
}
