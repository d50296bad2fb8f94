package access

import (
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/httpstream" //nolint:staticcheck // client-go takes no other
	"k8s.io/client-go/tools/portforward"
	"k8s.io/client-go/transport/spdy"
)

type dialer func(ctx context.Context, network, address string) (net.Conn, error)

// tunnel leads to a port of a pod, through the API server.
type tunnel struct {
	port uint16 // on this machine
	stop chan struct{}
}

// metricsPort is that of the operator where its pod does not say.
const metricsPort = 8443

// dig opens a tunnel to the port of a pod of the operator that serves metrics.
func (c *Cluster) dig(ctx context.Context, name string) (*tunnel, error) {
	namespace, port := c.operator.namespace, int32(metricsPort)
	pod, err := c.Core.CoreV1().Pods(namespace).Get(ctx, name, metav1.GetOptions{})
	switch {
	case err == nil:
		for _, container := range pod.Spec.Containers {
			for _, p := range container.Ports {
				if p.Name == "metrics" {
					port = p.ContainerPort
				}
			}
		}
	case apierrors.IsNotFound(err):
		return nil, fmt.Errorf("takt-operator leads on %s, which is no pod in namespace %s: if it runs outside of the "+
			"cluster, name its address with --operator", name, namespace)
	case !apierrors.IsForbidden(err):
		return nil, c.Explain(err)
	}
	way, err := c.way(
		c.Core.CoreV1().RESTClient().Post().Resource("pods").Namespace(namespace).Name(name).SubResource("portforward").URL())
	if err != nil {
		return nil, unreached(name, namespace, err, "")
	}
	t := &tunnel{stop: make(chan struct{})}
	ready, failed := make(chan struct{}), make(chan error, 1)
	var complaint bytes.Buffer
	forwarder, err := portforward.NewOnAddresses(way, []string{"127.0.0.1"}, []string{fmt.Sprintf("0:%d", port)}, t.stop,
		ready, io.Discard, &complaint)
	if err != nil {
		return nil, unreached(name, namespace, err, "")
	}
	go func() { failed <- forwarder.ForwardPorts() }()
	select {
	case <-ready:
	case err := <-failed:
		return nil, unreached(name, namespace, err, complaint.String())
	case <-ctx.Done():
		t.close()
		return nil, unreached(name, namespace, ctx.Err(), "")
	}
	ports, err := forwarder.GetPorts()
	if err != nil {
		t.close()
		return nil, unreached(name, namespace, err, "")
	}
	t.port = ports[0].Local
	return t, nil
}

// unreached says what a tunnel takes that does not come about.
func unreached(pod, namespace string, err error, complaint string) error {
	if complaint = strings.TrimSpace(complaint); complaint != "" {
		err = fmt.Errorf("%w %s", err, complaint)
	}
	return fmt.Errorf("no connection to takt-operator (pod %s in namespace %s) can be made: %w. See that the pod runs, "+
		"and that you may create pods/portforward there; or name a file with --snapshot", pod, namespace, err)
}

// way is how a tunnel is dug: as WebSockets, else as older API servers have it.
func (c *Cluster) way(to *url.URL) (httpstream.Dialer, error) {
	transport, upgrader, err := spdy.RoundTripperFor(c.config)
	if err != nil {
		return nil, err
	}
	older := spdy.NewDialer(upgrader, &http.Client{Transport: transport}, http.MethodPost, to)
	newer, err := portforward.NewSPDYOverWebsocketDialer(to, c.config)
	if err != nil {
		return nil, err
	}
	return portforward.NewFallbackDialer(newer, older, func(err error) bool {
		return httpstream.IsUpgradeFailure(err) || httpstream.IsHTTPSProxyError(err)
	}), nil
}

func (t *tunnel) close() { close(t.stop) }

func (t *tunnel) dial(ctx context.Context, network, _ string) (net.Conn, error) {
	return new(net.Dialer).DialContext(ctx, network, fmt.Sprintf("127.0.0.1:%d", t.port))
}

// transportTo trusts the end of a tunnel, which the API server vouches for, and this machine; any other address has to
// show a certificate that is known, for it is sent the token of whoever asks.
func transportTo(at *url.URL, ca string, dial dialer) (*http.Transport, error) {
	transport := &http.Transport{DialContext: dial, TLSClientConfig: &tls.Config{MinVersion: tls.VersionTLS12}}
	if ca != "" {
		text, err := os.ReadFile(ca)
		if err != nil {
			return nil, fmt.Errorf("%w: --operator-ca has to name a file with the certificate of the operator", err)
		}
		transport.TLSClientConfig.RootCAs = x509.NewCertPool()
		if !transport.TLSClientConfig.RootCAs.AppendCertsFromPEM(text) {
			return nil, fmt.Errorf("%s has no certificate: --operator-ca has to name a file in PEM form", ca)
		}
		return transport, nil
	}
	address := net.ParseIP(at.Hostname())
	transport.TLSClientConfig.InsecureSkipVerify = dial != nil || at.Hostname() == "localhost" || address != nil && address.IsLoopback() //nolint:gosec // see above
	return transport, nil
}
