package peers

import (
	"fmt"
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/takt-dev/takt/e2e/lib/cluster"
	"github.com/takt-dev/takt/e2e/lib/load"
	"github.com/takt-dev/takt/e2e/lib/schedulerprocess"
	"github.com/takt-dev/takt/e2e/lib/world"
)

// fixed is the job of somebody who knows exactly how fast the training is at every size: of the smallest that is in
// time if it starts at once. It trains once all of its workers are there.
func fixed(o load.Order) world.Job {
	o.Training.Silent = true // nobody listens
	return world.Job{Workers: o.Fixed(), Cold: true, Training: o.Training, PendingFor: starts}
}

func stock() contender {
	return contender{
		name: "kube-scheduler", builder: "scheduler", module: "k8s.io/kubernetes", built: "%s", least: load.Order.Fixed,
		start: func(b *testing.B, home *cluster.Cluster) []process {
			return []process{schedulerprocess.Start(b,
				schedulerprocess.Options{Cluster: home, Name: "default-scheduler", Stock: true})}
		},
		job: func(w *world.World, o load.Order) { w.PyTorchJob(o.Name, fixed(o)) },
	}
}

const (
	coschedulingModule = "e2e/benchmarks/peers/coscheduling"
	podGroup           = "scheduling.x-k8s.io/pod-group"
)

// coscheduling has a PodGroup for each job, as training-operator makes them, and is configured as its own manifests
// have it.
func coscheduling() contender {
	return contender{
		name: "coscheduling", builder: coschedulingModule, module: "sigs.k8s.io/scheduler-plugins",
		built: "%s", with: "k8s.io/kubernetes", least: load.Order.Fixed,
		start: func(b *testing.B, home *cluster.Cluster) []process {
			kubectl(b, home, "", "apply", "--server-side", "-f", source(b, coschedulingModule, "sigs.k8s.io/scheduler-plugins")+
				"/config/crd/bases/scheduling.x-k8s.io_podgroups.yaml")
			return []process{schedulerprocess.Start(b, schedulerprocess.Options{
				Cluster: home, Name: "default-scheduler", Stock: true, Program: "peers/coscheduling",
				Change: []func(config, _ schedulerprocess.Object){func(config, _ schedulerprocess.Object) {
					only := []any{schedulerprocess.Object{"name": "Coscheduling"}}
					profile := config["profiles"].([]any)[0].(schedulerprocess.Object)
					profile["plugins"] = schedulerprocess.Object{
						"multiPoint": schedulerprocess.Object{"enabled": only},
						"queueSort":  schedulerprocess.Object{"enabled": only, "disabled": []any{schedulerprocess.Object{"name": "*"}}},
					}
					profile["pluginConfig"] = []any{
						schedulerprocess.Object{"name": "Coscheduling", "args": schedulerprocess.Object{"permitWaitingTimeSeconds": 10}},
					}
				}},
			})}
		},
		job: func(w *world.World, o load.Order) {
			job := fixed(o)
			w.Foreign("scheduling.x-k8s.io/v1alpha1", "PodGroup", o.Name, schedulerprocess.Object{
				"minMember": int64(job.Workers), "minResources": schedulerprocess.Object{"nvidia.com/gpu": fmt.Sprint(job.Workers)},
			})
			job.Change = func(made *unstructured.Unstructured) {
				err := unstructured.SetNestedField(made.Object, o.Name,
					"spec", "pytorchReplicaSpecs", "Worker", "template", "metadata", "labels", podGroup)
				if err != nil {
					panic(err) // the job is made here
				}
			}
			w.PyTorchJob(o.Name, job)
		},
	}
}
