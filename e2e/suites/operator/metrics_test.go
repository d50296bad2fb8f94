package operator

import (
	"context"
	"crypto/tls"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/rest"
	metricsserver "sigs.k8s.io/controller-runtime/pkg/metrics/server"

	"github.com/takt-dev/takt/e2e/lib/cluster"
	"github.com/takt-dev/takt/operator"
	"github.com/takt-dev/takt/operator/settings"
)

// The rights of the operator are those that config/rbac gives it, and the rights of Prometheus those
// of config/prometheus: so this also shows that both are enough.
func TestMetricsAreForThoseWhoMayGetThem(t *testing.T) {
	t.Parallel()
	namespace := cluster.Shared().Namespace(t)
	as := newAccounts(t, namespace)
	scraper := as.token("prometheus", "config/prometheus/metrics_reader.yaml")
	stranger := as.token("stranger", "")
	self := rest.AnonymousClientConfig(cluster.Shared().Config())
	self.BearerToken = as.token("takt-operator", "config/rbac/cluster/cluster_role.yaml")

	address := serve(t, settings.Metrics{BindAddress: "127.0.0.1:0", Secure: true}, self)
	for name, test := range map[string]struct {
		token string
		want  []int
	}{
		"with the right":    {scraper, []int{http.StatusOK}},
		"without the right": {stranger, []int{http.StatusForbidden}},
		"without a token":   {"", []int{http.StatusUnauthorized}},
		// controller-runtime takes the verdict on a bad token for a failure to judge it.
		"with a bad token": {"bad", []int{http.StatusUnauthorized, http.StatusInternalServerError}},
	} {
		t.Run(name, func(t *testing.T) {
			status, body, err := scrape(t, "https://"+address, test.token)
			if err != nil || !slices.Contains(test.want, status) {
				t.Errorf("the answer is %d, want %d: %s (%v)", status, test.want, body, err)
			}
			if told := strings.Contains(body, "# HELP "); told != (status == http.StatusOK) {
				t.Errorf("with status %d the answer is: %s", status, body)
			}
		})
	}
	t.Run("in the clear", func(t *testing.T) {
		// It is refused or cut off, whichever of the two ends comes first.
		if status, body, err := scrape(t, "http://"+address, scraper); err == nil && status != http.StatusBadRequest {
			t.Errorf("the answer is %d: %s", status, body)
		}
	})
}

func TestMetricsInTheClearAreForEveryone(t *testing.T) {
	t.Parallel()
	address := serve(t, settings.Metrics{BindAddress: "127.0.0.1:0"}, cluster.Shared().Config())
	if status, body, err := scrape(t, "http://"+address, ""); err != nil || status != http.StatusOK {
		t.Errorf("the answer is %d: %s (%v)", status, body, err)
	}
}

// serve serves metrics as the settings say until the test ends, and gives the address.
func serve(t *testing.T, s settings.Metrics, self *rest.Config) string {
	t.Helper()
	client, err := rest.HTTPClientFor(self)
	if err != nil {
		t.Fatal(err)
	}
	server, err := metricsserver.NewServer(operator.MetricsServer(s), self, client)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- server.Start(ctx) }()
	t.Cleanup(func() {
		cancel()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
	bound := server.(interface{ GetBindAddr() string })
	if err := wait.PollUntilContextTimeout(ctx, 10*time.Millisecond, time.Minute, true,
		func(context.Context) (bool, error) { return bound.GetBindAddr() != "", nil }); err != nil {
		t.Fatal("the server does not listen:", err)
	}
	return bound.GetBindAddr()
}

func scrape(t *testing.T, server, token string) (status int, body string, err error) {
	t.Helper()
	return get(t, server+"/metrics", token)
}

func get(t *testing.T, url, token string) (status int, body string, err error) {
	t.Helper()
	login := ""
	if token != "" {
		login = "Bearer " + token
	}
	return getAs(t, url, login)
}

// getAs gets something with a header that says who asks; empty: with none.
func getAs(t *testing.T, url, login string) (status int, body string, err error) {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url, http.NoBody)
	if err != nil {
		t.Fatal(err)
	}
	if login != "" {
		request.Header.Set("Authorization", login)
	}
	// The server has made its certificate itself a moment ago.
	client := &http.Client{
		Transport: &http.Transport{TLSClientConfig: &tls.Config{InsecureSkipVerify: true}, DisableKeepAlives: true},
	}
	response, err := client.Do(request)
	if err != nil {
		return 0, "", err
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	return response.StatusCode, string(text), err
}
