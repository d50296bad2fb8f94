package doctor

import (
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/cli/golden"
)

// well are the facts of an installation that is as it should be.
func well() Facts {
	return Facts{
		Now: golden.Now, Version: "Kubernetes v1.37.1 at https://10.0.0.1:6443", Release: "v0.1.0", Namespace: "takt-system",
		OwnKinds:      Kinds{Wanted: []string{"ElasticJob", "Resize", "TrainingProfile", "TrainingQueue"}},
		TrainingKinds: Kinds{Wanted: []string{"PyTorchJob", "TFJob"}},
		Operator:      Program{Found: true, Alive: true, Holder: "takt-operator-7d4b9-x2x8p", Ready: 2, Wanted: 2},
		Scheduler:     Program{Found: true, Alive: true, Holder: "takt-scheduler-6c5f8-k9k2z", Ready: 2, Wanted: 2},
		Rights: []Right{{"list elasticjobs in namespace team-a", true, "takt list"},
			{"create pytorchjobs in namespace team-a", true, "takt submit"}},
		OperatorRights: []Right{
			{"list nodes", true, "the planner"}, {"patch pytorchjobs", true, "each resize"},
		},
		Jobs: []v1alpha1.ElasticJob{golden.Job("resnet"), golden.Job("done", golden.Met)},
	}
}

func TestWhatIsFoundAndWhatToDo(t *testing.T) {
	for name, change := range map[string]func(*Facts){
		"well":          func(*Facts) {},
		"not_installed": func(f *Facts) { f.OwnKinds.Missing = f.OwnKinds.Wanted },
		"a_kind_less":   func(f *Facts) { f.OwnKinds.Missing = f.OwnKinds.Wanted[2:3] },
		"no_trainings":  func(f *Facts) { f.TrainingKinds.Missing = f.TrainingKinds.Wanted },
		"dead": func(f *Facts) {
			f.Operator = Program{Found: true, Since: golden.Now.Add(-12 * time.Minute), Wanted: 2}
			f.Scheduler, f.NamesScheduler = Program{Found: true}, []string{"PyTorchJob team-a/resnet"}
			f.Unattended = []string{"PyTorchJob team-a/resnet", "TFJob team-b/mnist"}
		},
		"absent": func(f *Facts) {
			f.Operator, f.Scheduler = Program{}, Program{}
			f.TrainingKinds.Missing = []string{"TFJob"}
		},
		"hidden": func(f *Facts) {
			f.Operator, f.Scheduler, f.OperatorRights = Program{Hidden: true}, Program{Hidden: true}, nil
			f.Rights[1].May = false
			f.Snapshot = "you may not see the snapshot, which names all jobs"
		},
		"no_rights": func(f *Facts) { f.OperatorRights[0].May = false },
		"jobs":      func(f *Facts) { f.Jobs = sick() },
		"sources": func(f *Facts) {
			f.Release, f.Scheduler, f.Jobs = "", Program{}, sick()[2:3]
		},
		"page": func(f *Facts) {
			f.Scheduler = Program{}
			f.Rights, f.OperatorRights = slices.Repeat(f.Rights[:1], 5), slices.Repeat(f.OperatorRights[:1], 10)
			f.Jobs = sick()[1:3]
		},
	} {
		t.Run(name, func(t *testing.T) {
			f := well()
			change(&f)
			findings := Examine(f)
			var b strings.Builder
			if err := findings.Write(&b); err != nil {
				t.Fatal(err)
			}
			golden.Equal(t, name, b.String())
			for _, finding := range findings {
				if f.Release != "" && strings.Contains(finding.Do, "-k config/") {
					t.Errorf("whoever has a release is sent to the sources: %+v", finding)
				}
				if (finding.Level == Broken || finding.Level == Note) && finding.Do == "" {
					t.Errorf("nothing is said to be done about %+v", finding)
				}
			}
		})
	}
}

// sick are jobs with something wrong about each.
func sick() []v1alpha1.ElasticJob {
	alone := func(job *v1alpha1.ElasticJob) {
		job.Status.Verdict, job.Status.Message = v1alpha1.VerdictLeftAlone,
			"Takt leaves this job alone. HorizontalPodAutoscaler web resizes PyTorchJob/alone, and only one can: delete it, "+
				"or this ElasticJob."
		job.Status.Conditions[0] = metav1.Condition{
			Type: v1alpha1.ConditionAdmitted, Status: metav1.ConditionFalse, Reason: "HasAutoscaler",
			Message: "HorizontalPodAutoscaler web resizes PyTorchJob/alone, and only one can: delete it, or this ElasticJob.",
		}
	}
	misspelt := func(job *v1alpha1.ElasticJob) {
		job.Status.Summary.Misspelt = "takt.dev/deadlin"
		job.Status.Message = "It has no deadline: it runs on what others leave. On the job: takt.dev/deadlin is no key " +
			"that Takt knows: write takt.dev/deadline."
	}
	silent := func(job *v1alpha1.ElasticJob) {
		golden.BestEffort(job)
		job.Status.Progress, job.Status.Prediction = v1alpha1.ProgressStatus{}, v1alpha1.PredictionStatus{}
	}
	expected := func(job *v1alpha1.ElasticJob) { // and told nothing
		job.Spec.Expected = v1alpha1.ExpectedRun{Duration: "6h", Workers: new(int32(4))}
		job.Status.Progress = v1alpha1.ProgressStatus{LastCheckpointAt: job.Status.Progress.LastCheckpointAt}
	}
	expectedInVain := func(job *v1alpha1.ElasticJob) { // as it was promised its deadline on better grounds
		expected(job)
		job.Status.Prediction = v1alpha1.PredictionStatus{}
	}
	asBefore := func(job *v1alpha1.ElasticJob) { // earlier runs have told how long it takes
		expected(job)
		job.Spec.Expected = v1alpha1.ExpectedRun{}
	}
	stuck := func(job *v1alpha1.ElasticJob) { job.Status.Progress.ObservedAt = golden.At(-100 * time.Minute) }
	quota := func(job *v1alpha1.ElasticJob) {
		job.Status.Conditions = append(job.Status.Conditions, metav1.Condition{
			Type: v1alpha1.ConditionResizing, Status: metav1.ConditionFalse, Reason: "QuotaReached",
			Message: "It is kept to 4 workers: ResourceQuota gpus leaves no more.",
		})
	}
	unseen := func(job *v1alpha1.ElasticJob) { job.Status = v1alpha1.ElasticJobStatus{} }
	cut := func(job *v1alpha1.ElasticJob) {
		job.Status.Conditions = append(job.Status.Conditions, metav1.Condition{
			Type: v1alpha1.ConditionFailed, Status: metav1.ConditionTrue, Reason: "JobCutShort",
			Message: "The job has ended at 42 %, while Takt made it smaller: a worker that was told to leave has exited with 0.",
		})
	}
	cannotRun := func(job *v1alpha1.ElasticJob) {
		golden.AtRisk(job)
		job.Status.Progress = v1alpha1.ProgressStatus{}
		job.Status.Conditions[1].Reason, job.Status.Conditions[1].Message = "WorkersCannotRun", "Worker cannot-worker-3 "+
			"cannot run (ImagePullBackOff). Correct the name of its image, or let its namespace pull it. 3 workers run."
	}
	yetToRun := func(job *v1alpha1.ElasticJob) {
		job.Status.Conditions[1].Reason, job.Status.Conditions[1].Message = "WorkersYetToRun", "Worker late-worker-3 does "+
			"not run yet: kubectl -n team-a describe pod late-worker-3 says why. 3 workers run."
	}
	hindered := func(reason, message string) func(job *v1alpha1.ElasticJob) {
		return func(job *v1alpha1.ElasticJob) {
			job.Status.Conditions = append(job.Status.Conditions, metav1.Condition{
				Type: v1alpha1.ConditionResizing, Status: metav1.ConditionFalse, Reason: reason, Message: message,
			})
		}
	}
	stopped := hindered("WorkersCannotRun", "It was stopped at 14:50 UTC, as workers of it could not run (Error), and "+
		"others needed its GPUs. It may start again from 15:20 UTC on.")
	unplaced := hindered("WorkersNotPlaced", "There was room for its workers for 5m, and none of them has come to a node.")
	waits := hindered("PredecessorFailed", "It waits for prepare to succeed, and that has failed: delete that job and "+
		"submit it anew, or take its name out of spec.after of this ElasticJob.")
	passes := hindered("GPUsNotFreeYet", "It is to have 4 workers as soon as the GPUs for it are free.")
	return []v1alpha1.ElasticJob{
		golden.Job("alone", alone), golden.Job("misspelt", misspelt), golden.Job("silent", silent),
		golden.Job("stuck", stuck),
		golden.Job("quota", quota), golden.Job("unseen", unseen), golden.Job("cut", cut),
		golden.Job("cannot", cannotRun), golden.Job("late", yetToRun), golden.Job("stopped", stopped),
		golden.Job("unplaced", unplaced),
		golden.Job("waits", waits), golden.Job("passes", passes), golden.Job("well"),
		golden.Job("expected", expected), golden.Job("in-vain", expectedInVain), golden.Job("as-before", asBefore),
	}
}

// A reason that is new to the operator is to be judged here as well. Some are those of the core.
func TestEachReasonOfAHindranceIsJudged(t *testing.T) {
	const source = "../../operator/memory/hindrance.go"
	reasons, core := constants(t, source), map[string]ast.Expr{}
	files, err := filepath.Glob("../../elastic/*.go")
	if err != nil || len(files) == 0 {
		t.Fatal("where is the core?", err)
	}
	for _, file := range files {
		maps.Copy(core, constants(t, file))
	}
	found := 0
	for name, value := range reasons {
		if !strings.HasPrefix(name, "Reason") {
			continue
		}
		found++
		if call, ok := value.(*ast.CallExpr); ok {
			value = core[call.Args[0].(*ast.SelectorExpr).Sel.Name]
		}
		reason, err := strconv.Unquote(value.(*ast.BasicLit).Value)
		if err != nil {
			t.Fatal(err)
		}
		if _, known := howBad(reason); !known {
			t.Errorf("%s has %s, and nothing says how bad that is", source, reason)
		}
	}
	if found < len(hindrances) {
		t.Errorf("%s has %d reasons, and %d are judged", source, found, len(hindrances))
	}
}

// constants are those of a file that have a value each, by name.
func constants(t *testing.T, source string) map[string]ast.Expr {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), source, nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	values := map[string]ast.Expr{}
	ast.Inspect(file, func(n ast.Node) bool {
		if spec, ok := n.(*ast.ValueSpec); ok && len(spec.Names) == 1 && len(spec.Values) == 1 {
			values[spec.Names[0].Name] = spec.Values[0]
		}
		return true
	})
	return values
}
