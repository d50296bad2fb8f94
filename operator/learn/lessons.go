package learn

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"

	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/predictor"
)

const (
	// listenEvery is how often the profiles of a namespace are looked at for what they teach.
	listenEvery = 10 * time.Minute
	// mostTeachers of a namespace are listened to, those that have learned last.
	mostTeachers = 8
)

// lessons are what the profiles of each namespace teach jobs of other code that train there. No profile of another
// namespace is listened to: what a tenant tells is for that tenant's jobs alone.
type lessons struct {
	mu     sync.Mutex
	taught map[string]school // by namespace
}

type school struct {
	at       time.Time
	teachers map[string]teacher // by the name of the profile
}

// teacher is a profile, as it was when it was listened to.
type teacher struct {
	version string
	lesson  predictor.Lesson
	teaches bool
}

// Prior is what is likely of a job before anything is measured of it, by what other profiles of its namespace have
// learned of the network. Name is the profile that the job uses itself. With an error it is what is usual.
func (s *Store) Prior(ctx context.Context, namespace, name string, now time.Time) (predictor.Prior, error) {
	s.lessons.mu.Lock()
	defer s.lessons.mu.Unlock()
	known, ok := s.lessons.taught[namespace]
	if !ok || !now.Before(known.at.Add(listenEvery)) {
		var err error
		if known, err = s.listen(ctx, namespace, known, now); err != nil {
			return predictor.Usual(), fmt.Errorf("read the TrainingProfiles of %s: %w", namespace, err)
		}
		if s.lessons.taught == nil {
			s.lessons.taught = map[string]school{}
		}
		if !ok { // namespaces come and go
			maps.DeleteFunc(s.lessons.taught, func(_ string, old school) bool { return now.Sub(old.at) > 6*listenEvery })
		}
		s.lessons.taught[namespace] = known
	}
	var all []predictor.Lesson
	for _, other := range slices.Sorted(maps.Keys(known.teachers)) {
		if t := known.teachers[other]; t.teaches && other != name {
			all = append(all, t.lesson)
		}
	}
	return predictor.Usual().Taught(all), nil
}

// listen reads the profiles that may teach, and listens to those that have changed.
func (s *Store) listen(ctx context.Context, namespace string, before school, now time.Time) (school, error) {
	var list v1alpha1.TrainingProfileList
	if err := s.Client.List(ctx, &list, client.InNamespace(namespace)); err != nil {
		return before, err
	}
	var able []*v1alpha1.TrainingProfile
	for i := range list.Items {
		if p := &list.Items[i]; p.DeletionTimestamp == nil && spans(p) {
			able = append(able, p)
		}
	}
	newer := newerAt(now)
	slices.SortFunc(able, func(a, b *v1alpha1.TrainingProfile) int {
		return cmp.Or(newer(a.Status.UpdatedAt, b.Status.UpdatedAt), cmp.Compare(a.Name, b.Name))
	})
	after := school{at: now, teachers: map[string]teacher{}}
	for _, p := range able[:min(len(able), mostTeachers)] {
		version := string(p.UID) + p.ResourceVersion
		t := before.teachers[p.Name]
		if t.version != version {
			t = listenTo(p, now)
			t.version = version
		}
		after.teachers[p.Name] = t
	}
	return after, nil
}

// spans says whether code was measured on two nodes and on more, without which it has nothing to teach.
func spans(p *v1alpha1.TrainingProfile) bool {
	on := func(enough func(nodes int32) bool) bool {
		return slices.ContainsFunc(p.Status.Speeds, func(s v1alpha1.MeasuredSpeed) bool { return enough(s.Nodes) })
	}
	return on(func(nodes int32) bool { return nodes == 2 }) && on(func(nodes int32) bool { return nodes > 2 })
}

// listenTo is what a profile teaches. What of it makes no sense is left out.
func listenTo(p *v1alpha1.TrainingProfile, now time.Time) (t teacher) {
	profile, _, _ := FromStatus(&p.Status)
	profile, model := backdated(profile, now), predictor.NewModel()
	if model.Inherit(predictor.Profile{Speeds: profile.Speeds}, "", moment(now), halfLife) == nil {
		t.lesson, t.teaches = model.Lesson()
	}
	return t
}

// Teachable says that nobody has taught the run yet. One that goes on from what another process has kept of it has
// been.
func (r *Run) Teachable() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return !r.recalled && !r.taught
}

// Taught begins with another prior than the usual one, once.
func (r *Run) Taught(prior predictor.Prior) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.recalled || r.taught {
		return
	}
	r.taught = true
	if prior != r.model.Prior() {
		r.model.Begin(prior)
		r.version++
	}
}
