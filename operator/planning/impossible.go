package planning

import (
	"strings"

	"github.com/takt-dev/takt/elastic"
	"github.com/takt-dev/takt/operator/capacity"
	"github.com/takt-dev/takt/operator/memory"
	"github.com/takt-dev/takt/operator/view"
	"github.com/takt-dev/takt/operator/wording"
)

// LeaveOutNonsense takes those jobs out of a scene whose figures are beyond what can be reckoned with:
// five million workers, say. A schema cannot know all of what a user may write, and one job must not
// keep all others from being planned for. It fails where something else makes no sense.
func (p *Planner) LeaveOutNonsense(sc *Scene) error {
	if sc.Snapshot.Check() == nil {
		return nil
	}
	nodes := map[string]elastic.Node{}
	for _, node := range sc.Snapshot.Nodes {
		nodes[node.Name] = node
	}
	subjects, jobs := sc.Subjects, sc.Snapshot.Jobs
	sc.Subjects, sc.Snapshot.Jobs = nil, nil
	for i, job := range jobs {
		alone := elastic.Snapshot{Now: sc.Snapshot.Now, Sites: sc.Snapshot.Sites, Jobs: []elastic.Job{job}}
		seen := map[string]bool{}
		for _, name := range job.On {
			if node, there := nodes[name]; there && !seen[name] {
				seen[name], alone.Nodes = true, append(alone.Nodes, node)
			}
		}
		if wrong := alone.Check(); wrong != nil {
			first, _, _ := strings.Cut(wrong.Error(), "\n")
			p.keepsItsGPUs(sc, subjects[i])
			subjects[i].Known.Undecide()
			p.withhold(subjects[i], memory.Hindrance{Reason: memory.ReasonNonsense,
				Message: wording.Sentences("Takt cannot plan for it as it is: " + first)}, sc.At)
			continue
		}
		sc.Subjects, sc.Snapshot.Jobs = append(sc.Subjects, subjects[i]), append(sc.Snapshot.Jobs, job)
	}
	return sc.Snapshot.Check()
}

// keepsItsGPUs takes what the workers of a job hold out of what is shared out.
func (p *Planner) keepsItsGPUs(sc *Scene, s *view.Subject) {
	home, _ := homeOf(s, sc.Supply, p.GPUs)
	for _, w := range s.Pods {
		if view.HasEnded(w.Pod) {
			continue
		}
		name := sc.Supply.CountsAs(w.Pod.Spec.NodeName, home)
		for i := range sc.Snapshot.Nodes {
			if node := &sc.Snapshot.Nodes[i]; node.Name == name {
				node.GPUs = max(node.GPUs-capacity.GPUs(&w.Pod.Spec, p.GPUs), 0)
			}
		}
	}
}
