package yield

import "github.com/takt-dev/takt/elastic"

// Size is what is seen of a size that a job has, and that Takt has not asked for.
type Size struct {
	// Held says that somebody has said already whether it stays.
	Held bool `json:"held,omitempty"`
	// StartedByOthers says that the job was held until it is admitted, and that others have started it.
	StartedByOthers bool `json:"startedByOthers,omitempty"`
	// Applied says that it came along with a manifest that was applied as a whole, which says nothing of what is wanted
	// now.
	Applied bool `json:"applied,omitempty"`
	// TakenBack is when manifests have taken back sizes that Takt had given the job, each once, this time among them.
	// None is where this is no such size.
	TakenBack []elastic.Seconds `json:"takenBack,omitempty"`
}

// Stays is why a size stays that others have set.
type Stays string

// The reasons for which a size stays. Without any, Takt goes on from it.
const (
	SetByHand   Stays = "SetByHand"   // somebody wants it
	SetEachTime Stays = "SetEachTime" // whoever applies the manifest sets it again each time that Takt changes it
)

// Sizes that manifests take back so often, within that time, are not given again.
const (
	mostTakenBack = 3
	takenBackFor  = elastic.Seconds(6 * 60 * 60)
)

// tooOften says that nothing is gained by asking for the same once more.
func tooOften(takenBack []elastic.Seconds, now elastic.Seconds) bool {
	lately := 0
	for _, at := range takenBack {
		if now-at <= takenBackFor {
			lately++
		}
	}
	return lately >= mostTakenBack
}

// Stays says whether a job keeps the size, and why; empty if it does not.
func (s Size) Stays(now elastic.Seconds) Stays {
	switch {
	case s.Held:
		return ""
	case tooOften(s.TakenBack, now):
		return SetEachTime
	case !s.StartedByOthers && !s.Applied:
		return SetByHand
	}
	return ""
}
