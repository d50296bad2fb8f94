package operator

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/takt-dev/takt/elastic"
)

func TestSnapshotCanBePlannedAgain(t *testing.T) {
	want := elastic.Snapshot{
		Now:   1e9,
		Nodes: []elastic.Node{{Name: "a", Pool: "H100", GPUs: 8}},
		Jobs:  []elastic.Job{{Name: "team/resnet", Pool: "H100", Sizes: []elastic.Size{{Workers: 1}}}},
	}
	var last lastSnapshot
	last.Store(&want)
	answer := httptest.NewRecorder()
	last.ServeHTTP(answer, httptest.NewRequestWithContext(t.Context(), http.MethodGet, SnapshotPath, http.NoBody))
	var got elastic.Snapshot
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
		new(lastSnapshot).ServeHTTP(answer, httptest.NewRequestWithContext(t.Context(), method, SnapshotPath, http.NoBody))
		if answer.Code != want.status || !strings.Contains(answer.Body.String(), want.text) {
			t.Errorf("%s: %d %s", method, answer.Code, answer.Body)
		}
	}
}
