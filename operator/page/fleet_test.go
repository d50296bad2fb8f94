package page

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/takt-dev/takt/api/v1alpha1"
)

func TestTheFleetAtAGlance(t *testing.T) {
	s := serve(t, elasticJob("team-a", "resnet"), elasticJob("team-b", "bert", atRisk),
		elasticJob("team-a", "sweep", waits), elasticJob("team-a", "done", met),
		trainingQueue("research", 8))
	text := page(t, s, "/takt/")
	for _, want := range []string{
		"4 jobs, 6 workers, 1 AtRisk, 1 OnTrack, 1 BestEffort, 1 ended.",
		`<a href="namespaces/team-b/bert"><bdi class="of">team-b/</bdi><bdi>bert</bdi></a>`, "2→6/8", "-2h39m", "42%",
		"12.40/31.00",
		"starts in 1h39m", "in 2h39m", "1h52m to 2h14m", "✓</span> OnTrack", "!</span> AtRisk",
		`<th scope="col">Cost so far</th><th scope="col">Cost at the end</th><th scope="col">Cost per deadline met</th>`,
		`<td class="number">124.00</td><td class="number">310.00</td><td class="number">15.50</td></tr>`,
	} {
		if !strings.Contains(text, want) {
			t.Errorf("it lacks %q: %s", want, text)
		}
	}
	if got, want := listed(text), []string{"bert", "resnet", "sweep", "done"}; !cmp.Equal(got, want) {
		t.Errorf("the jobs are %v, want %v", got, want)
	}
}

// listed are the names of the jobs of a page.
func listed(text string) (names []string) {
	for _, found := range regexp.MustCompile(
		`<th scope="row"><a href="[^"]*">(?:<bdi class="of">[^<]*</bdi>)?<bdi>([^<]*)`).FindAllStringSubmatch(text, -1) {
		names = append(names, found[1])
	}
	return names
}

func TestJobsAreFoundAndSorted(t *testing.T) {
	s := serve(t, elasticJob("team-a", "resnet"), elasticJob("team-b", "bert", atRisk),
		elasticJob("team-a", "sweep", waits), elasticJob("team-a", "done", met))
	for query, want := range map[string][]string{
		"q=team-a":                  {"resnet", "sweep", "done"},
		"q=BERT":                    {"bert"},
		"q=research&verdict=Met":    {"done"},
		"verdict=AtRisk":            {"bert"},
		"verdict=nonsense":          {"bert", "resnet", "sweep", "done"},
		"sort=job":                  {"done", "resnet", "sweep", "bert"},
		"sort=-job":                 {"bert", "sweep", "resnet", "done"},
		"sort=deadline":             {"done", "bert", "resnet", "sweep"},
		"sort=-deadline":            {"bert", "resnet", "done", "sweep"}, // what has none is last both ways
		"sort=slack":                {"bert", "resnet", "done", "sweep"},
		"sort=progress":             {"sweep", "bert", "resnet", "done"},
		"sort=expected":             {"done", "sweep", "resnet", "bert"},
		"sort=password":             {"bert", "resnet", "sweep", "done"},
		"page=99":                   {"bert", "resnet", "sweep", "done"},
		"page=-1&q=" + "x%00%ff%fe": nil,
	} {
		if diff := cmp.Diff(want, listed(page(t, s, "/takt/?"+query))); diff != "" {
			t.Errorf("%s, -want +got:\n%s", query, diff)
		}
	}
	if text := page(t, s, "/takt/?sort=deadline&q=team-a"); !strings.Contains(text,
		`aria-sort="ascending"><a href="?q=team-a&amp;sort=-deadline"`) {
		t.Errorf("the order cannot be turned round: %s", text)
	}
	if text := page(t, s, "/takt/?again=yes"); !strings.Contains(text, `<meta http-equiv="refresh" content="30">`) {
		t.Error("it is not loaded anew")
	}
	if text := page(t, s, "/takt/"); strings.Contains(text, "http-equiv") {
		t.Error("it is loaded anew though nobody has asked for that")
	}
}

// A page is as long for any number of jobs as for two hundred, and all of them can be reached by turning pages.
func TestManyJobsAreReadPageByPage(t *testing.T) {
	s := serve(t, crowd(501)...)
	seen := map[string]bool{}
	path, pages := "/takt/", 0
	for path != "" {
		text := page(t, s, path)
		if pages++; rows(text) > rowsAPage || len(text) > 1<<20 {
			t.Fatalf("page %d has %d rows, and is %d long", pages, rows(text), len(text))
		}
		for _, name := range listed(text) {
			seen[name] = true
		}
		path = ""
		if next := regexp.MustCompile(`rel="next" href="([^"]*)"`).FindStringSubmatch(text); next != nil {
			path = "/takt/" + strings.ReplaceAll(next[1], "&amp;", "&")
		}
	}
	if len(seen) != 501 || pages != 3 {
		t.Errorf("%d jobs are seen on %d pages", len(seen), pages)
	}
}

// The longest texts that the API server takes make no page that is too long.
func TestLongTextsMakeNoLongPage(t *testing.T) {
	long := strings.Repeat("<", 1024)
	var all []client.Object
	for i := range rowsAPage + 1 {
		all = append(all, elasticJob("team-a", fmt.Sprintf("job-%d", i), func(j *v1alpha1.ElasticJob) {
			st := &j.Status
			st.Message, st.Pool, j.Spec.Queue = long, long, strings.Repeat("q", 63)
			st.Summary = v1alpha1.ElasticJobSummary{Progress: long[:8], Slack: long[:16], Cost: long[:64]}
			if i != 1 { // the one whose page is looked at
				return
			}
			for c := range st.Conditions {
				st.Conditions[c].Message = strings.Repeat("<", 32768)
			}
		}))
		all = append(all, trainingQueue(fmt.Sprintf("q-%d", i), 1))
	}
	s := serve(t, append(all, resized("team-a", "job-1", make([]int32, 3*mostResizes)...)...)...)
	for _, path := range []string{"/takt/", "/takt/namespaces/team-a/job-1"} {
		if text := page(t, s, path); len(text) > largest/4 {
			t.Errorf("%s is %d long", path, len(text))
		}
	}
}
