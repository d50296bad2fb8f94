package resizing

import (
	"context"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/takt-dev/takt/agent/contract"
	"github.com/takt-dev/takt/elastic/resize"
	"github.com/takt-dev/takt/operator/view"
	"github.com/takt-dev/takt/operator/wrapping"
)

const (
	// markEvery is how often agents are asked who answer at once, such as those of leavers whether they have read their
	// marks, and saveEvery how often those who take their time, such as the first for a checkpoint that is under way.
	markEvery = 300 * time.Millisecond
	saveEvery = time.Second
)

// hear adds what the agents of a job say, as far as the next step depends on it.
func (z *Resizer) hear(ctx context.Context, s *view.Subject, observed *resize.Observed, again func()) {
	if !observed.Agent || z.Agents == nil {
		return
	}
	for i := range observed.Pods {
		p := &observed.Pods[i]
		if p.Draining && p.State == resize.PodTraining {
			word := z.Agents.Of(ctx, s.Pods[i].Pod, again)
			p.Heeds, p.UnreadAt = word.Drains && !word.At.Before(p.MarkedAt), word.UnreadAt()
		}
	}
	if over(observed.Record, resize.Committed) || observed.Record.From == 0 {
		return
	}
	for i := range observed.Pods {
		p := &observed.Pods[i]
		leaves := p.Index >= resize.Index(observed.Record.To) && p.State == resize.PodTraining
		if !leaves || p.ToldAside.IsZero() {
			continue
		}
		word := z.Agents.Of(ctx, s.Pods[i].Pod, again)
		request := contract.RequestAt(p.ToldAside)
		if p.HeedsAside = word.AsideRead >= request; word.AsideOver >= request {
			p.Aside = p.ToldAside.Add(word.AsideTook)
		}
	}
	c := &observed.Checkpoint
	newest := asked(s, observed)
	if newest > 0 {
		c.AskedAt = newest.At()
	}
	first := true
	for i, w := range s.Pods {
		if observed.Pods[i].State != resize.PodTraining {
			continue
		}
		c.Partly = c.Partly || newest > 0 && requestOf(w.Pod, observed.Now) < newest
		if !first {
			continue
		}
		first = false
		word := z.Agents.Of(ctx, w.Pod, again)
		c.Heard = !word.At.IsZero()
		c.Impossible = c.Heard && !word.CanSave
		if c.UnreadAt = word.ReadAt; word.Read < newest {
			c.Unread, c.UnreadAt = c.Heard && !word.At.Before(c.AskedAt), word.UnreadAt()
		}
		if newest > 0 && word.Answered >= newest {
			c.AcknowledgedAt = c.AskedAt
		}
		c.Declined = newest > 0 && word.Declined >= newest && word.Answered < newest
		if word.SavedAt.After(c.CompletedAt) && !word.SavedAt.After(observed.Now) {
			c.CompletedAt = word.SavedAt
		}
	}
}

func over(r resize.Record, t resize.ConditionType) bool {
	for _, c := range r.Conditions {
		if c.Type == t {
			return true
		}
	}
	return false
}

// asked is the newest request for a checkpoint that any of those who train has got.
func asked(s *view.Subject, observed *resize.Observed) contract.Request {
	newest := contract.Request(0)
	for i, w := range s.Pods {
		if observed.Pods[i].State == resize.PodTraining {
			newest = max(newest, requestOf(w.Pod, observed.Now))
		}
	}
	return newest
}

// requestOf is the request for a checkpoint that a pod has got; 0 for none.
func requestOf(pod *corev1.Pod, now time.Time) contract.Request {
	return request(pod, contract.SaveAnnotation, now)
}

// request is the request in an annotation of a pod; 0 for none.
func request(pod *corev1.Pod, key string, now time.Time) contract.Request {
	request, err := contract.ParseRequest(pod.Annotations[key])
	if err != nil || request.At().After(now.Add(view.AheadAtMost)) {
		return 0
	}
	return request
}

// lacking are those who train and have not got a request.
func lacking(s *view.Subject, pods []resize.Pod, request contract.Request, now time.Time) []resize.Index {
	var without []resize.Index
	for i, w := range s.Pods {
		if pods[i].State == resize.PodTraining && requestOf(w.Pod, now) < request {
			without = append(without, w.Index)
		}
	}
	return without
}

// toldAt is when a request was made that a pod has got; zero if it has none, or nobody can tell.
func toldAt(pod *corev1.Pod, key string, now time.Time) time.Time {
	if made := request(pod, key, now); made > 0 {
		return made.At()
	}
	return time.Time{}
}

// allWrapped says that the agent is in all workers, but for those that are on their way out: only then nobody joins
// before all do.
func allWrapped(s *view.Subject) bool {
	with, without := 0, 0
	for _, w := range s.Pods {
		switch {
		case !wrapping.Within(w.Pod) && w.Pod.DeletionTimestamp == nil:
			without++
		case wrapping.Within(w.Pod):
			with++
		}
	}
	return with > 0 && without == 0
}

// bare says that the pods which a job makes from now on are without the agent that Takt puts in.
func bare(s *view.Subject) bool {
	if s.Job.Worker == nil {
		return true
	}
	_, byTakt := wrapping.By(s.Job.Worker)
	return !byTakt
}

// hindered is what keeps the agent of any of some workers from being installed that may take so long to be ready, and
// when it is to be looked at again if it may yet be.
func hindered(workers []view.Worker, readyWithin time.Duration, now time.Time) (why string, at time.Time) {
	for _, w := range workers {
		one, soon := wrapping.Hindered(w.Pod, readyWithin, now)
		if why == "" {
			why = one
		}
		if !soon.IsZero() && (at.IsZero() || soon.Before(at)) {
			at = soon
		}
	}
	return why, at
}
