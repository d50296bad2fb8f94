package localcluster

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// Components are the parts of a cluster, in the order in which they start.
var Components = []string{etcd, apiserver, controllerManager, scheduler, kwok, trainingOperator}

const (
	etcd              = "etcd"
	apiserver         = "kube-apiserver"
	controllerManager = "kube-controller-manager"
	scheduler         = "kube-scheduler"
	kwok              = "kwok"
	trainingOperator  = "training-operator"
)

// serviceNetwork holds the addresses of Services, and in it are that of the API server and that of the cluster's DNS.
const (
	serviceNetwork   = "10.96.0.0/16"
	apiserverService = "10.96.0.1"
	dnsService       = "10.96.0.10"
)

// Ports that are not the one a component is asked for its health at.
const (
	etcdPeerPort   = "etcd-peers"
	etcdClientPort = "etcd-clients"
	webhookPort    = "training-operator-webhooks"
)

func portNames() []string {
	return append(slices.Clone(Components), etcdClientPort, etcdPeerPort, webhookPort)
}

// checkComponent says whether the cluster has a component.
func (s settings) checkComponent(name string) error {
	all := s.components()
	if slices.Contains(all, name) {
		return nil
	}
	return fmt.Errorf("there is no component %q: give one of %s", name, strings.Join(all, ", "))
}

// neededBy is the component that another cannot work without.
func neededBy(name string) string {
	if kind, node, onReal := splitComponent(name); onReal && kind != machineName {
		return componentOn(machineName, node)
	}
	switch name {
	case etcd:
		return ""
	case apiserver:
		return etcd
	default:
		return apiserver
	}
}

// program is the binary that a component runs, beside the folder of the localcluster binary.
func (s settings) program(name string) (string, error) {
	if name == scheduler && s.Options.Scheduler != "" {
		return s.Options.Scheduler, nil
	}
	if kind, _, onReal := splitComponent(name); onReal {
		return nodeProgram(kind)
	}
	program := "kubernetes"
	if name == trainingOperator || name == coredns {
		program = name
	}
	return libraryFile(program)
}

// libraryFile is a file that is installed with the localcluster binary.
func libraryFile(name string) (string, error) {
	self, err := os.Executable()
	if err != nil {
		return "", err
	}
	if self, err = filepath.EvalSymlinks(self); err != nil {
		return "", err
	}
	path := filepath.Join(filepath.Dir(self), "lib", name)
	if _, err := os.Stat(path); err != nil {
		return "", fmt.Errorf("%s is missing: build it with make localcluster", path)
	}
	return path, nil
}

// environment keeps what components write to a home or temporary folder inside the cluster's own. Of that of
// the user it has the one variable that trades memory for processor time.
func (d dir) environment() []string {
	all := []string{"PATH=" + os.Getenv("PATH"), "HOME=" + d.path("home"), "TMPDIR=" + d.path("tmp")}
	if collector, given := os.LookupEnv("GOGC"); given {
		all = append(all, "GOGC="+collector)
	}
	return all
}

// healthURLs are where the components say whether they are ready, by their address.
var healthURLs = map[string]string{
	etcd:              "http://%s/health",
	apiserver:         "https://%s/readyz",
	controllerManager: "https://%s/healthz",
	scheduler:         "https://%s/healthz",
	kwok:              "http://%s/healthz",
	trainingOperator:  "http://%s/readyz",
	coredns:           "http://%s/ready",
	machineName:       "http://%s/",
	containerdName:    "http://%s/v1/metrics",
	kubeletName:       "https://%s/healthz",
	proxyName:         "http://%s/healthz",
}

// checkReady asks a component whether it is ready.
func checkReady(ctx context.Context, client *http.Client, name string, s settings) error {
	kind := name
	if onNode, _, onReal := splitComponent(name); onReal {
		kind = onNode
	}
	url := fmt.Sprintf(healthURLs[kind], s.address(name))
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return err
	}
	response, err := client.Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return fmt.Errorf("%s answers %s", url, response.Status)
	}
	return nil
}

// httpClient speaks to the components as the cluster's administrator.
func (d dir) httpClient() (*http.Client, error) {
	certificate, err := tls.LoadX509KeyPair(d.path("pki", "admin.crt"), d.path("pki", "admin.key"))
	if err != nil {
		return nil, err
	}
	authority, err := os.ReadFile(d.path("pki", "ca.crt"))
	if err != nil {
		return nil, err
	}
	roots := x509.NewCertPool()
	if !roots.AppendCertsFromPEM(authority) {
		return nil, errors.New("pki/ca.crt holds no certificate")
	}
	return &http.Client{
		Timeout: 5 * time.Second,
		Transport: &http.Transport{TLSClientConfig: &tls.Config{
			MinVersion: tls.VersionTLS12, Certificates: []tls.Certificate{certificate}, RootCAs: roots,
		}},
	}, nil
}
