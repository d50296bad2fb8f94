package cli

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/fake"
	"sigs.k8s.io/controller-runtime/pkg/client/interceptor"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/cli/access"
	"github.com/takt-dev/takt/cli/golden"
	"github.com/takt-dev/takt/cli/usage"
)

// answers are what the cluster tells, look by look; nil where it does not answer. After the last one it is interrupted.
type answers [][]v1alpha1.ElasticJob

// watched has a list look at all of them, one a second, from golden.Now.
func (a answers) watched(t *testing.T, draw func(*list) drawing) error {
	t.Helper()
	at, form := golden.Now, usage.AsTable
	l := &list{every: time.Second, form: &form, now: func() time.Time { return at },
		pause: func(_ context.Context, d time.Duration) { at = at.Add(d) }}
	ctx, interrupt := context.WithCancel(t.Context())
	defer interrupt()
	next := 0
	tell := func(_ context.Context, _ client.WithWatch, list client.ObjectList, _ ...client.ListOption) error {
		if next == len(a) {
			interrupt()
			return context.Canceled
		}
		next++
		if a[next-1] == nil {
			return errors.New("no answer")
		}
		list.(*v1alpha1.ElasticJobList).Items = a[next-1]
		return nil
	}
	c := &access.Cluster{Address: "https://c", Namespace: "team-a",
		Client: interceptor.NewClient(fake.NewClientBuilder().Build(), interceptor.Funcs{List: tell})}
	return l.follow(ctx, c, draw(l))
}

func further(job *v1alpha1.ElasticJob) { job.Status.Summary.Progress = "43%" }

// One failed request does not end what somebody watches for hours.
func TestAListGoesOnWhereTheClusterDoesNotAnswer(t *testing.T) {
	jobs := []v1alpha1.ElasticJob{golden.Job("resnet"), golden.Job("bert", golden.AtRisk)}
	then := []v1alpha1.ElasticJob{golden.Job("resnet", further), golden.Job("bert", golden.AtRisk)}
	var out, complaints strings.Builder
	if err := (answers{jobs, jobs, nil, nil, jobs, nil, then}).watched(t, func(l *list) drawing {
		return l.printChanges(&out, &complaints)
	}); err != nil {
		t.Errorf("it ends with %v", err)
	}
	golden.Equal(t, "watch_lines", out.String())
	const once = "takt: the cluster at https://c does not do what it is asked: no answer. Try again, and see what takt " +
		"doctor says\n"
	if complaints.String() != once+once {
		t.Errorf("it complains of %q", complaints.String())
	}
}

func TestAListFailsWhereTheClusterDoesNotAnswerAtFirst(t *testing.T) {
	if err := (answers{nil, {}}).watched(t, func(*list) drawing {
		return func([]v1alpha1.ElasticJob, error) error { return nil }
	}); err == nil || !strings.Contains(err.Error(), "no answer") {
		t.Errorf("it ends with %v", err)
	}
}

// paper is a terminal that keeps all that was drawn.
type paper struct {
	strings.Builder
	width, height int
}

func (p *paper) Show(_, table []string) { p.WriteString(strings.Join(table, "\n") + "\n--\n") }
func (p *paper) Width() (int, bool)     { return p.width, true }
func (p *paper) Height() int            { return p.height }

func TestAListIsDrawnInItsPlace(t *testing.T) {
	jobs := []v1alpha1.ElasticJob{golden.Job("resnet"), golden.Job("bert", golden.AtRisk)}
	then := []v1alpha1.ElasticJob{golden.Job("resnet", further), golden.Job("bert", golden.AtRisk)}
	terminal := &paper{width: 79, height: 24}
	if err := (answers{jobs, nil, nil, then}).watched(t, func(l *list) drawing {
		return l.redraw(terminal)
	}); err != nil {
		t.Errorf("it ends with %v", err)
	}
	golden.Equal(t, "watch_screen", terminal.String())
}

func TestAListIsCutToItsTerminal(t *testing.T) {
	var jobs []v1alpha1.ElasticJob
	for name := range strings.FieldsSeq("a b c d e f g h") {
		jobs = append(jobs, golden.Job(name))
	}
	terminal := &paper{width: 30, height: 8}
	if err := (answers{jobs}).watched(t, func(l *list) drawing { return l.redraw(terminal) }); err != nil {
		t.Errorf("it ends with %v", err)
	}
	golden.Equal(t, "watch_small", terminal.String())
}

// What is worth a line is what people would do something about.
func TestWhatIsWorthALine(t *testing.T) {
	was := golden.Job("resnet")
	for name, test := range map[string]struct {
		change func(*v1alpha1.ElasticJob)
		worth  bool
	}{
		"progress":  {further, true},
		"verdict":   {golden.AtRisk, true},
		"workers":   {func(j *v1alpha1.ElasticJob) { j.Status.Workers.Desired = 2 }, true},
		"deadline":  {func(j *v1alpha1.ElasticJob) { j.Status.Deadline = golden.At(time.Hour) }, true},
		"an ETA":    {func(j *v1alpha1.ElasticJob) { j.Status.Prediction.ETA = golden.At(time.Hour) }, false},
		"a reading": {func(j *v1alpha1.ElasticJob) { j.Status.Progress.ObservedAt = golden.At(0) }, false},
	} {
		is := golden.Job("resnet", test.change)
		if diff := cmp.Diff(status(&was), status(&is)); (diff != "") != test.worth {
			t.Errorf("%s is worth a line: %v, want %v", name, diff != "", test.worth)
		}
	}
}
