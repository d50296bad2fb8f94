package elastic

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/takt-dev/takt/elastic/scenario"
)

// TestScenarios plays the scenarios in testdata. A line of a scenario is a command; what the planner
// answers is indented. These are the commands, times in seconds from now or from the beginning:
//
//	node NAME GPUS [POOL]                      a node, or what it has from now on; 0 GPUs: it is lost
//	room NAME RESOURCE=AMOUNT …                what a node has beside GPUs
//	site NAME NODE=WORKERS …                   where some jobs may be, and how many of one on each node
//	demand GPUS [pods=]                        pods of others wait for so many; some for several on one node
//	queue NAME [guaranteed=] [limit=] [weight=] [priority=] [noborrowing]
//	job NAME left= sizes=WORKERS[:SPEED[/EXPECTED[/BEST[/UNTRIED]]]],… [deadline=] …
//	idle NAME [blocked=] [room=] [said=] [promised] [leftroom] [couldnotrun=] [invain=STARTS@]
//	     [nonode] [quota=MOST:LEAST]
//	                                           a job that may be unable to use GPUs
//	later SECONDS                              all train for as long; who waits for one that ends does no more
//	plan                                       and act on it
func TestScenarios(t *testing.T) { scenario.Play(t, perform) }

// perform plays a scenario, and returns it with the answers that it gets.
func perform(t *testing.T, text string) string {
	w := newWorld(t, nil, Snapshot{})
	return scenario.Answer(text, func(out *bytes.Buffer, words []string) {
		switch words[0] {
		case "plan":
			if err := w.Check(); err != nil {
				t.Fatal(err)
			}
			d := Plan(w.Snapshot)
			for _, complaint := range broken(w.Snapshot, d) {
				t.Error(complaint)
			}
			w.places = slices.ContainsFunc(w.Jobs, func(j Job) bool {
				return j.GPUsPerWorker > 1 || j.Site != "" || len(j.Takes) > 0
			})
			write(out, w.Snapshot, d)
			w.act(d)
		case "later":
			w.advance(w.Now + Seconds(number(t, words[1])))
		default:
			w.set(words)
		}
	})
}

func write(out *bytes.Buffer, s Snapshot, d Decision) {
	for i, o := range d.Jobs {
		promised := ""
		if o.Pool != s.Jobs[i].Pool {
			fmt.Fprintf(out, "  %s moves from %s to %s\n", o.Name, s.Jobs[i].Pool, o.Pool)
		}
		if o.Promised {
			promised = " promised"
		}
		if o.Keeps {
			promised += " keeps"
		}
		fmt.Fprintf(out, "  %s: %d %s%s %s\n    %s\n    %s\n", o.Name, o.Workers, o.Verdict, promised, o.Reason, o.Message,
			o.Why)
	}
	for _, a := range d.Aside {
		fmt.Fprintf(out, "  %s takes no part: %s", a.Name, a.Reason)
		if a.Until != nil {
			fmt.Fprintf(out, " for %.0f", *a.Until-s.Now)
		}
		out.WriteString("\n")
	}
	for _, r := range d.Resizes {
		fmt.Fprintf(out, "  resize %s from %d to %d: %s\n", r.Job, r.From, r.To, r.Reason)
	}
	if d.Wake != nil {
		fmt.Fprintf(out, "  wake in %.0f\n", *d.Wake-s.Now)
	}
}

// set makes or changes what a command names.
func (w *world) set(words []string) {
	w.t.Helper()
	if words[0] == "demand" {
		w.Demands = []Demand{{GPUs: GPUs(number(w.t, words[1]))}}
		for _, list := range options(words[2:]) {
			for gpus := range strings.SplitSeq(list, ",") {
				w.Demands[0].Pods = append(w.Demands[0].Pods, Pod{GPUs: GPUs(number(w.t, gpus))})
			}
		}
		return
	}
	name, rest := words[1], words[2:]
	switch words[0] {
	case "node":
		w.Nodes = slices.DeleteFunc(w.Nodes, func(n Node) bool { return n.Name == name })
		if n := (Node{Name: name, GPUs: GPUs(number(w.t, rest[0])), Pool: strings.Join(rest[1:], " ")}); n.GPUs > 0 {
			w.Nodes = append(w.Nodes, n)
		}
	case "queue":
		q := Queue{Name: name}
		for key, value := range options(rest) {
			switch key {
			case "guaranteed":
				q.Guaranteed = GPUs(number(w.t, value))
			case "limit":
				limit := GPUs(number(w.t, value))
				q.Limit = &limit
			case "weight":
				q.Weight = int(number(w.t, value))
			case "priority":
				q.Priority = int(number(w.t, value))
			case "noborrowing":
				q.NoBorrowing = true
			default:
				w.t.Fatalf("no such option: %s", key)
			}
		}
		w.Queues = append(w.Queues, q)
	case "room":
		at := slices.IndexFunc(w.Nodes, func(n Node) bool { return n.Name == name })
		w.Nodes[at].Room = map[string]int64{}
		for resource, amount := range options(rest) {
			w.Nodes[at].Room[resource] = int64(number(w.t, amount))
		}
	case "site":
		site := Site{Name: name, Most: map[string]Workers{}}
		for node, most := range options(rest) {
			site.Most[node] = Workers(number(w.t, most))
		}
		w.Sites = append(w.Sites, site)
	case "idle":
		idle := Idle{Name: name}
		for key, value := range options(rest) {
			switch key {
			case "room":
				idle.RoomSince = new(w.Now + Seconds(number(w.t, value)))
			case "said":
				idle.SaidSince = new(w.Now + Seconds(number(w.t, value)))
			case "promised":
				idle.Promised = true
			case "blocked":
				idle.Blocked = AsideReason(value)
			case "nonode":
				idle.NoNode = true
			case "quota":
				most, least, _ := strings.Cut(value, ":")
				idle.Quota = &Allowance{Most: Workers(number(w.t, most)), Least: Workers(number(w.t, least))}
			case "leftroom":
				idle.LeftRoom = true
			case "invain":
				starts, at, _ := strings.Cut(value, "@")
				idle.NoNodes = &InVain{Starts: int(number(w.t, starts)), At: w.Now + Seconds(number(w.t, at))}
			case "couldnotrun":
				idle.CouldNotRunAt = new(w.Now + Seconds(number(w.t, value)))
			default:
				w.t.Fatalf("no such option: %s", key)
			}
		}
		w.Idle = append(w.Idle, idle)
	case "job":
		i := slices.IndexFunc(w.Jobs, func(j Job) bool { return j.Name == name })
		if i < 0 {
			i = len(w.Jobs)
			w.Jobs = append(slices.Clone(w.Jobs), Job{Name: name, Submitted: w.Now})
		}
		w.setJob(&w.Jobs[i], rest)
	default:
		w.t.Fatalf("no such command: %s", words[0])
	}
}

func (w *world) setJob(j *Job, words []string) {
	w.t.Helper()
	given := options(words)
	for key, value := range given {
		at := func() Seconds { return w.Now + Seconds(number(w.t, value)) }
		switch key {
		case "queue":
			j.Queue = value
		case "after":
			j.After = strings.Split(value, ",")
		case "priority":
			j.Priority = int(number(w.t, value))
		case "deadline":
			deadline := at()
			j.Deadline = &deadline
		case "maxwait":
			j.MaxWait = Seconds(number(w.t, value))
		case "left":
			j.Left = Work(number(w.t, value))
		case "sizes":
			j.Sizes = readSizes(w.t, value)
		case "pool":
			j.Pool = value
		case "elsewhere":
			pool, there, _ := strings.Cut(value, "=")
			j.Elsewhere = []Place{{pool, readSizes(w.t, there)}}
		case "site":
			j.Site = value
		case "takes":
			j.Takes = map[string]int64{}
			for each := range strings.SplitSeq(value, ",") {
				resource, amount, _ := strings.Cut(each, ":")
				j.Takes[resource] = int64(number(w.t, amount))
			}
		case "leaders":
			j.Leaders = Workers(number(w.t, value))
		case "gpus":
			j.GPUsPerWorker = GPUs(number(w.t, value))
		case "workers":
			j.Workers = Workers(number(w.t, value))
		case "on":
			j.On = strings.Split(value, ",")
			if _, more := given["workers"]; !more { // else they are those of the first
				j.Workers = Workers(len(j.On))
			}
		case "pause":
			j.Pause = Seconds(number(w.t, value))
		case "rework":
			j.Rework = Seconds(number(w.t, value))
		case "closes":
			takes := Seconds(number(w.t, value))
			j.Closing = Closing{Shortest: takes, Usual: takes, Longest: takes}
		case "overruns":
			j.Overruns = Seconds(number(w.t, value))
		case "hindsight":
			j.Hindsight = number(w.t, value)
		case "busy":
			j.BusyUntil = at()
		case "advanced":
			j.AdvancedAt = at()
		case "saved":
			j.SavedAt = at()
		case "saves":
			j.SavesAt = at()
		case "uninterruptible":
			j.Uninterruptible = true
		case "lent":
			j.Lent = true
		case "guarded":
			j.Guarded = true
		case "onitsown":
			j.OnItsOwn = true
		case "leave":
			j.Leave = nil
			for index := range strings.SplitSeq(value, ",") {
				if index != "nobody" {
					j.Leave = append(j.Leave, int(number(w.t, index)))
				}
			}
		case "unsaved":
			j.Unsaved = true
		case "done":
			j.Done = Work(number(w.t, value))
		case "onlypromised":
			j.OnlyPromised = true
		case "promised", "planned": // with FROM@WORKERS,…,END
			j.Promised, j.Reserved = key == "promised", nil
			for part := range strings.SplitSeq(value, ",") {
				from, workers, reserved := strings.Cut(part, "@")
				begins := w.Now + Seconds(number(w.t, from))
				if last := len(j.Reserved) - 1; last >= 0 {
					j.Reserved[last].To = begins
				}
				if reserved {
					j.Reserved = append(j.Reserved, Span{From: begins, Workers: Workers(number(w.t, workers))})
				}
			}
		case "written":
			j.Written = Workers(number(w.t, value))
		case "awaits": // WORKERS@SINCE, as GPUs were free
			workers, since, _ := strings.Cut(value, "@")
			j.Awaits = &Awaited{Workers: Workers(number(w.t, workers)), Since: w.Now + Seconds(number(w.t, since)),
				Reason: FreeGPUs}
			j.Awaits.Why = isToHave + Count(j.Awaits.Workers) + ": nobody needs these GPUs more at present."
		case "ungrown": // UNTIL, and whether it is stuck
			until, stuck, _ := strings.Cut(value, ":")
			j.Ungrown = &Ungrown{Until: w.Now + Seconds(number(w.t, until)), Stuck: stuck == "stuck"}
		case "unstarted": // since SINCE, for good unless it may PASS
			since, may, _ := strings.Cut(value, ":")
			j.Unstarted = &Unstarted{Since: w.Now + Seconds(number(w.t, since)), ForGood: may != "maypass"}
		case "stranded":
			j.Stranded = new(at())
		case "tried":
			j.Tried = true
		case "firstsize":
			j.FirstSize = true
		case "unknownwork":
			j.UnknownWork = true
		case "believed":
			j.Believed = strings.ReplaceAll(value, "_", " ")
		case "doubted":
			j.Doubted = true
		default:
			w.t.Fatalf("no such option: %s", key)
		}
	}
}

// options are words like key=value.
func options(words []string) map[string]string {
	options := map[string]string{}
	for _, word := range words {
		key, value, _ := strings.Cut(word, "=")
		options[key] = value
	}
	return options
}

func readSizes(t *testing.T, list string) []Size {
	t.Helper()
	var sizes []Size
	for size := range strings.SplitSeq(list, ",") {
		workers, speeds, _ := strings.Cut(size, ":")
		s := Size{Workers: Workers(number(t, workers))}
		for i, speed := range strings.Split(speeds, "/") {
			if speed != "" {
				*[]*Speed{&s.Speed, &s.Expected, &s.Best, &s.Untried}[i] = Speed(number(t, speed))
			}
		}
		sizes = append(sizes, s)
	}
	return sizes
}

func number(t *testing.T, word string) float64 {
	t.Helper()
	n, err := strconv.ParseFloat(word, 64)
	if err != nil {
		t.Fatal(err)
	}
	return n
}
