package image

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// enough is more time than anything here needs, as kubectl takes it.
const enough = "15m"

func TestRealInstallation(t *testing.T) {
	if os.Getenv("TAKT_REAL") == "" {
		t.Skip("it needs real nodes: make e2e-real plays it")
	}
	takt, agent := load(t, "takt"), load(t, "takt-agent")
	if want := (reference{takt.name + "-agent", takt.tag}); agent != want {
		t.Fatalf("the image of the agent is called %v, want %v", agent, want)
	}
	t.Cleanup(func() { tell(t) })
	read := readOperations(t, takt)
	read.do(t, "The image") // it is there already
	read.do(t, "Install with kustomize")

	t.Run("all programs are of the version that the image is called by", func(t *testing.T) {
		for _, program := range []string{"takt-operator", "takt-scheduler", "takt-agent", "takt"} {
			said := kubectl(t, "exec", "--namespace", "takt-system", "deployment/takt-operator", "--", "/"+program, "--version")
			if want := program + " version " + takt.tag; !strings.HasPrefix(said, want) {
				t.Errorf("%s says %q, want %q", program, said, want)
			}
		}
	})
	t.Run("nothing is restarted", func(t *testing.T) {
		restarts := kubectl(t, "get", "pods", "--namespace", "takt-system", "--output",
			"jsonpath={.items[*].status.containerStatuses[*].restartCount}")
		if restarts != "0 0 0 0" {
			t.Errorf("the pods have been restarted so often: %q", restarts)
		}
	})
	t.Run("a job is taken to its end, and stays on record", func(t *testing.T) {
		train(t)
		keepOnAVolume(t, read)
	})
	t.Run("a job with a command has the agent of the same version", func(t *testing.T) { trainWithAgent(t, agent) })
	t.Run("upgrade and removal", func(t *testing.T) {
		wait(t)
		read.do(t, "Upgrade with kustomize")
		read.do(t, "Remove with kustomize")
		letGo(t)
	})
	t.Run("Helm does all of that", func(t *testing.T) {
		read.do(t, "Install with Helm")
		wait(t)
		read.do(t, "Upgrade with Helm")
		read.do(t, "Remove with Helm")
		letGo(t)
		// They stay, as they were asked to.
		kubectl(t, "get", "--output", "name", "crd", "elasticjobs.takt.dev", "resizes.takt.dev", "trainingprofiles.takt.dev",
			"trainingqueues.takt.dev")
	})
	read.do(t, "Install with the Operator Lifecycle Manager")
	read.complete(t)
}

const trainImage = "localhost/train:1"

// job waits for Takt from the beginning, and is placed by Takt's scheduler.
const job = `
apiVersion: kubeflow.org/v1
kind: PyTorchJob
metadata: {name: resnet, annotations: {takt.dev/deadline: 1h}}
spec:
  runPolicy: {suspend: true}
  pytorchReplicaSpecs:
    Worker:
      replicas: 2
      restartPolicy: OnFailure
      template:
        spec:
          schedulerName: takt-scheduler
          containers: [{name: pytorch, image: "` + trainImage + `", resources: {limits: {nvidia.com/gpu: 1}}}]
`

// train submits a job, of which all pods are real processes, and waits for its end.
func train(t *testing.T) {
	binary := filepath.Join(t.TempDir(), "train")
	build := exec.CommandContext(t.Context(), "go", "build", "-o", binary, "./testdata/train")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if said, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, said)
	}
	localcluster(t, "image", trainImage, "--binary", binary)
	namespace := real.Namespace(t)
	if _, err := real.KubectlWith(t.Context(), job, "--namespace", namespace, "apply", "--server-side", "-f",
		"-"); err != nil {
		t.Fatal(err)
	}
	kubectl(t, "--namespace", namespace, "wait", "--for=create", "--timeout", enough, "elasticjob/resnet")
	kubectl(t, "--namespace", namespace, "wait", "--for=condition=Succeeded", "--timeout", enough, "elasticjob/resnet")
	for what, want := range map[string]string{
		"elasticjob/resnet={.status.verdict}":                          "Met",
		"elasticjob/resnet={.status.progress.source}":                  "Logs",
		"pytorchjob/resnet={.status.replicaStatuses.Worker.succeeded}": "2",
		// The operator in its pod has asked for them, and the scheduler in its pod has placed them together.
		"resize/resnet-1={.status.placement.fits}": "2",
	} {
		object, path, _ := strings.Cut(what, "=")
		if got := kubectl(t, "--namespace", namespace, "get", object, "--output", "jsonpath="+path); got != want {
			t.Errorf("%s of %s is %q, want %q", path, object, got, want)
		}
	}
}

// tell says what the programs have said, if something is not as it should be.
func tell(t *testing.T) {
	if !t.Failed() {
		return
	}
	for _, show := range []string{
		"get pods,elasticjobs,resizes,pytorchjobs --all-namespaces --output wide", "get events --all-namespaces",
		"logs --namespace takt-system --selector app.kubernetes.io/name=takt-operator --tail 50",
		"logs --namespace takt-system --selector app.kubernetes.io/name=takt-scheduler --tail 50",
	} {
		said, err := real.Kubectl(context.WithoutCancel(t.Context()), strings.Fields(show)...)
		t.Logf("kubectl %s (%v)\n%s", show, err, said)
	}
}
