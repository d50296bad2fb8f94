package access

import (
	"context"
	"errors"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/spf13/pflag"
	coordinationv1 "k8s.io/api/coordination/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/controller-runtime/pkg/client/apiutil"

	"github.com/takt-dev/takt/api/v1alpha1"
)

func TestErrorsSayWhatToDo(t *testing.T) {
	jobs := schema.GroupResource{Group: "takt.dev", Resource: "elasticjobs"}
	for name, test := range map[string]struct {
		err  error
		want string
	}{
		"no Takt": {&meta.NoKindMatchError{GroupKind: schema.GroupKind{Group: "takt.dev", Kind: "ElasticJob"}},
			"kubectl apply --server-side -k config/default installs it"},
		"no group of Takt": {
			&apiutil.ErrResourceDiscoveryFailed{v1alpha1.GroupVersion: &meta.NoResourceMatchError{
				PartialResource: v1alpha1.GroupVersion.WithResource("")}},
			"which knows no kind of takt.dev: kubectl apply --server-side -k config/default installs it",
		},
		"no trainings": {&meta.NoKindMatchError{GroupKind: schema.GroupKind{Group: "kubeflow.org", Kind: "TFJob"}},
			"install Kubeflow's training-operator"},
		"no rights": {apierrors.NewForbidden(jobs, "resnet", errors.New("no")), "the ClusterRole takt-view"},
		"nobody":    {apierrors.NewUnauthorized("no"), "log in anew"},
		"too much":  {apierrors.NewTooManyRequests("later", 1), "try again in a moment"},
		"no connection": {&url.Error{Op: "Get", URL: "x",
			Err: &net.OpError{Op: "dial", Err: errors.New("connection refused")}},
			"does not answer (connection refused): see that it runs"},
		"it is there": {apierrors.NewAlreadyExists(jobs, "resnet"), "already exists: give the new one another name"},
		"it is gone":  {apierrors.NewNotFound(jobs, "resnet"), `"resnet" not found: it was deleted meanwhile`},
		"no such path": {apierrors.NewGenericServerResponse(404, "get", jobs, "", "", 0, true),
			"takt doctor says what is not"},
		"no such field": {apierrors.NewInvalid(schema.GroupKind{Kind: "PyTorchJob"}, "resnet", nil),
			"is invalid: change these fields, and try again"},
		"not understood": {apierrors.NewBadRequest("unknown field"), "(unknown field): change that, and try again"},
		"too slow":       {apierrors.NewConflict(jobs, "resnet", errors.New("changed")), "at the same time; try again"},
		"too large":      {apierrors.NewRequestEntityTooLargeError("2 MiB"), "see what takt doctor says"},
		"anything":       {errors.New("no idea"), "no idea. Try again, and see what takt doctor says"},
	} {
		t.Run(name, func(t *testing.T) {
			if got := explain(test.err, "https://c"); !strings.Contains(got.Error(), test.want) {
				t.Errorf("it says %q, want %q", got, test.want)
			}
		})
	}
	if err := explain(context.Canceled, ""); !errors.Is(err, context.Canceled) || err.Error() != "context canceled" {
		t.Errorf("of an interrupt it says %q", err)
	}
	conflict := explain(apierrors.NewConflict(jobs, "resnet", errors.New("changed")), "")
	if !apierrors.IsConflict(conflict) {
		t.Error("nobody can tell any more that it is worth another try")
	}
	if explain(nil, "") != nil || (&Cluster{}).Explain(nil) != nil {
		t.Error("what is no error is explained")
	}
}

func TestAnAnswerThatIsNoSnapshotIsExplained(t *testing.T) {
	for status, want := range map[int]string{200: "", 401: "log in anew", 403: "takt-snapshot-reader",
		404: "metrics.secure", 503: "answers with 503: nothing has been planned yet. Try again in a moment"} {
		err := answered(status, "nothing has been planned yet\n")
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("of %d it says %v, want %q", status, err, want)
		}
	}
}

func TestWhoHoldsALease(t *testing.T) {
	now := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	lease := func(holder string, ago time.Duration) *coordinationv1.Lease {
		seconds := int32(15)
		return &coordinationv1.Lease{Spec: coordinationv1.LeaseSpec{
			HolderIdentity: &holder, LeaseDurationSeconds: &seconds, RenewTime: &metav1.MicroTime{Time: now.Add(-ago)},
		}}
	}
	for name, test := range map[string]struct {
		lease *coordinationv1.Lease
		who   string
		alive bool
	}{
		"it leads":       {lease("takt-operator-x_uid", 2*time.Second), "takt-operator-x", true},
		"it is late":     {lease("takt-operator-x_uid", 20*time.Second), "takt-operator-x", true},
		"it has died":    {lease("takt-operator-x_uid", time.Minute), "takt-operator-x", false},
		"it let go":      {lease("", time.Second), "", false},
		"it never began": {&coordinationv1.Lease{}, "", false},
	} {
		if who, alive := Holder(test.lease, now); who != test.who || alive != test.alive {
			t.Errorf("%s: %q, %v", name, who, alive)
		}
	}
}

// A token goes to nobody who cannot show who they are, but through a tunnel or on this machine.
func TestWhoIsSentAToken(t *testing.T) {
	for address, trusted := range map[string]bool{
		"https://127.0.0.1:8443": true, "https://localhost:8443": true, "https://[::1]:8443": true,
		"https://10.0.0.1:8443": false, "https://takt.example.com": false, "https://localhost.example.com": false,
	} {
		at, err := url.Parse(address)
		if err != nil {
			t.Fatal(err)
		}
		transport, err := transportTo(at, "", nil)
		if err != nil || transport.TLSClientConfig.InsecureSkipVerify != trusted {
			t.Errorf("%s is trusted: %v (%v)", address, transport.TLSClientConfig.InsecureSkipVerify, err)
		}
	}
	no := filepath.Join(t.TempDir(), "ca")
	if err := os.WriteFile(no, []byte("no certificate"), 0o600); err != nil {
		t.Fatal(err)
	}
	for file, want := range map[string]string{no: "has no certificate", no + "x": "--operator-ca has to name"} {
		if _, err := transportTo(&url.URL{Host: "a"}, file, nil); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("of %s it says %v", file, err)
		}
	}
}

func TestAKubeconfigThatIsOfNoUseIsExplained(t *testing.T) {
	t.Setenv("KUBECONFIG", filepath.Join(t.TempDir(), "none"))
	for want, args := range map[string][]string{
		"no cluster is named in ":                  {},
		`no context "other": kubectl config get-c`: {"--context", "other", "--kubeconfig", oneContext(t)},
		"name another with --kubeconfig; kubectl ": {"--kubeconfig", "/nowhere"},
	} {
		var o Options
		flags := pflag.NewFlagSet("", pflag.ContinueOnError)
		o.Bind(flags)
		if err := flags.Parse(args); err != nil {
			t.Fatal(err)
		}
		if _, err := o.Open(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("with %v it says %v, want %q", args, err, want)
		}
	}
}

func oneContext(t *testing.T) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "config")
	text := "apiVersion: v1\nkind: Config\nclusters: [{name: c, cluster: {server: https://c}}]\nusers: []\ncontexts: " +
		"[{name: x, context: {cluster: c}}]\ncurrent-context: x\n"
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}
