package access

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	authenticationv1 "k8s.io/api/authentication/v1"
	coordinationv1 "k8s.io/api/coordination/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/rest"

	"github.com/takt-dev/takt/cli/snapshot"
	"github.com/takt-dev/takt/elastic"
	"github.com/takt-dev/takt/version"
)

// operatorOptions say where the operator is.
type operatorOptions struct {
	file, namespace, url, ca string
}

const (
	// operatorName is that of the lease of the operator that leads, and of its Deployment.
	operatorName = "takt-operator"
	// snapshotPath is where it tells what it last planned from, and beyondOf names the job there of which it tells what it
	// would do with more workers than it may have.
	snapshotPath = "/snapshot"
	beyondOf     = "beyond"
	// snapshotAccount may read it, for those whose own login the operator cannot check: config/prometheus makes it.
	snapshotAccount = "takt-snapshot"
	// answerWithin is how long the operator may take, with a snapshot of ten thousand jobs.
	answerWithin = time.Minute
	// longestSnapshot is more than any cluster's.
	longestSnapshot = 1 << 28
)

// Snapshot is what the operator last planned from, with what a job would do with more workers than it may have, or what
// the file says that was named instead.
func (c *Cluster) Snapshot(ctx context.Context, stdin io.Reader, job string) (elastic.Snapshot, error) {
	if c.operator.file != "" {
		s, err := snapshot.Read(c.operator.file, stdin)
		return s.Snapshot, err
	}
	text, err := c.snapshotText(ctx, url.Values{beyondOf: {job}})
	if err != nil {
		return elastic.Snapshot{}, err
	}
	s, err := snapshot.Parse(string(text), "what takt-operator tells")
	if err != nil {
		return s.Snapshot, fmt.Errorf("%w\nthis takt is %s, and takt-operator is of another release, maybe: take the takt "+
			"of that. Its image has it, as in takt snapshot | kubectl -n %s exec -i deployment/takt-operator -- "+
			"/takt plan --file -",
			err, version.Of(), c.operator.namespace)
	}
	return s.Snapshot, nil
}

// SnapshotText is what the operator last planned from, as it tells it.
func (c *Cluster) SnapshotText(ctx context.Context) ([]byte, error) { return c.snapshotText(ctx, nil) }

func (c *Cluster) snapshotText(ctx context.Context, query url.Values) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, answerWithin)
	defer cancel()
	if c.operator.url != "" {
		login, err := c.login(ctx)
		if err != nil {
			return nil, err
		}
		return c.ask(ctx, login, c.operator.url, query, c.operator.ca, nil)
	}
	pod, err := c.leader(ctx)
	if err != nil {
		return nil, err
	}
	login, err := c.login(ctx)
	if err != nil {
		return nil, err
	}
	tunnel, err := c.dig(ctx, pod)
	if err != nil {
		return nil, err
	}
	defer tunnel.close()
	return c.ask(ctx, login, "https://"+pod, query, "", tunnel.dial)
}

// leader is the pod of the operator that leads.
func (c *Cluster) leader(ctx context.Context) (string, error) {
	lease, err := c.Core.CoordinationV1().Leases(c.operator.namespace).Get(ctx, operatorName, metav1.GetOptions{})
	switch {
	case apierrors.IsNotFound(err):
		return "", fmt.Errorf("no takt-operator leads in namespace %s: name another with --operator-namespace, "+
			"or its address with --operator if it runs outside of the cluster; takt doctor says what is installed",
			c.operator.namespace)
	case apierrors.IsForbidden(err):
		return "", fmt.Errorf("you may not look for takt-operator in namespace %s: ask whoever runs the cluster for takt "+
			"snapshot, and name the file with --snapshot. It takes the right to get leases and to create pods/portforward there",
			c.operator.namespace)
	case err != nil:
		return "", c.Explain(err)
	}
	holder, alive := Holder(lease, time.Now())
	if !alive {
		return "", fmt.Errorf("takt-operator does not run: nobody has led since %s. See kubectl -n %s get pods",
			renewed(lease), c.operator.namespace)
	}
	return holder, nil
}

// Holder is the pod that holds a lease, or the machine of a process outside of the cluster, and whether it still does.
// A lease that was not renewed for long is held by nobody, whatever it says.
func Holder(lease *coordinationv1.Lease, now time.Time) (string, bool) {
	spec := lease.Spec
	if spec.HolderIdentity == nil || *spec.HolderIdentity == "" || spec.RenewTime == nil ||
		spec.LeaseDurationSeconds == nil {
		return "", false
	}
	const patience = 2 // clocks differ, and a leader is allowed to be late
	name, _, _ := strings.Cut(*spec.HolderIdentity, "_")
	return name, now.Sub(spec.RenewTime.Time) < patience*time.Duration(*spec.LeaseDurationSeconds)*time.Second
}

func renewed(lease *coordinationv1.Lease) string {
	if lease.Spec.RenewTime == nil {
		return "it was installed"
	}
	return lease.Spec.RenewTime.UTC().Format(time.RFC3339)
}

// login is how the operator is told who asks. It knows tokens alone: whoever logs in by a certificate asks as an
// account that is there for that.
func (c *Cluster) login(ctx context.Context) (*rest.Config, error) {
	config := rest.CopyConfig(c.config)
	if config.Impersonate.UserName != "" {
		return nil, errors.New("takt-operator asks who you are by your token, and knows no --as: leave it out, or name a " +
			"file with --snapshot")
	}
	if config.BearerToken != "" || config.BearerTokenFile != "" || config.ExecProvider != nil ||
		config.AuthProvider != nil {
		return config, nil
	}
	ten := int64(600)
	request, err := c.Core.CoreV1().ServiceAccounts(c.operator.namespace).CreateToken(ctx, snapshotAccount,
		&authenticationv1.TokenRequest{Spec: authenticationv1.TokenRequestSpec{ExpirationSeconds: &ten}},
		metav1.CreateOptions{})
	switch {
	case apierrors.IsNotFound(err):
		return nil, fmt.Errorf("you log in by a certificate, and takt-operator knows tokens alone. Give one with --token, "+
			"or have ServiceAccount %s/%s made, as which takt asks then: %s makes it, and so does rbac.readers=true with Helm",
			c.operator.namespace, snapshotAccount, version.OfRelease().Apply("prometheus"))
	case apierrors.IsForbidden(err):
		return nil, fmt.Errorf("you log in by a certificate, and takt-operator knows tokens alone. Give one with --token, "+
			"or name a file with --snapshot (%w)", err)
	case err != nil:
		return nil, c.Explain(err)
	}
	config.BearerToken = request.Status.Token
	return config, nil
}

// ask gets the snapshot from an address.
func (c *Cluster) ask(ctx context.Context, login *rest.Config, address string, query url.Values, ca string,
	dial dialer) ([]byte, error) {
	at, err := url.Parse(address)
	if err != nil || at.Scheme != "https" || at.Host == "" {
		return nil, fmt.Errorf("--operator is %q: it must be an address such as https://127.0.0.1:8443", address)
	}
	transport, err := transportTo(at, ca, dial)
	if err != nil {
		return nil, err
	}
	defer transport.CloseIdleConnections()
	authenticated, err := rest.HTTPWrappersForConfig(login, transport)
	if err != nil {
		return nil, err
	}
	at = at.JoinPath(snapshotPath)
	at.RawQuery = query.Encode()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, at.String(), http.NoBody)
	if err != nil {
		return nil, err
	}
	response, err := (&http.Client{Transport: authenticated}).Do(request)
	if err != nil {
		return nil, fmt.Errorf("takt-operator does not answer: %w. See that it serves metrics securely (metrics.secure, "+
			"metrics.bindAddress), as the snapshot is beside them", err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(io.LimitReader(response.Body, longestSnapshot))
	if err != nil {
		return nil, fmt.Errorf("takt-operator breaks off: %w. Try again", err)
	}
	return text, answered(response.StatusCode, string(text))
}

// answered says what to do about an answer that is no snapshot.
func answered(status int, text string) error {
	switch status {
	case http.StatusOK:
		return nil
	case http.StatusUnauthorized:
		return errors.New("takt-operator does not know you: log in anew, or give another --token")
	case http.StatusForbidden:
		return errors.New("you may not see the snapshot, which names all jobs: ask whoever runs the cluster for the " +
			"ClusterRole takt-snapshot-reader, or for takt snapshot, and name the file with --snapshot. " +
			version.OfRelease().Apply("prometheus") + " makes that role, and so does rbac.readers=true with Helm")
	case http.StatusNotFound:
		return errors.New("takt-operator serves no snapshot: have metrics.secure: true in its settings")
	}
	return fmt.Errorf("takt-operator answers with %d: %s. Try again in a moment; its log says more", status,
		strings.TrimRight(strings.TrimSpace(text), "."))
}
