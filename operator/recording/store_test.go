package recording

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/fake"
	"sigs.k8s.io/controller-runtime/pkg/client/interceptor"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/records"
)

var (
	noon   = time.Date(2026, 11, 1, 12, 0, 0, 0, time.UTC)
	plenty = records.Limits{Count: 100, Bytes: 1 << 18}
)

// storeOf is one in a cluster that has these objects.
func storeOf(t *testing.T, funcs interceptor.Funcs, objects ...client.Object) *Store {
	t.Helper()
	scheme := runtime.NewScheme()
	if err := corev1.AddToScheme(scheme); err != nil {
		t.Fatal(err)
	}
	c := fake.NewClientBuilder().WithScheme(scheme).WithObjects(objects...).WithInterceptorFuncs(funcs).Build()
	return &Store{Client: c, Live: c, Namespace: "takt-system", Now: func() time.Time { return noon }}
}

// job is the record of a job that ran on one GPU for so many hours.
func job(uid string, hours float64) records.Record {
	return records.Record{
		UID: uid, Namespace: "team", Name: uid, Submitted: noon.Add(-time.Hour), Ended: noon, Outcome: records.Succeeded,
		GPUsPerWorker: 1, Trained: []records.Spell{{Workers: 1, Seconds: hours * 3600}},
	}
}

// kept are the jobs of which there are records.
func (s *Store) kept(t *testing.T, namespace string) (uids []string) {
	t.Helper()
	var there corev1.ConfigMap
	err := s.Live.Get(t.Context(), client.ObjectKey{Namespace: "takt-system", Name: "takt-records-" + namespace}, &there)
	if apierrors.IsNotFound(err) {
		return nil
	}
	if err != nil {
		t.Fatal(err)
	}
	all, bad := records.Decode(there.BinaryData[v1alpha1.RecordsKey])
	if bad > 0 || there.Labels[v1alpha1.RecordsLabel] != namespace {
		t.Errorf("%d lines are bad, the labels are %v", bad, there.Labels)
	}
	for _, r := range all {
		uids = append(uids, r.UID)
	}
	return uids
}

func TestRecordsAreAddedOnce(t *testing.T) {
	writes := 0
	s := storeOf(t,
		interceptor.Funcs{Update: func(ctx context.Context, c client.WithWatch, o client.Object,
			options ...client.UpdateOption) error {
			writes++
			return c.Update(ctx, o, options...)
		}})
	for _, more := range [][]records.Record{{job("a", 1)}, {job("a", 1)}, {job("a", 2), job("b", 1)}} {
		if err := s.Add(t.Context(), "team", more, plenty); err != nil {
			t.Fatal(err)
		}
	}
	if diff := cmp.Diff([]string{"a", "b"}, s.kept(t, "team")); diff != "" || writes != 1 {
		t.Errorf("%d updates, -want +got:\n%s", writes, diff)
	}
}

// What somebody else has made of the records costs those, and no more.
func TestGarbledRecordsAreDropped(t *testing.T) {
	s := storeOf(t, interceptor.Funcs{}, &corev1.ConfigMap{
		ObjectMeta: metav1.ObjectMeta{
			Namespace: "takt-system", Name: "takt-records-team", Labels: map[string]string{v1alpha1.RecordsLabel: "team"},
		},
		BinaryData: map[string][]byte{v1alpha1.RecordsKey: []byte("hello")},
	})
	if err := s.Add(t.Context(), "team", []records.Record{job("a", 1)}, plenty); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"a"}, s.kept(t, "team")); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// Whoever makes namespaces without end pushes out nobody whose jobs have trained for longer than theirs.
func TestNamespacesWithoutEnd(t *testing.T) {
	s := storeOf(t, interceptor.Funcs{})
	add := func(namespace string, hours float64) {
		t.Helper()
		r := job("of-"+namespace, hours)
		r.Namespace = namespace
		if err := s.Add(t.Context(), namespace, []records.Record{r}, plenty); err != nil {
			t.Fatal(err)
		}
	}
	add("humble", 10)
	for i := range mostNamespaces + 5 {
		add(fmt.Sprintf("hostile-%d", i), 1)
	}
	add("newcomer", 5)
	var all corev1.ConfigMapList
	if err := s.Live.List(t.Context(), &all); err != nil {
		t.Fatal(err)
	}
	if len(all.Items) != mostNamespaces || s.kept(t, "humble") == nil || s.kept(t, "newcomer") == nil {
		t.Errorf("there are records of %d namespaces; of humble %v, of newcomer %v", len(all.Items), s.kept(t, "humble"),
			s.kept(t, "newcomer"))
	}
}

// Two may write at once, such as a leader that does not know yet that it is none any more: the second sees what the
// first has written.
func TestNobodyOverwritesAnother(t *testing.T) {
	var s *Store
	s = storeOf(t,
		interceptor.Funcs{Update: func(ctx context.Context, c client.WithWatch, o client.Object,
			options ...client.UpdateOption) error {
			other := &Store{Client: c, Live: c, Namespace: "takt-system", Now: s.Now}
			if err := other.Add(ctx, "team", []records.Record{job("first", 1)}, plenty); err != nil {
				return err
			}
			return c.Update(ctx, o, options...)
		}})
	if err := s.Add(t.Context(), "team", []records.Record{job("before", 1)}, plenty); err != nil {
		t.Fatal(err)
	}
	if err := s.Add(t.Context(), "team", []records.Record{job("second", 1)}, plenty); !apierrors.IsConflict(err) {
		t.Fatalf("it says %v, want a conflict", err)
	}
	if diff := cmp.Diff([]string{"before", "first"}, s.kept(t, "team")); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

func TestAFailureIsToldAndTriedAgain(t *testing.T) {
	broken := errors.New("no")
	s := storeOf(t,
		interceptor.Funcs{Create: func(ctx context.Context, c client.WithWatch, o client.Object,
			options ...client.CreateOption) error {
			if broken != nil {
				return broken
			}
			return c.Create(ctx, o, options...)
		}})
	if err := s.Add(t.Context(), "team", []records.Record{job("a", 1)}, plenty); !errors.Is(err, broken) {
		t.Errorf("it says %v", err)
	}
	broken = nil
	if err := s.Add(t.Context(), "team", []records.Record{job("a", 1)}, plenty); err != nil ||
		len(s.kept(t, "team")) != 1 {
		t.Errorf("%v, it keeps %v", err, s.kept(t, "team"))
	}
}
