package settings

import "fmt"

// AgentImageVariable is the variable by which an installation says which image of the agent came with it.
const AgentImageVariable = "TAKT_AGENT_IMAGE"

// What the manifests say in place of an image that nobody has filled in, and the version of one that is called so.
const (
	placeholder = "takt-agent:dev"
	unreleased  = "dev"
)

// InstalledWith are the settings of a program of some version that was installed with an image of the agent: that
// counts where they name none. Whoever fills in the image of the operator alone has none of the agent: to look for the
// placeholder in registries would only keep each job waiting.
func (s Settings) InstalledWith(agent, version string) (Settings, error) {
	if s.Agent.Image != "" || agent == placeholder && version != unreleased {
		return s, nil
	}
	s.Agent.Image = agent
	if err := s.Validate(); err != nil {
		return Settings{}, fmt.Errorf("the variable %s, which counts as agent.image, cannot be used: %w",
			AgentImageVariable, err)
	}
	return s, nil
}
