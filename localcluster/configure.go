package localcluster

import (
	_ "embed"
	"errors"
	"fmt"
	"net"
	"os"
	"slices"

	"k8s.io/client-go/tools/clientcmd"
	clientcmdapi "k8s.io/client-go/tools/clientcmd/api"
	"sigs.k8s.io/yaml"
)

var (
	//go:embed manifests/simulation.yaml
	simulationManifest []byte
	//go:embed manifests/cluster.yaml
	clusterManifest []byte
)

type identity struct {
	name, user string
	groups     []string
	addresses  []net.IP // where it serves, but for loopback
}

// identities are who the components are to the API server, as RBAC knows them.
var identities = []identity{
	{name: "admin", user: "admin", groups: []string{"system:masters"}},
	{name: apiserver, user: "kube-apiserver", addresses: append(hostsOf(), net.ParseIP(apiserverService))},
	{name: controllerManager, user: "system:kube-controller-manager"},
	{name: scheduler, user: "system:kube-scheduler"},
	{name: kwok, user: "kwok"},
	{name: trainingOperator, user: "training-operator"},
}

// nodeIdentities are those of what belongs to real nodes. A cluster has them all from the start, so that it can be
// asked for real nodes later.
func nodeIdentities() []identity {
	all := []identity{{name: proxyName, user: "system:kube-proxy"}, {name: coredns, user: coredns}}
	for node := range maxKubelets {
		all = append(all, identity{
			name: componentOn(kubeletName, node), user: "system:node:" + realNodeName(node), groups: []string{"system:nodes"},
			addresses: nodesOf(node),
		})
	}
	return all
}

// configure writes all files that the components read. Keys are made once; the rest follows from
// the settings and is written anew.
func (d dir) configure(s settings) error {
	for _, folder := range []string{"logs", "home", "tmp", "etcd"} {
		if err := os.MkdirAll(d.path(folder), 0o700); err != nil {
			return err
		}
	}
	if err := d.makeKeys(); err != nil {
		return err
	}
	for _, identity := range identities {
		file := d.path("pki", identity.name+".kubeconfig")
		if identity.name == "admin" {
			file = d.path("kubeconfig")
		}
		if err := d.writeKubeconfig(file, identity.name, s.address(apiserver)); err != nil {
			return err
		}
	}
	if err := d.configureRealNodes(s); err != nil {
		return err
	}
	if err := d.writeSchedulerConfig(s.Options.SchedulerConfig); err != nil {
		return err
	}
	if err := d.writeWebhooks(s.Ports[webhookPort]); err != nil {
		return err
	}
	if err := writeFile(d.path("cluster.yaml"), clusterManifest); err != nil {
		return err
	}
	return writeFile(d.path("kwok.yaml"), simulationManifest)
}

// makeKeys makes all keys and certificates of a new cluster in one step: they are complete or
// they are not there.
func (d dir) makeKeys() error {
	folder := d.path("pki")
	if _, err := os.Stat(folder); err == nil {
		return nil
	}
	next := folder + ".next"
	if err := os.RemoveAll(next); err != nil {
		return err
	}
	// etcd trusts an authority of its own: whoever can read and write it is above all rights that
	// the API server checks.
	storage, err := newAuthority(next, "etcd-ca")
	if err != nil {
		return err
	}
	if err := errors.Join(storage.issue(etcd, "etcd"), storage.issue("etcd-client", apiserver)); err != nil {
		return err
	}
	authority, err := newAuthority(next, "ca")
	if err != nil {
		return err
	}
	for _, identity := range slices.Concat(identities, nodeIdentities()) {
		if err := authority.issueAt(identity.addresses, identity.name, identity.user, identity.groups...); err != nil {
			return err
		}
	}
	if _, err := authority.writeKey("service-accounts"); err != nil {
		return err
	}
	return os.Rename(next, folder)
}

func (d dir) writeKubeconfig(path, identity, server string) error {
	var files [3][]byte
	for i, file := range []string{"ca.crt", identity + ".crt", identity + ".key"} {
		var err error
		if files[i], err = os.ReadFile(d.path("pki", file)); err != nil {
			return fmt.Errorf("the keys of the cluster are incomplete: %w; remove %s and start again", err, d)
		}
	}
	const name = "localcluster"
	config := clientcmdapi.NewConfig()
	config.Clusters[name] = &clientcmdapi.Cluster{
		Server:                   "https://" + server,
		CertificateAuthorityData: files[0],
	}
	config.AuthInfos[identity] = &clientcmdapi.AuthInfo{ClientCertificateData: files[1], ClientKeyData: files[2]}
	config.Contexts[name] = &clientcmdapi.Context{Cluster: name, AuthInfo: identity}
	config.CurrentContext = name
	text, err := clientcmd.Write(*config)
	if err != nil {
		return err
	}
	return writeFile(path, text)
}

// writeSchedulerConfig takes the user's configuration, if any, and adds what only the cluster
// knows: how to reach the API server. A single scheduler needs no leader election.
func (d dir) writeSchedulerConfig(source string) error {
	config := map[string]any{
		"apiVersion": "kubescheduler.config.k8s.io/v1",
		"kind":       "KubeSchedulerConfiguration",
	}
	if source != "" {
		text, err := os.ReadFile(source)
		if err != nil {
			return fmt.Errorf("cannot read --scheduler-config: %w", err)
		}
		if err := yaml.Unmarshal(text, &config); err != nil {
			return fmt.Errorf("--scheduler-config %s is not YAML: %w", source, err)
		}
	}
	if config["clientConnection"] == nil {
		config["clientConnection"] = map[string]any{"qps": 1000, "burst": 2000}
	}
	connection, ok := config["clientConnection"].(map[string]any)
	if !ok {
		return fmt.Errorf("--scheduler-config %s: clientConnection must be an object with fields such as qps "+
			"and burst", source)
	}
	connection["kubeconfig"] = d.path("pki", scheduler+".kubeconfig")
	if config["leaderElection"] == nil {
		config["leaderElection"] = map[string]any{"leaderElect": false}
	}
	text, err := yaml.Marshal(config)
	if err != nil {
		return err
	}
	return writeFile(d.path("kube-scheduler.yaml"), text)
}

// writeWebhooks registers the validating webhooks of the training-operator at their address.
func (d dir) writeWebhooks(port int) error {
	authority, err := os.ReadFile(d.path("pki", "ca.crt"))
	if err != nil {
		return err
	}
	webhook := func(kind, plural string) map[string]any {
		return map[string]any{
			"name":                    "validator." + kind + ".training-operator.kubeflow.org",
			"admissionReviewVersions": []string{"v1"},
			"sideEffects":             "None",
			"failurePolicy":           "Fail",
			"timeoutSeconds":          30, // a machine that is busy takes longer to answer
			"clientConfig": map[string]any{
				"url":      fmt.Sprintf("https://127.0.0.1:%d/validate-kubeflow-org-v1-%s", port, kind),
				"caBundle": authority,
			},
			"rules": []map[string]any{{
				"apiGroups":   []string{"kubeflow.org"},
				"apiVersions": []string{"v1"},
				"resources":   []string{plural},
				"operations":  []string{"CREATE", "UPDATE"},
			}},
		}
	}
	text, err := yaml.Marshal(map[string]any{
		"apiVersion": "admissionregistration.k8s.io/v1",
		"kind":       "ValidatingWebhookConfiguration",
		"metadata":   map[string]any{"name": "validator.training-operator.kubeflow.org"},
		"webhooks":   []map[string]any{webhook("pytorchjob", "pytorchjobs"), webhook("tfjob", "tfjobs")},
	})
	if err != nil {
		return err
	}
	return writeFile(d.path("kubeflow-webhooks.yaml"), text)
}
