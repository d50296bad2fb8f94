package local

import (
	"context"
	"crypto/x509"
	"encoding/pem"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/takt-dev/takt/agent/known"
)

func now() time.Time { return time.Unix(1795521600, 0) }

// ask sends a request to an endpoint, and gives the status and what was answered.
func ask(e *Endpoint, method, path, token, body string) (int, string) {
	request := httptest.NewRequestWithContext(context.Background(), method, path, strings.NewReader(body))
	request.Header.Set("Authorization", "Bearer "+token)
	request.Header.Set("Content-Type", "application/json")
	answer := httptest.NewRecorder()
	e.Handler().ServeHTTP(answer, request)
	return answer.Code, strings.TrimSpace(answer.Body.String())
}

func TestWhatIsWrongIsSaid(t *testing.T) {
	for name, test := range map[string]struct {
		method, path, body string
		status             int
		said               string
	}{
		"no step":        {"POST", ProgressPath, `{"total": 7}`, 400, "step is missing"},
		"no JSON":        {"POST", ProgressPath, `step 3`, 400, "not the JSON"},
		"a word":         {"POST", ProgressPath, `{"step": "three"}`, 400, "not the JSON"},
		"more than all":  {"POST", ProgressPath, `{"step": 8, "total": 7}`, 400, "more than all"},
		"a strange unit": {"POST", ProgressPath, `{"step": 8, "unit": "\"}\n"}`, 400, "small letters"},
		"no status":      {"POST", KubeflowPath, `{}`, 400, "trainerStatus is missing"},
		"of 200 percent": {"POST", KubeflowPath, `{"trainerStatus": {"progressPercentage": 200}}`, 400, "more than all"},
		"metrics alone": {"POST", KubeflowPath, `{"trainerStatus": {"metrics": [{"name": "loss", "value": 0.5}]}}`, 200,
			"{}"},
		"a request of all": {"POST", CheckpointPath, `{"request": 3}`, 400, "nobody has made this request"},
		"read, not told":   {"GET", ProgressPath, ``, 405, "Method Not Allowed"},
		"elsewhere":        {"GET", "/v2/save", ``, 404, "not found"},
		"a great body":     {"POST", ProgressPath, `{"step": ` + strings.Repeat(" ", maxBody) + `3}`, 413, "too large"},
	} {
		t.Run(name, func(t *testing.T) {
			e := New(known.NewRun(), now)
			status, said := ask(e, test.method, test.path, e.token, test.body)
			if status != test.status || !strings.Contains(said, test.said) {
				t.Errorf("it answers %d %q, want %d %q", status, said, test.status, test.said)
			}
		})
	}
}

func TestStrangersAreNotHeard(t *testing.T) {
	run := known.NewRun()
	e := New(run, now)
	for _, token := range []string{"", "x", e.token + "x", New(run, now).token} {
		if status, _ := ask(e, http.MethodPost, ProgressPath, token, `{"step": 3}`); status != http.StatusUnauthorized {
			t.Errorf("token %q is answered with %d", token, status)
		}
	}
	if run.View().Source != "" {
		t.Error("a stranger was heard")
	}
	if status, _ := ask(e, http.MethodPost, ProgressPath, e.token, `{"step": 3}`); status != http.StatusOK {
		t.Errorf("the token itself is answered with %d", status)
	}
}

func TestEnvironment(t *testing.T) {
	folder := t.TempDir()
	e := New(known.NewRun(), now)
	own := []string{"TAKT_AGENT_URL=http://127.0.0.1:40123", "TAKT_AGENT_TOKEN=" + e.token}
	kubeflow := []string{
		"KUBEFLOW_TRAINER_SERVER_URL=http://127.0.0.1:40123/kubeflow/status",
		"KUBEFLOW_TRAINER_SERVER_TOKEN=" + filepath.Join(folder, "token"),
		"KUBEFLOW_TRAINER_SERVER_CA_CERT=" + filepath.Join(folder, "ca.crt"),
	}
	for name, test := range map[string]struct{ before, want []string }{
		"of nothing": {nil, slices.Concat(own, kubeflow)},
		"with Kubeflow's": {[]string{"KUBEFLOW_TRAINER_SERVER_URL=x"},
			slices.Concat([]string{"KUBEFLOW_TRAINER_SERVER_URL=x"}, own)},
		"switched off": {[]string{"KUBEFLOW_TRAINER_SERVER_URL="}, slices.Concat([]string{"KUBEFLOW_TRAINER_SERVER_URL="},
			own)},
		"with a proxy": {[]string{"http_proxy=p"}, slices.Concat([]string{"http_proxy=p"}, own, kubeflow,
			[]string{"no_proxy=127.0.0.1"})},
		"with a proxy and exceptions": {
			[]string{"HTTP_PROXY=p", "NO_PROXY=.svc, 10.0.0.0/8"},
			slices.Concat([]string{"HTTP_PROXY=p", "NO_PROXY=.svc,10.0.0.0/8,127.0.0.1"}, own, kubeflow),
		},
		"with this exception": {
			[]string{"HTTP_PROXY=p", "no_proxy=a,127.0.0.1"},
			slices.Concat([]string{"HTTP_PROXY=p", "no_proxy=a,127.0.0.1"}, own, kubeflow),
		},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := e.Environment(test.before, "127.0.0.1:40123", folder)
			if err != nil || !slices.Equal(got, test.want) {
				t.Errorf("got %q (%v), want %q", got, err, test.want)
			}
		})
	}
	t.Chdir(t.TempDir()) // where the training has files of its own, of whatever name
	if got, err := e.Environment(nil, "127.0.0.1:40123", ""); err != nil || !slices.Equal(got, own) {
		t.Errorf("without a folder: %q, %v", got, err)
	}
	if files, err := os.ReadDir("."); err != nil || len(files) > 0 {
		t.Errorf("it has written %v: %v", files, err)
	}
	if got, err := e.Environment(nil, "127.0.0.1:40123", "/nowhere"); err == nil || !slices.Equal(got, own) {
		t.Errorf("without a folder it is %q (%v)", got, err)
	}
}

// Clients of Kubeflow Trainer read both files before they send anything.
func TestKubeflowsFilesCanBeRead(t *testing.T) {
	folder := t.TempDir()
	e := New(known.NewRun(), now)
	if _, err := e.Environment(nil, "127.0.0.1:40123", folder); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(folder, "ca.crt"))
	if err != nil {
		t.Fatal(err)
	}
	block, rest := pem.Decode(text)
	if block == nil || len(rest) > 0 {
		t.Fatalf("%q is no certificate", text)
	}
	if _, err := x509.ParseCertificate(block.Bytes); err != nil {
		t.Error(err)
	}
	if token, err := os.ReadFile(filepath.Join(folder, "token")); err != nil || string(token) != e.token {
		t.Errorf("the token is %q (%v)", token, err)
	}
}

// Whatever a script sends, what is served stays in the text format, and no request is answered as if the agent had
// failed.
func FuzzEndpoint(f *testing.F) {
	f.Add(ProgressPath, `{"step": 420, "total": 1000, "unit": "steps"}`)
	f.Add(CheckpointPath, `{"request": 7}`)
	f.Add(KubeflowPath,
		`{"trainerStatus": {"progressPercentage": 41, "metrics": [{"name": "current_step", "value": "1e400"}]}}`)
	f.Add(KubeflowPath, `{"trainerStatus": {"metrics": [{"name": "step", "value": {"a": [null]}}]}}`)
	f.Fuzz(func(t *testing.T, path, body string) {
		if !slices.Contains([]string{ProgressPath, CheckpointPath, KubeflowPath}, path) {
			path = ProgressPath
		}
		run := known.NewRun()
		run.SaveRead(7)
		e := New(run, now)
		status, said := ask(e, http.MethodPost, path, e.token, body)
		if status != http.StatusOK && (status < 400 || status > 499) {
			t.Errorf("%q is answered with %d %q", body, status, said)
		}
		v := run.View()
		if v.Source != "" {
			if err := v.Progress.Check(); err != nil {
				t.Errorf("%q is taken for %v: %v", body, v.Progress, err)
			}
		}
	})
}
