package adapter

import (
	"strings"
	"testing"

	kubeflow "github.com/kubeflow/training-operator/pkg/apis/kubeflow.org/v1"
	autoscaling "k8s.io/api/autoscaling/v2"
	corev1 "k8s.io/api/core/v1"

	"github.com/takt-dev/takt/elastic/resize"
)

func TestObjectionsToPyTorchJobs(t *testing.T) {
	type job = kubeflow.PyTorchJob
	policy := func(r kubeflow.RestartPolicy) func(*job) {
		return func(p *job) { p.Spec.PyTorchReplicaSpecs["Worker"].RestartPolicy = r }
	}
	command := func(words ...string) func(*job) {
		return func(p *job) { p.Spec.PyTorchReplicaSpecs["Worker"].Template.Spec.Containers[1].Command = words }
	}
	environment := func(e ...corev1.EnvVar) func(*job) {
		return func(p *job) {
			p.Spec.ElasticPolicy.MaxRestarts = nil
			p.Spec.PyTorchReplicaSpecs["Worker"].Template.Spec.Containers[1].Env = e
		}
	}
	cold := func(p *job) { p.Spec.ElasticPolicy = nil }
	for name, c := range map[string]struct {
		change []func(*job)
		want   []string
	}{
		"none":                      {},
		"none to a master":          {change: []func(*job){withMaster}},
		"managed by itself":         {change: []func(*job){func(p *job) { p.Spec.RunPolicy.ManagedBy = new("kubeflow.org/training-operator") }}},
		"managed by another":        {[]func(*job){func(p *job) { p.Spec.RunPolicy.ManagedBy = new("kueue.x-k8s.io/multikueue") }}, []string{"ManagedElsewhere"}},
		"managed by nobody":         {[]func(*job){func(p *job) { p.Spec.RunPolicy.ManagedBy = new("") }}, []string{"ManagedElsewhere"}},
		"in a queue of Kueue":       {[]func(*job){func(p *job) { p.Labels[queueOfKueue] = "team" }}, []string{"ManagedElsewhere"}},
		"autoscaler":                {[]func(*job){func(p *job) { p.Spec.ElasticPolicy.Metrics = []autoscaling.MetricSpec{{}} }}, []string{"HasAutoscaler"}},
		"autoscaler by empty list":  {[]func(*job){func(p *job) { p.Spec.ElasticPolicy.Metrics = []autoscaling.MetricSpec{} }}, []string{"HasAutoscaler"}},
		"exit code":                 {[]func(*job){policy(kubeflow.RestartPolicyExitCode)}, []string{"RestartPolicyExitCode"}},
		"exit code of a cold job":   {change: []func(*job){policy(kubeflow.RestartPolicyExitCode), cold}},
		"never":                     {[]func(*job){policy(kubeflow.RestartPolicyNever)}, []string{"RestartPolicyNever"}},
		"never of a cold job":       {change: []func(*job){policy(kubeflow.RestartPolicyNever), cold}},
		"the default policy":        {change: []func(*job){policy("")}},
		"no worker":                 {[]func(*job){withMaster, func(p *job) { delete(p.Spec.PyTorchReplicaSpecs, "Worker") }}, []string{"NoWorkers"}},
		"no worker, elastic":        {[]func(*job){func(p *job) { delete(p.Spec.PyTorchReplicaSpecs, "Worker") }}, []string{"NoWorkers"}},
		"zero workers":              {[]func(*job){func(p *job) { p.Spec.PyTorchReplicaSpecs["Worker"].Replicas = new(int32(0)) }}, []string{"NoWorkers"}},
		"workers without a spec":    {[]func(*job){func(p *job) { p.Spec.PyTorchReplicaSpecs["Worker"] = nil }}, []string{"NoWorkers"}},
		"two masters":               {[]func(*job){withMaster, func(p *job) { p.Spec.PyTorchReplicaSpecs["Master"].Replicas = new(int32(2)) }}, []string{"MasterNotOne"}},
		"master and elastic":        {[]func(*job){func(p *job) { p.Spec.PyTorchReplicaSpecs["Master"] = replicaSpec(1, "pytorch") }}, []string{"MasterWithElasticPolicy"}},
		"no retries":                {[]func(*job){func(p *job) { p.Spec.RunPolicy.BackoffLimit = new(int32(0)) }}, []string{"BackoffLimitZero"}},
		"no retries of a cold job":  {change: []func(*job){func(p *job) { p.Spec.RunPolicy.BackoffLimit = new(int32(0)) }, cold}},
		"no restarts":               {[]func(*job){func(p *job) { p.Spec.ElasticPolicy.MaxRestarts = new(int32(0)) }}, []string{"MaxRestartsTooLow"}},
		"few restarts":              {[]func(*job){func(p *job) { p.Spec.ElasticPolicy.MaxRestarts = new(int32(9)) }}, []string{"MaxRestartsTooLow"}},
		"enough restarts":           {change: []func(*job){func(p *job) { p.Spec.ElasticPolicy.MaxRestarts = new(int32(10)) }}},
		"restarts never said":       {[]func(*job){environment()}, []string{"MaxRestartsTooLow"}},
		"restarts in the pod":       {change: []func(*job){environment(corev1.EnvVar{Name: "PET_MAX_RESTARTS", Value: "50"})}},
		"the last one counts":       {[]func(*job){environment(corev1.EnvVar{Name: "PET_MAX_RESTARTS", Value: "50"}, corev1.EnvVar{Name: "PET_MAX_RESTARTS", Value: "1"})}, []string{"MaxRestartsTooLow"}},
		"restarts in the command":   {[]func(*job){command("torchrun", "--max-restarts=3", "train.py")}, []string{"MaxRestartsTooLow"}},
		"restarts in a script":      {[]func(*job){command("sh", "-c", "exec torchrun --max_restarts 3 train.py")}, []string{"MaxRestartsTooLow"}},
		"enough in the command":     {change: []func(*job){environment(), command("torchrun", "--max_restarts", "100", "train.py")}},
		"nodes in the command":      {[]func(*job){command("torchrun", "--nnodes=1:4", "train.py")}, []string{"NodesInCommand"}},
		"nodes in a cold one":       {[]func(*job){command("torchrun", "--nnodes", "2", "train.py"), cold}, []string{"NodesInCommand"}},
		"nodes in quotes":           {[]func(*job){command("sh", "-c", `torchrun --nnodes="2" train.py`)}, []string{"NodesInCommand"}},
		"nodes of the variable":     {change: []func(*job){command("torchrun", "--nnodes=$(PET_NNODES)", "train.py")}},
		"nodes of a shell variable": {change: []func(*job){command("sh", "-c", `torchrun --nnodes "$WORLD_SIZE" train.py`)}},
		"an option cut off":         {change: []func(*job){command("torchrun", "--nnodes")}},
	} {
		t.Run(name, func(t *testing.T) {
			got := pytorchJob{}.Read(pytorch(c.change...)).Objections
			same(t, c.want, reasons(got))
			sentences(t, got)
		})
	}
}

func TestObjectionsToTFJobs(t *testing.T) {
	type job = kubeflow.TFJob
	exitCode := func(j *job) { j.Spec.TFReplicaSpecs["Worker"].RestartPolicy = kubeflow.RestartPolicyExitCode }
	for name, c := range map[string]struct {
		change func(*job)
		want   []string
	}{
		"none":                {change: func(*job) {}},
		"none to the default": {change: func(j *job) { j.Spec.TFReplicaSpecs["Worker"].RestartPolicy = "" }},
		"exit code":           {exitCode, []string{"RestartPolicyExitCode"}},
		"exit code of a cold job": {change: func(j *job) {
			exitCode(j)
			j.Spec.EnableDynamicWorker = false
		}},
		"in a queue of Kueue": {func(j *job) { j.Labels[queueOfKueue] = "team" }, []string{"ManagedElsewhere"}},
		"servers alone":       {func(j *job) { delete(j.Spec.TFReplicaSpecs, "Worker") }, []string{"NoWorkers"}},
		"two chiefs": {func(j *job) { j.Spec.TFReplicaSpecs["Chief"] = replicaSpec(2, "tensorflow") },
			[]string{"MasterNotOne"}},
		"no retries": {func(j *job) { j.Spec.RunPolicy.BackoffLimit = new(int32(0)) }, []string{"BackoffLimitZero"}},
	} {
		t.Run(name, func(t *testing.T) {
			got := tfJob{}.Read(tensorflow(c.change)).Objections
			same(t, c.want, reasons(got))
			sentences(t, got)
		})
	}
}

func sentences(t *testing.T, all []Objection) {
	t.Helper()
	for _, o := range all {
		if !strings.HasSuffix(o.Message, ".") || strings.Contains(o.Message, "%!") {
			t.Errorf("%s: %q is no sentence.", o.Reason, o.Message)
		}
	}
}

// What is mended when a job starts does not stand in the way of starting it, and is gone afterwards.
func TestPatchMendsWhatIsMendable(t *testing.T) {
	p := pytorch(func(p *kubeflow.PyTorchJob) {
		p.Spec.RunPolicy.Suspend = new(true)
		p.Spec.ElasticPolicy.MaxRestarts = nil
		p.Spec.PyTorchReplicaSpecs["Worker"].RestartPolicy = kubeflow.RestartPolicyExitCode
	})
	same(t, []string{"RestartPolicyExitCode", "MaxRestartsTooLow"}, reasons(pytorchJob{}.Read(p).Objections))
	same(t, []string(nil), reasons(pytorchJob{}.Read(p).Standing()))
	patch, err := pytorchJob{}.Patch(p, forward(2), target)
	if err != nil {
		t.Fatal(err)
	}
	started := pytorchJob{}.Read(patched(t, p, patch, &kubeflow.PyTorchJob{}))
	same(t, []string(nil), reasons(started.Objections))

	j := tensorflow(func(j *kubeflow.TFJob) {
		j.Spec.RunPolicy.Suspend = new(true)
		j.Spec.TFReplicaSpecs["Worker"].RestartPolicy = kubeflow.RestartPolicyExitCode
	})
	if patch, err = (tfJob{}).Patch(j, forward(2), target); err != nil {
		t.Fatal(err)
	}
	same(t, []string(nil), reasons(tfJob{}.Read(patched(t, j, patch, &kubeflow.TFJob{})).Objections))
}

func TestStanding(t *testing.T) {
	mendable, firm := Objection{Reason: "Mendable", Mendable: true}, Objection{Reason: "Firm"}
	for name, c := range map[string]struct {
		suspended bool
		want      []string
	}{
		"running":   {false, []string{"Mendable", "Firm"}},
		"suspended": {true, []string{"Firm"}},
	} {
		t.Run(name, func(t *testing.T) {
			j := Job{Suspended: c.suspended, Objections: []Objection{mendable, firm}, Mode: resize.Live}
			same(t, c.want, reasons(j.Standing()))
		})
	}
}
