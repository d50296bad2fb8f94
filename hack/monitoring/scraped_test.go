package monitoring

import (
	"bytes"
	"errors"
	"io"
	"maps"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/prometheus/model/labels"
	"github.com/prometheus/prometheus/model/textparse"
	"github.com/prometheus/prometheus/promql"
	"github.com/prometheus/prometheus/promql/parser"
	"github.com/prometheus/prometheus/promql/promqltest"
	"github.com/prometheus/prometheus/util/teststorage"
)

// emptyWhenAllIsWell are the panels that may show nothing.
var emptyWhenAllIsWell = []string{"takt-system.json: API requests that fail"}

// TAKT_SCRAPED is a folder of what the programs have told while jobs trained, a file for each scrape, called
// JOB@MILLISECONDS: e2e/suites/operator writes it and calls this test. Each panel shows something of it, and Prometheus
// can evaluate each alert.
func TestPanelsShowWhatIsScraped(t *testing.T) {
	folder := os.Getenv("TAKT_SCRAPED")
	if folder == "" {
		t.Skip("TAKT_SCRAPED names no scrapes: make e2e RUN=TestEachPanelShowsSomething has this test judge real ones")
	}
	r := replay(t, folder)
	for file, b := range boards(t) {
		chosen := r.choose(t, file, b)
		for _, p := range b.Panels {
			shows := p.Type == "row" || slices.Contains(emptyWhenAllIsWell, file+": "+p.Title)
			for _, target := range p.Targets {
				found := r.ask(t, chosen.Replace(target.Expr))
				t.Logf("%s: %s: %s: %d series", file, p.Title, target.Expr, found)
				shows = shows || found > 0
			}
			if !shows {
				t.Errorf("%s: %s shows nothing", file, p.Title)
			}
		}
	}
	for _, a := range alerts(t) {
		r.ask(t, a.Expr)
	}
}

// recording is what was scraped.
type recording struct {
	storage     *teststorage.TestStorage
	engine      *promql.Engine
	first, last time.Time
}

func replay(t *testing.T, folder string) *recording {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(folder, "*@*"))
	if err != nil || len(paths) < 10 {
		t.Fatalf("there are %d scrapes in %s (%v)", len(paths), folder, err)
	}
	r := &recording{
		storage: teststorage.New(t), engine: promqltest.NewTestEngine(t, false, time.Minute, 1_000_000),
		first: time.Unix(1<<40, 0),
	}
	slices.SortFunc(paths, func(a, b string) int {
		return strings.Compare(a[strings.LastIndex(a, "@"):], b[strings.LastIndex(b, "@"):])
	})
	for _, path := range paths {
		job, at, _ := strings.Cut(filepath.Base(path), "@")
		stamp, err := strconv.ParseInt(at, 10, 64)
		if err != nil {
			t.Fatal(path, err)
		}
		r.add(t, job, stamp, read(t, path))
	}
	return r
}

// add adds a scrape, with the labels that the operator of Prometheus adds.
func (r *recording) add(t *testing.T, job string, stamp int64, text []byte) {
	t.Helper()
	moment := time.UnixMilli(stamp)
	if moment.Before(r.first) {
		r.first = moment
	}
	r.last = moment
	scraped, err := textparse.New(bytes.TrimSpace(append(text, '\n')), "text/plain", labels.NewSymbolTable(),
		textparse.ParserOptions{})
	if err != nil {
		t.Fatal(err)
	}
	app := r.storage.Appender(t.Context())
	for {
		entry, err := scraped.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatalf("what %s tells cannot be read: %v", job, err)
		}
		if entry != textparse.EntrySeries {
			continue
		}
		var series labels.Labels
		scraped.Labels(&series)
		_, _, value := scraped.Series()
		target := labels.NewBuilder(series).Set("job", job).Set("namespace", "takt-system").Set("pod",
			job+"-0").Set("instance", "10.0.0.1")
		if _, err := app.Append(0, target.Labels(), stamp, value); err != nil {
			t.Fatal(err)
		}
	}
	if err := app.Commit(); err != nil {
		t.Fatal(err)
	}
}

// choose fills in what Grafana does when a dashboard is opened: of each variable the first value by name, or all.
func (r *recording) choose(t *testing.T, file string, b board) *strings.Replacer {
	t.Helper()
	pairs := []string{"$__rate_interval", "20s", "$__range", "1h"}
	for _, v := range b.Templating.List {
		selector, label, found := v.values()
		if !found {
			continue
		}
		values := r.values(t, strings.NewReplacer(pairs...).Replace(selector), label)
		if len(values) == 0 {
			t.Fatalf("%s: there is nothing to choose as %s", file, v.Name)
		}
		value := values[0]
		if v.Multi {
			value = ".*"
		}
		t.Logf("%s: of %v, %s is %s", file, values, v.Name, value)
		pairs = append(pairs, "$"+v.Name, value)
	}
	return strings.NewReplacer(pairs...)
}

func (r *recording) values(t *testing.T, selector, label string) []string {
	t.Helper()
	matchers, err := parser.NewParser(parser.Options{}).ParseMetricSelector(selector)
	if err != nil {
		t.Fatal(err)
	}
	querier, err := r.storage.Querier(math.MinInt64, math.MaxInt64)
	if err != nil {
		t.Fatal(err)
	}
	defer querier.Close()
	values := map[string]bool{}
	for found := querier.Select(t.Context(), false, nil, matchers...); found.Next(); {
		values[found.At().Labels().Get(label)] = true
	}
	return slices.Sorted(maps.Keys(values))
}

var unfilled = regexp.MustCompile(`\$\w+`)

// ask counts the series with a number that an expression has at any time.
func (r *recording) ask(t *testing.T, expression string) (series int) {
	t.Helper()
	if left := unfilled.FindString(expression); left != "" {
		t.Errorf("nobody fills in %s of %s", left, expression)
	}
	// One step more than was scraped: the last samples may all be of less than a second after the step before.
	const step = time.Second
	query, err := r.engine.NewRangeQuery(t.Context(), r.storage, nil, expression, r.first, r.last.Add(step), step)
	if err != nil {
		t.Fatalf("%s: %v", expression, err)
	}
	defer query.Close()
	result := query.Exec(t.Context())
	matrix, err := result.Matrix()
	if err != nil {
		t.Errorf("%s: %v", expression, err)
	}
	for _, s := range matrix {
		if slices.ContainsFunc(s.Floats, func(p promql.FPoint) bool { return !math.IsNaN(p.F) }) {
			series++
		}
	}
	return series
}
