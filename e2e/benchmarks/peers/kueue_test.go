package peers

import (
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/client-go/kubernetes"
	"sigs.k8s.io/yaml"

	"github.com/takt-dev/takt/e2e/lib/cluster"
	"github.com/takt-dev/takt/e2e/lib/load"
	"github.com/takt-dev/takt/e2e/lib/schedulerprocess"
	"github.com/takt-dev/takt/e2e/lib/world"
)

const (
	kueueModule = "e2e/benchmarks/peers/kueue"
	kueueSystem = "kueue-system"
	kueueAPI    = "kueue.x-k8s.io/v1beta2"
	localQueue  = "kueue.x-k8s.io/queue-name"
)

// quotas says how Kueue is set up here, for the page.
var quotas = fmt.Sprintf("Kueue has one ResourceFlavor without labels, one ClusterQueue for all namespaces whose "+
	"quota (`nominalQuota` of `nvidia.com/gpu`)\nis all %d GPUs, and one LocalQueue, which each job names. There is one "+
	"team, so that there is nobody to borrow from; whatever else a\nClusterQueue may say, such as its strategy and its "+
	"preemption, has its default. Its controller has the configuration of its own\nmanifests, and beside what these "+
	"look after, the PyTorchJobs; the feature `VisibilityOnDemand`, which tells\npeople of its queues, is off.", gpus)

// kueue admits a job once the quota, which is all GPUs, has room for it. kube-scheduler places its pods.
func kueue() contender {
	return contender{
		name: "Kueue", builder: kueueModule, module: "sigs.k8s.io/kueue", built: "%s, with kube-scheduler",
		least: load.Order.Fixed,
		start: func(b *testing.B, home *cluster.Cluster) []process {
			scheduler := schedulerprocess.Start(b,
				schedulerprocess.Options{Cluster: home, Name: "default-scheduler", Stock: true})
			return []process{scheduler, startKueue(b, home)}
		},
		prepare: func(w *world.World) {
			w.Foreign(kueueAPI, "ResourceFlavor", "gpu", schedulerprocess.Object{})
			w.Foreign(kueueAPI, "ClusterQueue", "all", schedulerprocess.Object{
				"namespaceSelector": schedulerprocess.Object{},
				"resourceGroups": []any{schedulerprocess.Object{
					"coveredResources": []any{"nvidia.com/gpu"},
					"flavors": []any{schedulerprocess.Object{"name": "gpu", "resources": []any{
						schedulerprocess.Object{"name": "nvidia.com/gpu", "nominalQuota": fmt.Sprint(gpus)},
					}}},
				}},
			})
			w.Foreign(kueueAPI, "LocalQueue", "all", schedulerprocess.Object{"clusterQueue": "all"})
		},
		job: func(w *world.World, o load.Order) {
			job := fixed(o)
			job.Labels = map[string]string{localQueue: "all"}
			w.PyTorchJob(o.Name, job)
		},
	}
}

// manager is Kueue's controller as a process.
type manager struct{ cmd *exec.Cmd }

// PID is that of the process.
func (m manager) PID() int { return m.cmd.Process.Pid }

// startKueue installs Kueue with its own manifests, and runs its controller as a process beside the API server, which
// finds its webhooks by a Service that is a name of this machine. What tells people of its queues is left out.
func startKueue(b *testing.B, home *cluster.Cluster) process {
	b.Helper()
	config := schedulerprocess.Object{}
	at, err := net.ResolveTCPAddr("tcp", cluster.AddressFor(b))
	must(b, err)
	var manifests strings.Builder
	text := kubectl(b, home, "", "kustomize", source(b, kueueModule, "sigs.k8s.io/kueue")+"/config/default")
	for document := range strings.SplitSeq(text, "\n---\n") {
		object := schedulerprocess.Object{}
		must(b, yaml.Unmarshal([]byte(document), &object))
		switch object["kind"] {
		case "Deployment", "APIService":
			continue
		case "ConfigMap":
			given, _, _ := unstructured.NestedString(object, "data", "controller_manager_config.yaml")
			must(b, yaml.Unmarshal([]byte(given), &config))
		case "Service":
			object["spec"] = schedulerprocess.Object{"type": "ExternalName", "externalName": "localhost"}
		}
		ask(object, at.Port)
		written, err := yaml.Marshal(object)
		must(b, err)
		fmt.Fprintf(&manifests, "---\n%s", written)
	}
	kubectl(b, home, manifests.String(), "apply", "--server-side", "--filename", "-")

	folder := b.TempDir()
	certificates := filepath.Join(folder, "certificates")
	config["webhook"] = schedulerprocess.Object{"port": at.Port, "certDir": certificates}
	config["leaderElection"] = schedulerprocess.Object{"leaderElect": false}
	config["metrics"] = schedulerprocess.Object{"bindAddress": cluster.AddressFor(b)}
	health := cluster.AddressFor(b)
	config["health"] = schedulerprocess.Object{"healthProbeBindAddress": health}
	frameworks, _, err := unstructured.NestedStringSlice(config, "integrations", "frameworks")
	must(b, err)
	must(b, unstructured.SetNestedStringSlice(config, append(frameworks, "kubeflow.org/pytorchjob"),
		"integrations", "frameworks"))
	written, err := yaml.Marshal(config)
	must(b, err)
	must(b, os.WriteFile(filepath.Join(folder, "kueue.yaml"), written, 0o600))

	log, err := os.Create(filepath.Join(folder, "log"))
	must(b, err)
	cmd := exec.CommandContext(b.Context(), cluster.Program("peers/kueue"), "--config",
		filepath.Join(folder, "kueue.yaml"),
		"--zap-log-level=2",
		"--feature-gates", "VisibilityOnDemand=false")
	cmd.Env = append(os.Environ(), "KUBECONFIG="+home.Kubeconfig())
	cmd.Stdout, cmd.Stderr = log, log
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	must(b, cmd.Start())
	b.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait() // it was killed
		if said, err := os.ReadFile(log.Name()); b.Failed() && err == nil {
			b.Logf("Kueue says\n%s", said[max(0, len(said)-10_000):])
		}
	})
	eventually(b, "Kueue is ready", func() error {
		if err := mount(b, home, certificates); err != nil {
			return err
		}
		return answers(b, "http://"+health+"/readyz")
	})
	return manager{cmd}
}

// ask has all webhooks of an object asked at a port.
func ask(value any, port int) {
	switch value := value.(type) {
	case []any:
		for _, each := range value {
			ask(each, port)
		}
	case schedulerprocess.Object:
		if config, is := value["clientConfig"].(schedulerprocess.Object); is {
			config["service"].(schedulerprocess.Object)["port"] = int64(port)
		}
		for _, each := range value {
			ask(each, port)
		}
	}
}

// mount writes the certificates of Kueue to a folder, as a kubelet would.
func mount(b *testing.B, home *cluster.Cluster, folder string) error {
	c, err := kubernetes.NewForConfig(home.Config())
	if err != nil {
		return err
	}
	secret, err := c.CoreV1().Secrets(kueueSystem).Get(b.Context(), "kueue-webhook-server-cert", metav1.GetOptions{})
	if err != nil {
		return err
	}
	if len(secret.Data) == 0 {
		return errors.New("its certificates are not made yet")
	}
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return err
	}
	for name, data := range secret.Data {
		if err := os.WriteFile(filepath.Join(folder, name), data, 0o600); err != nil {
			return err
		}
	}
	return nil
}
