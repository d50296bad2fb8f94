package learn

import (
	"context"
	"errors"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/fake"
	"sigs.k8s.io/controller-runtime/pkg/client/interceptor"

	"github.com/takt-dev/takt/api/v1alpha1"
)

// server is a store on a fake API server, whose writes of a status are counted and may be disturbed.
type server struct {
	Store
	writes  int
	disturb func(write int) error
	deaf    error // of every list
}

func newServer(t *testing.T, objects ...client.Object) *server {
	t.Helper()
	scheme := runtime.NewScheme()
	if err := v1alpha1.AddToScheme(scheme); err != nil {
		t.Fatal(err)
	}
	s := &server{}
	var mu sync.Mutex
	s.Client = fake.NewClientBuilder().WithScheme(scheme).WithObjects(objects...).
		WithStatusSubresource(&v1alpha1.TrainingProfile{}).
		WithInterceptorFuncs(interceptor.Funcs{List: func(ctx context.Context, c client.WithWatch, list client.ObjectList,
			opts ...client.ListOption) error {
			if s.deaf != nil {
				return s.deaf
			}
			return c.List(ctx, list, opts...)
		}, SubResourceUpdate: func(ctx context.Context, c client.Client, sub string, o client.Object,
			opts ...client.SubResourceUpdateOption) error {
			mu.Lock()
			s.writes++
			write := s.writes
			mu.Unlock()
			if s.disturb != nil {
				if err := s.disturb(write); err != nil {
					return err
				}
			}
			return c.SubResource(sub).Update(ctx, o, opts...)
		}}).Build()
	return s
}

func (s *server) profile(t *testing.T, name string) v1alpha1.TrainingProfile {
	t.Helper()
	var p v1alpha1.TrainingProfile
	if err := s.Client.Get(t.Context(), client.ObjectKey{Namespace: "team", Name: name}, &p); err != nil {
		t.Fatal(err)
	}
	return p
}

func record(run string, speeds ...v1alpha1.MeasuredSpeed) Record {
	return Record{Run: run, Unit: "steps", Speeds: speeds}
}

func TestSaveMakesAndMerges(t *testing.T) {
	s := newServer(t)
	owner := &metav1.OwnerReference{APIVersion: "takt.dev/v1alpha1", Kind: "ElasticJob", Name: "resnet", UID: "u1"}
	save := func(rec Record) {
		t.Helper()
		if err := s.Save(t.Context(), owner, "team", "resnet", rec, at(0)); err != nil {
			t.Fatal(err)
		}
	}
	save(record("a-1", measured1("a-1", 2, "20", 5)))
	save(record("a-2", measured1("a-2", 2, "21", 3), measured1("a-2", 4, "40", 9)))
	save(record("a-1", measured1("a-1", 2, "22", 8)))
	p := s.profile(t, "resnet")
	want := v1alpha1.TrainingProfileStatus{Unit: "steps", Jobs: 2, UpdatedAt: storedAt(9),
		Speeds: []v1alpha1.MeasuredSpeed{
			measured1("a-1", 2, "22", 8), measured1("a-2", 2, "21", 3), measured1("a-2", 4, "40", 9),
		}}
	if diff := cmp.Diff(want, p.Status); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if diff := cmp.Diff([]metav1.OwnerReference{*owner}, p.OwnerReferences); diff != "" {
		t.Errorf("owner: -want +got:\n%s", diff)
	}
	if s.writes != 3 {
		t.Errorf("%d writes, want 3", s.writes)
	}
	save(record("a-1", measured1("a-1", 2, "22", 8)))
	save(record("a-1", measured1("a-1", 2, "19", 1)))
	save(record("a-1"))
	if s.writes != 3 {
		t.Errorf("%d writes, want none of what is known or older", s.writes-3)
	}
	if p, unit, err := s.Load(t.Context(), nil, "team", "resnet"); err != nil || unit != "steps" || len(p.Speeds) != 3 {
		t.Errorf("loaded %+v in %s, %v", p, unit, err)
	}
	if p, unit, err := s.Load(t.Context(), nil, "team", "none"); err != nil || unit != "" || len(p.Speeds) != 0 {
		t.Errorf("what is not there was loaded as %+v in %s, %v", p, unit, err)
	}
}

func TestAProfileOfSomeoneElseIsLeftAlone(t *testing.T) {
	s := newServer(t, &v1alpha1.TrainingProfile{ObjectMeta: metav1.ObjectMeta{Namespace: "team", Name: "resnet"}})
	owner := &metav1.OwnerReference{APIVersion: "takt.dev/v1alpha1", Kind: "ElasticJob", Name: "resnet", UID: "u1"}
	rec := record("a-1", measured1("a-1", 2, "20", 5))
	if err := s.Save(t.Context(), owner, "team", "resnet", rec, at(0)); !errors.Is(err, ErrNotOwned) {
		t.Errorf("saved: %v", err)
	}
	if _, _, err := s.Load(t.Context(), owner, "team", "resnet"); !errors.Is(err, ErrNotOwned) {
		t.Errorf("loaded: %v", err)
	}
	if s.writes != 0 || len(s.profile(t, "resnet").Status.Speeds) != 0 {
		t.Error("it was written to")
	}
	// Whoever names it may use it.
	if err := s.Save(t.Context(), nil, "team", "resnet", rec, at(0)); err != nil || s.writes != 1 {
		t.Errorf("%d writes, %v", s.writes, err)
	}
}

func TestConflicts(t *testing.T) {
	resource := schema.GroupResource{Group: "takt.dev", Resource: "trainingprofiles"}
	conflict := apierrors.NewConflict(resource, "resnet", errors.New("someone else was first"))
	tests := map[string]struct {
		disturb    func(write int) error
		wantWrites int
		wantErr    func(error) bool
	}{
		"twice":    {func(write int) error { return map[bool]error{true: conflict}[write <= 2] }, 3, nil},
		"for ever": {func(int) error { return conflict }, tries.Steps, apierrors.IsConflict},
		"not allowed": {func(int) error { return apierrors.NewForbidden(resource, "resnet", errors.New("no")) },
			1, apierrors.IsForbidden},
		"deleted": {func(write int) error {
			return map[bool]error{true: apierrors.NewNotFound(resource, "resnet")}[write == 1]
		}, 2, nil},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			s := newServer(t)
			s.disturb = tt.disturb
			err := s.Save(t.Context(), nil, "team", "resnet", record("a-1", measured1("a-1", 2, "20", 5)), at(0))
			if tt.wantErr == nil && err != nil || tt.wantErr != nil && !tt.wantErr(err) {
				t.Errorf("got %v", err)
			}
			if s.writes != tt.wantWrites {
				t.Errorf("%d writes, want %d", s.writes, tt.wantWrites)
			}
		})
	}
}

func TestTwoRunsThatSaveAtOnceBothSurvive(t *testing.T) {
	s := newServer(t)
	// Both have read before either writes.
	var both sync.WaitGroup
	both.Add(2)
	s.disturb = func(write int) error {
		if write <= 2 {
			both.Done()
			both.Wait()
		}
		return nil
	}
	if err := s.Client.Create(t.Context(),
		&v1alpha1.TrainingProfile{ObjectMeta: metav1.ObjectMeta{Namespace: "team", Name: "shared"}}); err != nil {
		t.Fatal(err)
	}
	failed := make(chan error)
	for _, run := range []string{"a-1", "b-1"} {
		go func() {
			failed <- s.Save(t.Context(), nil, "team", "shared", record(run, measured1(run, 2, "20", 5)), at(0))
		}()
	}
	for range 2 {
		if err := <-failed; err != nil {
			t.Error(err)
		}
	}
	status := s.profile(t, "shared").Status
	if len(status.Speeds) != 2 || status.Jobs != 2 || s.writes != 3 {
		t.Errorf("after %d writes: %+v", s.writes, status)
	}
}

func TestWhatIsWrongWithAProfileIsSaid(t *testing.T) {
	profile := &v1alpha1.TrainingProfile{ObjectMeta: metav1.ObjectMeta{Namespace: "team", Name: "shared"}}
	bad := measured1("x-1", 2, "0", 5)
	profile.Status = v1alpha1.TrainingProfileStatus{
		Unit: "steps", Speeds: []v1alpha1.MeasuredSpeed{bad, measured1("x-1", 4, "40", 5)},
	}
	s := newServer(t, profile)
	reason := func() string {
		if c := meta.FindStatusCondition(s.profile(t, "shared").Status.Conditions, usable); c != nil &&
			c.Status == metav1.ConditionFalse {
			return c.Reason
		}
		return ""
	}
	save := func(rec Record, now time.Time) {
		t.Helper()
		if err := s.Save(t.Context(), nil, "team", "shared", rec, now); err != nil {
			t.Fatal(err)
		}
	}
	if _, _, err := s.Load(t.Context(), nil, "team", "shared"); !errors.Is(err, ErrGarbled) {
		t.Errorf("loaded: %v", err)
	}
	save(record("a-1", measured1("a-1", 2, "20", 5)), at(0))
	if reason() != garbled || len(s.profile(t, "shared").Status.Speeds) != 2 {
		t.Errorf("got %q, %+v", reason(), s.profile(t, "shared").Status)
	}
	epochs := record("b-1", measured1("b-1", 2, "0.5", 6))
	epochs.Unit = "epochs"
	epochs.Restarts = []v1alpha1.MeasuredRestart{
		{Run: "b-1", Kind: v1alpha1.RestartLive, PauseMilliseconds: 9, Count: 1, UpdatedAt: storedAt(6)},
	}
	save(epochs, at(100))
	status := s.profile(t, "shared").Status
	if reason() != unitsDiffer || len(status.Speeds) != 2 || len(status.Restarts) != 1 || status.Unit != "steps" {
		t.Errorf("got %q, %+v", reason(), status)
	}
	save(record("a-1", measured1("a-1", 2, "20.5", 200)), at(200))
	if reason() != unitsDiffer {
		t.Error("the complaint is gone at once")
	}
	save(record("a-1", measured1("a-1", 2, "20.7", 200000)), at(200000))
	if reason() != "" {
		t.Error("the complaint stays for ever")
	}
}
