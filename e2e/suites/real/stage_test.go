package real

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/runtime"
	clientgoscheme "k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/e2e/lib/cluster"
)

// stage is what one test has: a namespace, a folder that all nodes share, and an operator.
type stage struct {
	t         *testing.T
	settings  string // of the operator, a file
	client    client.Client
	namespace string
	folder    string
	operator  *exec.Cmd
	agent     bool // it is put into the pods of jobs that wait for Takt
}

func newStage(t *testing.T) *stage {
	t.Helper()
	needsRealTraining(t)
	scheme := runtime.NewScheme()
	for _, add := range []func(*runtime.Scheme) error{clientgoscheme.AddToScheme, v1alpha1.AddToScheme} {
		if err := add(scheme); err != nil {
			t.Fatal(err)
		}
	}
	config := rest.CopyConfig(home.Config())
	c, err := client.New(config, client.Options{Scheme: scheme})
	if err != nil {
		t.Fatal(err)
	}
	s := &stage{t: t, settings: testdata(t, "takt.yaml"), client: c, namespace: home.Namespace(t), folder: t.TempDir()}
	s.kubectl("create", "configmap", "code", "--from-file="+testdata(t, "train.py"), "--from-file="+testdata(t, "shapes"))
	s.startOperator()
	t.Cleanup(func() {
		if t.Failed() {
			s.dump()
		}
		_, _ = home.Kubectl(cluster.AfterTest(t), "--namespace", s.namespace, "delete", "pytorchjobs,jobs,pods", "--all",
			"--grace-period=1")
	})
	return s
}

// testdata is a file of the tests. kubectl runs elsewhere.
func testdata(t *testing.T, name string) string {
	t.Helper()
	path, err := filepath.Abs(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// startOperator starts takt-operator as a process.
func (s *stage) startOperator() {
	s.t.Helper()
	log, err := os.OpenFile(filepath.Join(s.folder, "operator.log"), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		s.t.Fatal(err)
	}
	defer log.Close()
	o := exec.CommandContext(cluster.AfterTest(s.t), cluster.Program("takt-operator"),
		"--config", s.settings, "--kubeconfig", home.Kubeconfig())
	o.Stdout, o.Stderr = log, log
	if err := o.Start(); err != nil {
		s.t.Fatal(err)
	}
	s.operator = o
	s.t.Cleanup(s.killOperator)
}

// killOperator is as nobody would end it; nothing where it has been killed already.
func (s *stage) killOperator() { _, _ = s.operator.Process.Kill(), s.operator.Wait() }

// withAgent has an operator that puts the agent into pods take the place of the one that runs.
func (s *stage) withAgent() {
	s.t.Helper()
	s.killOperator()
	s.agent = true
	text, err := os.ReadFile(s.settings)
	if err != nil {
		s.t.Fatal(err)
	}
	s.settings = filepath.Join(s.folder, "takt.yaml")
	if err := os.WriteFile(s.settings, append(text, "agent: {image: "+cluster.AgentImage+"}\n"...), 0o600); err != nil {
		s.t.Fatal(err)
	}
	s.startOperator()
}

func (s *stage) kubectl(arguments ...string) {
	s.t.Helper()
	s.apply("", arguments...)
}

func (s *stage) apply(manifest string, arguments ...string) string {
	s.t.Helper()
	output, err := home.KubectlWith(s.t.Context(), manifest, append([]string{"--namespace", s.namespace}, arguments...)...)
	if err != nil {
		s.t.Fatal(err)
	}
	return output
}

// job is a training as people write it.
type job struct {
	name                 string
	deadline             time.Duration
	least, most, workers int
	steps                int
	sample               time.Duration // how long a GPU takes for a sample
	suspended            bool          // it waits for Takt to start it
	untold               bool          // Takt knows nothing of it
	// of a shell that runs it as "$@"; the training is the command itself where it is empty
	script      string
	onePerNode  bool   // a node has room for one worker, as schedulers find out
	environment string // of its container, if any
	indexed     bool   // it is a Job of Kubernetes itself
	program     string // what torchrun starts, with commas between the words; train.py where it is empty
	image       string // cluster.TrainImage where it is empty
	options     string // more of train.py, with commas before the words
	says        string // more annotations, if any
	podSays     string // annotations of its pods, if any
	late        int    // the worker that starts late, if it is not the first
	lingers     int    // the worker that is told later than the others to leave, if it is not the first
	tensorflow  bool   // it is a TFJob, of workers who train together
	servers     bool   // it is a TFJob with a parameter server, whose workers come and go
}

// onWorker is a command that takes 20 s in one of the workers, and next to none in the others.
func onWorker(index int) string {
	return fmt.Sprintf(`[python3, -c, "import os, time; os.environ['HOSTNAME'].endswith('-%d') and time.sleep(20)"]`,
		index)
}

// manifest is the file that a job is made of.
func (j job) manifest() string {
	switch {
	case j.indexed:
		return "indexedjob.yaml"
	case j.tensorflow, j.servers:
		return "tfjob.yaml"
	default:
		return "job.yaml"
	}
}

// command is what a worker runs.
func (j job) command() string {
	if j.tensorflow || j.servers {
		return "python3, " + j.program
	}
	launcher := "torchrun"
	if j.indexed {
		launcher = fmt.Sprintf("torchrun, --nnodes=%d:%d, --max-restarts=100, --rdzv-backend=c10d, --rdzv-id=%[3]s, "+
			`"--rdzv-endpoint=%[3]s-0.%[3]s:29500", --rdzv-conf=last_call_timeout=2`, j.least, j.most, j.name)
	}
	program := cmp.Or(j.program,
		fmt.Sprintf("/code/train.py, --steps=%d, --sample-seconds=%g, --checkpoint=/data/run.pt, --records=/data",
			j.steps, j.sample.Seconds())) + j.options
	training := launcher + ", " + program
	if j.script == "" {
		return training
	}
	return fmt.Sprintf("sh, -c, %q, sh, %s", j.script, training)
}

// lastCall is what the manifest says of the rendezvous, where Takt does not.
const lastCall = `    rdzvConf: [{key: last_call_timeout, value: "2"}]
`

// submit creates a job, and gives the folder in which it keeps its checkpoint and its records.
func (s *stage) submit(j job) (folder string) {
	s.t.Helper()
	text, err := os.ReadFile(testdata(s.t, j.manifest()))
	if err != nil {
		s.t.Fatal(err)
	}
	if s.agent && j.suspended {
		text = bytes.ReplaceAll(text, []byte(lastCall), nil)
	}
	if j.tensorflow { // it ends where its servers begin
		text, _, _ = bytes.Cut(text, []byte("    PS:"))
	}
	folder = filepath.Join(s.folder, j.name)
	if err := os.Mkdir(folder, 0o700); err != nil {
		s.t.Fatal(err)
	}
	annotations, affinity := "", ""
	if !j.untold {
		annotations = "takt.dev/deadline: " + j.deadline.String() + j.says
	}
	if j.onePerNode {
		affinity = onePerNode
	}
	first, lifecycle := "", ""
	if j.lingers > 0 {
		lifecycle = fmt.Sprintf("preStop: {exec: {command: %s}}", onWorker(j.lingers))
	}
	if j.late > 0 {
		first = fmt.Sprintf(`{name: late, image: %q, imagePullPolicy: Never, command: %s}`, cluster.TrainImage,
			onWorker(j.late))
	}
	s.apply(strings.NewReplacer(
		"name: NAME", "name: "+j.name, "subdomain: NAME", "subdomain: "+j.name,
		"ANNOTATIONS", annotations, "AFFINITY", affinity, "ENVIRONMENT", j.environment,
		"POD", j.podSays, "FIRST", first, "LIFECYCLE", lifecycle,
		"minReplicas: MIN", fmt.Sprint("minReplicas: ", j.least), "LEAST", fmt.Sprint(j.least), "DYNAMIC",
		fmt.Sprint(j.servers), "MAX", fmt.Sprint(j.most), "REPLICAS", fmt.Sprint(j.workers),
		"path: DATA", "path: "+folder, "SUSPENDED", fmt.Sprint(j.suspended),
		"COMMAND", j.command(), "image: "+cluster.TrainImage, "image: "+cmp.Or(j.image, cluster.TrainImage),
	).Replace(string(text)), "create", "-f", "-")
	return folder
}

// onePerNode keeps the workers of a job apart by a term that Takt does not understand: it chooses namespaces by labels.
const onePerNode = `podAntiAffinity: {requiredDuringSchedulingIgnoredDuringExecution: [{topologyKey: kubernetes.io/hostname,
            labelSelector: {matchExpressions: [{key: training.kubeflow.org/job-name, operator: Exists}]},
            namespaceSelector: {matchExpressions: [{key: kubernetes.io/metadata.name, operator: Exists}]}}]}`

// hold has a pod that Takt does not know use GPUs.
func (s *stage) hold(name string, gpus int) {
	s.t.Helper()
	s.apply(fmt.Sprintf(`{apiVersion: v1, kind: Pod, metadata: {name: %s}, spec: {terminationGracePeriodSeconds: 1, containers: [
  {name: main, image: "localhost/pause:1", imagePullPolicy: Never, resources: {limits: {nvidia.com/gpu: %d}}}]}}`, name, gpus), "create", "-f", "-")
}

func (s *stage) awaitPod(name string) {
	s.t.Helper()
	s.kubectl("wait", "--for=condition=Ready", "--timeout=2m", "pod/"+name)
}

func (s *stage) release(name string) { s.t.Helper(); s.kubectl("delete", "pod", name, "--wait=false") }

// elasticJob is what Takt says of a job; empty as long as it says nothing.
func (s *stage) elasticJob(name string) *v1alpha1.ElasticJob {
	s.t.Helper()
	e := &v1alpha1.ElasticJob{}
	if err := s.client.Get(s.t.Context(), client.ObjectKey{Namespace: s.namespace, Name: name},
		e); client.IgnoreNotFound(err) != nil {
		s.t.Fatal(err)
	}
	return e
}

// eventually waits until check has nothing to object to.
func (s *stage) eventually(what string, limit time.Duration, check func() error) {
	s.t.Helper()
	if err := s.within(limit, check); err != nil {
		s.t.Fatalf("it did not come about within %v that %s: %v", limit, what, err)
	}
}

// within is what check objects to once the limit is over; nil as soon as it objects to nothing.
func (s *stage) within(limit time.Duration, check func() error) error {
	s.t.Helper()
	ctx, cancel := context.WithTimeout(s.t.Context(), limit)
	defer cancel()
	again := time.NewTicker(200 * time.Millisecond)
	defer again.Stop()
	for {
		err := check()
		if err == nil {
			return nil
		}
		select {
		case <-ctx.Done():
			return err
		case <-again.C:
		}
	}
}

// dump prints what one has to know of a failure.
func (s *stage) dump() {
	for _, command := range []string{"get takt,pods -o wide", "get resizes -o yaml", "describe pods",
		"logs -l training.kubeflow.org/job-name --tail=40 --prefix",
		"logs -l batch.kubernetes.io/job-name --tail=40 --prefix"} {
		output, err := home.Kubectl(cluster.AfterTest(s.t),
			append([]string{"--namespace", s.namespace}, strings.Fields(command)...)...)
		s.t.Logf("%s: %v\n%s", command, err, output)
	}
	log, err := os.ReadFile(filepath.Join(s.folder, "operator.log"))
	s.t.Logf("operator: %v\n%s", err, log[max(0, len(log)-20_000):])
}
