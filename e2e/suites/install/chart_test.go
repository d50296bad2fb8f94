package install

import (
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/yaml"

	"github.com/takt-dev/takt/e2e/lib/cluster"
	"github.com/takt-dev/takt/operator/settings"
)

// helm calls the program in the root folder of the repository.
func helm(t *testing.T, arguments ...string) (string, error) {
	t.Helper()
	command := exec.CommandContext(t.Context(), cluster.Program("tools/helm"), arguments...)
	command.Dir = cluster.Root()
	home := t.TempDir()
	command.Env = append(os.Environ(), "KUBECONFIG="+fresh.Kubeconfig(), "HELM_CACHE_HOME="+home, "HELM_CONFIG_HOME="+home,
		"HELM_DATA_HOME="+home)
	said, err := command.CombinedOutput()
	return string(said), err
}

// chart gives the objects that the chart makes of some values, but for those of helm uninstall.
func chart(t *testing.T, values ...string) map[string]*unstructured.Unstructured {
	t.Helper()
	said, err := helm(t, append([]string{"template", "takt", "charts/takt", "--namespace", "takt-system", "--no-hooks"},
		values...)...)
	if err != nil {
		t.Fatalf("%v\n%s", err, said)
	}
	return byName(t, parse(t, said))
}

// byName are objects by what they are called, as they are compared: without what Helm and kustomize each need for
// themselves, so that a change of settings reaches the pods.
func byName(t *testing.T, objects []*unstructured.Unstructured) map[string]*unstructured.Unstructured {
	t.Helper()
	all := map[string]*unstructured.Unstructured{}
	for _, o := range objects {
		text, err := yaml.Marshal(o.Object)
		if err != nil {
			t.Fatal(err)
		}
		o = &unstructured.Unstructured{}
		if err := yaml.Unmarshal(hash.ReplaceAll(text, []byte("$1")), &o.Object); err != nil {
			t.Fatal(err)
		}
		annotations := o.GetAnnotations()
		delete(annotations, "helm.sh/resource-policy")
		o.SetAnnotations(annotations)
		unstructured.RemoveNestedField(o.Object, "spec", "template", "metadata", "annotations", "checksum/config")
		if left, found, _ := unstructured.NestedMap(o.Object, "spec", "template", "metadata", "annotations"); found &&
			len(left) == 0 {
			unstructured.RemoveNestedField(o.Object, "spec", "template", "metadata", "annotations")
		}
		name := o.GetKind() + " " + o.GetNamespace() + "/" + o.GetName()
		if all[name] != nil {
			t.Errorf("there are two of %s", name)
		}
		all[name] = o
	}
	return all
}

// What the chart makes is what config/ makes, for each way that both know to install Takt.
func TestTheChartIsAsTheManifests(t *testing.T) {
	for name, test := range map[string]struct{ folders, values []string }{
		"by default": {[]string{"config/default"}, nil},
		"with a scheduler": {
			[]string{"config/default", "config/scheduler/beside"}, []string{"--set", "scheduler.enabled=true"},
		},
		"with another one": {[]string{"config/default", "config/scheduler/instead"},
			[]string{"--set", "scheduler.enabled=true,scheduler.mode=instead"}},
		"with admission":     {[]string{"config/default", "config/admission"}, []string{"--set", "admission.enabled=true"}},
		"with roles to read": {[]string{"config/default", "config/prometheus"}, []string{"--set", "rbac.readers=true"}},
		"with monitoring": {[]string{"config/default", "config/monitoring"},
			[]string{"--set", "monitoring.serviceMonitors=true,monitoring.rules=true,monitoring.dashboards=true"}},
		"with a volume": {[]string{"e2e/suites/install/testdata/records"},
			[]string{"--set", "records.claim=takt-records"}},
		"with kinds that go": {[]string{"config/default"}, []string{"--set", "crds.keep=false"}},
	} {
		t.Run(name, func(t *testing.T) {
			var manifests []*unstructured.Unstructured
			for _, folder := range test.folders {
				manifests = append(manifests, render(t, folder)...)
			}
			want, got := byName(t, manifests), chart(t, test.values...)
			delete(want, "Namespace /takt-system") // which whoever calls helm names and makes
			if diff := cmp.Diff(slices.Sorted(maps.Keys(want)), slices.Sorted(maps.Keys(got))); diff != "" {
				t.Fatalf("the objects differ, -manifests +chart:\n%s", diff)
			}
			withDefaults(t, got["ConfigMap takt-system/takt-config"])
			withDefaults(t, want["ConfigMap takt-system/takt-config"])
			for name := range want {
				if diff := cmp.Diff(want[name].Object, got[name].Object); diff != "" {
					t.Errorf("%s differs, -manifests +chart:\n%s", name, diff)
				}
			}
		})
	}
}

// withDefaults fills in what settings leave out: the chart writes only those that are given.
func withDefaults(t *testing.T, config *unstructured.Unstructured) {
	t.Helper()
	given, _, err := unstructured.NestedString(config.Object, "data", "takt.yaml")
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "takt.yaml")
	if err := os.WriteFile(file, []byte(given), 0o600); err != nil {
		t.Fatal(err)
	}
	s, err := settings.Load(file)
	if err != nil {
		t.Fatal(err)
	}
	text, err := yaml.Marshal(s)
	if err != nil {
		t.Fatal(err)
	}
	if err := unstructured.SetNestedField(config.Object, string(text), "data", "takt.yaml"); err != nil {
		t.Fatal(err)
	}
}

// Where namespaces are named, the operator has rights in these alone, as with config/namespaced.
func TestTheChartConfinesTheOperator(t *testing.T) {
	manifests, got := byName(t, render(t, "config/namespaced")), chart(t, "--set", "settings.namespaces={training}")
	for name, want := range manifests {
		if kind := want.GetKind(); strings.HasSuffix(kind, "Role") || strings.HasSuffix(kind, "Binding") {
			if diff := cmp.Diff(rules(t, want), rules(t, got[name])); diff != "" {
				t.Errorf("%s differs, -manifests +chart:\n%s", name, diff)
			}
		}
	}
	if there := got["ClusterRole /takt-operator-jobs"]; there != nil {
		t.Error("the operator has its rights in all namespaces")
	}
}

func TestValuesReachWhatTheyAreFor(t *testing.T) {
	got := chart(t, "--set", "settings.timeZone=Europe/Berlin,operator.replicas=3,"+
		"image.repository=registry.example.com/takt,image.tag=v1,image.pullSecrets={registry}")
	deployment := got["Deployment takt-system/takt-operator"]
	text, err := yaml.Marshal(deployment.Object)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"replicas: 3", "image: registry.example.com/takt:v1",
		"name: TAKT_AGENT_IMAGE\n          value: registry.example.com/takt-agent:v1",
		"imagePullSecrets:\n      - name: registry"} {
		if !strings.Contains(string(text), want) {
			t.Errorf("%q is not in\n%s", want, text)
		}
	}
	digest := "sha256:" + strings.Repeat("0a", 32)
	pinned := chart(t, "--set", "scheduler.enabled=true,settings.gpus.resources={amd.com/gpu,intel.com/gpu},"+
		"image.tag=v1,image.digest="+digest)
	for name, want := range map[string]string{
		"Deployment takt-system/takt-operator":        "image: takt:v1@" + digest,
		"Deployment takt-system/takt-scheduler":       "image: takt:v1@" + digest,
		"ConfigMap takt-system/takt-scheduler-config": "resources: [amd.com/gpu, intel.com/gpu]",
	} {
		if text, err := yaml.Marshal(pinned[name].Object); err != nil || !strings.Contains(string(text), want) {
			t.Errorf("%q is not in %s (%v):\n%s", want, name, err, text)
		}
	}
	watched := chart(t, "--set",
		"monitoring.serviceMonitors=true,monitoring.rules=true,monitoring.labels.release=prometheus")
	for _, name := range []string{"ServiceMonitor takt-system/takt-operator", "ServiceMonitor takt-system/takt-scheduler",
		"PrometheusRule takt-system/takt"} {
		if o := watched[name]; o == nil || o.GetLabels()["release"] != "prometheus" {
			t.Errorf("%s is not there, or lacks the label that Prometheus looks for", name)
		}
	}
	written, _, _ := unstructured.NestedString(got["ConfigMap takt-system/takt-config"].Object, "data", "takt.yaml")
	for _, want := range []string{"timeZone: Europe/Berlin", "kind: OperatorConfiguration"} {
		if !strings.Contains(written, want) {
			t.Errorf("%q is not in the settings:\n%s", want, written)
		}
	}
	// An operator of the version before may have to read them, until an upgrade has come through.
	if strings.Contains(written, "planning") {
		t.Errorf("what nobody has set is in the settings:\n%s", written)
	}
}

func TestValuesThatMakeNoSenseAreRefused(t *testing.T) {
	for _, value := range []string{
		"operatr.replicas=2", "operator.replicas=0", "image.pullPolicy=Sometimes", "scheduler.mode=above",
		"settings.timezone=UTC", "settings.planning.evry=1s", "settings.planning.every=banana",
		"settings.namespaces={Training}", "records.claim=-", "settings.records.folder=/data",
		"removal.within=long", "image.repository=", "metrics.certSecret=-", "settings.health.bindAddress=:8082",
		"settings.metrics.bindAddress=:9443", "settings.metrics.certDir=/etc/cert", "settings.records.namespace=other",
		"settings.leaderElection.name=mine", "settings.leaderElection.namespace=other",
		"settings.leaderElection.enabled=false", "image.digest=sha256:0a",
	} {
		if said, err := helm(t, "template", "takt", "charts/takt", "--set", value); err == nil ||
			!strings.Contains(said, "values don't meet the specifications of the schema") {
			t.Errorf("%s is taken (%v), or this is said of it:\n%s", value, err, said)
		}
	}
}

// A volume for one node alone has nobody wait for it in vain when Takt is upgraded, and nothing stands still elsewhere.
func TestTheChartFreesAVolumeBeforeTheNextPodComes(t *testing.T) {
	goesFirst := map[string]any{"rollingUpdate": map[string]any{"maxSurge": 0.0, "maxUnavailable": 1.0}}
	for values, want := range map[string]map[string]any{
		"records.claim=takt-records,operator.replicas=1": goesFirst,
		"records.claim=takt-records":                     nil,
		"operator.replicas=1":                            nil,
	} {
		deployment := chart(t, "--set", values)["Deployment takt-system/takt-operator"]
		got, _, err := unstructured.NestedMap(deployment.Object, "spec", "strategy")
		if diff := cmp.Diff(want, got); diff != "" || err != nil {
			t.Errorf("with %s pods are replaced otherwise (%v), -want +got:\n%s", values, err, diff)
		}
	}
}

// Of values that do not go together, it is said which to change, before anything is installed.
func TestValuesThatDoNotGoTogetherAreRefused(t *testing.T) {
	const (
		insecure = ", which settings.metrics.secure switches off: leave out one of them"
		none     = ", of which settings.metrics.bindAddress serves none: leave out one of them"
	)
	for values, want := range map[string]string{
		"settings.metrics.bindAddress=127.0.0.1:8443,monitoring.serviceMonitors=true": "monitoring.serviceMonitors asks " +
			"for metrics from other pods, whom settings.metrics.bindAddress answers nothing: leave out one of them",
		"settings.metrics.bindAddress=127.0.0.1:8443":                               "",
		"settings.metrics.bindAddress=0.0.0.0:8443,monitoring.serviceMonitors=true": "",
		"settings.metrics.secure=false,monitoring.serviceMonitors=true": "monitoring.serviceMonitors asks for metrics by " +
			"HTTPS" + insecure,
		"settings.metrics.secure=false,metrics.certSecret=cert":    "metrics.certSecret is for HTTPS" + insecure,
		"settings.metrics.secure=false,settings.page.enabled=true": "settings.page.enabled takes HTTPS" + insecure,
		"settings.metrics.secure=false":                            "",
		"settings.metrics.bindAddress=0,monitoring.serviceMonitors=true": "monitoring.serviceMonitors asks for metrics" +
			none,
		"settings.metrics.bindAddress=0,settings.page.enabled=true": "settings.page.enabled serves the page beside the " +
			"metrics" + none,
		"settings.metrics.bindAddress=0": "",
	} {
		flag := "--set"
		if strings.Contains(values, "=0,") || strings.HasSuffix(values, "=0") { // it is a text
			values = strings.Replace(values, "settings.metrics.bindAddress=0", "settings.metrics.bindAddress=\"0\"", 1)
			flag = "--set-json"
		}
		said, err := helm(t, "template", "takt", "charts/takt", flag, values)
		if (err == nil) != (want == "") || !strings.Contains(said, want) {
			t.Errorf("of %s this is said (%v), want %q:\n%s", values, err, want, said)
		}
	}
}

// The operator reads the certificate where the chart mounts it.
func TestTheChartMountsACertificate(t *testing.T) {
	got := chart(t, "--set", "metrics.certSecret=cert,settings.metrics.jobs=7")
	text, err := yaml.Marshal(got["Deployment takt-system/takt-operator"].Object)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"- mountPath: /var/lib/takt/cert\n          name: cert", "secretName: cert"} {
		if !strings.Contains(string(text), want) {
			t.Errorf("%q is not in\n%s", want, text)
		}
	}
	written, _, _ := unstructured.NestedString(got["ConfigMap takt-system/takt-config"].Object, "data", "takt.yaml")
	for _, want := range []string{"certDir: /var/lib/takt/cert", "jobs: 7"} {
		if !strings.Contains(written, want) {
			t.Errorf("%q is not in the settings:\n%s", want, written)
		}
	}
}

// A key twice is none that anybody can install, and the selector of the pods is to find them.
func TestTheChartRefusesKeysThatItSetsItself(t *testing.T) {
	for _, key := range []string{
		"operator.podLabels.app.kubernetes.io/name",
		"operator.podAnnotations.kubectl.kubernetes.io/default-container", "operator.podAnnotations.checksum/config",
		"scheduler.podLabels.app.kubernetes.io/name", "scheduler.podAnnotations.checksum/config",
	} {
		parts := strings.SplitN(key, ".", 3)
		value := strings.Join(parts[:2], ".")
		said, err := helm(t, "template", "takt", "charts/takt", "--set", "scheduler.enabled=true", "--set-string",
			value+"."+strings.ReplaceAll(parts[2], ".", "\\.")+"=mine")
		if want := value + " may not have " + parts[2] + ", which the chart sets itself: leave it out"; err == nil ||
			!strings.Contains(said, want) {
			t.Errorf("%s is taken (%v), or this is said of it:\n%s", key, err, said)
		}
	}
}

// Both programs can be placed and marked in the same way.
func TestTheChartPlacesAndMarksBothPrograms(t *testing.T) {
	const affinity = "affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms"
	values := []string{"--set", "scheduler.enabled=true"}
	for _, program := range []string{"operator", "scheduler"} {
		for _, value := range []string{"podLabels.team=ml", "podAnnotations.owner=me", "nodeSelector.pool=system",
			"tolerations[0].key=system-only", affinity + "[0].matchExpressions[0].key=in-" + program} {
			values = append(values, "--set-string", program+"."+value)
		}
	}
	got := chart(t, values...)
	for _, program := range []string{"operator", "scheduler"} {
		text, err := yaml.Marshal(got["Deployment takt-system/takt-"+program].Object)
		if err != nil {
			t.Fatal(err)
		}
		for _, want := range []string{"team: ml", "owner: me", "pool: system", "key: system-only", "key: in-" + program} {
			if !strings.Contains(string(text), want) {
				t.Errorf("takt-%s has no %q:\n%s", program, want, text)
			}
		}
	}
}

// What keeps a sidecar from the pods of the operator keeps it from the one that has to end.
func TestTheChartMarksThePodOfRemoval(t *testing.T) {
	said, err := helm(t, "template", "takt", "charts/takt", "--show-only", "templates/removal.yaml", "--set-string",
		"operator.podLabels.team=ml,operator.podAnnotations.sidecar\\.istio\\.io/inject=false")
	_, template, _ := strings.Cut(said, "\n  template:\n")
	for _, want := range []string{"team: ml", `sidecar.istio.io/inject: "false"`} {
		if err != nil || !strings.Contains(template, want) {
			t.Errorf("its pod has no %q (%v):\n%s", want, err, said)
		}
	}
}

// What would fail in the cluster is said before anything is installed.
func TestTheChartRefusesAClusterThatIsTooOld(t *testing.T) {
	for value, want := range map[string]string{
		"removal.enabled=true":   "incompatible with Kubernetes v1.33.9",
		"admission.enabled=true": "admission.enabled takes Kubernetes 1.36 or later, and this is v1.35.2",
		"scheduler.enabled=true": "scheduler.enabled takes Kubernetes 1.37 or later, and this is v1.36.0",
	} {
		said, err := helm(t, "template", "takt", "charts/takt", "--set", value,
			"--kube-version", want[strings.LastIndex(want, "v"):])
		if err == nil || !strings.Contains(said, want) {
			t.Errorf("%s is taken (%v), or this is said of it:\n%s", value, err, said)
		}
	}
}

func TestHelmFindsNothingToSay(t *testing.T) {
	if said, err := helm(t, "lint", "charts/takt", "--strict"); err != nil {
		t.Errorf("%v\n%s", err, said)
	}
}

// byHelm installs, changes and uninstalls a release. Nothing runs in the pods of simulated nodes, so that it leaves out
// the Job that lets go of jobs: make e2e-real has that.
func byHelm(t *testing.T) {
	do := func(arguments ...string) {
		t.Helper()
		if said, err := helm(t, append(arguments, "--namespace", "takt-system", "--timeout",
			enough.String())...); err != nil {
			t.Fatalf("helm %s: %v\n%s", strings.Join(arguments, " "), err, said)
		}
	}
	createNamespace(t, "takt-system")
	if _, err := fresh.Kubectl(t.Context(), "label", "namespace", "takt-system",
		"pod-security.kubernetes.io/enforce=restricted"); err != nil {
		t.Fatal(err)
	}
	do("install", "takt", "charts/takt", "--wait", "--set", "scheduler.enabled=true,admission.enabled=true")
	checkRights(t, operator, append(jobs(""), always...), never)
	applied(t, "{apiVersion: takt.dev/v1alpha1, kind: TrainingQueue, metadata: {name: kept}, spec: {weight: 2}}")
	createNamespace(t, "helmed") // where nothing is left of an installation without Helm
	do("upgrade", "takt", "charts/takt", "--wait", "--reuse-values", "--set", "settings.namespaces={helmed}")
	checkRights(t, operator, append(jobs("helmed"), always...), append(jobs("other"), never...))
	do("uninstall", "takt", "--wait", "--no-hooks")
	weight, err := fresh.Kubectl(t.Context(), "get", "trainingqueue", "kept", "--output", "jsonpath={.spec.weight}")
	if err != nil || weight != "2" {
		t.Errorf("a queue does not stay when the release goes: %q (%v)", weight, err)
	}
	if left, err := fresh.Kubectl(t.Context(), "--namespace", "takt-system", "get",
		"deployments,serviceaccounts,configmaps", "--output", "name"); err != nil || strings.Contains(left, "takt") {
		t.Errorf("of the release these are left: %q (%v)", left, err)
	}
}
