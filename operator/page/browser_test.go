package page

import (
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/e2e/lib/extent"
)

// TestInABrowser looks at the page with a real browser, in make test-long, and where TAKT_SCREENSHOTS names a folder
// for what it sees.
//
//	TAKT_SCREENSHOTS=/tmp/page go test ./operator/page -run TestInABrowser
func TestInABrowser(t *testing.T) {
	folder := os.Getenv("TAKT_SCREENSHOTS")
	switch {
	case folder == "" && !extent.Long():
		t.Skip("make test-long plays it, and whoever names a folder for its pictures in TAKT_SCREENSHOTS")
	case folder == "":
		folder = t.TempDir()
	}
	browser, err := exec.LookPath("chromium")
	if err != nil {
		t.Fatal("there is no chromium: apt-get install chromium")
	}
	if err := os.MkdirAll(folder, 0o755); err != nil {
		t.Fatal(err)
	}
	hostile := elasticJob("team-b", "bert", atRisk, func(j *v1alpha1.ElasticJob) {
		j.Status.Message += ` <script>document.title = "owned"</script><img src=x onerror="document.title='owned'">`
	})
	few := append(resized("team-a", "resnet", 2, 4, 8, 4), progressed(10*time.Second, 420_000), hostile,
		elasticJob("team-a", "sweep", waits),
		elasticJob("team-c", "a-name-that-is-as-long-as-names-of-jobs-may-be-in-kubernetes", met),
		trainingQueue("research", 8))
	server := serve(t, few...)
	for i := range int32(30) { // quick, then slow, and once from the last checkpoint again
		done := 12_000*i + map[bool]int32{true: 60_000, false: 0}[i < 20]
		server.History.hear(progressed(105*time.Minute-time.Duration(i)*200*time.Second, done))
	}
	small, large := httptest.NewServer(server), httptest.NewServer(serve(t,
		append(crowd(1000), trainingQueue("research", 8))...))
	defer small.Close()
	defer large.Close()
	const job, risk = "namespaces/team-a/resnet", "namespaces/team-b/bert"
	for name, test := range map[string]struct{ address, size, scheme, title string }{
		"fleet":        {small.URL + Path, "1280,900", "light", "All jobs · Takt"},
		"fleet-dark":   {small.URL + Path, "1280,900", "dark", "All jobs · Takt"},
		"fleet-narrow": {small.URL + Path, "500,1100", "light", "All jobs · Takt"},
		"thousand":     {large.URL + Path, "1280,1400", "light", "All jobs · Takt"},
		"job":          {small.URL + Path + job, "1280,1500", "light", "resnet · Takt"},
		"job-dark":     {small.URL + Path + job, "1280,1500", "dark", "resnet · Takt"},
		"job-narrow":   {small.URL + Path + job, "500,1700", "dark", "resnet · Takt"},
		"hostile":      {small.URL + Path + risk, "1280,1200", "light", "bert · Takt"},
	} {
		flags := []string{"--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--enable-logging=stderr",
			"--user-data-dir=" + t.TempDir(),
			"--window-size=" + test.size, "--blink-settings=preferredColorScheme=" +
				map[string]string{"light": "1", "dark": "0"}[test.scheme]}
		shot := exec.CommandContext(t.Context(), browser,
			append(flags, "--screenshot="+filepath.Join(folder, name+".png"), "--dump-dom", test.address)...)
		var complaints strings.Builder
		shot.Stderr = &complaints
		dom, err := shot.Output()
		if err != nil {
			t.Fatalf("%s: %v\n%s", name, err, complaints.String())
		}
		if !strings.Contains(string(dom), "<title>"+test.title+"</title>") {
			t.Errorf("%s has another title: %s", name, dom)
		}
		if strings.Contains(complaints.String(), "CONSOLE") {
			t.Errorf("the browser complains about %s: %s", name, complaints.String())
		}
	}
}
