package profiles

import (
	"maps"
	"sync"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/takt-dev/takt/operator/changes"
	"github.com/takt-dev/takt/operator/memory"
	"github.com/takt-dev/takt/operator/view"
)

// Shared are the profiles that several jobs may use, and when each of them was last heard to have changed: what one job
// has learned changes what others are told.
type Shared struct {
	mu    sync.Mutex
	at    map[client.ObjectKey]time.Time
	swept time.Time
}

// kept is how long a change is remembered: many times as long as a job takes to read its profile again.
const kept = 20 * view.ProfileEvery

// Matters takes a change of a profile, and says whether it concerns any job but the one that it belongs to.
func (s *Shared) Matters(before, after any, now time.Time) bool {
	was, is, changed := changes.Both[client.Object](before, after)
	if !changed {
		is, _ = after.(client.Object)
	}
	if is == nil || metav1.GetControllerOf(is) != nil || len(is.GetOwnerReferences()) > 0 ||
		changed && was.GetResourceVersion() == is.GetResourceVersion() {
		return false
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.at == nil {
		s.at = map[client.ObjectKey]time.Time{}
	}
	if now.Sub(s.swept) > kept { // by now all have read what has changed before
		maps.DeleteFunc(s.at, func(_ client.ObjectKey, at time.Time) bool { return now.Sub(at) > kept })
		s.swept = now
	}
	s.at[client.ObjectKeyFromObject(is)] = now
	return true
}

// DueOf is when a job is to read its profile again, which has changed since it last did; zero if it has not.
func (s *Shared) DueOf(profile client.ObjectKey, known *memory.Job) time.Time {
	s.mu.Lock()
	changed := s.at[profile]
	s.mu.Unlock()
	if loaded := known.Loaded(); !changed.Before(loaded) && !loaded.IsZero() {
		return loaded.Add(view.ProfileEvery)
	}
	return time.Time{}
}
