package recording

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/interceptor"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/elastic/resize"
	"github.com/takt-dev/takt/operator/kind"
	"github.com/takt-dev/takt/operator/learn"
	"github.com/takt-dev/takt/operator/memory"
	"github.com/takt-dev/takt/operator/view"
	"github.com/takt-dev/takt/records"
	"github.com/takt-dev/takt/records/volume"
)

// ended is a job of team that has failed.
func ended(name string) *view.Subject {
	uid := types.UID(name)
	s := &view.Subject{
		ElasticJob: &v1alpha1.ElasticJob{}, Object: &corev1.Pod{},
		Job:   kind.Job{UID: uid, Name: name, State: resize.JobFailed, CreatedAt: noon, EndedAt: noon.Add(time.Minute)},
		Known: memory.New().Of(uid, noon, func() *learn.Run { return learn.NewRun(name) }),
	}
	s.ElasticJob.Namespace = "team"
	return s
}

// While records are refused, as nobody has given the right to write them, they wait, no more than are kept; and are
// written once they may be.
func TestRecordsWaitUntilTheyMayBeWritten(t *testing.T) {
	refused := true
	store := storeOf(t,
		interceptor.Funcs{Create: func(ctx context.Context, c client.WithWatch, o client.Object,
			options ...client.CreateOption) error {
			if refused {
				return apierrors.NewForbidden(corev1.Resource("configmaps"), o.GetName(), errors.New("no"))
			}
			return c.Create(ctx, o, options...)
		}})
	asked := 0
	r := &Recorder{Store: store, Limits: records.Limits{Count: 3, Bytes: 1 << 18},
		Ask: func(types.NamespacedName, time.Duration) { asked++ }}
	team := reconcile.Request{NamespacedName: types.NamespacedName{Namespace: "team", Name: "team"}}
	for i := range 5 {
		s := ended(fmt.Sprintf("job-%d", i))
		r.Ended(s)
		r.Ended(s) // once for each process
	}
	if len(r.pending["team"]) != 3 || asked != 5 {
		t.Errorf("%d wait, and it was asked for %d times", len(r.pending["team"]), asked)
	}
	if result, err := r.Reconcile(t.Context(), team); err != nil || result.RequeueAfter != tryAgain {
		t.Errorf("%+v, %v: it is not tried again", result, err)
	}
	refused = false
	if _, err := r.Reconcile(t.Context(), team); err != nil {
		t.Fatal(err)
	}
	if got := fmt.Sprint(store.kept(t, "team")); got != "[job-2 job-3 job-4]" || len(r.pending) != 0 {
		t.Errorf("it keeps %s, and %d wait", got, len(r.pending))
	}
}

// On a volume more stays than in the cluster; one that refuses to be written keeps nothing from the cluster, and has
// its records once it can be written.
func TestRecordsStayOnAVolume(t *testing.T) {
	store, folder := storeOf(t, interceptor.Funcs{}), t.TempDir()
	r := &Recorder{Store: store, Limits: records.Limits{Count: 2, Bytes: 1 << 18},
		Folder: volume.Folder{Path: folder, Most: 1 << 20}, Ask: func(types.NamespacedName, time.Duration) {}}
	team := reconcile.Request{NamespacedName: types.NamespacedName{Namespace: "team", Name: "team"}}
	end := func(names ...string) {
		for _, name := range names {
			r.Ended(ended(name))
		}
	}
	end("a", "b")
	if _, err := r.Reconcile(t.Context(), team); err != nil {
		t.Fatal(err)
	}
	inTheWay := filepath.Join(folder, "team", noon.Format("2006-01")+".jsonl.gz.new")
	if err := os.Mkdir(inTheWay, 0o700); err != nil {
		t.Fatal(err)
	}
	end("c")
	if result, err := r.Reconcile(t.Context(), team); err != nil || result.RequeueAfter != tryAgain {
		t.Errorf("%+v, %v: it is not tried again", result, err)
	}
	if got := fmt.Sprint(store.kept(t, "team")); got != "[b c]" {
		t.Errorf("the cluster keeps %s", got)
	}
	if _, err := os.Stat(inTheWay); err == nil {
		if err := os.Remove(inTheWay); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := r.Reconcile(t.Context(), team); err != nil {
		t.Fatal(err)
	}
	all, bad, err := volume.Read(folder, time.Time{}, func(records.Record) bool { return true })
	if len(all) != 3 || bad > 0 || err != nil || len(r.pending) > 0 {
		t.Errorf("%v, %d are bad, the volume keeps %+v, and %d wait", err, bad, all, len(r.pending))
	}
}

// Outside of the cluster they stay on a volume, if there is one.
func TestRecordsStayOnAVolumeAlone(t *testing.T) {
	for _, folder := range []string{t.TempDir(), filepath.Join(t.TempDir(), "none"), ""} {
		r := &Recorder{Store: &Store{}, Limits: plenty, Folder: volume.Folder{Path: folder, Most: 1 << 20},
			Ask: func(types.NamespacedName, time.Duration) {}}
		r.Ended(ended("a"))
		_, err := r.Reconcile(t.Context(), reconcile.Request{NamespacedName: types.NamespacedName{Namespace: "team"}})
		all, _, wrong := volume.Read(folder, time.Time{}, func(records.Record) bool { return true })
		if err != nil || wrong != nil || (len(all) == 1) != r.Folder.There() {
			t.Errorf("%q: %v, %v, it keeps %+v", folder, err, wrong, all)
		}
	}
}
