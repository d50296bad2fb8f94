package main

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"time"

	"github.com/takt-dev/takt/cli/show"
)

// glance is how often the cluster is looked at.
const glance = 250 * time.Millisecond

// follow submits the jobs in their time, and shows what comes of them until the story is over.
func (e *watcher) follow(ctx context.Context, screen *show.Screen, of story, kubeconfig string) (code int, err error) {
	look := lookYourself(kubeconfig)
	screen.Say(slices.Concat(look, []string{""})...)
	begun := time.Now()
	first := told{}
	var before scene
	ticker := time.NewTicker(glance)
	defer ticker.Stop()
	for submitted := 0; ; {
		for submitted < len(of.parts) && time.Since(begun) >= of.parts[submitted].after {
			p := of.parts[submitted]
			if err := e.client.Create(ctx, of.job(p, filepath.Dir(kubeconfig))); err != nil {
				return exitMissed, fmt.Errorf("cannot submit %s: %w", p.name, err)
			}
			submitted++
		}
		now, err := e.look(ctx, of, submitted, begun)
		if err != nil {
			return exitMissed, fmt.Errorf("cannot see what there is: %w", err)
		}
		first.note(now)
		var lines []string
		c := canvasOf(screen)
		for _, item := range news(before, now) {
			lines = append(lines, c.told(item)...)
		}
		screen.Show(lines, slices.Concat(c.table(now), look))
		before = now
		if now.over() {
			screen.Keep(c.table(now))
			screen.Say(c.summary(now, first)...)
			if met, feasible := score(now); met < feasible {
				return exitMissed, nil
			}
			return exitMet, nil
		}
		select {
		case <-ctx.Done():
			return exitMissed, context.Cause(ctx)
		case <-ticker.C:
		}
	}
}

// lookYourself says how to look at the real objects. It is not clipped, so that it can be copied.
func lookYourself(kubeconfig string) []string {
	return []string{
		"", "Everything is real Kubernetes objects. Look at them from another terminal:",
		"  export KUBECONFIG=" + kubeconfig,
		"  bin/kubectl get elasticjobs,resizes",
		"  bin/kubectl describe elasticjob bert",
	}
}
