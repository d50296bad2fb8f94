package page

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/takt-dev/takt/simulator"
)

func written(t testing.TB, p Page) string {
	t.Helper()
	var text strings.Builder
	if err := Write(&text, p); err != nil {
		t.Fatal(err)
	}
	return text.String()
}

func comparison(runs ...Run) Page {
	return Page{
		Title: "made up", Conditions: []Condition{{"Noise", "10 %"}}, GPUs: 24, ResizeCost: 30,
		Bound: simulator.Bound{Jobs: 48, Infeasible: 2, Forced: 1}, Runs: runs,
	}
}

// pages are what all pages must hold for.
func pages(t testing.TB) map[string]Page {
	return map[string]Page{
		"two policies": comparison(madeUp(t, 60, 24, 30, 1), madeUp(t, 60, 24, 90, 2)),
		"hostile":      comparison(hostile(t)),
		"no policy":    comparison(),
		"no job":       comparison(Run{}),
		"no GPU":       {Runs: []Run{{History: simulator.History{Jobs: []*simulator.Training{training("a", 0, 1, never)}}}}},
		"odd times": comparison(Run{History: simulator.History{Jobs: []*simulator.Training{
			training("a", 5, -never, never), training("b", 5, 1e300, 6), training("c", 5, 5, 5),
		}}}),
	}
}

const evil = "</title></svg><script>alert(1)</script>\"'><img src=x onerror=alert(1)>{{.}}&amp;\x00\x1b\u202e\xff"

func hostile(t testing.TB) Run {
	run := madeUp(t, 60, 24, 30, 3)
	run.Result.Policy = evil
	for i, job := range run.History.Jobs {
		job.ID = evil + strings.Repeat("long", i*100)
		job.Model = evil
	}
	return run
}

func TestNamesAreHarmless(t *testing.T) {
	page := comparison(hostile(t))
	page.Title, page.Conditions = evil, []Condition{{evil, evil}}
	text := written(t, page)
	for _, bad := range []string{"<script", "<img", "\x00", "\x1b", "\u202e", "\xff", "longlonglonglonglonglong"} {
		if i := strings.Index(text, bad); i >= 0 {
			t.Errorf("%q is in the page: …%s…", bad, text[max(0, i-80):i+80])
		}
	}
	if want := "&lt;/title&gt;&lt;/svg&gt;&lt;script&gt;"; strings.Count(text, want) < 40 {
		t.Errorf("the names are not on the page")
	}
}

// elements are all elements of a page, which must be well-formed.
func elements(t *testing.T, page string) []xml.StartElement {
	t.Helper()
	decoder := xml.NewDecoder(strings.NewReader(page))
	decoder.Entity = xml.HTMLEntity
	var all []xml.StartElement
	for {
		token, err := decoder.Token()
		if errors.Is(err, io.EOF) {
			return all
		}
		if err != nil {
			t.Fatal(err)
		}
		if element, ok := token.(xml.StartElement); ok {
			all = append(all, element.Copy())
		}
	}
}

func TestPagesAreWellFormedAndNeedNothingElse(t *testing.T) {
	allowed := strings.Fields(`html head meta title style body header main section h1 h2 h3 p dl div dt dd figure figcaption
		table caption thead tbody tr th td a span strong bdi svg defs desc path rect line circle text g use clipPath`)
	elsewhere := regexp.MustCompile(`(?i)@import|url\([^#]`)
	for name, page := range pages(t) {
		t.Run(name, func(t *testing.T) {
			for _, element := range elements(t, written(t, page)) {
				if !slices.Contains(allowed, element.Name.Local) {
					t.Errorf("there is an element %s", element.Name.Local)
				}
				for _, attribute := range element.Attr {
					link := slices.Contains([]string{"href", "src", "xmlns", "data", "action"}, attribute.Name.Local)
					if link && !strings.HasPrefix(attribute.Value, "#") || elsewhere.MatchString(attribute.Value) {
						t.Errorf("%s refers to something else: %s", element.Name.Local, attribute.Value)
					}
					if strings.HasPrefix(attribute.Name.Local, "on") {
						t.Errorf("%s has a script: %s", element.Name.Local, attribute.Value)
					}
				}
			}
		})
	}
	if text := written(t, comparison()); elsewhere.MatchString(text) || strings.Contains(text, "http:") ||
		strings.Contains(text, "https:") {
		t.Error("the style sheet refers to something else")
	}
}

func TestReferencesLead(t *testing.T) {
	id := regexp.MustCompile(` id="([^"]*)"`)
	reference := regexp.MustCompile(`(?:href="#|url\(#)([^")]*)|aria-labelledby="([^"]*)"`)
	for name, page := range pages(t) {
		text := written(t, page)
		var ids []string
		for _, match := range id.FindAllStringSubmatch(text, -1) {
			if slices.Contains(ids, match[1]) {
				t.Errorf("%s: there are two of %s", name, match[1])
			}
			ids = append(ids, match[1])
		}
		for _, match := range reference.FindAllStringSubmatch(text, -1) {
			for target := range strings.FieldsSeq(match[1] + " " + match[2]) {
				if !slices.Contains(ids, target) {
					t.Errorf("%s: nothing is called %s", name, target)
				}
			}
		}
	}
}

func TestNumbersAreFinite(t *testing.T) {
	odd := regexp.MustCompile(`="[^"<>]*(NaN|Inf)[^"<>]*"|%!`)
	for name, page := range pages(t) {
		if found := odd.FindString(written(t, page)); found != "" {
			t.Errorf("%s: %s", name, found)
		}
	}
}

func TestLongTracesMakeSmallPages(t *testing.T) {
	run := madeUp(t, 12_000, 64, 30, 1)
	if len(run.History.Changes) < 25_000 {
		t.Fatalf("there are %d changes: too few to tell", len(run.History.Changes))
	}
	text := written(t, comparison(run))
	if len(text) > 1<<20 {
		t.Errorf("the page of one policy has %d kB", len(text)>>10)
	}
	if !strings.Contains(text, "shows a part of the time") {
		t.Error("the page does not say that it leaves something out")
	}
}

func TestWriteReportsFailure(t *testing.T) {
	full := errors.New("disk full")
	if err := Write(failing{full}, comparison()); !errors.Is(err, full) {
		t.Errorf("the error is %v, want %v", err, full)
	}
}

type failing struct{ err error }

func (f failing) Write([]byte) (int, error) { return 0, f.err }

func BenchmarkWrite(b *testing.B) {
	page := comparison(madeUp(b, 12_000, 64, 30, 1))
	for b.Loop() {
		if err := Write(io.Discard, page); err != nil {
			b.Fatal(err)
		}
	}
}

func ExampleWrite() {
	var text strings.Builder
	err := Write(&text, Page{Title: "t4-195 on 64 GPUs", GPUs: 64,
		Runs: []Run{{Result: simulator.Result{Policy: "takt"}}}})
	fmt.Println(err, strings.Contains(text.String(), "<h1>t4-195 on 64 GPUs</h1>"))
	// Output: <nil> true
}
