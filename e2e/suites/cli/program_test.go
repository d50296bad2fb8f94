package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/cri-streaming/pkg/streaming/portforward"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/takt-dev/takt/e2e/lib/cluster"
	"github.com/takt-dev/takt/e2e/lib/world"
	"github.com/takt-dev/takt/operator/settings"
)

// home is a world with an operator that leads and serves its snapshot, as if it ran in a pod of it.
type home struct {
	*world.World
	t       *testing.T
	address string // of the operator
}

func newHome(t *testing.T) *home {
	t.Helper()
	address := cluster.AddressFor(t)
	h := &home{t: t, address: address}
	h.World = world.New(t, world.Options{Settings: func(s *settings.Settings) {
		s.Metrics = settings.Metrics{BindAddress: address, Secure: true}
		s.Records.Namespace, s.GPUs.Prices = s.Namespaces[0], map[string]float64{"*": 2}
		le := &s.LeaderElection
		le.Enabled, le.Namespace = true, s.Namespaces[0]
		// for a machine that has much else to do
		le.LeaseDuration.Duration, le.RenewDeadline.Duration = time.Minute, 40*time.Second
	}, Start: world.Operate})
	h.Nodes(2, 4)
	h.pod()
	h.account()
	return h
}

// pod is what the operator seems to run in: it has the name that the lease says, and a port that leads to the operator.
func (h *home) pod() {
	h.t.Helper()
	name, err := os.Hostname()
	if err != nil {
		h.t.Fatal(err)
	}
	h.PlainPod(name, 0)
	h.Eventually("the pod of the operator runs", world.Soon, func() error {
		pod := &corev1.Pod{}
		if err := h.Client.Get(h.t.Context(), client.ObjectKey{Namespace: h.Namespace, Name: name}, pod); err != nil {
			return err
		}
		return world.Want("phase", pod.Status.Phase, corev1.PodRunning)
	})
	h.AnswerForPorts(func(w http.ResponseWriter, r *http.Request) {
		portforward.ServePortForward(w, r, forwarder{h.address}, name, "", &portforward.V4Options{}, time.Minute,
			10*time.Second, portforward.SupportedProtocols)
	})
}

// forwarder joins what comes for the port of the operator with it.
type forwarder struct{ address string }

// PortForward copies both ways until one side ends.
func (f forwarder) PortForward(ctx context.Context, _, _ string, port int32, stream io.ReadWriteCloser) error {
	if port != 8443 {
		return fmt.Errorf("nobody listens on port %d", port)
	}
	to, err := new(net.Dialer).DialContext(ctx, "tcp", f.address)
	if err != nil {
		return err
	}
	defer to.Close()
	ended := make(chan struct{}, 2)
	go func() { _, _ = io.Copy(to, stream); ended <- struct{}{} }()
	go func() { _, _ = io.Copy(stream, to); ended <- struct{}{} }()
	<-ended
	return stream.Close()
}

// account is the one as which takt asks, as the suite logs in by a certificate.
func (h *home) account() {
	h.t.Helper()
	ctx := h.t.Context()
	account := &corev1.ServiceAccount{ObjectMeta: metav1.ObjectMeta{Namespace: h.Namespace, Name: "takt-snapshot"}}
	role := &rbacv1.ClusterRole{
		ObjectMeta: metav1.ObjectMeta{Name: h.Namespace + "-snapshot"},
		Rules:      []rbacv1.PolicyRule{{NonResourceURLs: []string{"/snapshot"}, Verbs: []string{"get"}}},
	}
	binding := &rbacv1.ClusterRoleBinding{
		ObjectMeta: metav1.ObjectMeta{Name: role.Name},
		RoleRef:    rbacv1.RoleRef{APIGroup: rbacv1.GroupName, Kind: "ClusterRole", Name: role.Name},
		Subjects:   []rbacv1.Subject{{Kind: rbacv1.ServiceAccountKind, Namespace: h.Namespace, Name: account.Name}},
	}
	if err := errors.Join(h.Client.Create(ctx, account), h.Client.Create(ctx, role),
		h.Client.Create(ctx, binding)); err != nil {
		h.t.Fatal(err)
	}
	h.t.Cleanup(func() {
		after := cluster.AfterTest(h.t)
		_ = h.Client.Delete(after, binding)
		_ = h.Client.Delete(after, role)
	})
}

// said is what a call has left.
type said struct {
	code        int
	out, errors string
}

// takt calls the program in the folder of the repository, in the namespace of the world, where the operator is as well.
func (h *home) takt(args ...string) said { return h.taktWith("", args...) }

func (h *home) taktWith(input string, args ...string) said {
	h.t.Helper()
	return call(h.t, cluster.Program("takt"), input, h.environment(), args)
}

// environment names the cluster and the namespace.
func (h *home) environment() []string {
	h.t.Helper()
	config := filepath.Join(h.t.TempDir(), "kubeconfig")
	text, err := os.ReadFile(cluster.Shared().Kubeconfig())
	if err != nil {
		h.t.Fatal(err)
	}
	if err := os.WriteFile(config, text, 0o600); err != nil {
		h.t.Fatal(err)
	}
	set := exec.CommandContext(h.t.Context(), cluster.Program("kubectl"), "config", "set-context", "--current",
		"--namespace", h.Namespace, "--kubeconfig", config)
	if output, err := set.CombinedOutput(); err != nil {
		h.t.Fatalf("%v: %s", err, output)
	}
	return []string{"KUBECONFIG=" + config}
}

func call(t *testing.T, program, input string, environment, args []string) said {
	t.Helper()
	var out, complaints bytes.Buffer
	takt := exec.CommandContext(t.Context(), program, args...)
	takt.Dir, takt.Stdin, takt.Stdout, takt.Stderr = cluster.Root(), strings.NewReader(input), &out, &complaints
	takt.Env = append(os.Environ(), environment...)
	err := takt.Run()
	if _, exited := errors.AsType[*exec.ExitError](err); err != nil && !exited {
		t.Fatalf("takt cannot be run (go build -o bin/ ./cmd/takt builds it): %v", err)
	}
	s := said{takt.ProcessState.ExitCode(), out.String(), complaints.String()}
	t.Logf("$ takt %s\n%s%s", strings.Join(args, " "), s.out, s.errors)
	return s
}

// wants fails the test if a call has not ended well or has not said all of this.
func (h *home) wants(s said, parts ...string) {
	h.t.Helper()
	if s.code != 0 || s.errors != "" {
		h.t.Errorf("it ends with %d and complains: %s", s.code, s.errors)
	}
	for _, part := range parts {
		if !strings.Contains(s.out, part) {
			h.t.Errorf("it does not say %q:\n%s", part, s.out)
		}
	}
}

// refuses fails the test if a call does not end with this code and complaint.
func (h *home) refuses(s said, code int, part string) {
	h.t.Helper()
	if s.code != code || !strings.Contains(s.errors, part) || strings.Count(s.errors, "takt: ") != 1 {
		h.t.Errorf("it ends with %d and says %q, want %d and %q", s.code, s.errors, code, part)
	}
}
