package kubeflow

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"testing"

	kubeflow "github.com/kubeflow/training-operator/pkg/apis/kubeflow.org/v1"
	jsonpatch "gopkg.in/evanphx/json-patch.v4"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/takt-dev/takt/agent/contract"
	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/elastic/resize"
	"github.com/takt-dev/takt/operator/kind"
	"github.com/takt-dev/takt/operator/wrapping"
)

const agentImage = "registry/takt-agent:1"

var wrappingTarget = kind.Target{ElasticJob: "resnet", Least: 1, Most: 8, Agent: wrapping.Intent{Image: agentImage}}

func suspendedJob(p *kubeflow.PyTorchJob) { p.Spec.RunPolicy.Suspend = new(true) }

func commandOf(p *kubeflow.PyTorchJob, role kubeflow.ReplicaType) string {
	return strings.Join(p.Spec.PyTorchReplicaSpecs[role].Template.Spec.Containers[1].Command, " ")
}

const (
	bareCommand    = "python train.py"
	wrappedCommand = "/takt/agent exec -- python train.py"
)

// The agent comes while a job is suspended, and goes then. One that trains keeps what it was begun with.
func TestTheAgentComesAndGoesWithAStart(t *testing.T) {
	begun := resized(t, pytorch(suspendedJob), forward(2), wrappingTarget)
	stopped := forward(2)
	stopped.Suspended = true
	without := wrappingTarget
	without.Agent = wrapping.Intent{}
	faulty := wrappingTarget
	faulty.Agent = wrapping.Intent{Fault: "ImagePullBackOff"}
	for name, test := range map[string]struct {
		job  *kubeflow.PyTorchJob
		ask  resize.Ask
		to   kind.Target
		want string
	}{
		"a start":                          {pytorch(suspendedJob), forward(2), wrappingTarget, wrappedCommand},
		"a start without":                  {pytorch(suspendedJob), forward(2), without, bareCommand},
		"a growth of one that has it not":  {pytorch(), forward(4), wrappingTarget, bareCommand},
		"a growth of one that has it":      {begun, forward(4), wrappingTarget, wrappedCommand},
		"a growth once it is switched off": {begun, forward(4), without, wrappedCommand},
		"a shrink of one that has it not":  {pytorch(), forward(1), wrappingTarget, bareCommand},
		"the first half of a restart":      {pytorch(), stopped, wrappingTarget, bareCommand},
		"the second half of a restart": {
			resized(t, pytorch(), stopped, wrappingTarget), forward(4), wrappingTarget, wrappedCommand,
		},
		"a restart once it is off": {resized(t, begun, stopped, without), forward(4), without, bareCommand},
		"what cannot be installed": {begun, forward(2), faulty, bareCommand},
		"a growth after an apply": {func() *kubeflow.PyTorchJob {
			p := begun.DeepCopy()
			asWritten := pytorch().Spec.PyTorchReplicaSpecs["Worker"].Template.Spec
			p.Spec.PyTorchReplicaSpecs["Worker"].Template.Spec.Containers = asWritten.Containers
			return p
		}(), forward(4), wrappingTarget, wrappedCommand},
		"no command": {pytorch(suspendedJob, func(p *kubeflow.PyTorchJob) {
			p.Spec.PyTorchReplicaSpecs["Worker"].Template.Spec.Containers[1].Command = nil
		}), forward(2), wrappingTarget, ""},
	} {
		t.Run(name, func(t *testing.T) {
			after := resized(t, test.job, test.ask, test.to)
			if got := commandOf(after, "Worker"); got != test.want {
				t.Errorf("the workers run %q, want %q", got, test.want)
			}
			_, there := after.Spec.PyTorchReplicaSpecs["Worker"].Template.Annotations["takt.dev/agent"]
			if there != (test.want == wrappedCommand) {
				t.Errorf("it says of the agent that it is there: %t", there)
			}
		})
	}
}

// A master and its workers wait for each other, or none of them does.
func TestAllThatTrainGetTheAgentOrNone(t *testing.T) {
	all := resized(t, pytorch(withMaster, suspendedJob), forward(3), wrappingTarget)
	if commandOf(all, "Master") != wrappedCommand || commandOf(all, "Worker") != wrappedCommand {
		t.Errorf("they run %q and %q", commandOf(all, "Master"), commandOf(all, "Worker"))
	}
	none := resized(t, pytorch(withMaster, suspendedJob, func(p *kubeflow.PyTorchJob) {
		p.Spec.PyTorchReplicaSpecs["Master"].Template.Spec.Containers[1].Command = nil
	}), forward(3), wrappingTarget)
	if commandOf(none, "Worker") != bareCommand {
		t.Errorf("the workers run %q beside a master without", commandOf(none, "Worker"))
	}
	faulty := wrappingTarget
	faulty.Agent = wrapping.Intent{Fault: "ImagePullBackOff"}
	off := resized(t, all, forward(3), faulty)
	if commandOf(off, "Master") != bareCommand || commandOf(off, "Worker") != bareCommand {
		t.Errorf("once it cannot be installed they run %q and %q", commandOf(off, "Master"), commandOf(off, "Worker"))
	}
}

func TestAParameterServerHasNoAgent(t *testing.T) {
	job := tensorflow(func(t *kubeflow.TFJob) { t.Spec.RunPolicy.Suspend = new(true) })
	patch, err := tfJob{}.Patch(job, forward(3), wrappingTarget)
	if err != nil {
		t.Fatal(err)
	}
	after := patched(t, job, patch, &kubeflow.TFJob{})
	for role, want := range map[kubeflow.ReplicaType]string{"Worker": wrappedCommand, "PS": bareCommand} {
		if got := strings.Join(after.Spec.TFReplicaSpecs[role].Template.Spec.Containers[1].Command, " "); got != want {
			t.Errorf("%s runs %q, want %q", role, got, want)
		}
	}
}

// That it could not be installed is kept on the job, by the patch that has it run without.
func TestWhatHinderedTheAgentIsKept(t *testing.T) {
	begun := resized(t, pytorch(suspendedJob), forward(2), wrappingTarget)
	faulty := wrappingTarget
	faulty.Agent = wrapping.Intent{Fault: "ImagePullBackOff: denied"}
	after := resized(t, begun, forward(2), faulty)
	kept, ok := wrapping.DecodeFault(after.UID, after.Annotations[wrapping.FaultAnnotation])
	if !ok || kept.Image != agentImage || kept.Said != "ImagePullBackOff: denied" {
		t.Errorf("it keeps %+v", kept)
	}
	if again := (wrapping.Default{Image: agentImage, ByDefault: true}).For(after.UID, nil,
		after.Annotations[wrapping.FaultAnnotation]); again.Image != "" {
		t.Errorf("it is put in again: %+v", again)
	}
}

// The guarded patch is refused if somebody has changed the containers meanwhile, and comes through if not.
func TestAPatchWithTheAgentIsGuarded(t *testing.T) {
	job := pytorch(suspendedJob)
	patch, err := pytorchJob{}.Patch(job, forward(2), wrappingTarget)
	if err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(job)
	if err != nil {
		t.Fatal(err)
	}
	object := &unstructured.Unstructured{}
	if err := object.UnmarshalJSON(text); err != nil {
		t.Fatal(err)
	}
	guarded, err := kind.Guarded(object, patch)
	if err != nil {
		t.Fatal(err)
	}
	operations, err := jsonpatch.DecodePatch(guarded)
	if err != nil {
		t.Fatal(err)
	}
	after, err := operations.Apply(text)
	if err != nil {
		t.Fatalf("it is refused: %v", err)
	}
	var begun kubeflow.PyTorchJob
	if err := json.Unmarshal(after, &begun); err != nil || commandOf(&begun, "Worker") != wrappedCommand {
		t.Errorf("the workers run %q (%v)", commandOf(&begun, "Worker"), err)
	}
	changed := strings.Replace(string(text), "train.py", "test.py", 1)
	if _, err := operations.Apply([]byte(changed)); err == nil {
		t.Error("it comes through though somebody has changed the command")
	}
}

// A job that is let go of has nothing of the agent on it, whoever of its pods has it still.
func TestReleaseTakesTheAgentOut(t *testing.T) {
	begun := resized(t, pytorch(withMaster, suspendedJob), forward(3), wrappingTarget)
	patch, err := pytorchJob{}.Release(begun, kind.Release{At: ended, Without: []string{kind.AskAnnotation}})
	if err != nil {
		t.Fatal(err)
	}
	free := patched(t, begun, patch, &kubeflow.PyTorchJob{})
	for role, spec := range pytorch(withMaster).Spec.PyTorchReplicaSpecs {
		same(t, spec.Template.Spec.Containers, free.Spec.PyTorchReplicaSpecs[role].Template.Spec.Containers)
		same(t, spec.Template.Spec.Volumes, free.Spec.PyTorchReplicaSpecs[role].Template.Spec.Volumes)
		same(t, spec.Template.Spec.InitContainers, free.Spec.PyTorchReplicaSpecs[role].Template.Spec.InitContainers)
		same(t, spec.Template.Annotations, free.Spec.PyTorchReplicaSpecs[role].Template.Annotations)
	}
	if left, err := (pytorchJob{}).Release(free, kind.Release{At: ended}); err != nil || left != nil {
		t.Errorf("there is more to take out: %s (%v)", left, err)
	}
}

func TestWhyTheAgentCannotStartAJob(t *testing.T) {
	read := func(change ...func(*kubeflow.PyTorchJob)) kind.Job { return pytorchJob{}.Read(pytorch(change...)) }
	if why := read().AgentObstacle; why != "" {
		t.Errorf("it says %q of a job that it can start", why)
	}
	bare := func(p *kubeflow.PyTorchJob) {
		for _, spec := range p.Spec.PyTorchReplicaSpecs {
			spec.Template.Spec.Containers = slices.Clone(spec.Template.Spec.Containers[:1])
		}
	}
	if why := read(bare).AgentObstacle; !strings.Contains(why, "no container pytorch") {
		t.Errorf("it says %q", why)
	}
}

// Workers can join those who train already only if all of them were told something when they began.
func TestWorkersAreToldHowOthersCanJoin(t *testing.T) {
	const name = "TORCH_DISABLE_SHARE_RDZV_TCP_STORE"
	with := func(e corev1.EnvVar) *kubeflow.PyTorchJob {
		return pytorch(suspendedJob, func(p *kubeflow.PyTorchJob) {
			c := &p.Spec.PyTorchReplicaSpecs["Worker"].Template.Spec.Containers[1]
			c.Env = append(c.Env, e)
		})
	}
	bare := wrappingTarget
	bare.Agent = wrapping.Intent{}
	seed := corev1.EnvVar{Name: "SEED", Value: "1"}
	from := corev1.EnvVar{
		Name: name, ValueFrom: &corev1.EnvVarSource{FieldRef: &corev1.ObjectFieldSelector{FieldPath: "metadata.name"}},
	}
	for what, test := range map[string]struct {
		job  *kubeflow.PyTorchJob
		to   kind.Target
		want []corev1.EnvVar // of those that are not the agent's
	}{
		"a start":                {pytorch(suspendedJob), bare, []corev1.EnvVar{seed, {Name: name, Value: "1"}}},
		"a start with the agent": {pytorch(suspendedJob), wrappingTarget, []corev1.EnvVar{seed, {Name: name, Value: "1"}}},
		"the user has set it": {
			with(corev1.EnvVar{Name: name, Value: "0"}), bare, []corev1.EnvVar{seed, {Name: name, Value: "0"}},
		},
		"the user has it set": {with(from), wrappingTarget, []corev1.EnvVar{seed, from}},
		"it trains":           {pytorch(), bare, []corev1.EnvVar{seed}},
		"it cannot change its size": {
			pytorch(suspendedJob, func(p *kubeflow.PyTorchJob) { p.Spec.ElasticPolicy = nil }), bare, []corev1.EnvVar{seed},
		},
		"another rendezvous": {pytorch(suspendedJob, func(p *kubeflow.PyTorchJob) {
			p.Spec.ElasticPolicy.RDZVBackend = new(kubeflow.BackendETCD)
		}), bare, []corev1.EnvVar{seed}},
	} {
		t.Run(what, func(t *testing.T) {
			after := resized(t, test.job, forward(3), test.to)
			containers := after.Spec.PyTorchReplicaSpecs["Worker"].Template.Spec.Containers
			same(t, test.want, slices.DeleteFunc(containers[1].Env, func(e corev1.EnvVar) bool {
				return strings.HasPrefix(e.Name, "TAKT_")
			}))
			if len(containers[0].Env) > 0 {
				t.Errorf("the sidecar is told %v", containers[0].Env)
			}
		})
	}
}

// With restartPolicy Never, which is that of a TFJob which says none, a job would fail with the first pod in which the
// agent cannot be installed. An elastic PyTorchJob is given another as it starts.
func TestAJobThatFailsWithAPodHasNoAgent(t *testing.T) {
	policy := func(policy kubeflow.RestartPolicy) func(*kubeflow.PyTorchJob) {
		return func(p *kubeflow.PyTorchJob) { p.Spec.PyTorchReplicaSpecs["Worker"].RestartPolicy = policy }
	}
	rigid := func(p *kubeflow.PyTorchJob) { p.Spec.ElasticPolicy = nil }
	for name, test := range map[string]struct {
		change []func(*kubeflow.PyTorchJob)
		want   string
	}{
		"it says nothing": {[]func(*kubeflow.PyTorchJob){rigid, policy("")}, wrappedCommand},
		"on failure":      {[]func(*kubeflow.PyTorchJob){rigid, policy("OnFailure")}, wrappedCommand},
		"by exit code":    {[]func(*kubeflow.PyTorchJob){rigid, policy("ExitCode")}, wrappedCommand},
		"never":           {[]func(*kubeflow.PyTorchJob){rigid, policy("Never")}, bareCommand},
		"its master never": {[]func(*kubeflow.PyTorchJob){withMaster, func(p *kubeflow.PyTorchJob) {
			p.Spec.PyTorchReplicaSpecs["Master"].RestartPolicy = "Never"
		}}, bareCommand},
		"never, of an elastic one": {[]func(*kubeflow.PyTorchJob){policy("Never")}, wrappedCommand},
	} {
		t.Run(name, func(t *testing.T) {
			job := pytorch(append(test.change, suspendedJob)...)
			if why := (pytorchJob{}).Read(job).AgentObstacle; strings.Contains(why, "has restartPolicy Never") !=
				(test.want == bareCommand) {
				t.Errorf("it says %q", why)
			}
			if got := commandOf(resized(t, job, forward(3), wrappingTarget), "Worker"); got != test.want {
				t.Errorf("the workers run %q", got)
			}
		})
	}
	byItself := tensorflow(func(t *kubeflow.TFJob) { t.Spec.TFReplicaSpecs["Worker"].RestartPolicy = "" })
	if why := (tfJob{}).Read(byItself).AgentObstacle; !strings.Contains(why, "says no restartPolicy, which is Never") {
		t.Errorf("of a TFJob that says none: %q", why)
	}
}

// Whoever comes with a growth knows from its pod that others train already: the agent in it waits until it is let in.
func TestWhoComesWithAGrowthKnowsIt(t *testing.T) {
	begun := resized(t, pytorch(suspendedJob), forward(2), wrappingTarget)
	for name, test := range map[string]struct {
		job   *kubeflow.PyTorchJob
		index int
		want  bool
	}{
		"a start":                   {begun, 1, false},
		"a growth":                  {resized(t, begun, forward(4), wrappingTarget), 2, true},
		"one that replaces another": {resized(t, begun, forward(4), wrappingTarget), 1, false},
	} {
		template := test.job.Spec.PyTorchReplicaSpecs["Worker"].Template
		epoch, err := strconv.ParseInt(template.Labels[contract.EpochLabel], 10, 64)
		if err != nil {
			t.Fatal(err)
		}
		if got := contract.Joins(template.Annotations[contract.GangAnnotation], epoch, test.index); got != test.want {
			t.Errorf("%s: worker-%d joins others: %v", name, test.index, got)
		}
	}
	by := begun.Spec.PyTorchReplicaSpecs["Worker"].Template.Annotations[v1alpha1.NumberedByAnnotation]
	for _, e := range begun.Spec.PyTorchReplicaSpecs["Worker"].Template.Spec.Containers[1].Env {
		if e.Name == contract.IndexVariable && e.ValueFrom.FieldRef.FieldPath != "metadata.labels['"+by+"']" {
			t.Errorf("it is told its number as %+v", e.ValueFrom.FieldRef)
		}
	}
}

// A job that trains makes pods without the agent from then on, and keeps why; then there is nothing left to take out.
func TestAJobThatTrainsGoesOnWithoutTheAgent(t *testing.T) {
	begun := resized(t, pytorch(suspendedJob), forward(2), wrappingTarget)
	patch, err := pytorchJob{}.Unwrap(begun, "pod p: ImagePullBackOff")
	if err != nil {
		t.Fatal(err)
	}
	after := patched(t, begun, patch, &kubeflow.PyTorchJob{})
	fault, kept := wrapping.DecodeFault(after.UID, after.Annotations[wrapping.FaultAnnotation])
	if got := commandOf(after, "Worker"); got != bareCommand || !kept || fault.Image != agentImage {
		t.Errorf("its workers run %q, and it keeps %+v", got, fault)
	}
	if given := givenLastCall(after); given != "" || givenLastCall(begun) == "" {
		t.Errorf("its last call is %q, and was %q", given, givenLastCall(begun))
	}
	if patch, err := (pytorchJob{}).Unwrap(after, "pod p"); err != nil || patch != nil {
		t.Errorf("there is more to take out: %s (%v)", patch, err)
	}
}
