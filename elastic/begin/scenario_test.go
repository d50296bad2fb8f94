package begin_test

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/takt-dev/takt/elastic"
	"github.com/takt-dev/takt/elastic/begin"
	"github.com/takt-dev/takt/elastic/scenario"
)

// TestScenarios plays the scenarios in testdata. A line of a scenario is a command; what begin answers is indented.
// Times are in seconds from now, sizes all that a job may have:
//
//	node NAME GPUS                  a node
//	coming GPUS                     of these, nobody can take so many yet
//	demand GPUS                     pods of others wait for so many
//	quota NAME LEFT                 a quota that leaves so much
//	waits [drain=] [retry=] [stop=] [payback=]
//	                                how long something is waited for
//	job NAME WORKERS sizes=1,2 [gpus=] [holds=] [underway=FROM:TO[:settled|:stopped]] [past=END@TIME[/INVAIN],…]
//	    [leave=GONEBY[s],…] [stuck=INDEX[s],…] [held=TIME] [awaits=TIME] [most=] [takes=QUOTA:EACH,…]
//	    [uninterruptible] [crowded] [unnamed] [leaders=]
//	resize JOB TO REASON            is decided
//	begin                           and is all forgotten that was decided
//	process SINCE JOB…              one whose first plan was due then; a job stands, or trains[:told|:lately]
func TestScenarios(t *testing.T) { scenario.Play(t, perform) }

type world struct {
	begin.Scene
	decided []elastic.Resize
}

const now = elastic.Seconds(1000)

func perform(t *testing.T, text string) string {
	t.Helper()
	w := world{Scene: begin.Scene{Seen: map[string]begin.Seen{}, Quotas: map[string]int64{}}}
	w.Now = now
	return scenario.Answer(text, func(out *bytes.Buffer, words []string) {
		switch words[0] {
		case "begin":
			w.begin(out)
		case "process":
			fmt.Fprintf(out, "  early: %t\n", process(t, words[1:]).Early(now))
		default:
			w.set(t, words)
		}
	})
}

func process(t *testing.T, words []string) begin.Start {
	t.Helper()
	s := begin.Start{Since: now + elastic.Seconds(number(t, words[0]))}
	for _, job := range words[1:] {
		does, knows, _ := strings.Cut(job, ":")
		s.Jobs = append(s.Jobs, begin.Heard{Trains: does == "trains", Told: knows == "told", Lately: knows == "lately"})
	}
	return s
}

func (w *world) set(t *testing.T, words []string) {
	t.Helper()
	switch words[0] {
	case "node":
		w.Nodes = append(w.Nodes, elastic.Node{Name: words[1], GPUs: elastic.GPUs(number(t, words[2]))})
	case "coming":
		w.Coming = map[string]elastic.GPUs{"": elastic.GPUs(number(t, words[1]))}
	case "demand":
		w.Demands = []elastic.Demand{{GPUs: elastic.GPUs(number(t, words[1]))}}
	case "quota":
		w.Quotas[words[1]] = int64(number(t, words[2]))
	case "waits":
		o := options(words[1:])
		w.Waits = begin.Waits{Drain: elastic.Seconds(number(t, o["drain"])), Retry: elastic.Seconds(number(t, o["retry"])),
			Stop: elastic.Seconds(number(t, o["stop"])), Payback: float64(number(t, o["payback"]))}
	case "resize":
		for _, job := range w.Jobs {
			if job.Name == words[1] {
				w.decided = append(w.decided, elastic.Resize{Job: job.Name, From: job.Workers,
					To: elastic.Workers(number(t, words[2])), Reason: elastic.ResizeCause(words[3])})
			}
		}
	case "job":
		w.job(t, words[1], elastic.Workers(number(t, words[2])), options(words[3:]))
	default:
		t.Fatalf("what is %q?", words[0])
	}
}

func (w *world) job(t *testing.T, name string, workers elastic.Workers, o map[string]string) {
	t.Helper()
	job := elastic.Job{Name: name, Workers: workers, GPUsPerWorker: elastic.GPUs(number(t, o["gpus"])),
		Leaders: elastic.Workers(number(t, o["leaders"]))}
	_, job.Uninterruptible = o["uninterruptible"]
	_, job.OnItsOwn = o["onitsown"]
	for size := range strings.SplitSeq(o["sizes"], ",") {
		job.Sizes = append(job.Sizes, elastic.Size{Workers: elastic.Workers(number(t, size))})
	}
	w.Jobs = append(w.Jobs, job)
	seen := begin.Seen{Holds: workers}
	for key, value := range o {
		parts := strings.Split(value, ",")
		fields := strings.Split(value, ":")
		switch key {
		case "sizes", "gpus", "leaders", "uninterruptible", "onitsown":
		case "unnamed":
			seen.Unnamed = true
		case "crowded":
			seen.Crowded = true
		case "held":
			seen.HeldBack = now + elastic.Seconds(number(t, value))
		case "holds":
			seen.Holds = elastic.Workers(number(t, value))
		case "underway":
			seen.UnderWay = &begin.UnderWay{From: elastic.Workers(number(t, fields[0])),
				To: elastic.Workers(number(t, fields[1])), Settled: slices.Contains(fields, "settled"),
				Stopped: slices.Contains(fields, "stopped")}
		case "past":
			for _, part := range parts {
				end, at, _ := strings.Cut(part, "@")
				at, inVain, _ := strings.Cut(at, "/")
				seen.Past = append(seen.Past, begin.Past{End: begin.End(end), At: now + elastic.Seconds(number(t, at)),
					InVain: elastic.Seconds(number(t, inVain))})
			}
		case "leave":
			for _, part := range parts {
				by, stuck := strings.CutSuffix(part, "s")
				seen.Leavers = append(seen.Leavers, begin.Leaver{GoneBy: now + elastic.Seconds(number(t, by)), Stuck: stuck})
			}
		case "stuck":
			for _, part := range parts {
				index, stuck := strings.CutSuffix(part, "s")
				seen.Stuck = append(seen.Stuck, begin.Worker{Index: number(t, index), Stuck: stuck})
			}
		case "awaits":
			since := now + elastic.Seconds(number(t, value))
			seen.AwaitsSince = &since
		case "most":
			most := elastic.Workers(number(t, value))
			seen.Most = &most
		case "takes":
			for _, part := range parts {
				quota, each, _ := strings.Cut(part, ":")
				seen.Takes = append(seen.Takes, begin.Charge{Quota: quota, Each: int64(number(t, each))})
			}
		default:
			t.Fatalf("what is %s=?", key)
		}
	}
	w.Seen[name] = seen
}

func (w *world) begin(out *bytes.Buffer) {
	d := elastic.Decision{Resizes: w.decided}
	for _, job := range w.Jobs {
		o := elastic.Outcome{Name: job.Name, Workers: job.Workers}
		if job.OnItsOwn {
			o.Workers = job.Sizes[0].Workers
		}
		for _, r := range w.decided {
			if r.Job == job.Name {
				o.Workers = r.To
			}
		}
		d.Jobs = append(d.Jobs, o)
	}
	w.decided = nil
	b := begin.Now(w.Scene, d)
	for _, begun := range b.Begin {
		r := begun.Resize
		fmt.Fprintf(out, "  begin %s from %d to %d: %s\n", r.Job, r.From, r.To, r.Reason)
		if sizes := begun.Settles; len(sizes) > 1 {
			fmt.Fprintf(out, "    or to one of %v\n", sizes[:len(sizes)-1])
		}
	}
	for _, r := range b.Withdraw {
		fmt.Fprintf(out, "  withdraw that of %s to %d: %s\n", r.Job, r.To, r.Why)
	}
	for i, h := range b.Hindered {
		if h == nil || h.Reason == "" {
			continue
		}
		fmt.Fprintf(out, "  %s waits for %d: %s", w.Jobs[i].Name, h.To, h.Reason)
		switch h.Reason {
		case begin.HasFailed, begin.HeldBack:
			fmt.Fprintf(out, " until %.0f", h.Until-now)
		case begin.Stuck:
			fmt.Fprintf(out, " at worker %d", h.Worker)
		case begin.Quota:
			fmt.Fprintf(out, " at %d %s", h.Most, h.Quota)
		case begin.Leaving, begin.NotTaken, begin.NotFree, begin.Crowded, begin.Unnamed:
		}
		out.WriteString("\n")
	}
	if b.Wake != nil {
		fmt.Fprintf(out, "  wake in %.0f\n", *b.Wake-now)
	}
}

// options reads key=value.
func options(words []string) map[string]string {
	o := map[string]string{}
	for _, word := range words {
		key, value, _ := strings.Cut(word, "=")
		o[key] = value
	}
	return o
}

// number reads one; what is not there is 0.
func number(t *testing.T, text string) int {
	t.Helper()
	if text == "" {
		return 0
	}
	return scenario.Number(t, text)
}
