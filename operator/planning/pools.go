package planning

import (
	"cmp"
	"slices"

	corev1 "k8s.io/api/core/v1"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/elastic"
	"github.com/takt-dev/takt/elastic/resize"
	"github.com/takt-dev/takt/operator/capacity"
	"github.com/takt-dev/takt/operator/learn"
	"github.com/takt-dev/takt/operator/view"
)

// A job is planned within one pool, its home. Somebody may taint or label a node while workers run there, which makes
// it a node of another pool. The training goes on as before, so what its workers hold there counts as its home's.

// homeOf is the home of a job, if any of its workers has a node: where most of its workers are, of the pools that
// others could join them in, or else of all.
func homeOf(s *view.Subject, supply *capacity.Supply, o capacity.Options) (string, bool) {
	type home struct {
		pool    string
		joins   int // 1 where others could
		workers int
	}
	var homes []home
	fits := supply.Fits(placed(s, s.Job.Worker))
	for _, w := range s.Pods {
		pool, ok := supply.PoolOf(w.Pod.Spec.NodeName)
		if !ok || w.Pod.DeletionTimestamp != nil || s.Leads(w, o) {
			continue
		}
		at := slices.IndexFunc(homes, func(h home) bool { return h.pool == pool })
		if at < 0 {
			at = len(homes)
			homes = append(homes, home{pool: pool})
			if slices.ContainsFunc(fits, func(f capacity.Fit) bool { return f.Pool == pool }) {
				homes[at].joins = 1
			}
		}
		homes[at].workers++
	}
	if len(homes) == 0 {
		return "", false
	}
	most := slices.MaxFunc(homes, func(a, b home) int { // the first one of those
		return cmp.Or(cmp.Compare(a.joins, b.joins), cmp.Compare(a.workers, b.workers))
	})
	return most.pool, true
}

// borrow has what the workers of a job hold outside its home count as its home's.
func borrow(s *view.Subject, supply *capacity.Supply, o capacity.Options) {
	home, ok := homeOf(s, supply, o)
	if !ok {
		return
	}
	for _, w := range s.Pods {
		if pool, ok := supply.PoolOf(w.Pod.Spec.NodeName); ok && pool != home && holds(w.Pod) && !s.Leads(w, o) {
			supply.Lend(w.Pod.Spec.NodeName, home, capacity.GPUs(&w.Pod.Spec, o))
		}
	}
}

// holds says that a pod holds GPUs, and goes on to.
func holds(pod *corev1.Pod) bool {
	return pod.DeletionTimestamp == nil && !view.HasEnded(pod)
}

// nodesOf names the node of each worker that is left and takes GPUs, by which it counts in the pool, up to the first of
// which it is not known, and to those that it is to have.
func nodesOf(s *view.Subject, supply *capacity.Supply, job *elastic.Job) (nodes []string) {
	for i, w := range s.Pods {
		if elastic.Workers(w.Index) < job.Leaders || s.Ends() && w.Pod.Status.Phase == corev1.PodSucceeded {
			continue
		}
		at, ok := supply.PoolOf(w.Pod.Spec.NodeName)
		if !ok || at != job.Pool && !holds(w.Pod) || w.Pod.DeletionTimestamp != nil || int(w.Index) != i && !s.Ends() {
			break
		}
		nodes = append(nodes, supply.CountsAs(w.Pod.Spec.NodeName, job.Pool))
	}
	return nodes[:min(len(nodes), int(job.Using(job.Workers)))]
}

// standOn are the nodes of those workers of a job that stay, whether its size is being changed or not.
func standOn(s *view.Subject, supply *capacity.Supply, pool string, o capacity.Options) (nodes []string) {
	for _, w := range s.Pods {
		if s.Leads(w, o) {
			continue
		}
		on := w.Pod.Spec.NodeName
		if at, ok := supply.PoolOf(on); ok && at == pool && !view.HasEnded(w.Pod) && w.Pod.DeletionTimestamp == nil {
			nodes = append(nodes, on)
		}
	}
	return nodes
}

// room is for how many workers a pool has room at most: none where new ones may not go.
func room(fits []capacity.Fit, pool string) resize.Workers {
	if at := slices.IndexFunc(fits, func(f capacity.Fit) bool { return f.Pool == pool }); at >= 0 {
		return resize.Workers(fits[at].Capacity)
	}
	return 0
}

// plannedIn is the pool of a job that has no workers, of those that it may run in: where it was planned last.
func plannedIn(s *view.Subject, fits []capacity.Fit) string {
	last := s.ElasticJob.Status.Pool
	if d := s.Known.LastPlanned(); d != nil {
		last = d.Pool
	}
	if len(fits) == 0 || slices.ContainsFunc(fits, func(f capacity.Fit) bool { return f.Pool == last }) {
		return last
	}
	return fits[0].Pool
}

// elsewhere are the pools that a job may run in beside the one that it is in.
func elsewhere(s *view.Subject, sc *Scene, fits []capacity.Fit, job elastic.Job, least, most resize.Workers,
	options learn.FillOptions) []elastic.Place {
	var places []elastic.Place
	for _, fit := range fits {
		if there := job; fit.Pool != job.Pool {
			sizes := s.Candidates(least, max(min(most, resize.Workers(fit.Capacity+job.Leaders)), least), 0)
			s.Known.Run.Fill(&there, sc.shapes(fit.Pool, &there, nil, sizes, false), options)
			places = append(places, elastic.Place{Pool: fit.Pool, Sizes: there.Sizes})
		}
	}
	return places
}

// selector keeps the workers of a job in a pool, beside what it asks for itself.
func (sc *Scene) selector(s *view.Subject, pool string) map[string]v1alpha1.LabelValue {
	for _, fit := range sc.Supply.Fits(placed(s, s.Job.Unpinned())) {
		if fit.Pool == pool && len(fit.Selector) > 0 {
			selector := map[string]v1alpha1.LabelValue{}
			for key, value := range fit.Selector {
				selector[key] = v1alpha1.LabelValue(value)
			}
			return selector
		}
	}
	return nil
}
