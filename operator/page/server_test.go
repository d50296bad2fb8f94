package page

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/takt-dev/takt/api/v1alpha1"
)

func TestAPathShowsWhatTheAPIServerWasAskedAbout(t *testing.T) {
	for path, want := range map[string]place{
		"/takt/":                            {},
		"/takt/style.css":                   {style: true},
		"/takt/namespaces/team-a/":          {namespace: "team-a"},
		"/takt/namespaces/team-a/style.css": {namespace: "team-a", style: true},
		"/takt/namespaces/team-a/resnet":    {namespace: "team-a", job: "resnet"},
	} {
		if got, err := parsePath(path); err != nil || got != want {
			t.Errorf("%s is %+v (%v), want %+v", path, got, err, want)
		}
	}
	for _, path := range []string{
		"/takt", "/taktics/", "/", "", "/takt/namespaces", "/takt/namespaces/", "/takt/namespaces/team-a",
		"/takt/namespaces//resnet",
		"/takt/resnet", "/takt/namespaces/team-a/resnet/", "/takt/namespaces/team-a/../team-b/", "/takt/namespaces/team-a/..",
		"/takt/namespaces/team-a//", "/takt/namespaces/./team-a/", "/takt/namespaces/team-a/team-b/resnet",
		"/takt/../metrics",
		"/takt/namespaces/TEAM-A/", "/takt/namespaces/team-a\x00/", "/takt/namespaces/ /", "/takt/namespaces/*/",
	} {
		if got, err := parsePath(path); err == nil {
			t.Errorf("%q shows %+v", path, got)
		}
	}
}

// Whoever may get what begins with the path of a namespace sees nothing of another, however the path is written.
func TestAPageOfANamespaceNamesNoOther(t *testing.T) {
	s := serve(t, append([]client.Object{
		elasticJob("team-a", "resnet"), elasticJob("team-b", "secret", func(j *v1alpha1.ElasticJob) {
			j.Spec.Queue = "vault"
		}),
		trainingQueue("research", 8), trainingQueue("vault", 8),
	}, resized("team-b", "resnet", 7)...)...)
	for _, path := range []string{
		"/takt/namespaces/team-a/", "/takt/namespaces/team-a/?q=secret", "/takt/namespaces/team-a/resnet",
		"/takt/namespaces/team-a/?q=team-b",
		"/takt/namespaces/team-a%2F..%2Fteam-b/", "/takt/namespaces/team-a/%2e%2e/team-b/",
		"/takt/namespaces/team-a/..%2fteam-b%2fsecret",
	} {
		// What was asked for is shown again.
		asked := strings.NewReplacer(`value="secret"`, "", `value="team-b"`, "", "q=secret", "", "q=team-b", "")
		text := asked.Replace(get(t, s, path).Body.String())
		for _, foreign := range []string{"secret", "team-b", "vault", "resnet-1"} {
			if strings.Contains(text, foreign) {
				t.Errorf("%s names %s: %s", path, foreign, text)
			}
		}
	}
}

const evil = `"><script>alert(1)</script><img src=x onerror=alert(1)>'&javascript:alert(1)`

// What tenants write is text, and nothing else, wherever it is shown.
func TestWhatTenantsWriteIsText(t *testing.T) {
	// Names like these are refused by the API server. The page does not rely on that.
	job := elasticJob("team-a", "resnet", func(j *v1alpha1.ElasticJob) {
		st := &j.Status
		j.Spec.Queue, j.Spec.JobRef.Name, st.Message, st.Pool, st.Progress.Source = evil, evil, evil, evil, evil
		st.Verdict, st.Deadline, st.Summary.Slack, st.Summary.Progress, st.Summary.Cost, st.Cost.SoFar = evil, evil, evil,
			evil, evil, evil
		for i := range st.Conditions {
			st.Conditions[i].Message, st.Conditions[i].Reason = evil, evil
		}
	})
	resizes := resized("team-a", "resnet", 2)
	first := resizes[0].(*v1alpha1.Resize)
	first.Spec.Reason, first.Status.Reached, first.Status.Cost.Pause = evil, evil, evil
	queue := trainingQueue("research", 8)
	queue.Status.Cost.SoFar = evil
	s := serve(t, append(resizes, job, elasticJob("team-a", "other", atRisk), queue)...)
	for _, path := range []string{"/takt/", "/takt/?q=%22%3E%3Cscript%3Ealert(1)",
		"/takt/?sort=%22%3E%3Cscript%3E&verdict=%3Cscript%3E", "/takt/namespaces/team-a/resnet"} {
		text := page(t, s, path)
		for _, bad := range []string{"<script", "<img", `onerror=alert(1)>`, `="javascript:`} {
			if strings.Contains(strings.ToLower(text), bad) {
				t.Errorf("%s has %s: %s", path, bad, text)
			}
		}
	}
	if text := page(t, s, "/takt/namespaces/team-a/resnet"); !strings.Contains(text,
		"&lt;script&gt;alert(1)&lt;/script&gt;") {
		t.Errorf("what was written is not shown as text: %s", text)
	}
}

func TestNothingRunsAndNothingIsLoadedFromElsewhere(t *testing.T) {
	s := serve(t, elasticJob("team-a", "resnet"))
	for _, path := range []string{"/takt/", "/takt/namespaces/team-a/resnet", "/takt/style.css", "/takt/nothing"} {
		answer := get(t, s, path)
		header := answer.Header()
		got := header.Get("Content-Security-Policy")
		for _, want := range []string{"default-src 'none'", "style-src 'self'", "base-uri 'none'", "frame-ancestors 'none'"} {
			if !strings.Contains(got, want) {
				t.Errorf("the policy of %s lacks %s: %s", path, want, got)
			}
		}
		if strings.Contains(got, "script-src") || strings.Contains(got, "unsafe") {
			t.Errorf("the policy of %s lets something run: %s", path, got)
		}
		if header.Get("X-Content-Type-Options") != "nosniff" || header.Get("Cache-Control") != "no-store" {
			t.Errorf("%s is sent with %v", path, header)
		}
		for _, bad := range []string{"http://", "https://", "<script", "style=", "@import", "url("} {
			if strings.Contains(answer.Body.String(), bad) {
				t.Errorf("%s has %s", path, bad)
			}
		}
	}
}

func TestItCanOnlyBeRead(t *testing.T) {
	s := serve(t)
	for _, method := range []string{http.MethodPost, http.MethodPut, http.MethodDelete, http.MethodConnect,
		http.MethodHead} {
		answer := httptest.NewRecorder()
		s.ServeHTTP(answer, httptest.NewRequestWithContext(t.Context(), method, "/takt/", http.NoBody))
		if answer.Code != http.StatusMethodNotAllowed {
			t.Errorf("%s is answered by %d", method, answer.Code)
		}
	}
}

func TestWhatIsNotThereIsExplained(t *testing.T) {
	s := serve(t)
	for path, want := range map[string]string{
		"/takt/nothing":                "NAMESPACE",
		"/takt/namespaces/team-a/none": "there is no ElasticJob none in namespace team-a",
	} {
		if answer := get(t, s, path); answer.Code != http.StatusNotFound || !strings.Contains(answer.Body.String(), want) {
			t.Errorf("%s is answered by %d: %s", path, answer.Code, answer.Body)
		}
	}
	if text := page(t, s, "/takt/"); !strings.Contains(text, "There is no job yet") ||
		!strings.Contains(text, "There is no queue") {
		t.Errorf("an empty cluster is %s", text)
	}
	if text := page(t, serve(t, elasticJob("team-a", "resnet")), "/takt/?q=bert"); !strings.Contains(text,
		"No job is like that") {
		t.Errorf("nothing found is %s", text)
	}
}

// Nobody is served beyond what is made at a time, and whoever gives up waiting is told.
func TestPagesAreMadeAFewAtATime(t *testing.T) {
	s := serve(t)
	for range atOnce {
		s.turns <- struct{}{}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	answer := httptest.NewRecorder()
	s.ServeHTTP(answer, httptest.NewRequestWithContext(ctx, http.MethodGet, "/takt/", http.NoBody))
	if answer.Code != http.StatusServiceUnavailable || answer.Header().Get("Retry-After") == "" {
		t.Errorf("it is answered by %d", answer.Code)
	}
	<-s.turns
	page(t, s, "/takt/")
	if len(s.turns) != atOnce-1 {
		t.Errorf("%d turns are taken afterwards", len(s.turns))
	}
}

func TestANamespaceThatNobodyLooksAfterIsNamed(t *testing.T) {
	server := serve(t, elasticJob("team-a", "resnet"))
	server.namespaces = []string{"team-a"}
	for path, want := range map[string]int{"namespaces/team-a/": http.StatusOK, "namespaces/team-b/": http.StatusNotFound,
		"": http.StatusOK} {
		answer := httptest.NewRecorder()
		server.ServeHTTP(answer, httptest.NewRequestWithContext(t.Context(), http.MethodGet, Path+path, http.NoBody))
		if answer.Code != want || want != http.StatusOK && !strings.Contains(answer.Body.String(),
			"does not look after namespace team-b") {
			t.Errorf("%s is answered by %d, want %d: %s", path, answer.Code, want, answer.Body)
		}
	}
}

// A reader who has begun a request, and never ends it, keeps nobody waiting.
func TestWhoSendsSomethingIsRefused(t *testing.T) {
	answer := httptest.NewRecorder()
	serve(t).ServeHTTP(answer, httptest.NewRequestWithContext(t.Context(), http.MethodGet, Path, strings.NewReader("x")))
	if answer.Code != http.StatusBadRequest || answer.Header().Get("Connection") != "close" {
		t.Errorf("the answer is %d, %v", answer.Code, answer.Header())
	}
}
