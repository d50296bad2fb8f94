package page

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/elastic"
	"github.com/takt-dev/takt/operator/cached"
	"github.com/takt-dev/takt/told"
)

// mostResizes are shown of a job, the newest of them; the settings keep twenty.
const mostResizes = 100

// job is the page of one job.
type job struct {
	frame
	Namespace, Name string
	Verdict         verdict
	InShort         string
	Figures         []figure
	Awaits          []string
	Why, Due        []string
	Cost            string
	Chart           chart
	Resizes         []resize // the newest first
	Pauses          string
	Conditions      []condition
}

type figure struct{ Name, Value, More string }

type resize struct {
	Name, At, Size, Reason, Mode, Phase, Pause, Lost string
}

type condition struct {
	Type, Status, Reason, Since, Message string
	True                                 bool
}

func (s *Server) job(ctx context.Context, asked place) (job, error) {
	var ej v1alpha1.ElasticJob
	if err := s.reader.Get(ctx, client.ObjectKey{Namespace: asked.namespace, Name: asked.job}, &ej,
		cached.AtOnce); err != nil {
		return job{}, err
	}
	var list v1alpha1.ResizeList
	if err := s.reader.List(ctx, &list, client.InNamespace(asked.namespace),
		client.MatchingFields{cached.ByElasticJob: asked.job}, cached.AtOnce); err != nil {
		return job{}, err
	}
	resizes := slices.DeleteFunc(slices.Clone(list.Items), func(r v1alpha1.Resize) bool {
		return r.CreationTimestamp.Before(&ej.CreationTimestamp)
	})
	slices.SortFunc(resizes, func(a, b v1alpha1.Resize) int { return cmp.Compare(a.Spec.Epoch, b.Spec.Epoch) })
	of := told.Job{ElasticJob: &ej, Resizes: resizes[max(0, len(resizes)-mostResizes):], Now: s.now()}
	return describe(of, &s.History), nil
}

func describe(of told.Job, heard *History) job {
	st := of.Status
	j := job{
		frame: frame{Title: of.Name, Now: of.Now}, Namespace: of.Namespace, Name: of.Name, Verdict: verdictOf(st.Verdict),
		InShort: of.InShort(), Awaits: of.Awaits(), Why: said(of.Size("")), Due: said(of.Due()), Cost: of.Cost(),
		Chart: draw(of, heard), Figures: figures(of),
	}
	for _, r := range slices.Backward(of.Resizes) {
		j.Resizes = append(j.Resizes, resize{
			r.Name, r.CreationTimestamp.UTC().Format(time.DateTime) + "Z", fmt.Sprintf("%d → %d", r.Spec.From, r.Spec.To),
			string(r.Spec.Reason),
			string(r.Spec.Mode), r.Status.Reached, string(r.Status.Cost.Pause), string(r.Status.Cost.Lost),
		})
	}
	if pauses := of.Pauses(); pauses > 0 {
		j.Pauses = fmt.Sprintf("Nothing was trained for %s in all of %s.", told.Span(pauses),
			elastic.CountOf(len(of.Resizes), "resize"))
	}
	for _, c := range st.Conditions {
		shown := condition{
			Type: c.Type, Status: string(c.Status), Reason: c.Reason, Message: c.Message, True: c.Status == metav1.ConditionTrue,
		}
		if !c.LastTransitionTime.IsZero() {
			shown.Since = told.From(of.Now, c.LastTransitionTime.Time)
		}
		j.Conditions = append(j.Conditions, shown)
	}
	return j
}

// figures are those that people look for first.
func figures(of told.Job) []figure {
	st := of.Status
	from := func(at v1alpha1.Time) string { return told.FromNow(of.Now, at) }
	all := []figure{
		{"Workers", told.Workers(of.ElasticJob), fmt.Sprintf("from %d to %d", st.Workers.Min, st.Workers.Max)},
		{"Progress", st.Summary.Progress, st.Progress.Source},
		{"Deadline", from(st.Deadline), string(st.Deadline)},
		{"Expected end", from(st.Prediction.ETA), string(st.Prediction.ETA)},
		{"Slack", st.Summary.Slack, ""},
		{"Starts", from(st.Prediction.StartsAt), string(st.Prediction.StartsAt)},
		{"Queue", of.Spec.Queue, st.Pool},
		{"Cost", string(st.Cost.SoFar), ""},
	}
	if st.Prediction.OnTimePercent != nil && !st.Over() {
		all[4].More = fmt.Sprintf("%d%% chance to be in time", *st.Prediction.OnTimePercent)
	}
	if st.Cost.Expected != "" {
		all[7].More = "of " + string(st.Cost.Expected) + " expected"
	}
	return slices.DeleteFunc(all, func(f figure) bool { return f.Value == "" })
}

// said are the paragraphs that say anything.
func said(paragraphs []string) []string {
	return slices.DeleteFunc(paragraphs, func(p string) bool { return strings.TrimSpace(p) == "" })
}
