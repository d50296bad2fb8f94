package settings

import (
	"time"

	"github.com/takt-dev/takt/elastic"
	"github.com/takt-dev/takt/elastic/resize"
	"github.com/takt-dev/takt/operator/wrapping"
	"github.com/takt-dev/takt/price"
)

// Limits are the limits of a resize as its state machine takes them.
func (s Settings) Limits() resize.Limits {
	r := s.Resizes
	return resize.Limits{
		SettleAfter:       r.SettleAfter.Duration,
		PlaceWithin:       r.PlaceWithin.Duration,
		ReadyWithin:       r.ReadyWithin.Duration,
		AcknowledgeWithin: r.AcknowledgeWithin.Duration,
		CheckpointWithin:  r.CheckpointWithin.Duration,
		CheckpointFresh:   r.CheckpointFresh.Duration,
		DrainWithin:       r.DrainWithin.Duration,
		StopWithin:        r.StopWithin.Duration,
		VerifyWithin:      r.VerifyWithin.Duration,
		StartWithin:       r.StartWithin.Duration,
		SteadyFor:         r.SteadyFor.Duration,
	}
}

// Prices are what an hour of a GPU costs; none if there are none.
func (s Settings) Prices() price.PerHour { return s.GPUs.Prices }

// AgentDefault is what becomes of the agent in jobs.
func (s Settings) AgentDefault() wrapping.Default {
	d := wrapping.Default{Image: s.Agent.Image, ByDefault: s.Agent.ByDefault, LetsInWithin: s.letsInWithin()}
	if !s.Agent.Enabled {
		d.Image = ""
	}
	return d
}

// letsInWithin is how long a new pod may wait at the start barrier for the others, and for the training to save its
// state, with a little time for whoever is late. An agent that did not wait as long would train alone.
func (s Settings) letsInWithin() time.Duration {
	r := s.Resizes
	return r.PlaceWithin.Duration + r.ReadyWithin.Duration + r.CheckpointWithin.Duration + time.Minute
}

// Planner is what the planner takes of the settings, and of the limits of a resize.
func (s Settings) Planner(limits resize.Limits) elastic.Settings {
	return elastic.Settings{
		PromiseShare: s.Planning.PromiseShare,
		Payback:      s.Planning.Payback,
		Cooldown:     s.Planning.Cooldown,
		StartsWithin: elastic.Seconds((limits.PlaceWithin + limits.ReadyWithin).Seconds()),
		DrainWithin:  elastic.Seconds(limits.DrainWithin.Seconds()),
		PlaceWithin:  elastic.Seconds(limits.PlaceWithin.Seconds()),
	}
}
