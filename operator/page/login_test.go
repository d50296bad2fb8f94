package page

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/go-logr/logr"
)

// guarded is a server behind a filter that knows one token, and answers to others as the real one does.
func guarded(t *testing.T, handler http.Handler) (http.Handler, *[]string) {
	t.Helper()
	var asked []string
	filter := func(_ logr.Logger, behind http.Handler) (http.Handler, error) {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			asked = append(asked, r.Header.Get("Authorization"))
			switch r.Header.Get("Authorization") {
			case "Bearer good":
				behind.ServeHTTP(w, r)
			case "Bearer other":
				http.Error(w, "Authorization denied for user other", http.StatusForbidden)
			case "Bearer old":
				http.Error(w, "Authentication failed", http.StatusInternalServerError)
			default:
				http.Error(w, "Unauthorized", http.StatusUnauthorized)
			}
		}), nil
	}
	served, err := Login(filter)(logr.Discard(), handler)
	if err != nil {
		t.Fatal(err)
	}
	return served, &asked
}

func TestABrowserGivesATokenAsItsPassword(t *testing.T) {
	served, asked := guarded(t, serve(t, elasticJob("team-a", "resnet")))
	for name, test := range map[string]struct {
		login  func(*http.Request)
		status int
		want   string
		asks   bool // for a password
	}{
		"nothing": {func(*http.Request) {}, http.StatusUnauthorized, "kubectl create token", true},
		"a token": {
			func(r *http.Request) { r.Header.Set("Authorization", "Bearer good") }, http.StatusOK, "resnet", false,
		},
		"a password": {func(r *http.Request) { r.SetBasicAuth("me", "good") }, http.StatusOK, "resnet", false},
		"pasted":     {func(r *http.Request) { r.SetBasicAuth("", " good\n") }, http.StatusOK, "resnet", false},
		"a wrong one": {
			func(r *http.Request) { r.SetBasicAuth("me", "bad") }, http.StatusUnauthorized, "kubectl create token", true,
		},
		"one run out": {
			func(r *http.Request) { r.SetBasicAuth("me", "old") }, http.StatusUnauthorized, "may have run out", true,
		},
		"no password": {func(r *http.Request) { r.Header.Set("Authorization", "Basic !!!") }, http.StatusUnauthorized,
			"kubectl create token", true},
		"no right": {
			func(r *http.Request) { r.SetBasicAuth("me", "other") }, http.StatusForbidden, "takt-page-reader", false,
		},
		"another kind": {func(r *http.Request) { r.Header.Set("Authorization", "Digest x") }, http.StatusUnauthorized,
			"kubectl create token", true},
	} {
		t.Run(name, func(t *testing.T) {
			request := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/takt/", http.NoBody)
			test.login(request)
			answer := httptest.NewRecorder()
			served.ServeHTTP(answer, request)
			text := answer.Body.String()
			if answer.Code != test.status || !strings.Contains(text, test.want) ||
				(answer.Header().Get("WWW-Authenticate") != "") != test.asks {
				t.Errorf("it is answered by %d %v: %s", answer.Code, answer.Header(), text)
			}
			if test.status != http.StatusOK && strings.Contains(text, "resnet") {
				t.Errorf("whoever is refused sees %s", text)
			}
		})
	}
	if len(*asked) != 8 {
		t.Errorf("the API server is asked %d times, though one has given nothing to ask about", len(*asked))
	}
}

// What is beside the page is refused as before: programs ask for it, and nobody types a password.
func TestOthersHaveNoLogin(t *testing.T) {
	served, _ := guarded(t, http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
	request := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/metrics", http.NoBody)
	request.SetBasicAuth("me", "good")
	answer := httptest.NewRecorder()
	served.ServeHTTP(answer, request)
	if answer.Code != http.StatusUnauthorized || answer.Header().Get("WWW-Authenticate") != "" {
		t.Errorf("it is answered by %d %v", answer.Code, answer.Header())
	}
}
