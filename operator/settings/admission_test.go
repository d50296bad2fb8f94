package settings

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/cel-go/cel"
	admissionv1 "k8s.io/api/admissionregistration/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/version"
	"k8s.io/apiserver/pkg/cel/environment"
	"sigs.k8s.io/yaml"

	"github.com/takt-dev/takt/operator/kind"
	"github.com/takt-dev/takt/operator/shorthand"
)

const (
	policyFile     = "admission/suspend_until_admitted.yaml"
	jobsPolicyFile = "admission/suspend_jobs_until_admitted.yaml"
	parametersFile = "admission/parameters.yaml"
)

// suspends says whether the policy of config/admission suspends a job of Kubeflow, as the API server finds it out.
func suspends(t *testing.T, job, parameters string) bool {
	t.Helper()
	return holds(t, policyFile, job, parameters)
}

// holds says whether all conditions of a policy hold for a job.
func holds(t *testing.T, file, job, parameters string) bool {
	t.Helper()
	var policy admissionv1.MutatingAdmissionPolicy
	manifest(t, file, "MutatingAdmissionPolicy", &policy)
	set, err := environment.MustBaseEnvSet(version.MajorMinor(1, 36)).Extend(environment.VersionedOptions{
		IntroducedVersion: version.MajorMinor(1, 0),
		EnvOptions:        []cel.EnvOption{cel.Variable("object", cel.DynType), cel.Variable("params", cel.DynType)},
	})
	if err != nil {
		t.Fatal(err)
	}
	env, err := set.Env(environment.NewExpressions)
	if err != nil {
		t.Fatal(err)
	}
	values := map[string]any{}
	for name, text := range map[string]string{"object": job, "params": parameters} {
		var value map[string]any
		if err := yaml.Unmarshal([]byte(text), &value); err != nil {
			t.Fatal(err)
		}
		values[name] = value
	}
	for _, condition := range policy.Spec.MatchConditions {
		ast, issues := env.Compile(condition.Expression)
		if issues.Err() != nil {
			t.Fatalf("%s: %v", condition.Name, issues.Err())
		}
		program, err := env.Program(ast)
		if err != nil {
			t.Fatal(err)
		}
		holds, _, err := program.Eval(values)
		if err != nil {
			t.Fatalf("%s: %v", condition.Name, err)
		}
		if holds.Value() != true {
			return false
		}
	}
	return true
}

const everywhere = `{data: {namespaces: "", resources: "nvidia.com/gpu amd.com/gpu"}}`

// jobWith is a job of a team, with the annotations that are given and one worker.
func jobWith(metadata, spec, limits string) string {
	return `{metadata: {namespace: team, ` + metadata + `}, spec: {` + spec +
		` pytorchReplicaSpecs: {Worker: {template: {spec: {containers: [{name: pytorch, resources: {limits: {` + limits +
		`}}}]}}}}}}`
}

func TestTheAdmissionPolicySuspendsWhatTaktWillStart(t *testing.T) {
	const dated, gpu = `annotations: {takt.dev/deadline: 6h}`, `nvidia.com/gpu: 1`
	for name, c := range map[string]struct {
		job, parameters string
		want            bool
	}{
		"by its deadline":       {jobWith(dated, ``, gpu), everywhere, true},
		"by its queue":          {jobWith(`labels: {takt.dev/queue: research}`, ``, gpu), everywhere, true},
		"told to start":         {jobWith(dated, `runPolicy: {suspend: false},`, gpu), everywhere, true},
		"other GPUs":            {jobWith(dated, ``, `amd.com/gpu: "2"`), everywhere, true},
		"elastic":               {jobWith(dated, `elasticPolicy: {minReplicas: 1},`, gpu), everywhere, true},
		"a TFJob":               {`{metadata: {namespace: team, ` + dated + `}, spec: {tfReplicaSpecs: {PS: {}, worker: {template: {spec: {containers: [{resources: {requests: {nvidia.com/gpu: 1}}}]}}}}}}`, everywhere, true},
		"of no concern":         {jobWith(`annotations: {a: b}`, ``, gpu), everywhere, false},
		"suspended by its user": {jobWith(dated, `runPolicy: {suspend: true},`, gpu), everywhere, false},
		"without GPUs":          {jobWith(dated, ``, `cpu: 1`), everywhere, false},
		"of no GPUs":            {jobWith(dated, ``, `nvidia.com/gpu: 0`), everywhere, false},
		"of no GPUs, in quotes": {jobWith(dated, ``, `nvidia.com/gpu: "0"`), everywhere, false},
		"no worker":             {`{metadata: {namespace: team, ` + dated + `}, spec: {pytorchReplicaSpecs: {Worker: {replicas: 0, template: {spec: {containers: [{resources: {limits: {nvidia.com/gpu: 1}}}]}}}}}}`, everywhere, false},
		"bare":                  {`{metadata: {namespace: team, ` + dated + `}, spec: {}}`, everywhere, false},
		"in one of the namespaces": {jobWith(dated, ``, gpu), `{data: {namespaces: "other team", resources: nvidia.com/gpu}}`,
			true},
		"in no namespace of Takt": {jobWith(dated, ``, gpu),
			`{data: {namespaces: "other teams", resources: nvidia.com/gpu}}`, false},
		"of Kueue":             {jobWith(dated+`, labels: {kueue.x-k8s.io/queue-name: q}`, ``, gpu), everywhere, false},
		"of no queue of Kueue": {jobWith(dated+`, labels: {kueue.x-k8s.io/queue-name: ""}`, ``, gpu), everywhere, true},
		"of MultiKueue": {jobWith(dated, `runPolicy: {managedBy: kueue.x-k8s.io/multikueue},`, gpu), everywhere,
			false},
		"with an autoscaler": {jobWith(dated, `elasticPolicy: {metrics: []},`, gpu), everywhere, false},
		"misspelt key":       {jobWith(`annotations: {takt.dev/deadlin: 6h}`, ``, gpu), everywhere, false},
		"misspelt deadline": {jobWith(`annotations: {takt.dev/deadline: six}, labels: {takt.dev/queue: a}`, ``, gpu),
			everywhere, false},
		"misspelt queue": {jobWith(dated+`, labels: {takt.dev/queue: Team_A}`, ``, gpu), everywhere, false},
		"misspelt workers": {jobWith(`annotations: {takt.dev/deadline: 6h, takt.dev/workers: few}`, ``, gpu),
			everywhere, false},
		"expected, and for good": {jobWith(
			`annotations: {takt.dev/deadline: 6h, takt.dev/expected: 6h at 4 workers, takt.dev/interruptible: "false"}`,
			``, gpu), everywhere, true},
		"before others, and gone": {jobWith(
			`annotations: {takt.dev/deadline: 6h, takt.dev/priority: "-10", takt.dev/ttl-after-finished: 7d}`, ``, gpu),
			everywhere, true},
		"misspelt priority": {jobWith(`annotations: {takt.dev/deadline: 6h, takt.dev/priority: high}`, ``, gpu),
			everywhere, false},
		"misspelt time to stay": {jobWith(`annotations: {takt.dev/deadline: 6h, takt.dev/ttl-after-finished: "3600"}`, ``,
			gpu), everywhere, false},
		"misspelt expectation": {jobWith(`annotations: {takt.dev/deadline: 6h, takt.dev/expected: 6h on four}`, ``, gpu),
			everywhere, false},
		"misspelt interruptible": {jobWith(`annotations: {takt.dev/deadline: 6h, takt.dev/interruptible: nein}`, ``, gpu),
			everywhere, false},
		"without the agent": {jobWith(`annotations: {takt.dev/deadline: 6h, takt.dev/agent: "off"}`, ``, gpu),
			everywhere, true},
		"after others": {jobWith(`annotations: {takt.dev/deadline: 6h, takt.dev/after: "prepare, pretrain"}`, ``,
			gpu), everywhere, true},
		"misspelt after": {jobWith(`annotations: {takt.dev/deadline: 6h, takt.dev/after: Prepare}`, ``, gpu),
			everywhere, false},
		"misspelt agent": {jobWith(`annotations: {takt.dev/deadline: 6h, takt.dev/agent: nein}`, ``, gpu),
			everywhere, false},
		"misspelt guarantee": {jobWith(`annotations: {takt.dev/deadline: 6h, takt.dev/guarantee: sure}`, ``, gpu),
			everywhere, false},
	} {
		t.Run(name, func(t *testing.T) {
			if got := suspends(t, c.job, c.parameters); got != c.want {
				t.Errorf("it is suspended: %t, want %t", got, c.want)
			}
		})
	}
}

// Every deadline that the policy takes for one is one to Takt as well, and those that people mostly write are.
func TestTheAdmissionPolicyKnowsNoDeadlineThatTaktDoesNot(t *testing.T) {
	usual := []string{"6h", "90m", "1d", "2d12h", "1w", "2 days 12 hours", "45 min", "2026-11-21T18:00:00Z",
		"2026-11-21 18:00+01:00", "18:00Z", "9:30 UTC"}
	for _, text := range append(usual, "", "6", "6x", "6M", "-6h", "18:00", "2026-11-21", "2026-11-21 18:00", "25:00Z",
		"18:60Z", "6pm", "2026-13-01T00:00Z",
		"2026-11-21T18:00:00", "18:00 CST", "18:00 +25:00", "tomorrow", "0h", "6h,", "h", "6 h 30", "2026-02-30T00:00Z") {
		says := suspends(t, jobWith(`annotations: {takt.dev/deadline: "`+text+`"}`, ``, `nvidia.com/gpu: 1`), everywhere)
		_, err := shorthand.ReadDeadline(text, nil)
		if says && err != nil {
			t.Errorf("%q is suspended, and Takt says: %v", text, err)
		}
		if !says && slices.Contains(usual, text) {
			t.Errorf("%q is not suspended", text)
		}
	}
}

// So is every expectation.
func TestTheAdmissionPolicyKnowsNoExpectationThatTaktDoesNot(t *testing.T) {
	usual := []string{"6h at 4 workers", "90m with 1 worker", "2d@8", "3 hours at 16"}
	for _, text := range append(usual, "", "6h", "6 at 4", "6h at 0", "0h at 4", "6h at four", "6h of 4 GPUs", "6x at 4",
		"-6h at 4", "6h at 9999999") {
		says := suspends(t,
			jobWith(`annotations: {takt.dev/deadline: 6h, takt.dev/expected: "`+text+`"}`, ``, `nvidia.com/gpu: 1`), everywhere)
		faults := shorthand.Read(nil, map[string]string{shorthand.ExpectedAnnotation: text}, nil).Faults
		if says && len(faults) > 0 {
			t.Errorf("%q is suspended, and Takt says: %v", text, faults)
		}
		if !says && slices.Contains(usual, text) {
			t.Errorf("%q is not suspended", text)
		}
	}
}

// What is suspended goes on when Takt is gone: the parameters are in its namespace.
func TestTheAdmissionPolicyIsThatOfTheDefault(t *testing.T) {
	var parameters corev1.ConfigMap
	manifest(t, parametersFile, "ConfigMap", &parameters)
	want := map[string]string{
		"namespaces": strings.Join(Default().Namespaces, " "), "resources": strings.Join(Default().GPUs.Resources, " "),
	}
	if !maps.Equal(parameters.Data, want) {
		t.Errorf("the parameters are %v, want %v", parameters.Data, want)
	}
	var binding admissionv1.MutatingAdmissionPolicyBinding
	manifest(t, policyFile, "MutatingAdmissionPolicyBinding", &binding)
	if p := binding.Spec.ParamRef; p == nil || p.Name != parameters.Name || p.Namespace != parameters.Namespace ||
		parameters.Namespace != "takt-system" ||
		*p.ParameterNotFoundAction != admissionv1.AllowAction {
		t.Errorf("it is bound to %+v", p)
	}
	var policy admissionv1.MutatingAdmissionPolicy
	manifest(t, policyFile, "MutatingAdmissionPolicy", &policy)
	if text := policy.Spec.Mutations[0].ApplyConfiguration.Expression; !strings.Contains(text,
		"'"+kind.HeldAnnotation+"'") {
		t.Errorf("Takt cannot tell what was suspended so: %s", text)
	}
}

func TestTheAdmissionPolicySuspendsIndexedJobs(t *testing.T) {
	const (
		dated   = `annotations: {takt.dev/deadline: 6h}`
		elastic = `completionMode: Indexed, parallelism: 2, completions: 2,`
	)
	job := func(metadata, spec, limits string) string {
		return `{metadata: {namespace: team, ` + metadata + `}, spec: {` + spec +
			` template: {spec: {containers: [{name: train, resources: {limits: {` + limits + `}}}]}}}}`
	}
	const gpu = `nvidia.com/gpu: 1`
	for name, c := range map[string]struct {
		job  string
		want bool
	}{
		"by its deadline":       {job(dated, elastic, gpu), true},
		"by its queue":          {job(`labels: {takt.dev/queue: research}`, elastic, gpu), true},
		"managed by Kubernetes": {job(dated, elastic+` managedBy: kubernetes.io/job-controller,`, gpu), true},
		"with a rule for evictions": {job(dated,
			elastic+` podFailurePolicy: {rules: [{action: Ignore, onPodConditions: []}]},`, gpu), true},
		"of no concern":         {job(``, elastic, gpu), false},
		"misspelt":              {job(`annotations: {takt.dev/deadline: six}`, elastic, gpu), false},
		"suspended by its user": {job(dated, elastic+` suspend: true,`, gpu), false},
		"not indexed":           {job(dated, `parallelism: 2, completions: 2,`, gpu), false},
		"a list of work":        {job(dated, `completionMode: Indexed, parallelism: 2, completions: 20,`, gpu), false},
		"without GPUs":          {job(dated, elastic, `cpu: 1`), false},
		"managed by another":    {job(dated, elastic+` managedBy: kueue.x-k8s.io/multikueue,`, gpu), false},
		"in a queue of Kueue":   {job(`labels: {takt.dev/queue: a, kueue.x-k8s.io/queue-name: b}`, elastic, gpu), false},
		"in no queue of Kueue":  {job(`labels: {takt.dev/queue: a, kueue.x-k8s.io/queue-name: ""}`, elastic, gpu), true},
		"of a CronJob": {job(dated+`, ownerReferences: [{kind: CronJob, controller: true}]`, elastic, gpu),
			false},
		"with a manual selector": {job(dated, elastic+` manualSelector: true,`, gpu), false},
		"that an exit code fails": {job(dated, elastic+` podFailurePolicy: {rules: [{action: FailJob, onExitCodes: {}}]},`,
			gpu), false},
	} {
		if got := holds(t, jobsPolicyFile, c.job, everywhere); got != c.want {
			t.Errorf("%s: it is suspended: %t, want %t", name, got, c.want)
		}
	}
}
