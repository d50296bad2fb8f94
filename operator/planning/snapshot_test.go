package planning_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"testing"
	"time"
	"weak"

	"github.com/google/go-cmp/cmp"
	kubeflow "github.com/kubeflow/training-operator/pkg/apis/kubeflow.org/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client/interceptor"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/elastic"
	"github.com/takt-dev/takt/elastic/begin"
	"github.com/takt-dev/takt/operator/fixture"
	"github.com/takt-dev/takt/operator/planning"
	"github.com/takt-dev/takt/operator/progress"
	"github.com/takt-dev/takt/operator/rooms"
	"github.com/takt-dev/takt/operator/view"
	"github.com/takt-dev/takt/predictor"
)

func TestSnapshotCanBePlannedAgain(t *testing.T) {
	want := begin.Scene{
		Snapshot: elastic.Snapshot{
			Now:   1e9,
			Nodes: []elastic.Node{{Name: "a", Pool: "H100", GPUs: 8}},
			Jobs:  []elastic.Job{{Name: "team/resnet", Pool: "H100", Sizes: []elastic.Size{{Workers: 1}}}},
		},
		Seen: map[string]begin.Seen{"team/resnet": {
			Holds: 1, Past: []begin.Past{{At: 1e8, End: begin.Failed}}, Leavers: []begin.Leaver{{GoneBy: 1e9, Stuck: true}},
		}},
		Coming: map[string]elastic.GPUs{"H100": 2},
		Waits:  begin.Waits{Drain: 600, Retry: 60, Stop: 300},
	}
	var last planning.LastSnapshot
	last.Store(&want)
	answer := httptest.NewRecorder()
	last.ServeHTTP(answer, httptest.NewRequestWithContext(t.Context(), http.MethodGet, planning.SnapshotPath, http.NoBody))
	var got begin.Scene
	if err := json.Unmarshal(answer.Body.Bytes(), &got); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

func TestSnapshotThatIsNotThereIsExplained(t *testing.T) {
	for method, want := range map[string]struct {
		status int
		text   string
	}{
		http.MethodGet:  {http.StatusServiceUnavailable, "nothing has been planned yet"},
		http.MethodPost: {http.StatusMethodNotAllowed, "use GET"},
	} {
		answer := httptest.NewRecorder()
		new(planning.LastSnapshot).ServeHTTP(answer,
			httptest.NewRequestWithContext(t.Context(), method, planning.SnapshotPath, http.NoBody))
		if answer.Code != want.status || !strings.Contains(answer.Body.String(), want.text) {
			t.Errorf("%s: %d %s", method, answer.Code, answer.Body)
		}
	}
}

// measured is a job that was seen to train with one worker.
func measured(o *rooms.Rooms, job *kubeflow.PyTorchJob) {
	run := o.Memory.Of(job.UID, fixture.Start, fixture.Unseen).Run
	for i := range 20 {
		run.Sample(progress.Sample{
			Source: v1alpha1.ProgressLogs, At: fixture.Start.Add(time.Duration(i-20) * time.Minute),
			Done: float64(i), Total: 1000, Unit: "steps",
		}, predictor.Shape{Workers: 1, Nodes: 1, GPU: "A100"})
	}
}

// Whoever asks what a job would do with more workers than it may have, or than there is room for, is told of this job
// alone.
func TestTheSnapshotTellsOfMoreWorkersThanAJobMayHave(t *testing.T) {
	job, other := fixture.PyTorchJob("resnet", 1), fixture.PyTorchJob("bert", 1)
	o := fixture.Stopped(t, interceptor.Funcs{}, fixture.Node("node", "4"), fixture.ElasticJob("resnet"), job,
		fixture.Worker0(job, "node"),
		fixture.ElasticJob("bert"), other, fixture.Worker0(other, "node"),
		&corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: "team"}})
	measured(o, job)
	measured(o, other)
	fixture.Plans(t, o)
	told := func(query string) (jobs map[string]elastic.Job) {
		answer := httptest.NewRecorder()
		o.Last.ServeHTTP(answer, httptest.NewRequestWithContext(t.Context(), http.MethodGet, planning.SnapshotPath+query,
			http.NoBody))
		var scene begin.Scene
		if err := json.Unmarshal(answer.Body.Bytes(), &scene); err != nil || len(scene.Jobs) != 2 {
			t.Fatalf("%v: %s", err, answer.Body)
		}
		if err := scene.Check(); err != nil {
			t.Error(err)
		}
		jobs = map[string]elastic.Job{}
		for _, job := range scene.Jobs {
			jobs[job.Name] = job
		}
		return jobs
	}
	for _, query := range []string{"", "?beyond=team/nobody", "?beyond="} {
		for name, job := range told(query) {
			if job.Beyond != nil || job.MayHave != 0 {
				t.Errorf("%q: nobody has asked about %s, and it is told that %+v", query, name, job.Beyond)
			}
		}
	}
	jobs := told("?beyond=team/resnet")
	resnet := jobs["team/resnet"]
	if jobs["team/bert"].Beyond != nil || len(resnet.Beyond) == 0 {
		t.Fatalf("of resnet is told that %+v, of bert %+v", resnet.Beyond, jobs["team/bert"].Beyond)
	}
	room, last := resnet.Sizes[len(resnet.Sizes)-1], resnet.Beyond[len(resnet.Beyond)-1]
	if room.Workers != 4 || resnet.MayHave != 8 || last.Workers != 16 || !(last.Expected > room.Expected) {
		t.Errorf("there is room for %+v, it may have %d, and would do %+v", room, resnet.MayHave, last)
	}
	scene, quota := *o.Last.Load(), elastic.Workers(6)
	scene.Seen = map[string]begin.Seen{"team/resnet": {Most: &quota}}
	o.Last.Store(&scene)
	bounded := told("?beyond=team/resnet")["team/resnet"]
	if n := len(bounded.Beyond); bounded.MayHave != quota || n == 0 || bounded.Beyond[n-1].Workers > quota {
		t.Errorf("a quota lets it have %d, and it is told that it may have %d: %+v", quota, bounded.MayHave, bounded.Beyond)
	}
}

// Of what a plan was made from the snapshot is kept, and not each pod and job that it was made of: those are as much
// again as all that is cached.
func TestAPlanKeepsNothingButItsSnapshot(t *testing.T) {
	job := fixture.PyTorchJob("resnet", 1)
	o := fixture.Stopped(t, interceptor.Funcs{}, fixture.Node("node", "8"), fixture.ElasticJob("resnet"), job,
		fixture.Worker0(job, "node"))
	var planned weak.Pointer[view.Subject]
	told := o.Planner.Outspoken
	o.Planner.Outspoken = func(s *view.Subject, refused *view.Refusal) bool {
		planned = weak.Make(s)
		return told(s, refused)
	}
	fixture.Plans(t, o)
	fixture.Plans(t, o) // of what is no news it is asked whether it was told
	runtime.GC()
	if planned == (weak.Pointer[view.Subject]{}) {
		t.Fatal("it was not planned for: this proves nothing")
	}
	if planned.Value() != nil {
		t.Error("the plan is over, and what it was made from is still there")
	}
	if last := o.Last.Load(); last == nil || len(last.Jobs) != 1 {
		t.Errorf("its snapshot is %+v", last)
	}
}
