package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/takt-dev/takt/cli/snapshot"
	"github.com/takt-dev/takt/elastic"
	"github.com/takt-dev/takt/elastic/begin"
	"github.com/takt-dev/takt/elastic/yield"
	"github.com/takt-dev/takt/version"
)

const example = "../../docs/examples/snapshot.json"

// The example shows what it says that it shows.
func TestPlanOfTheExample(t *testing.T) {
	text, err := os.ReadFile(example)
	if err != nil {
		t.Fatal(err)
	}
	fromFile, fromStdin := call(t, "", "plan", "--file", example, "-o", "json"),
		call(t, string(text), "plan", "-f", "-", "-o", "json")
	if fromFile != fromStdin || fromFile.code != exitDone {
		t.Errorf("from the file it is %+v, from standard input %+v", fromFile, fromStdin)
	}
	var s begin.Scene
	var got plan
	in := json.NewDecoder(strings.NewReader(fromFile.stdout))
	in.DisallowUnknownFields()
	if err := in.Decode(&got); err != nil {
		t.Fatal(err)
	}
	if s, err = snapshot.Parse(string(text), example); err != nil {
		t.Fatal(err)
	}
	d := elastic.Plan(s.Snapshot)
	want := plan{d, begin.Now(s, d), nil}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("the JSON is not the decision: -want +got:\n%s", diff)
	}
	jobs := []struct {
		name    string
		workers elastic.Workers
		verdict elastic.Verdict
	}{{"resnet", 4, elastic.OnTrack}, {"bert", 8, elastic.OnTrack}, {"gpt", 0, elastic.Infeasible},
		{"sweep", 2, elastic.BestEffort}}
	for i, o := range got.Jobs {
		if o.Name != jobs[i].name || o.Workers != jobs[i].workers || o.Verdict != jobs[i].verdict {
			t.Errorf("%s has %d workers and is %s, want %v", o.Name, o.Workers, o.Verdict, jobs[i])
		}
	}
}

func TestPlanForPeople(t *testing.T) {
	deadline, wake := elastic.Seconds(1000), elastic.Seconds(400)
	expected := elastic.Seconds(1300)
	s := begin.Scene{Snapshot: elastic.Snapshot{
		Now: 100, Nodes: []elastic.Node{{GPUs: 2}},
		Jobs: []elastic.Job{
			{Name: "late", Deadline: &deadline, Workers: 1, Sizes: []elastic.Size{{Workers: 2}}},
			{Name: "new", Sizes: []elastic.Size{{Workers: 1}}},
		},
	}, Others: yield.Seen{
		Sizes: map[string]yield.Size{"scaled": {}, "applied": {Applied: true}},
		Refused: map[string]yield.Refused{
			"gone": {Stopped: true}, "pending": {Stopped: true, Reason: yield.QueueNotFound, Since: 99},
		},
	}}
	d := elastic.Decision{
		Jobs: []elastic.Outcome{
			{
				Name: "late", Workers: 2, Verdict: elastic.AtRisk, ExpectedEnd: &expected,
				Why: "It has 2 workers: nobody needs these GPUs more at present.", Message: "It is met only if GPUs become free.",
			},
			{Name: "new", Workers: 1, Verdict: elastic.Estimating, Why: "It waits.", Message: "Nothing is known."},
		},
		Resizes: []elastic.Resize{
			{Job: "late", From: 1, To: 2, Reason: elastic.DeadlineRisk}, {Job: "new", From: 0, To: 1, Reason: elastic.Started},
		},
		Aside: []elastic.Aside{
			{Name: "left", Reason: elastic.WorkersNotPlaced},
			{Name: "rests", Reason: elastic.WorkersCannotRun, Until: &deadline},
			{Name: "large", Reason: elastic.NoNodeFits},
			{Name: "bound", Reason: elastic.QuotaReached},
			{Name: "next", Reason: "PredecessorFailed"},
		},
		Wake: &wake,
	}
	want := `JOB   WORKERS  VERDICT     DEADLINE IN  DONE IN  SLACK
late  1 → 2    AtRisk              15m      20m    -5m
new   0 → 1    Estimating            -        -      -

late
  It has 2 workers: nobody needs these GPUs more at present. It is met only if
  GPUs become free.

new
  It waits. Nothing is known.

Resizes, in this order:
  1.  late  1 → 2  DeadlineRisk  now
  2.  new   0 → 1  Started       later: GPUsNotFreeYet

These take no part:
  left   WorkersNotPlaced   until its workers have nodes
  rests  WorkersCannotRun   for another 15m
  large  NoNodeFits         until a node can run its workers
  bound  QuotaReached       until its quota leaves it enough to start
  next   PredecessorFailed  until what it starts after can succeed

Others have settled these:
  scaled  its size stays: SetByHand
  gone    it is let run as it is written

Plan again in 5m, if nothing happens before.
`
	var got bytes.Buffer
	if err := writePlan(&got, s, d); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got.String()); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

func TestPlanRefusesWhatIsNoSnapshot(t *testing.T) {
	for name, test := range map[string]struct{ text, want string }{
		"a misspelt field": {`{"jobs": [{"name": "a", "deadlin": 3}]}`, `is no snapshot: unknown field "deadlin"`},
		"text for a number": {"{\n\"jobs\": [{\"name\": \"a\",\n\"left\": \"1\"}]}",
			"is no snapshot: line 3: jobs.left must be a number, and is of the kind string"},
		"half a worker": {`{"jobs": [{"workers": 1.5}]}`,
			"jobs.workers must be a whole number, and is of the kind number 1.5"},
		"an object for list": {`{"jobs": {}}`, "jobs must be a list, and is of the kind object"},
		"a list of all":      {`[]`, "all of it must be an object, and is of the kind array"},
		"no JSON":            {"{\n,", "is no snapshot: line 2: invalid character ','"},
		"half of one":        {`{"jobs": [`, "it breaks off in the middle"},
		"nothing":            {"", "it is empty"},
		"two of them":        {"{}\n{}", "line 2: there is more after the end of it"},
		"negative work": {`{"jobs": [{"name": "a", "left": -1}]}`,
			"cannot be planned for:\n  jobs[0] (a).left is -1: it must be from 0 to 1e+18\n"},
		"wrong all over": {`{"nodes": [` + strings.Repeat(`{"gpus": -1},`, 19) + `{"gpus": -1}]}`, "\n  and 10 more\n"},
	} {
		t.Run(name, func(t *testing.T) {
			got := call(t, test.text, "plan", "--file", "-")
			if got.code != exitFailed || got.stdout != "" || !strings.Contains(got.stderr, test.want) {
				t.Errorf("it ends with %d, and says %q %q, want %q", got.code, got.stdout, got.stderr, test.want)
			}
			if !strings.HasPrefix(got.stderr, "takt: standard input ") {
				t.Errorf("it does not say where: %q", got.stderr)
			}
		})
	}
	if got := call(t, "", "plan", "--file", "nowhere.json"); got.code != exitFailed ||
		!strings.Contains(got.stderr, "nowhere.json: no such file") {
		t.Errorf("without a file it ends with %d and says %q", got.code, got.stderr)
	}
}

// A snapshot may be of an operator that is newer than the program: its own takt is in its image.
func TestPlanSaysWhoUnderstandsANewerSnapshot(t *testing.T) {
	file := filepath.Join(t.TempDir(), "newer.json")
	if err := os.WriteFile(file, []byte(`{"jobs": [{"name": "a", "mood": 3}]}`), 0o600); err != nil {
		t.Fatal(err)
	}
	got := call(t, "", "plan", "--file", file)
	for _, want := range []string{`unknown field "mood"`, "this takt is " + version.Of(),
		"kubectl -n takt-system exec -i deployment/takt-operator -- /takt plan --file - < " + file} {
		if got.code != exitFailed || !strings.Contains(got.stderr, want) {
			t.Errorf("it ends with %d, and does not say %q: %s", got.code, want, got.stderr)
		}
	}
	if got := call(t, "{", "plan", "--file", "-"); strings.Contains(got.stderr, "kubectl") {
		t.Errorf("what is no snapshot at all is taken for a newer one: %s", got.stderr)
	}
}
