package install

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	authenticationv1 "k8s.io/api/authentication/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/tools/clientcmd"
	clientcmdapi "k8s.io/client-go/tools/clientcmd/api"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/e2e/lib/cluster"
	"github.com/takt-dev/takt/e2e/lib/schedulerprocess"
)

const scheduler, schedulerPage = "takt-scheduler", "docs/scheduler.md"

var (
	// What Takt's plugin needs beside what every kube-scheduler may.
	schedules = []ask{
		{"watch", "takt.dev", "resizes", "", "", ""},
		{"patch", "takt.dev", "resizes", "status", "training", ""},
		{"create", "", "pods", "binding", "training", ""},
		{"watch", "", "nodes", "", "", ""},
	}
	schedulesNot = []ask{
		{"create", "takt.dev", "resizes", "", "training", ""},
		{"patch", "takt.dev", "resizes", "", "training", ""},
		{"watch", "takt.dev", "elasticjobs", "", "", ""},
		{"get", "kubeflow.org", "pytorchjobs", "", "training", ""},
		{"get", "", "secrets", "", "", ""},
		{"create", "", "pods", "exec", "training", ""},
		{"update", "coordination.k8s.io", "leases", "", "takt-system", "takt-operator"},
	}
)

// keepsLease has a scheduler lead on though the machine is busy: one that cannot renew its lease in time ends.
var keepsLease = []func(config, args schedulerprocess.Object){func(config, _ schedulerprocess.Object) {
	election := config["leaderElection"].(schedulerprocess.Object)
	election["leaseDuration"], election["renewDeadline"] = "30s", "25s"
}}

// The manifests are applied, and the program that they name places a gang, with no other rights than those
// that they give it and the configuration that they come with.
func beside(t *testing.T) {
	apply(t, "config/scheduler/beside")
	awaitPods(t, scheduler)
	lease := ask{"update", "coordination.k8s.io", "leases", "", "takt-system", scheduler}
	another := ask{"update", "coordination.k8s.io", "leases", "", "kube-system", "kube-scheduler"}
	checkRights(t, scheduler, append(slices.Clone(schedules), lease), append(slices.Clone(schedulesNot), another))

	createNamespace(t, "gangs")
	s := schedulerprocess.Start(t, schedulerprocess.Options{
		Cluster: fresh, Kubeconfig: as(t, scheduler), Change: keepsLease,
	})
	defer s.Kill()
	makeGang(t, "gangs", "resnet", 3)
	if err := wait.PollUntilContextTimeout(t.Context(), 100*time.Millisecond, enough, true,
		placedAll(t, "gangs", "resnet", 3)); err != nil {
		t.Fatalf("%v\n%s", err, s.Said())
	}
	if refused := "is forbidden"; strings.Contains(s.Said(), refused) {
		t.Errorf("it was refused something:\n%s", s.Said())
	}
}

// The program stands by while another scheduler has the lease, and then places the pods of both names. Meanwhile is for
// what may be asked while there is such a lease.
func instead(t *testing.T, meanwhile func()) {
	apply(t, "config/scheduler/instead")
	lease := ask{"update", "coordination.k8s.io", "leases", "", "kube-system", "kube-scheduler"}
	checkRights(t, scheduler, append(schedules, lease), schedulesNot)

	component(t, "kill", "kube-scheduler") // it elects no leader
	defer component(t, "restart", "kube-scheduler")
	other := schedulerprocess.Start(t, schedulerprocess.Options{
		Cluster: fresh, Kubeconfig: fresh.Kubeconfig(), Instead: true, Stock: true, Change: keepsLease,
	})
	awaitLeader(t, "")
	leads := leader(t)
	meanwhile()
	takt := schedulerprocess.Start(t, schedulerprocess.Options{
		Cluster: fresh, Kubeconfig: as(t, scheduler), Instead: true, Change: keepsLease,
	})
	defer takt.Kill()
	makeGang(t, "gangs", "bert", 2)
	if got := leader(t); got != leads {
		t.Errorf("%s has the lease, which %s had before", got, leads)
	}
	other.Kill()
	awaitLeader(t, leads)
	plain := &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{Name: "plain"},
		Spec:       corev1.PodSpec{Containers: []corev1.Container{{Name: "main", Image: "example.com/main:1"}}},
	}
	if _, err := client(t).CoreV1().Pods("gangs").Create(t.Context(), plain, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	for name, condition := range map[string]wait.ConditionWithContextFunc{
		"the gang":      placedAll(t, "gangs", "bert", 2),
		"the plain pod": placedPod(t, "gangs", "plain"),
	} {
		if err := wait.PollUntilContextTimeout(t.Context(), 100*time.Millisecond, enough, true, condition); err != nil {
			t.Errorf("%s is not placed: %v\n%s", name, err, takt.Said())
		}
	}
	if _, err := fresh.Kubectl(t.Context(), "delete", "-k", "config/scheduler/instead"); err != nil {
		t.Fatal(err)
	}
}

// component does something to a component of the cluster.
func component(t *testing.T, do, name string) {
	t.Helper()
	if err := fresh.Component(t.Context(), do, name); err != nil {
		t.Fatal(err)
	}
}

// leader is who places the pods of the cluster; empty if nobody does.
func leader(t *testing.T) string {
	t.Helper()
	lease, err := client(t).CoordinationV1().Leases("kube-system").Get(t.Context(), "kube-scheduler", metav1.GetOptions{})
	if err != nil || lease.Spec.HolderIdentity == nil {
		return ""
	}
	return *lease.Spec.HolderIdentity
}

// awaitLeader waits until somebody else leads.
func awaitLeader(t *testing.T, before string) {
	t.Helper()
	if err := wait.PollUntilContextTimeout(t.Context(), 100*time.Millisecond, enough, true,
		func(context.Context) (bool, error) {
			now := leader(t)
			return now != "" && now != before, nil
		}); err != nil {
		t.Fatalf("nobody leads after %q: %v", before, err)
	}
}

// as writes a kubeconfig of a ServiceAccount.
func as(t *testing.T, account string) string {
	t.Helper()
	token, err := client(t).CoreV1().ServiceAccounts("takt-system").CreateToken(t.Context(), account,
		&authenticationv1.TokenRequest{}, metav1.CreateOptions{})
	if err != nil {
		t.Fatal(err)
	}
	config := clientcmdapi.NewConfig()
	config.Clusters["c"] = &clientcmdapi.Cluster{
		Server: fresh.Config().Host, CertificateAuthorityData: fresh.Config().CAData,
	}
	config.AuthInfos["u"] = &clientcmdapi.AuthInfo{Token: token.Status.Token}
	config.Contexts["x"] = &clientcmdapi.Context{Cluster: "c", AuthInfo: "u"}
	config.CurrentContext = "x"
	file := filepath.Join(t.TempDir(), "kubeconfig")
	if err := clientcmd.WriteToFile(*config, file); err != nil {
		t.Fatal(err)
	}
	return file
}

// makeGang makes the Resize of a job that starts, and its pods, for the scheduler.
func makeGang(t *testing.T, namespace, job string, size int) {
	t.Helper()
	manifest := fmt.Sprintf(`{"apiVersion": "takt.dev/v1alpha1", "kind": "Resize", "metadata": {"name": "%s-1", "namespace": %q},
		"spec": {"elasticJob": %q, "epoch": 1, "from": 0, "to": %d, "mode": "Live", "reason": "Started"}}`, job, namespace, job, size)
	if _, err := fresh.KubectlWith(t.Context(), manifest, "create", "-f", "-"); err != nil {
		t.Fatal(err)
	}
	for i := range size {
		pod := &corev1.Pod{
			ObjectMeta: metav1.ObjectMeta{Name: fmt.Sprintf("%s-worker-%d", job, i)},
			Spec: corev1.PodSpec{
				SchedulerName: scheduler, Containers: []corev1.Container{{Name: "main", Image: "example.com/main:1"}},
			},
		}
		schedulerprocess.Member(t, pod, job, i, v1alpha1.Gang{Epoch: 1, Pods: int32(size)})
		if _, err := client(t).CoreV1().Pods(namespace).Create(t.Context(), pod, metav1.CreateOptions{}); err != nil {
			t.Fatal(err)
		}
	}
}

// placedAll says whether all pods of a gang have a node, and its Resize knows.
func placedAll(t *testing.T, namespace, job string, size int) wait.ConditionWithContextFunc {
	return func(ctx context.Context) (bool, error) {
		fits, err := fresh.Kubectl(ctx, "--namespace", namespace, "get", "resize", job+"-1", "--output",
			"jsonpath={.status.placement.fits}")
		if err != nil {
			return false, err
		}
		for i := range size {
			if placed, err := placedPod(t, namespace, fmt.Sprintf("%s-worker-%d", job, i))(ctx); err != nil || !placed {
				return false, err
			}
		}
		return fits == strconv.Itoa(size), nil
	}
}

func placedPod(t *testing.T, namespace, name string) wait.ConditionWithContextFunc {
	return func(ctx context.Context) (bool, error) {
		pod, err := client(t).CoreV1().Pods(namespace).Get(ctx, name, metav1.GetOptions{})
		return err == nil && pod.Spec.NodeName != "", err
	}
}

// The two configurations are the same but for what pods call the scheduler, and where it elects its leader.
func TestBothConfigurationsOfTheSchedulerAreAlike(t *testing.T) {
	read := func(way string) string {
		text, err := os.ReadFile(filepath.Join(cluster.Root(), "config/scheduler", way, "scheduler.yaml"))
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	want := strings.NewReplacer(
		"resourceNamespace: takt-system", "resourceNamespace: kube-system",
		"resourceName: takt-scheduler", "resourceName: kube-scheduler",
		"schedulerName: takt-scheduler", "schedulerName: default-scheduler",
		"  plugins:", "  plugins: &plugins", "  pluginConfig:", "  pluginConfig: &args",
	).Replace(read("beside"))
	if got, _, both := strings.Cut(read("instead"), "# The pods that ask for it by its name"); got != want || !both {
		t.Error("config/scheduler/instead/scheduler.yaml differs in more than that from the one beside it")
	}
}
