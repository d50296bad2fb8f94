package resize_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/takt-dev/takt/elastic/resize"
	"github.com/takt-dev/takt/elastic/scenario"
)

// perform carries out one command of a scenario, and returns what it prints.
func (w *world) perform(t *testing.T, word []string, times int) string {
	t.Helper()
	trained := w.trained()
	defer func() { w.meet(trained) }()
	rest := word[1:]
	of := func(state resize.PodState) []resize.Index { return w.pick(t, rest, state) }

	switch strings.Join(word, " ") {
	case "run":
		text := w.run(t, 30, times)
		trained = w.trained()
		return text
	case "step": // one, and then the operator is gone for a while
		text := w.run(t, 1, times)
		trained = w.trained()
		return text
	case "deaf": // whom something is written on
		w.deaf = true
	case "heard":
		for i := range w.Pods {
			w.Pods[i].Heeds = w.Pods[i].Draining
		}
	case "undelivered": // is what is written on pods from now on, and their agents say so
		w.undelivered = true
	case "delivered":
		w.deliver()
	case "looked": // has a scheduler for nodes for those that are held, in vain
		w.looked()
	case "launched": // by something that the others are to forget
		w.launched = true
	case "agents silent":
		w.Checkpoint.Heard = false
	case "agents speak":
		w.Checkpoint.Heard = true
	case "ends while it tells": // the process, now, so that some are not told to step aside
		w.tornAt = w.Now
	case "ends while it asks": // the process, so that some do not get the request
		w.torn = true
	case "declined":
		w.Checkpoint.Declined = true
	case "nobody to ask":
		w.Checkpoint.Impossible = true
	case "slow barrier":
		w.slow = true
	case "open":
		for i := range w.Pods {
			if w.Pods[i].LetIn && w.Pods[i].State == resize.PodAtBarrier {
				w.Pods[i].State = resize.PodTraining
			}
		}
	case "advance once":
		w.advance()
	case "show":
		return w.String() + "\n"
	case "never saved": // as far as anybody knows
		w.Checkpoint, w.Progress.TrainsSince = resize.Checkpoint{Heard: w.Agent}, dawn.Add(-time.Hour)
	case "agent off":
		w.Agent, w.Job.Bare = false, true
	case "progress off":
		w.Progress = resize.Progress{}
	case "agent forbidden":
		w.forbidden = true
	case "quota used up":
		w.exceeds = true
	case "controller off":
		w.controllerDown = true
	case "controller on":
		w.controllerDown = false
		w.control()
	case "acknowledged":
		w.Checkpoint.AcknowledgedAt = w.Now
	case "checkpoint":
		w.Checkpoint.CompletedAt = w.Now
	case "fresh process": // which has seen nothing yet
		w.Progress = resize.Progress{WatchedSince: w.Now, Reported: true}
	case "fresh process plans": // it is to, and has not yet
		w.UnplannedSince = w.Now
	case "planned":
		w.UnplannedSince = time.Time{}
	case "fresh process hears": // that nothing is told
		w.Progress = resize.Progress{WatchedSince: w.Now, Heard: true}
	case "stale progress": // what is reported is from before the change
		w.Progress.ResumedAt, w.Progress.Advances = dawn.Add(-time.Hour), 1000
	case "no checkpoint": // was ever seen
		w.Checkpoint = resize.Checkpoint{Heard: w.Agent}
	case "hang":
		w.hung = true
	case "unread": // though it advances
		w.unread = true
	case "read": // anew, since what was told meanwhile cannot be made up for
		w.unread, w.Progress.WatchedSince = false, w.Now
	case "wake":
		w.hung = false
	case "lines forgotten": // the process has died before it wrote them
		w.Record.Conditions = nil
	case "writes refused": // to the job and its pods
		w.refused = true
	case "cost": // does it turn out yet?
		return fmt.Sprintf("%-6s its cost may turn out to be another: %t\n", w.Now.Sub(dawn), w.Record.CostTurnsOut(w.Now))
	case "newer decision":
		w.Newest++
	case "at its end":
		w.Job.AtItsEnd = "Its first worker has finished, and it keeps its size until it ends."
	case "withdrawn":
		w.Withdrawn = "Others need its GPUs more."
	case "taken over": // by a newer resize
		w.Job.Asked.Epoch = w.Record.Epoch + 1
	default:
		switch word[0] {
		case "after":
			w.Now = w.Now.Add(scenario.Span(t, word[1]))
			w.control()
		case "admits": // a quota, so many pods at once
			w.admits = scenario.Number(t, word[1])
		case "holds": // for so long its controller makes no new pods, as some have failed
			w.Job.HeldBack = w.Now.Add(scenario.Span(t, word[1]))
		case "forgotten": // after that long, of those who were told to step aside
			for i := range w.Pods {
				if p := &w.Pods[i]; !p.ToldAside.IsZero() {
					p.Aside = p.ToldAside.Add(scenario.Span(t, word[1]))
				}
			}
		case "grace": // in which those who leave have to end
			for i := range w.Pods {
				if w.Pods[i].State == resize.PodTerminating {
					w.Pods[i].GoneBy = w.Now.Add(scenario.Span(t, word[1]))
				}
			}
		case "redoes": // the counter went back by so much
			w.Progress.Redoes = scenario.Span(t, word[1])
		case "began": // the workers have trained for so long
			w.Progress.TrainsSince = w.Now.Add(-scenario.Span(t, word[1]))
		case "cadence":
			w.Progress.Cadence = scenario.Span(t, word[1])
		case "alone":
			w.Progress.Alone = scenario.Span(t, word[1])
		case "silent":
			w.Progress.Silent = scenario.Span(t, word[1])
		case "quiet": // after its workers had changed
			w.Progress.Quiet = scenario.Span(t, word[1])
		case "starts":
			w.Progress.Starts = scenario.Span(t, word[1])
		case "every": // so often it makes checkpoints
			w.Checkpoint.Every = scenario.Span(t, word[1])
		case "expects": // a checkpoint, that long from now
			w.Checkpoint.ExpectedAt = w.Now.Add(scenario.Span(t, word[1]))
		case "placed":
			w.each(of(resize.PodHeld), func(p *resize.Pod, _ int) { p.State = resize.PodPending; w.place(p) })
		case "fits":
			w.Record.Placement = resize.Placement{At: w.Now.Truncate(time.Second),
				Fits: resize.Workers(scenario.Number(t, word[1])), Message: strings.Join(word[2:], " ")}
		case "ready":
			runs := resize.PodAtBarrier
			if !w.Agent || w.Job.Bare {
				runs = resize.PodTraining
			}
			w.each(of(resize.PodPending), func(p *resize.Pod, _ int) { p.State, p.RanAt = runs, w.Now })
		case "lost":
			w.each(of(""), func(p *resize.Pod, _ int) { p.State = resize.PodLost })
		case "failed":
			w.each(of(""), func(p *resize.Pod, _ int) { p.State = resize.PodFailed })
		case "fallen": // and started again in its pod
			w.each(of(""), func(p *resize.Pod, _ int) { p.BeganAt = w.Now })
		case "evicted":
			w.each(of(""), func(p *resize.Pod, _ int) { p.State = resize.PodTerminating })
		case "waits": // with the words behind
			w.each([]resize.Index{resize.Index(scenario.Number(t, word[1]))}, func(p *resize.Pod, _ int) {
				p.Waits = strings.Join(word[2:], " ")
			})
		case "prepared": // by their nodes, which are about to run them
			w.each(of(resize.PodPending), func(p *resize.Pod, _ int) { p.Prepared = true })
		case "hindered":
			w.each(of(""), func(p *resize.Pod, _ int) { p.Hindered = true })
		case "gone":
			which := of(resize.PodTerminating)
			w.gone(func(i int) bool { return slices.Contains(which, w.Pods[i].Index) })
		case "advance":
			for range 2 {
				w.advance()
			}
		case "job": // Finished, Failed or Deleted
			w.Job.State = resize.JobState(word[1])
		case "leftover": // INDEX EPOCH AGE: a worker that waits, or was told to leave, while no resize is seen
			stays, again := resize.Leftover{
				Index: resize.Index(scenario.Number(t, word[1])), Size: w.Job.Workers,
				Epoch:  resize.Epoch(scenario.Number(t, word[2])),
				Newest: w.Record.Epoch, CreatedAt: w.Now.Add(-scenario.Span(t, word[3])),
			}.Stays(w.Now)
			return fmt.Sprintf("worker-%s of epoch %s stays: %t; to be asked again in %s\n", word[1], word[2], stays, again)
		case "hand": // somebody else wants this size; 0 suspends
			n := resize.Workers(scenario.Number(t, word[1]))
			w.Job.Suspended = n == 0
			if n > 0 {
				w.Job.Workers = n
			}
			w.control()
		default:
			t.Fatalf("unknown command %q", word)
		}
	}
	return ""
}

// pick lists the pods that are named, or all in one state.
func (w *world) pick(t *testing.T, named []string, state resize.PodState) []resize.Index {
	t.Helper()
	var found []resize.Index
	for _, each := range named {
		found = append(found, resize.Index(scenario.Number(t, each)))
	}
	if len(named) > 0 {
		return found
	}
	for _, p := range w.Pods {
		if p.State == state {
			found = append(found, p.Index)
		}
	}
	return found
}
