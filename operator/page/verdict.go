package page

import "github.com/takt-dev/takt/api/v1alpha1"

// verdict is a verdict as it is shown: a sign, a word and a colour, so that no reader depends on the colour.
type verdict struct {
	Sign, Word, Class string
}

var verdicts = map[v1alpha1.Verdict]verdict{
	v1alpha1.VerdictMissed:     {"✕", "Missed", "bad"},
	v1alpha1.VerdictInfeasible: {"✕", "Infeasible", "bad"},
	v1alpha1.VerdictAtRisk:     {"!", "AtRisk", "warn"},
	v1alpha1.VerdictLeftAlone:  {"○", "LeftAlone", "calm"},
	v1alpha1.VerdictEstimating: {"…", "Estimating", "calm"},
	v1alpha1.VerdictOnTrack:    {"✓", "OnTrack", "good"},
	v1alpha1.VerdictBestEffort: {"–", "BestEffort", "calm"},
	v1alpha1.VerdictMet:        {"✓", "Met", "good"},
}

func verdictOf(v v1alpha1.Verdict) verdict {
	if shown, known := verdicts[v]; known {
		return shown
	}
	if v == "" {
		return verdict{"…", "new", "calm"}
	}
	return verdict{"?", string(v), "calm"} // of a later release
}
