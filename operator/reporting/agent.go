package reporting

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"

	"github.com/takt-dev/takt/agent/contract"
	"github.com/takt-dev/takt/operator/view"
	"github.com/takt-dev/takt/operator/wording"
	"github.com/takt-dev/takt/operator/wrapping"
)

// forAgent are what people write on the template of pods for the agent alone: without it nobody reads them.
var forAgent = []string{contract.SaveSignalAnnotation, contract.SaveFileAnnotation, contract.CheckpointPathAnnotation,
	contract.CheckpointPatternAnnotation, contract.ProgressFileAnnotation, contract.BarrierWithinAnnotation}

// withoutAgent says why a job that should have the agent in its pods is run without: it could not be installed, or the
// job asks for it in so many words, or says something to it, and it can start nothing there.
func withoutAgent(s *view.Subject, d wrapping.Default) string {
	says := s.ElasticJob.Spec.Agent
	if f, kept := wrapping.DecodeFault(s.Job.UID, s.Job.Annotations[wrapping.FaultAnnotation]); kept &&
		f.Image == d.Image && (says == nil || *says) {
		return fmt.Sprintf("It is run without the agent, which could not be installed (%s). Have its namespace able to "+
			"pull %s, and to have pods with it, and take %s off the job.",
			f.Said, f.Image, wrapping.FaultAnnotation)
	}
	if says == nil {
		return unread(s, d)
	}
	if !*says {
		return ""
	}
	if d.Image == "" {
		return "It asks for the agent, and there is none here: the settings of the operator switch it off, or name no " +
			"image of it."
	}
	if there, byTakt := wrapping.By(s.Job.Worker); there && !byTakt {
		return "" // it has one
	}
	if why := s.Job.AgentObstacle; why != "" {
		return wording.Sentences("It asks for the agent, which cannot be put in.", why)
	}
	return ""
}

// unread says that the templates of a job that would get the agent say something to it, and that it cannot be put in.
func unread(s *view.Subject, d wrapping.Default) string {
	if d.Image == "" || !d.ByDefault || s.Job.AgentObstacle == "" {
		return ""
	}
	for _, template := range []*corev1.PodTemplateSpec{s.Job.Worker, s.Job.Leader} {
		if template == nil || template.Annotations[contract.AgentAnnotation] != "" {
			continue // it has one, or is not to have one
		}
		for _, key := range forAgent {
			if template.Annotations[key] != "" {
				return wording.Sentences(fmt.Sprintf("Nobody reads %s of its pods, as the agent cannot be put in.", key),
					s.Job.AgentObstacle)
			}
		}
	}
	return ""
}
