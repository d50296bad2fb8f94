package world

import (
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/takt-dev/takt/operator/settings"
)

// Settings are those of an operator for one world: it sees one namespace and the nodes of that
// world, listens nowhere, and waits for less than others.
func Settings(namespace string) settings.Settings {
	span := func(d time.Duration) metav1.Duration { return metav1.Duration{Duration: d} }
	s := settings.Default()
	s.Namespaces = []string{namespace}
	s.NodeSelector = map[string]string{mine: namespace}
	s.Planning.Settle, s.Planning.Every = span(100*time.Millisecond), span(2*time.Second)
	s.Planning.PromiseShare, s.Planning.Payback, s.Planning.Cooldown = 1, 2, 1
	s.Planning.AssumedPause = span(2 * time.Second)
	s.Progress.Every, s.Progress.StaleAfter = span(time.Second), span(time.Minute)
	s.Status.Every = span(2 * time.Second)
	s.Resizes = settings.Resizes{
		Keep: 20, RetryAfter: span(2 * time.Second),
		SettleAfter: span(3 * time.Second),
		// Who makes, places and stops pods is busy with those of all worlds, and may come to one half a minute late.
		PlaceWithin: span(2 * time.Minute), ReadyWithin: span(2 * time.Minute), StopWithin: span(2 * time.Minute),
		AcknowledgeWithin: span(2 * time.Second),
		CheckpointWithin:  span(5 * time.Second), CheckpointFresh: span(2 * time.Second),
		DrainWithin: span(time.Minute), VerifyWithin: span(2 * time.Minute),
		StartWithin: span(30 * time.Second), SteadyFor: span(2 * time.Second),
	}
	s.LeaderElection.Enabled = false
	s.Metrics.BindAddress, s.Health.BindAddress = "0", "0"
	s.API = settings.API{QPS: 1000, Burst: 2000, Workers: 4}
	s.Log = settings.Log{Level: 2, Format: settings.Console}
	return s
}

// Allow gives everything that a resize waits for so much time.
func Allow(r *settings.Resizes, span time.Duration) {
	for _, limit := range []*metav1.Duration{&r.PlaceWithin, &r.ReadyWithin, &r.DrainWithin, &r.StopWithin,
		&r.VerifyWithin, &r.StartWithin} {
		limit.Duration = span
	}
}
