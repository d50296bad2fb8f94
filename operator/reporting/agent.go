package reporting

import (
	"fmt"

	"github.com/takt-dev/takt/operator/view"
	"github.com/takt-dev/takt/operator/wording"
	"github.com/takt-dev/takt/operator/wrapping"
)

// withoutAgent says why a job that should have the agent in its pods is run without: it could not be installed, or the
// job asks for it in so many words and it can start nothing there.
func withoutAgent(s *view.Subject, d wrapping.Default) string {
	says := s.ElasticJob.Spec.Agent
	if f, kept := wrapping.DecodeFault(s.Job.UID, s.Job.Annotations[wrapping.FaultAnnotation]); kept &&
		f.Image == d.Image && (says == nil || *says) {
		return fmt.Sprintf("It is run without the agent, which could not be installed (%s). Have its namespace able to "+
			"pull %s, and to have pods with it, and take %s off the job.",
			f.Said, f.Image, wrapping.FaultAnnotation)
	}
	if says == nil || !*says {
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
