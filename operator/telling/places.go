package telling

import (
	"cmp"
	"slices"
	"sync"
	"time"

	"k8s.io/apimachinery/pkg/types"

	"github.com/takt-dev/takt/api/v1alpha1"
)

// held is how long a place is taken at least, whatever becomes of its job. Prometheus keeps each name that it was ever
// told for as long as it keeps anything: so a tenant who makes and deletes jobs all day adds no more names than places
// an hour.
const held = time.Hour

// places are those of the jobs that have figures of their own.
type places struct {
	most int

	mu    sync.Mutex
	taken map[types.NamespacedName]time.Time // since when
}

func newPlaces(most int) *places {
	return &places{most: most, taken: map[types.NamespacedName]time.Time{}}
}

// share is what one namespace asks for.
type share struct {
	namespace string
	jobs      []*v1alpha1.ElasticJob
	gone      int // jobs that are not there any more, whose places are still taken
}

func (s *share) wants() int { return len(s.jobs) + s.gone }

// give gives places to jobs that have not ended, and counts those that get none. Every namespace has as many places as
// any other, so that nobody who makes ten thousand jobs takes those of others; what one does not use, others share.
func (p *places) give(all []*v1alpha1.ElasticJob, now time.Time) (chosen []*v1alpha1.ElasticJob, leftOut int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	left := p.most
	shares := p.shares(all, now)
	for i, s := range shares {
		mine := min(s.wants(), left/(len(shares)-i))
		left -= mine
		mine = min(len(s.jobs), max(mine-s.gone, 0))
		slices.SortFunc(s.jobs, func(a, b *v1alpha1.ElasticJob) int { return p.first(a, b, now) })
		for _, ej := range s.jobs[:mine] {
			if _, has := p.taken[name(ej)]; !has {
				p.taken[name(ej)] = now
			}
		}
		for _, ej := range s.jobs[mine:] {
			delete(p.taken, name(ej))
		}
		chosen, leftOut = append(chosen, s.jobs[:mine]...), leftOut+len(s.jobs)-mine
	}
	return chosen, leftOut
}

// shares are what the namespaces ask for, least first: what these leave is then divided among those who ask for more.
func (p *places) shares(all []*v1alpha1.ElasticJob, now time.Time) []*share {
	byNamespace := map[string]*share{}
	of := func(namespace string) *share {
		if byNamespace[namespace] == nil {
			byNamespace[namespace] = &share{namespace: namespace}
		}
		return byNamespace[namespace]
	}
	there := map[types.NamespacedName]bool{}
	for _, ej := range all {
		if !ej.Status.Over() {
			there[name(ej)] = true
			s := of(ej.Namespace)
			s.jobs = append(s.jobs, ej)
		}
	}
	for job, since := range p.taken {
		switch {
		case there[job]:
		case now.Sub(since) < held:
			of(job.Namespace).gone++
		default:
			delete(p.taken, job)
		}
	}
	var shares []*share
	for _, s := range byNamespace {
		shares = append(shares, s)
	}
	slices.SortFunc(shares, func(a, b *share) int {
		return cmp.Or(cmp.Compare(a.wants(), b.wants()), cmp.Compare(a.namespace, b.namespace))
	})
	return shares
}

// first compares two jobs of one namespace: which is to have a place before the other. Those whose place is held keep
// it, then come those that train, then the oldest.
func (p *places) first(a, b *v1alpha1.ElasticJob, now time.Time) int {
	keeps := func(ej *v1alpha1.ElasticJob) int {
		if since, has := p.taken[name(ej)]; has && now.Sub(since) < held {
			return 1
		}
		return 0
	}
	trains := func(ej *v1alpha1.ElasticJob) int { return int(min(ej.Status.Workers.Running, 1)) }
	return cmp.Or(cmp.Compare(keeps(b), keeps(a)), cmp.Compare(trains(b), trains(a)),
		a.CreationTimestamp.Compare(b.CreationTimestamp.Time), cmp.Compare(a.Name, b.Name))
}

func name(ej *v1alpha1.ElasticJob) types.NamespacedName {
	return types.NamespacedName{Namespace: ej.Namespace, Name: ej.Name}
}
