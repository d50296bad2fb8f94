package operator

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"testing"
	"weak"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/controller-runtime/pkg/client/interceptor"

	"github.com/takt-dev/takt/elastic"
	"github.com/takt-dev/takt/elastic/begin"
	"github.com/takt-dev/takt/operator/planning"
	"github.com/takt-dev/takt/operator/view"
)

func TestSnapshotCanBePlannedAgain(t *testing.T) {
	want := begin.Scene{
		Snapshot: elastic.Snapshot{
			Now:   1e9,
			Nodes: []elastic.Node{{Name: "a", Pool: "H100", GPUs: 8}},
			Jobs:  []elastic.Job{{Name: "team/resnet", Pool: "H100", Sizes: []elastic.Size{{Workers: 1}}}},
		},
		Seen:   map[string]begin.Seen{"team/resnet": {Holds: 1, Past: []begin.Past{{At: 1e8, End: begin.Failed}}}},
		Coming: map[string]elastic.GPUs{"H100": 2},
		Waits:  begin.Waits{Drain: 600, Retry: 60},
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

// Of what a plan was made from the snapshot is kept, and not each pod and job that it was made of: those are as much
// again as all that is cached.
func TestAPlanKeepsNothingButItsSnapshot(t *testing.T) {
	job := pytorchJob("resnet", 1)
	o := stopped(t, interceptor.Funcs{}, gpuNode("node", "8"), elasticJob("resnet"), job, worker0(job, "node"))
	var planned weak.Pointer[view.Subject]
	told := o.planner.Outspoken
	o.planner.Outspoken = func(s *view.Subject, refused *view.Refusal) bool {
		planned = weak.Make(s)
		return told(s, refused)
	}
	plans(t, o)
	plans(t, o) // of what is no news it is asked whether it was told
	runtime.GC()
	if planned == (weak.Pointer[view.Subject]{}) {
		t.Fatal("it was not planned for: this proves nothing")
	}
	if planned.Value() != nil {
		t.Error("the plan is over, and what it was made from is still there")
	}
	if last := o.last.Load(); last == nil || len(last.Jobs) != 1 {
		t.Errorf("its snapshot is %+v", last)
	}
}
