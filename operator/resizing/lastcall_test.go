package resizing_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	kubeflow "github.com/kubeflow/training-operator/pkg/apis/kubeflow.org/v1"
	"sigs.k8s.io/controller-runtime/pkg/client/interceptor"

	"github.com/takt-dev/takt/operator/fixture"
	"github.com/takt-dev/takt/operator/wrapping"
)

// A rendezvous waits for latecomers in each resize that does not reach its most workers: torchrun for 30 s by itself.
// Where the agent lets all in at the same moment there are none to wait for.
func TestNobodyWaitsForLatecomersWhoCannotBe(t *testing.T) {
	suspended := func(p *kubeflow.PyTorchJob) { p.Spec.RunPolicy.Suspend = new(true) }
	patient := []kubeflow.RDZVConf{{Key: "last_call_timeout", Value: "60"}}
	short := []kubeflow.RDZVConf{{Key: "last_call_timeout", Value: "2"}}
	for name, test := range map[string]struct {
		image  string
		change func(*kubeflow.PyTorchJob)
		want   []kubeflow.RDZVConf
	}{
		"with the agent":            {agentImage, withCommand, short},
		"without the agent":         {"", withCommand, nil},
		"it has no command to wrap": {agentImage, func(*kubeflow.PyTorchJob) {}, nil},
		"the job says how long it is to": {agentImage, func(p *kubeflow.PyTorchJob) {
			withCommand(p)
			p.Spec.ElasticPolicy.RDZVConf = patient
		}, patient},
	} {
		t.Run(name, func(t *testing.T) {
			ej, job := fixture.ElasticJob("resnet"), fixture.PyTorchJob("resnet", 2, suspended, test.change)
			o := fixture.Stopped(t, interceptor.Funcs{}, ej, job, fixture.ResizeOf(ej, 1, 0, 2), fixture.Node("node", "8"))
			o.Settings.Agent.Image = test.image
			o.Furnish()
			step(t, o, "resnet-1")
			got := fixture.Get(t, o, "resnet", &kubeflow.PyTorchJob{})
			if diff := cmp.Diff(test.want, got.Spec.ElasticPolicy.RDZVConf, cmpopts.EquateEmpty()); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

// Without the agent the workers come one by one, and one who is late would cost all of them another restart.
func TestLatecomersAreWaitedForAgainWithoutTheAgent(t *testing.T) {
	ej, job := fixture.ElasticJob("resnet"), fixture.PyTorchJob("resnet", 2, withCommand, func(p *kubeflow.PyTorchJob) {
		p.Spec.RunPolicy.Suspend = new(true)
	})
	o := fixture.Stopped(t, interceptor.Funcs{}, ej, job, fixture.ResizeOf(ej, 1, 0, 2), fixture.Node("node", "8"))
	o.Settings.Agent.Image = agentImage
	o.Furnish()
	step(t, o, "resnet-1")
	const said = `pods "resnet-worker-0" is forbidden: a policy refuses pods like this`
	fixture.SaysUnmade(t, o, job, said, fixture.Start.Add(time.Minute))
	o.Now = func() time.Time { return fixture.Start.Add(2 * time.Minute) }
	step(t, o, "resnet-1")
	got := fixture.Get(t, o, "resnet", &kubeflow.PyTorchJob{})
	fault, _ := wrapping.DecodeFault(got.UID, got.Annotations[wrapping.FaultAnnotation])
	if fault.Said != said {
		t.Fatalf("the agent could not be installed: %q, want %q", fault.Said, said)
	}
	if conf := got.Spec.ElasticPolicy.RDZVConf; len(conf) > 0 {
		t.Errorf("the rendezvous is told %v", conf)
	}
	if _, left := got.Annotations["takt.dev/last-call"]; left {
		t.Error("the job says still that Takt has told its rendezvous anything")
	}
}
