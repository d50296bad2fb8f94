package install

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/util/wait"

	"github.com/takt-dev/takt/e2e/lib/before"
	"github.com/takt-dev/takt/e2e/lib/cluster"
)

// settingsOfUpgrade have the operator look every second, and wait for seconds.
const settingsOfUpgrade = `
planning: {settle: 100ms, every: 2s, assumedPause: 2s}
progress: {every: 1s, staleAfter: 30s}
status: {every: 1s}
resizes: {steadyFor: 2s}
leaderElection: {enabled: false}
metrics: {bindAddress: "0"}
health: {bindAddress: "0"}
`

// live is what there is when Takt is upgraded: a job in its training, with a deadline, and what people have made.
const live = `
apiVersion: takt.dev/v1alpha1
kind: TrainingQueue
metadata: {name: live}
spec: {limit: 8, weight: 2}
---
apiVersion: takt.dev/v1alpha1
kind: TrainingProfile
metadata: {name: code, namespace: live}
---
apiVersion: kubeflow.org/v1
kind: PyTorchJob
metadata:
  name: resnet
  namespace: live
  labels: {takt.dev/queue: live}
  annotations: {takt.dev/deadline: 6h, takt.dev/expected: 1h at 2, takt.dev/profile: code}
spec:
  runPolicy: {suspend: true}
  pytorchReplicaSpecs:
    Worker:
      replicas: 2
      restartPolicy: OnFailure
      template: {spec: {containers: [{name: pytorch, image: "example.com/train:1", resources: {limits: {nvidia.com/gpu: 1}}}]}}
`

// upgrade installs Takt over the kinds that were there before they were last changed, while a job trains.
func upgrade(t *testing.T) {
	old := kindsOfBefore(t)
	if _, err := fresh.Kubectl(t.Context(), "apply", "--server-side", "--force-conflicts", "-f", old); err != nil {
		t.Fatal(err)
	}
	if _, err := fresh.Kubectl(t.Context(), "wait", "--for=condition=Established", "--timeout", enough.String(), "-f",
		old); err != nil {
		t.Fatal(err)
	}
	createNamespace(t, "live")
	applied(t, live)
	stop := operate(t, fresh.Kubeconfig())
	eventually(t, "the job trains", trains)
	stop()
	var was map[string]any
	eventually(t, "its controller has said all of it", func(ctx context.Context) error {
		said, err := fresh.Kubectl(ctx, "--namespace", "live", "get", "pytorchjob", "resnet", "--output",
			`jsonpath={.status.conditions[?(@.type=="Running")].status} {.status.replicaStatuses.Worker.active}`)
		if err != nil || said != "True 2" {
			return errors.Join(err, fmt.Errorf("it says %q of running and how many are active", said))
		}
		before := was
		if was = recorded(t); !cmp.Equal(before, was) {
			return errors.New("it has just changed")
		}
		return nil
	})

	apply(t, "config/default")
	awaitPods(t, operator)
	if diff := cmp.Diff(was, recorded(t)); diff != "" {
		t.Errorf("what was there has changed with its kinds, -before +after:\n%s", diff)
	}
	// The operator that takes over has no other rights than those that it is installed with.
	began := time.Now()
	stop = operate(t, as(t, operator))
	eventually(t, "the operator of the new version looks after the job", func(ctx context.Context) error {
		text, err := fresh.Kubectl(ctx, "--namespace", "live", "get", "elasticjob", "resnet", "--output",
			`jsonpath={range .metadata.managedFields[?(@.subresource=="status")]}{.time}{"\n"}{end}`)
		for moment := range strings.FieldsSeq(text) {
			if written, _ := time.Parse(time.RFC3339, moment); written.After(began) {
				return nil
			}
		}
		return errors.Join(err, fmt.Errorf("its status was last written at %q", text))
	})
	eventually(t, "the job trains", trains)
	stop()
	if diff := cmp.Diff(identities(was), identities(recorded(t))); diff != "" {
		t.Errorf("the operator has made something anew, or away with it, -before +after:\n%s", diff)
	}
}

// kindsOfBefore are the CRDs as they were before they were last changed, in a folder.
func kindsOfBefore(t *testing.T) string {
	t.Helper()
	to := t.TempDir()
	err := before.Write(t.Context(), cluster.Root(), "config/crd/bases", to)
	if errors.Is(err, before.ErrNoRepository) || errors.Is(err, before.ErrShallow) {
		fmt.Fprintf(os.Stderr, "\nSKIPPED, NOT PASSED: %s\n%v\n", t.Name(), err)
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	return to
}

// operate runs the operator, with who it is to the API server, until it is asked to stop.
func operate(t *testing.T, kubeconfig string) (stop func()) {
	t.Helper()
	config := filepath.Join(t.TempDir(), "takt.yaml")
	if err := os.WriteFile(config, []byte(settingsOfUpgrade), 0o600); err != nil {
		t.Fatal(err)
	}
	program := exec.CommandContext(t.Context(), cluster.Program("takt-operator"), "--kubeconfig", kubeconfig,
		"--config", config)
	var log bytes.Buffer
	program.Stderr = &log
	program.Cancel = func() error { return program.Process.Signal(os.Interrupt) }
	if err := program.Start(); err != nil {
		t.Fatal(err)
	}
	stopped := false
	stop = func() {
		if stopped {
			return
		}
		stopped = true
		if err := program.Process.Signal(os.Interrupt); err != nil {
			t.Errorf("%v: the operator has ended by itself", err)
		}
		if err := program.Wait(); err != nil {
			t.Errorf("the operator ends with %v", err)
		}
		if refused := "is forbidden"; strings.Contains(log.String(), refused) {
			t.Errorf("the operator was refused something:\n%s", &log)
		}
	}
	t.Cleanup(func() {
		stop()
		if t.Failed() {
			t.Logf("what the operator said\n%s", &log)
		}
	})
	return stop
}

// trains says why the job does not train with both workers, if so.
func trains(ctx context.Context) error {
	said, err := fresh.Kubectl(ctx, "--namespace", "live", "get", "elasticjob", "resnet", "--output",
		`jsonpath={.status.conditions[?(@.type=="Running")].status}`)
	pods, failed := fresh.Kubectl(ctx, "--namespace", "live", "get", "pods", "--field-selector", "status.phase=Running",
		"--output", "name")
	if err = errors.Join(err, failed); err != nil {
		return err
	}
	if said != "True" || strings.Count(pods, "\n") != 2 {
		return fmt.Errorf("it says %q of running, and has these pods: %q", said, pods)
	}
	return nil
}

// recorded is all that matters of the job and of what people have made.
func recorded(t *testing.T) map[string]any {
	t.Helper()
	all := map[string]any{}
	for _, kind := range []string{"trainingqueues", "trainingprofiles", "elasticjobs", "resizes", "pytorchjobs", "pods"} {
		text, err := fresh.Kubectl(t.Context(), "get", kind, "--all-namespaces", "--output", "json")
		if err != nil {
			t.Fatal(err)
		}
		var list struct{ Items []map[string]any }
		if err := json.Unmarshal([]byte(text[max(0, strings.Index(text, "{")):]), &list); err != nil {
			t.Fatal(err)
		}
		for _, item := range list.Items {
			metadata := item["metadata"].(map[string]any)
			if metadata["namespace"] != nil && metadata["namespace"] != "live" {
				continue
			}
			for _, key := range []string{"managedFields", "resourceVersion"} {
				delete(metadata, key)
			}
			all[fmt.Sprintf("%s %v", kind, metadata["name"])] = item
		}
	}
	return all
}

// identities are what objects are called, and which ones they are.
func identities(all map[string]any) map[string]any {
	only := map[string]any{}
	for name, item := range all {
		only[name] = item.(map[string]any)["metadata"].(map[string]any)["uid"]
	}
	return only
}

// applied puts a manifest into the cluster.
func applied(t *testing.T, manifest string) {
	t.Helper()
	if _, err := fresh.KubectlWith(t.Context(), manifest, "apply", "--server-side", "-f", "-"); err != nil {
		t.Fatal(err)
	}
}

// eventually waits until something is so.
func eventually(t *testing.T, what string, check func(context.Context) error) {
	t.Helper()
	var last error
	if err := wait.PollUntilContextTimeout(t.Context(), 200*time.Millisecond, enough, true,
		func(ctx context.Context) (bool, error) {
			last = check(ctx)
			return last == nil, nil
		}); err != nil {
		t.Fatalf("%s: %v", what, errors.Join(err, last))
	}
}
