package operator

import (
	"context"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/go-logr/logr"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/rest"

	"github.com/takt-dev/takt/operator/settings"
)

// An operator that may not read what it works from is not ready, so that the one before it is left in its place.
func TestWhoMayReadNothingIsNotReady(t *testing.T) {
	api := &api{refused: make(chan struct{}, 1)}
	server := httptest.NewServer(api)
	defer server.Close()
	s := settings.Default()
	s.LeaderElection.Enabled, s.Records.Keep, s.Metrics.BindAddress = false, 0, "0"
	s.Health.BindAddress = freeAddress(t)
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	o, err := New(ctx, &rest.Config{Host: server.URL}, s, logr.Discard())
	if err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- o.Run(ctx) }()
	select {
	case <-api.refused:
	case err := <-ended:
		t.Fatal("it has ended:", err)
	}
	if code, says := readiness(ctx, t, s.Health.BindAddress); code == http.StatusOK {
		t.Errorf("it passes for ready, though it could read nothing: %s", says)
	}
	api.allows.Store(true)
	for code := 0; code != http.StatusOK; {
		code, _ = readiness(ctx, t, s.Health.BindAddress)
	}
	cancel()
	if err := <-ended; err != nil {
		t.Error(err)
	}
}

// readiness is what the operator says to whoever asks whether it is ready, as soon as it answers.
func readiness(ctx context.Context, t *testing.T, address string) (code int, says string) {
	t.Helper()
	for {
		request, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+address+"/readyz?verbose", nil)
		if err != nil {
			t.Fatal(err)
		}
		answer, err := http.DefaultClient.Do(request)
		if ctx.Err() != nil {
			t.Fatal("it never answers:", err)
		}
		if err != nil {
			continue
		}
		text, err := io.ReadAll(answer.Body)
		_ = answer.Body.Close()
		if err != nil {
			t.Fatal(err)
		}
		return answer.StatusCode, string(text)
	}
}

// freeAddress is one that nobody listens at.
func freeAddress(t *testing.T) string {
	t.Helper()
	l, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().String()
}

// api is an API server that says which kinds it has, and lets nobody read any, until it allows that: there are none.
type api struct {
	refused chan struct{} // is filled once something was
	allows  atomic.Bool
}

var served = map[string][]metav1.APIResource{
	"v1": {{Name: "pods", Kind: "Pod", Namespaced: true}, {Name: "nodes", Kind: "Node"},
		{Name: "namespaces", Kind: "Namespace"}, {Name: "resourcequotas", Kind: "ResourceQuota", Namespaced: true}},
	"takt.dev/v1alpha1": {{Name: "elasticjobs", Kind: "ElasticJob", Namespaced: true},
		{Name: "resizes", Kind: "Resize", Namespaced: true}, {Name: "trainingqueues", Kind: "TrainingQueue"},
		{Name: "trainingprofiles", Kind: "TrainingProfile", Namespaced: true}},
	"autoscaling/v2": {{Name: "horizontalpodautoscalers", Kind: "HorizontalPodAutoscaler", Namespaced: true}},
}

func (a *api) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	say := func(code int, object any) {
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(code)
		_ = json.NewEncoder(w).Encode(object)
	}
	path := strings.Trim(r.URL.Path, "/")
	asked := strings.TrimPrefix(strings.TrimPrefix(path, "api/"), "apis/")
	switch of, known := served[asked]; {
	case known:
		say(http.StatusOK, metav1.APIResourceList{GroupVersion: asked, APIResources: of})
	case path == "api":
		say(http.StatusOK, metav1.APIVersions{Versions: []string{"v1"}})
	case path == "apis":
		say(http.StatusOK, metav1.APIGroupList{Groups: []metav1.APIGroup{
			group("takt.dev/v1alpha1"), group("autoscaling/v2")}})
	case asked == "takt.dev":
		say(http.StatusOK, group("takt.dev/v1alpha1"))
	case asked == "autoscaling":
		say(http.StatusOK, group("autoscaling/v2"))
	case !a.allows.Load():
		select {
		case a.refused <- struct{}{}:
		default:
		}
		say(http.StatusForbidden, metav1.Status{Status: metav1.StatusFailure, Code: http.StatusForbidden,
			Reason: metav1.StatusReasonForbidden, Message: path + " is forbidden"})
	case r.URL.Query().Get("sendInitialEvents") != "": // it is to list instead
		say(http.StatusUnprocessableEntity, metav1.Status{Status: metav1.StatusFailure, Code: http.StatusUnprocessableEntity,
			Reason: metav1.StatusReasonInvalid})
	case r.URL.Query().Get("watch") != "":
		<-r.Context().Done() // nothing happens
	default:
		say(http.StatusOK, map[string]any{"kind": listOf(path), "apiVersion": versionOf(path), "items": []any{},
			"metadata": map[string]any{"resourceVersion": "1"}})
	}
}

// versionOf is the API version in a path, and listOf the kind of a list of what it ends with.
func versionOf(path string) string {
	parts := strings.Split(path, "/")
	if parts[0] == "api" {
		return parts[1]
	}
	return parts[1] + "/" + parts[2]
}

func listOf(path string) string {
	for _, kind := range served[versionOf(path)] {
		if strings.HasSuffix(path, "/"+kind.Name) {
			return kind.Kind + "List"
		}
	}
	return "List"
}

// group is an API group that has one version.
func group(of string) metav1.APIGroup {
	name, version, _ := strings.Cut(of, "/")
	only := metav1.GroupVersionForDiscovery{GroupVersion: of, Version: version}
	return metav1.APIGroup{Name: name, Versions: []metav1.GroupVersionForDiscovery{only}, PreferredVersion: only}
}
