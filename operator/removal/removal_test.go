package removal

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	kubeflow "github.com/kubeflow/training-operator/pkg/apis/kubeflow.org/v1"
	admissionv1 "k8s.io/api/admissionregistration/v1"
	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	coordinationv1 "k8s.io/api/coordination/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	"k8s.io/apimachinery/pkg/types"
	clienttesting "k8s.io/client-go/testing"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/fake"
	"sigs.k8s.io/controller-runtime/pkg/client/interceptor"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/elastic/resize"
	"github.com/takt-dev/takt/operator/cached"
	"github.com/takt-dev/takt/operator/kind"
	"github.com/takt-dev/takt/operator/kind/known"
	"github.com/takt-dev/takt/operator/shorthand"
)

var noon = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)

// world is a cluster with Takt in the middle of its work.
type world struct {
	t *testing.T
	client.Client
	now    time.Time
	waited int
	// writes are counted, and after deadAfter of them the process is dead; never if that is negative.
	writes, deadAfter int
	said              bytes.Buffer
}

var errDead = errors.New("the process is dead")

func newWorld(t *testing.T) *world {
	t.Helper()
	w := &world{t: t, now: noon, deadAfter: -1}
	scheme, err := cached.NewScheme()
	if err != nil {
		t.Fatal(err)
	}
	write := func() error {
		if w.writes == w.deadAfter {
			return errDead
		}
		w.writes++
		return nil
	}
	// A tracker of its own: the usual one also notes who has written which field, and makes a list of all kinds for each
	// write.
	tracker := clienttesting.NewObjectTracker(scheme, serializer.NewCodecFactory(scheme).UniversalDecoder())
	bare := fake.NewClientBuilder().WithScheme(
		scheme).WithObjectTracker(tracker).WithStatusSubresource(&v1alpha1.ElasticJob{}).WithIndex(&corev1.Pod{},
		schedulerField, func(o client.Object) []string { return []string{o.(*corev1.Pod).Spec.SchedulerName} }).Build()
	w.Client = bare
	w.fill()
	w.Client = interceptor.NewClient(bare, interceptor.Funcs{
		Patch: func(ctx context.Context, c client.WithWatch, object client.Object, patch client.Patch,
			options ...client.PatchOption) error {
			if err := write(); err != nil {
				return err
			}
			return c.Patch(ctx, object, patch, options...)
		},
		Delete: func(ctx context.Context, c client.WithWatch, object client.Object, options ...client.DeleteOption) error {
			if err := write(); err != nil {
				return err
			}
			return c.Delete(ctx, object, options...)
		},
	})
	return w
}

func (w *world) add(objects ...client.Object) {
	w.t.Helper()
	for _, object := range objects {
		if err := w.Create(w.t.Context(), object); err != nil {
			w.t.Fatal(err)
		}
	}
}

func (w *world) fill() {
	// as in config/admission
	for _, name := range []string{"takt-suspend-until-admitted", "takt-suspend-jobs-until-admitted"} {
		w.add(&admissionv1.MutatingAdmissionPolicy{ObjectMeta: metav1.ObjectMeta{Name: name}},
			&admissionv1.MutatingAdmissionPolicyBinding{ObjectMeta: metav1.ObjectMeta{Name: name}})
	}
	w.add(
		&corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Namespace: "takt-system", Name: "takt-admission"}},
		&appsv1.Deployment{ObjectMeta: metav1.ObjectMeta{Namespace: "takt-system", Name: "takt-operator"},
			Spec: appsv1.DeploymentSpec{Replicas: new(int32(2))}},
		&corev1.Pod{
			ObjectMeta: metav1.ObjectMeta{
				Namespace: "takt-system", Name: "takt-operator-1", Labels: map[string]string{nameLabel: "takt-operator"},
			},
			Status: corev1.PodStatus{Phase: corev1.PodRunning},
		},
		&coordinationv1.Lease{
			ObjectMeta: metav1.ObjectMeta{Namespace: "takt-system", Name: "takt-operator"},
			Spec: coordinationv1.LeaseSpec{
				HolderIdentity: new("takt-operator-1"), RenewTime: new(metav1.NewMicroTime(noon)),
				LeaseDurationSeconds: new(int32(15)),
			},
		},
	)
	w.job("stopped", resize.Ask{Epoch: 3, Stage: resize.Forward, Workers: 2, Suspended: true, At: noon}, 0)
	w.job("halfway", resize.Ask{Epoch: 3, Stage: resize.Forward, Workers: 2, Suspended: true, At: noon}, 3)
	w.job("runs", resize.Ask{Epoch: 3, Stage: resize.Forward, Workers: 4, At: noon}, 0)
	w.job("waits", resize.Ask{}, 0)
	w.job("held", resize.Ask{}, 0, func(job *kubeflow.PyTorchJob) {
		job.Annotations[kind.HeldAnnotation] = "until-admitted"
	})
	w.job("byhand", resize.Ask{}, 0)
	w.job("again", resize.Ask{}, 0, func(job *kubeflow.PyTorchJob) {
		job.Annotations[kind.HeldAnnotation] = "until-admitted"
	})
	w.job("paused", resize.Ask{}, 0) // since its status was written last
	w.job("kueue", resize.Ask{}, 0, func(job *kubeflow.PyTorchJob) {
		job.Labels = map[string]string{"kueue.x-k8s.io/queue-name": "q"}
	})
	for _, name := range []string{"stopped", "halfway", "runs", "waits", "held", "byhand", "again", "paused", "kueue"} {
		ej := &v1alpha1.ElasticJob{ObjectMeta: metav1.ObjectMeta{Namespace: "team", Name: name}}
		ej.Spec.JobRef = v1alpha1.JobReference{APIVersion: "kubeflow.org/v1", Kind: "PyTorchJob", Name: name}
		if name == "byhand" || name == "again" {
			ej.Status.Conditions = []metav1.Condition{
				{Type: v1alpha1.ConditionSuspended, Status: metav1.ConditionTrue, Reason: v1alpha1.ReasonSuspendedByUser},
			}
		}
		if name == "paused" {
			ej.Status.Conditions = []metav1.Condition{
				{Type: v1alpha1.ConditionSuspended, Status: metav1.ConditionFalse, Reason: v1alpha1.ReasonNotSuspended},
			}
		}
		w.add(ej)
	}
	w.job("released", resize.Ask{}, 0) // somebody has deleted its ElasticJob
	w.job("strange", resize.Ask{}, 0, func(job *kubeflow.PyTorchJob) { job.Annotations = map[string]string{"a": "b"} })
	w.job("early", resize.Ask{}, 0, func(job *kubeflow.PyTorchJob) { // Takt has not come to it yet
		delete(job.Annotations, shorthand.TakenAnnotation)
	})
	w.add(&v1alpha1.Resize{ObjectMeta: metav1.ObjectMeta{Namespace: "team", Name: "runs-3"},
		Spec: v1alpha1.ResizeSpec{ElasticJob: "runs", Epoch: 3, From: 2, To: 4}})
	w.add(w.pod("runs-worker-0", "n", nil), w.pod("runs-worker-1", "n", map[string]string{
		v1alpha1.DrainingAnnotation: "true",
	}),
		w.pod("runs-worker-2", "", nil), w.pod("runs-worker-3", "n", map[string]string{v1alpha1.AgentAnnotation: "1"}))
}

func (w *world) pod(name, node string, annotations map[string]string) *corev1.Pod {
	return &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{
			Namespace: "team", Name: name, Labels: map[string]string{v1alpha1.EpochLabel: "3"}, Annotations: annotations,
		},
		Spec: corev1.PodSpec{NodeName: node},
	}
}

// job is a suspended job of two workers, as Takt has left it after this ask.
func (w *world) job(name string, ask resize.Ask, returnsTo resize.Workers, change ...func(*kubeflow.PyTorchJob)) {
	w.t.Helper()
	job := &kubeflow.PyTorchJob{
		ObjectMeta: metav1.ObjectMeta{
			Namespace: "team", Name: name, UID: types.UID("job-" + name), Annotations: map[string]string{
				"takt.dev/deadline": "6h", "takt.dev/taken": `{"job":"job-` + name + `"}`,
			},
		},
		Spec: kubeflow.PyTorchJobSpec{
			RunPolicy: kubeflow.RunPolicy{Suspend: new(true)},
			PyTorchReplicaSpecs: map[kubeflow.ReplicaType]*kubeflow.ReplicaSpec{
				kubeflow.PyTorchJobReplicaTypeWorker: {Replicas: new(int32(2))},
			},
		},
	}
	for _, f := range change {
		f(job)
	}
	w.add(job)
	if ask.Epoch == 0 {
		return
	}
	of, _ := known.ByKind("PyTorchJob")
	patch, err := of.Patch(job, ask, kind.Target{ElasticJob: name, Least: 1, Most: 8, ReturnsTo: returnsTo})
	if err != nil {
		w.t.Fatal(err)
	}
	if err := w.Patch(w.t.Context(), job, client.RawPatch(types.MergePatchType, patch)); err != nil {
		w.t.Fatal(err)
	}
}

func (w *world) remove(dry bool) error {
	return Run(w.t.Context(), w.Client, Options{
		Namespace: "takt-system", Name: "takt-operator", DryRun: dry, Within: time.Hour, Say: &w.said,
		Now: func() time.Time { return w.now },
		Pause: func(ctx context.Context, d time.Duration) error {
			if w.waited++; w.waited > 100 {
				return errors.New("this takes too long")
			}
			w.now = w.now.Add(d)
			if deadline := noon.Add(5 * time.Second); w.now.After(deadline) { // the operator's pod goes in its own time
				var d appsv1.Deployment
				if w.Get(ctx, types.NamespacedName{Namespace: "takt-system", Name: "takt-operator"}, &d) == nil &&
					*d.Spec.Replicas == 0 {
					pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "takt-system", Name: "takt-operator-1"}}
					before := w.deadAfter
					w.deadAfter, w.writes = -1, w.writes-1
					err := client.IgnoreNotFound(w.Delete(ctx, pod))
					w.deadAfter = before
					return err
				}
			}
			return nil
		},
	})
}

// clean fails the test if anything waits for Takt.
func (w *world) clean() {
	w.t.Helper()
	for name, want := range map[string]struct {
		suspended bool
		workers   int32
	}{
		"stopped": {false, 2}, "halfway": {false, 3}, "runs": {false, 4}, "waits": {false, 2}, "held": {false, 2},
		"byhand": {true, 2}, "again": {true, 2}, "paused": {true, 2}, "kueue": {true, 2}, "strange": {true, 2},
		"released": {true, 2}, "early": {false, 2},
	} {
		var job kubeflow.PyTorchJob
		if err := w.Get(w.t.Context(), types.NamespacedName{Namespace: "team", Name: name}, &job); err != nil {
			w.t.Fatal(err)
		}
		worker := job.Spec.PyTorchReplicaSpecs["Worker"]
		if *job.Spec.RunPolicy.Suspend != want.suspended || *worker.Replicas != want.workers {
			w.t.Errorf("%s: suspended %t with %d workers, want %t, %d", name, *job.Spec.RunPolicy.Suspend, *worker.Replicas,
				want.suspended, want.workers)
		}
		kept := len(job.Annotations)
		if want.suspended && shorthand.EverTaken(job.UID, job.Annotations) {
			kept--
		}
		if len(worker.Template.Labels)+len(worker.Template.Annotations) > 0 || kept != 1 {
			w.t.Errorf("%s has kept %v, %v and %v", name, job.Annotations, worker.Template.Labels, worker.Template.Annotations)
		}
	}
	for _, list := range []client.ObjectList{&v1alpha1.ElasticJobList{}, &v1alpha1.ResizeList{},
		&admissionv1.MutatingAdmissionPolicyList{}, &admissionv1.MutatingAdmissionPolicyBindingList{},
		&corev1.ConfigMapList{}} {
		if w.count(list) > 0 {
			w.t.Errorf("some are left: %T", list)
		}
	}
	var pods corev1.PodList
	if err := w.List(w.t.Context(), &pods, client.InNamespace("team")); err != nil || len(pods.Items) != 3 {
		w.t.Errorf("%d pods (%v), want 3", len(pods.Items), err)
	}
	for _, pod := range pods.Items {
		if pod.Annotations[v1alpha1.DrainingAnnotation] != "" ||
			pod.Annotations[v1alpha1.AgentAnnotation] != "" && pod.Annotations[v1alpha1.LetInAnnotation] != "3" {
			w.t.Errorf("%s waits: %v", pod.Name, pod.Annotations)
		}
	}
}

func (w *world) count(list client.ObjectList) int {
	w.t.Helper()
	if err := w.List(w.t.Context(), list); err != nil {
		w.t.Fatal(err)
	}
	switch list := list.(type) {
	case *v1alpha1.ElasticJobList:
		return len(list.Items)
	case *v1alpha1.ResizeList:
		return len(list.Items)
	case *admissionv1.MutatingAdmissionPolicyList:
		return len(list.Items)
	case *admissionv1.MutatingAdmissionPolicyBindingList:
		return len(list.Items)
	case *corev1.ConfigMapList:
		return len(list.Items)
	}
	return -1
}

func TestNothingWaitsForTaktOnceItIsRemoved(t *testing.T) {
	w := newWorld(t)
	if err := w.remove(false); err != nil {
		t.Fatal(err)
	}
	w.clean()
	if w.now.Before(noon.Add(15 * time.Second)) {
		t.Error("it did not wait for the lease to end")
	}
	for _, want := range []string{"remove MutatingAdmissionPolicyBinding takt-",
		"remove ConfigMap takt-system/takt-admission\n", "resume PyTorchJob team/halfway", "remove ElasticJob team/runs",
		"delete pod team/runs-worker-2", "Nothing waits for Takt any more"} {
		if !strings.Contains(w.said.String(), want) {
			t.Errorf("it does not say %q: %s", want, &w.said)
		}
	}
	before := w.writes
	w.said.Reset()
	if err := w.remove(true); err != nil || !strings.HasPrefix(w.said.String(), "Nothing waits for Takt") {
		t.Errorf("a dry run of what is done says %q (%v)", &w.said, err)
	}
	if err := w.remove(false); err != nil || w.writes != before {
		t.Errorf("called again it makes %d writes (%v)", w.writes-before, err)
	}
}

// The process may end before each of its writes; called again it ends up the same.
func TestARemovalThatIsCutShortIsFinishedByTheNext(t *testing.T) {
	for deadAfter := 0; ; deadAfter++ {
		w := newWorld(t)
		w.deadAfter = deadAfter
		w.waited = 70 // it does not try for long
		if w.remove(false) == nil && w.writes < deadAfter {
			if deadAfter < 20 {
				t.Errorf("only %d writes", w.writes)
			}
			return
		}
		w.deadAfter, w.waited = -1, 0
		if err := w.remove(false); err != nil {
			t.Fatalf("after %d writes: %v", deadAfter, err)
		}
		if w.clean(); t.Failed() {
			t.Fatalf("dead after %d writes", deadAfter)
		}
	}
}

// Nobody places pods that name takt-scheduler once it is gone.
func TestNoTemplateNamesASchedulerThatGoes(t *testing.T) {
	w := newWorld(t)
	named := func(job *kubeflow.PyTorchJob) {
		job.Spec.PyTorchReplicaSpecs["Worker"].Template.Spec.SchedulerName = "takt-scheduler"
	}
	w.job("starts", resize.Ask{Epoch: 3, Stage: resize.Forward, Workers: 2, Suspended: true, At: noon}, 0, named)
	w.job("trains", resize.Ask{}, 0, named, func(job *kubeflow.PyTorchJob) { job.Spec.RunPolicy.Suspend = nil })
	w.job("others", resize.Ask{}, 0, func(job *kubeflow.PyTorchJob) {
		job.Spec.PyTorchReplicaSpecs["Worker"].Template.Spec.SchedulerName = "volcano"
	})
	w.add(&batchv1.Job{
		ObjectMeta: metav1.ObjectMeta{Namespace: "team", Name: "indexed", UID: "indexed"},
		Spec: batchv1.JobSpec{CompletionMode: new(batchv1.IndexedCompletion),
			Template: corev1.PodTemplateSpec{Spec: corev1.PodSpec{SchedulerName: "takt-scheduler"}}},
	})
	pod := func(name, node, kind, apiVersion, owner string) {
		pod := w.pod(name, node, nil)
		pod.Labels, pod.Spec.SchedulerName = nil, "takt-scheduler"
		pod.OwnerReferences = []metav1.OwnerReference{
			{Kind: kind, APIVersion: apiVersion, Name: owner, Controller: new(true)},
		}
		w.add(pod)
	}
	pod("trains-worker-0", "n", "PyTorchJob", "kubeflow.org/v1", "trains")
	pod("trains-worker-1", "", "PyTorchJob", "kubeflow.org/v1", "trains")
	pod("indexed-0", "", "Job", "batch/v1", "indexed")
	pod("web-1", "n", "ReplicaSet", "apps/v1", "web")
	if err := w.remove(true); err != nil {
		t.Fatal(err)
	}
	if err := w.remove(false); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{"starts": "", "trains": "", "others": "volcano"} {
		var job kubeflow.PyTorchJob
		if err := w.Get(t.Context(), types.NamespacedName{Namespace: "team", Name: name}, &job); err != nil {
			t.Fatal(err)
		}
		if got := job.Spec.PyTorchReplicaSpecs["Worker"].Template.Spec.SchedulerName; got != want {
			t.Errorf("the pods of %s are placed by %q, want %q", name, got, want)
		}
	}
	for _, want := range []string{"Would: resume PyTorchJob team/starts, and take what Takt has written off it, and " +
		"schedulerName: takt-scheduler\n",
		"Before you delete takt-scheduler, mind what is said above of those that name it: 2.\n",
		"\ndelete pod team/trains-worker-1, which has no node", "\nReplicaSet team/web names takt-scheduler: "} {
		if !strings.Contains(w.said.String(), want) {
			t.Errorf("it does not say %q: %s", want, &w.said)
		}
	}
	for name, stays := range map[string]bool{
		"trains-worker-0": true, "trains-worker-1": false, "indexed-0": true, "web-1": true,
	} {
		err := w.Get(t.Context(), types.NamespacedName{Namespace: "team", Name: name}, &corev1.Pod{})
		if (err == nil) != stays {
			t.Errorf("pod %s is there: %v, want %t", name, err, stays)
		}
	}
	// Once by each of the two.
	if n := strings.Count(w.said.String(), "Job team/indexed names takt-scheduler"); n != 2 {
		t.Errorf("the Job that cannot be changed is named %d times: %s", n, &w.said)
	}
}

// A job that is refused what Takt asks of it makes its pods just as they were.
func TestNoPodIsDeletedThatComesBackAsItWas(t *testing.T) {
	w := newWorld(t)
	w.job("refused", resize.Ask{}, 0, func(job *kubeflow.PyTorchJob) {
		job.Spec.PyTorchReplicaSpecs["Worker"].Template.Spec.SchedulerName = "takt-scheduler"
	})
	for name, epoch := range map[string]map[string]string{"named": nil, "marked": {v1alpha1.EpochLabel: "3"}} {
		pod := w.pod(name, "", nil)
		pod.Labels, pod.Spec.SchedulerName = epoch, "takt-scheduler"
		pod.OwnerReferences = []metav1.OwnerReference{
			{Kind: "PyTorchJob", APIVersion: "kubeflow.org/v1", Name: "refused", Controller: new(true)},
		}
		w.add(pod)
	}
	w.Client = interceptor.NewClient(w.Client.(client.WithWatch), interceptor.Funcs{
		Patch: func(ctx context.Context, c client.WithWatch, object client.Object, patch client.Patch,
			options ...client.PatchOption) error {
			if object.GetName() == "refused" {
				return errors.New("denied by a webhook")
			}
			return c.Patch(ctx, object, patch, options...)
		},
	})
	w.waited = 70 // it does not try for long
	if err := w.remove(false); err == nil || !strings.Contains(err.Error(), "denied by a webhook") {
		t.Errorf("it says %v", err)
	}
	for _, name := range []string{"named", "marked"} {
		if err := w.Get(t.Context(), types.NamespacedName{Namespace: "team", Name: name}, &corev1.Pod{}); err != nil {
			t.Errorf("pod %s: %v", name, err)
		}
	}
	if n := strings.Count(w.said.String(), "delete pod team/"); n != 1 { // that of another job
		t.Errorf("%d pods are deleted: %s", n, &w.said)
	}
}

// People write takt.dev/hold as well, with any value.
func TestOnlyAHoldThatTaktHasWrittenIsTakenOff(t *testing.T) {
	w := newWorld(t)
	for value, stays := range map[string]bool{"by-hand": false, "please": true, "copied": false} {
		w.job(value, resize.Ask{}, 0, func(job *kubeflow.PyTorchJob) {
			job.Spec.RunPolicy.Suspend = nil
			job.Annotations[shorthand.HoldAnnotation] = value
			if value == "copied" {
				job.Annotations[shorthand.HoldAnnotation] = shorthand.HeldByHand("another")
			}
		})
		if err := w.remove(false); err != nil {
			t.Fatal(err)
		}
		var job kubeflow.PyTorchJob
		if err := w.Get(t.Context(), types.NamespacedName{Namespace: "team", Name: value}, &job); err != nil {
			t.Fatal(err)
		}
		if _, there := job.Annotations[shorthand.HoldAnnotation]; there != stays {
			t.Errorf("%s: %s is there: %t, want %t", shorthand.HoldAnnotation, value, there, stays)
		}
	}
}

func TestADryRunWritesNothing(t *testing.T) {
	w := newWorld(t)
	if err := w.remove(true); err != nil || w.writes != 0 || w.waited != 0 {
		t.Errorf("%d writes, %d times waited, %v", w.writes, w.waited, err)
	}
	for _, want := range []string{"Would: resume PyTorchJob team/stopped",
		"Would: wait until no operator runs (pod takt-system/takt-operator-1)", "Would: remove ElasticJob team/byhand"} {
		if !strings.Contains(w.said.String(), want) {
			t.Errorf("it does not say %q: %s", want, &w.said)
		}
	}
	for _, not := range []string{"byhand,", "again,", "kueue,", "strange,"} {
		if strings.Contains(w.said.String(), "resume PyTorchJob team/"+not) {
			t.Errorf("it would resume %s", not)
		}
	}
}

func TestWhatDoesNotEndInTimeIsToldInASentence(t *testing.T) {
	for why, want := range map[error]string{
		context.DeadlineExceeded: "an operator still runs after 10m (pod takt-system/takt-operator-1): stop it, and call " +
			"this again",
		context.Canceled: "an operator still runs (pod takt-system/takt-operator-1): stop it, and call this " +
			"again: context canceled",
	} {
		w := newWorld(t)
		err := Run(t.Context(), w.Client, Options{
			Namespace: "takt-system", Name: "takt-operator", Within: 10 * time.Minute, Say: &w.said, Now: func() time.Time {
				return w.now
			},
			Pause: func(context.Context, time.Duration) error { return why },
		})
		if err == nil || err.Error() != want {
			t.Errorf("it says %q, want %q", err, want)
		}
		if strings.Contains(w.said.String(), "*v1.") {
			t.Errorf("it names what nobody writes: %s", &w.said)
		}
	}
}

func TestAnOperatorThatRunsElsewhereIsNamed(t *testing.T) {
	w := newWorld(t)
	var lease coordinationv1.Lease
	if err := w.Get(t.Context(), types.NamespacedName{Namespace: "takt-system", Name: "takt-operator"},
		&lease); err != nil {
		t.Fatal(err)
	}
	// One that somebody runs for himself has it in another namespace.
	lease.Namespace, lease.ResourceVersion = "default", ""
	lease.Spec.HolderIdentity, lease.Spec.RenewTime = new("laptop_1"), new(metav1.NewMicroTime(noon.Add(time.Hour)))
	if err := w.Create(t.Context(), &lease); err != nil {
		t.Fatal(err)
	}
	if err := w.remove(false); err == nil || !strings.Contains(err.Error(), "laptop_1 holds the lease") {
		t.Errorf("it says %v", err)
	}
	if w.count(&v1alpha1.ElasticJobList{}) == 0 {
		t.Error("it has gone on")
	}
}
