package resize

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/takt-dev/takt/elastic"
)

// view answers questions about what was observed.
type view struct{ Observed }

func (v view) condition(t ConditionType) (Condition, bool) { return v.Record.First(t) }

func (v view) has(t ConditionType) bool {
	_, found := v.condition(t)
	return found
}

// committed says that there is no silent way back: it is on record, or the job has been told to stop in order to be
// resized, which is not done before.
func (v view) committed() bool { return v.has(Committed) || v.cold() && v.begun() }

func (v view) stage() Stage {
	switch {
	case v.has(Restarting):
		return Restart
	case v.has(RollingBack):
		return Back
	default:
		return Forward
	}
}

// begun says whether this resize has asked the job for a size.
func (v view) begun() bool { return v.Job.Asked.Epoch == v.Record.Epoch }

// asked says whether it has done so in this stage.
func (v view) asked(s Stage) bool { return v.begun() && v.Job.Asked.Stage == s }

// size is the number of workers that the job is declared to run.
func (v view) size() Workers {
	if v.Job.Suspended {
		return 0
	}
	return v.Job.Workers
}

// starts says that no worker trains before, cold that none may train across.
func (v view) starts() bool { return v.Record.From == 0 }
func (v view) cold() bool   { return v.Record.ThroughZero() }
func (v view) grows() bool  { return v.Record.To > v.Record.From }

// running says that the training runs on through this stage.
func (v view) running() bool { return !v.starts() && !v.cold() && v.stage() != Restart }

// goal is the size to reach in this stage. On the way forward it may have been
// settled for fewer workers than decided: the job itself is the memory of that.
func (v view) goal() Workers {
	switch {
	case v.has(RollingBack):
		return v.Record.From
	case v.asked(Forward) && !v.Job.Asked.Suspended && v.grows():
		return v.Job.Asked.Workers
	default:
		return v.Record.To
	}
}

// base is the index of the first pod of the gang: a live growth adds to those
// that train, everything else starts all of them.
func (v view) base() Index {
	if v.stage() == Forward && v.grows() && !v.cold() {
		return Index(v.Record.From)
	}
	return 0
}

// since is when the present state of affairs began: the last line of the
// record, or the last thing asked of the job.
func (v view) since() time.Time {
	since := v.Record.Conditions[len(v.Record.Conditions)-1].At
	if v.begun() && v.Job.Asked.At.After(since) {
		since = v.Job.Asked.At
	}
	return since
}

// over says whether the time until then has run out.
func (v view) over(then time.Time) bool { return !v.Now.Before(then) }

// indices lists the pods for which keep holds, in ascending order.
func (v view) indices(keep func(Pod) bool) []Index {
	var found []Index
	for _, p := range v.Pods {
		if keep(p) {
			found = append(found, p.Index)
		}
	}
	slices.Sort(found)
	return slices.Compact(found)
}

func wait(until time.Time, reason Reason, format string, args ...any) Step {
	return Step{Do: Wait, Until: until, Reason: reason, Message: fmt.Sprintf(format, args...)}
}

func add(t ConditionType, reason Reason, format string, args ...any) Step {
	return Step{Do: AddCondition, Condition: t, Reason: reason, Message: fmt.Sprintf(format, args...)}
}

func (v view) ask(s Stage, n Workers, suspended bool, reason Reason, message string) Step {
	return Step{Do: AskJob, Reason: reason, Message: message,
		Ask: Ask{Epoch: v.Record.Epoch, Stage: s, Workers: n, Suspended: suspended, At: v.Now}}
}

// names lists workers as a person would: worker-2, worker-3 and worker-4.
func names(pods []Index) string {
	if len(pods) > 5 {
		return fmt.Sprintf("%s (worker-%d to worker-%d)", elastic.CountOf(len(pods), "pod"), pods[0], pods[len(pods)-1])
	}
	each := make([]string, len(pods))
	for i, p := range pods {
		each[i] = fmt.Sprintf("worker-%d", p)
	}
	if len(each) < 2 {
		return strings.Join(each, "")
	}
	return strings.Join(each[:len(each)-1], ", ") + " and " + each[len(each)-1]
}

func count(n Workers) string { return elastic.CountOf(n, "worker") }

func newPods(n int) string { return elastic.CountOf(n, "new pod") }

// span writes a duration without the zeros at its end: 2m, not 2m0s.
func span(d time.Duration) string {
	s := d.Round(time.Second).String()
	if strings.HasSuffix(s, "m0s") {
		s = strings.TrimSuffix(s, "0s")
	}
	if strings.HasSuffix(s, "h0m") {
		s = strings.TrimSuffix(s, "0m")
	}
	return s
}
