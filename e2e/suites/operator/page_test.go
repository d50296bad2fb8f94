package operator

import (
	"encoding/base64"
	"fmt"
	"net/http"
	"strings"
	"testing"

	rbacv1 "k8s.io/api/rbac/v1"

	"github.com/takt-dev/takt/e2e/lib/cluster"
	"github.com/takt-dev/takt/e2e/lib/world"
	"github.com/takt-dev/takt/operator/page"
	"github.com/takt-dev/takt/operator/settings"
)

// Who has the right to all of the page sees all jobs, who has it to the path of a namespace sees those of that one, and
// everybody else sees none.
func TestThePageIsForThoseWhoMayGetIt(t *testing.T) {
	t.Parallel()
	address := cluster.AddressFor(t)
	w := world.New(t, world.Options{Start: world.Operate, Settings: func(s *settings.Settings) {
		s.Metrics = settings.Metrics{BindAddress: address, Secure: true}
		s.Page.Enabled = true
	}})
	w.Nodes(1, 4)
	w.PyTorchJob("resnet", world.Job{Workers: 1, Max: 4, Suspended: true, Deadline: "1h"})
	as := newAccounts(t, w.Namespace)
	platform := as.token("platform", "config/prometheus/page_reader.yaml")
	scraper := as.token("prometheus", "config/prometheus/metrics_reader.yaml")
	member := as.token("member", "")
	own := page.Path + "namespaces/" + w.Namespace + "/"
	as.grant("member", []rbacv1.PolicyRule{{NonResourceURLs: []string{own + "*"}, Verbs: []string{"get"}}})

	w.Eventually("the page has the job with its verdict", world.Soon, func() error {
		status, body, err := get(t, "https://"+address+page.Path, platform)
		if err != nil || status != http.StatusOK || !strings.Contains(body, w.Namespace+"/resnet") ||
			strings.Contains(body, "> new<") {
			return fmt.Errorf("the answer is %d (%w): %s", status, err, body)
		}
		return nil
	})
	for name, test := range map[string]struct {
		path, token string
		want        int
	}{
		"a job":                          {own + "resnet", platform, http.StatusOK},
		"the style":                      {page.Path + "style.css", platform, http.StatusOK},
		"the own namespace":              {own, member, http.StatusOK},
		"the own job":                    {own + "resnet", member, http.StatusOK},
		"all, with one namespace":        {page.Path, member, http.StatusForbidden},
		"another namespace":              {page.Path + "namespaces/default/", member, http.StatusForbidden},
		"another, written otherwise":     {own + "%2e%2e/default/", member, http.StatusNotFound}, // of nobody
		"all, with the metrics":          {page.Path, scraper, http.StatusForbidden},
		"all, with a bad token":          {page.Path, "bad", http.StatusUnauthorized},
		"all, with no token":             {page.Path, "", http.StatusUnauthorized},
		"the metrics, with the page":     {"/metrics", platform, http.StatusForbidden},
		"the snapshot, with a namespace": {"/snapshot", member, http.StatusForbidden},
	} {
		status, body, err := get(t, "https://"+address+test.path, test.token)
		if err != nil || status != test.want || status != http.StatusOK && strings.Contains(body, "resnet") {
			t.Errorf("%s is answered by %d, want %d (%v): %s", name, status, test.want, err, body)
		}
	}
	if status, body := asBrowser(t, "https://"+address+own, member); status != http.StatusOK ||
		!strings.Contains(body, "resnet") {
		t.Errorf("a browser is answered by %d: %s", status, body)
	}
}

// asBrowser gets a page with a token as the password.
func asBrowser(t *testing.T, url, token string) (int, string) {
	t.Helper()
	status, body, err := getAs(t, url, "Basic "+base64.StdEncoding.EncodeToString([]byte("me:"+token)))
	if err != nil {
		t.Fatal(err)
	}
	return status, body
}
