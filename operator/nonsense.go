package operator

import (
	"strings"

	"github.com/takt-dev/takt/elastic"
	"github.com/takt-dev/takt/operator/capacity"
	"github.com/takt-dev/takt/operator/memory"
	"github.com/takt-dev/takt/operator/view"
	"github.com/takt-dev/takt/operator/wording"
)

// leaveOutNonsense takes those jobs out of a scene whose figures are beyond what can be reckoned with:
// five million workers, say. A schema cannot know all of what a user may write, and one job must not
// keep all others from being planned for. It fails where something else makes no sense.
func (p *planner) leaveOutNonsense(sc *scene) error {
	if sc.snapshot.Check() == nil {
		return nil
	}
	nodes := map[string]elastic.Node{}
	for _, node := range sc.snapshot.Nodes {
		nodes[node.Name] = node
	}
	subjects, jobs := sc.subjects, sc.snapshot.Jobs
	sc.subjects, sc.snapshot.Jobs = nil, nil
	for i, job := range jobs {
		alone := elastic.Snapshot{Now: sc.snapshot.Now, Jobs: []elastic.Job{job}}
		seen := map[string]bool{}
		for _, name := range job.On {
			if node, there := nodes[name]; there && !seen[name] {
				seen[name], alone.Nodes = true, append(alone.Nodes, node)
			}
		}
		if wrong := alone.Check(); wrong != nil {
			first, _, _ := strings.Cut(wrong.Error(), "\n")
			p.keepsItsGPUs(sc, subjects[i])
			p.withhold(subjects[i], memory.Hindrance{Reason: memory.ReasonNonsense, Message: wording.Sentences("Takt cannot plan for it as it is: " + first)}, sc.at)
			continue
		}
		sc.subjects, sc.snapshot.Jobs = append(sc.subjects, subjects[i]), append(sc.snapshot.Jobs, job)
	}
	return sc.snapshot.Check()
}

// keepsItsGPUs takes what the workers of a job hold out of what is shared out.
func (p *planner) keepsItsGPUs(sc *scene, s *view.Subject) {
	home, _ := homeOf(s, sc.supply)
	for _, w := range s.Pods {
		name := sc.supply.CountsAs(w.Pod.Spec.NodeName, home)
		for i := range sc.snapshot.Nodes {
			if node := &sc.snapshot.Nodes[i]; node.Name == name {
				node.GPUs = max(node.GPUs-capacity.GPUs(&w.Pod.Spec, p.gpus), 0)
			}
		}
	}
}
