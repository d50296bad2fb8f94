package planning

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync/atomic"

	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/elastic"
	"github.com/takt-dev/takt/elastic/begin"
)

// SnapshotPath is where the operator tells, beside its metrics and to those who may get this path, what
// it last planned from: takt plan --file shows what was decided about it, and why.
const SnapshotPath = "/snapshot"

// beyondOf names the job, as NAMESPACE/NAME, of which is told what it would do with more workers than it may have.
const beyondOf = "beyond"

// LastSnapshot is what was last planned from.
type LastSnapshot struct {
	atomic.Pointer[begin.Scene]
	// Beyond tells what a job of it would do with more workers.
	Beyond func(ctx context.Context, job elastic.Job) (elastic.Job, error)
}

// ServeHTTP tells it as JSON.
func (l *LastSnapshot) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodGet {
		http.Error(w, "this can only be read: use GET", http.StatusMethodNotAllowed)
		return
	}
	last := l.Load()
	if last == nil {
		http.Error(w, "nothing has been planned yet: try again in a moment, or ask the replica that leads",
			http.StatusServiceUnavailable)
		return
	}
	scene, of := *last, r.URL.Query().Get(beyondOf)
	asked := func(job elastic.Job) bool { return job.Name == of }
	if i := slices.IndexFunc(scene.Jobs, asked); i >= 0 && l.Beyond != nil {
		job, err := l.Beyond(r.Context(), scene.Jobs[i])
		if err != nil {
			http.Error(w, fmt.Sprintf("%s cannot be looked at: %v", job.Name, err), http.StatusInternalServerError)
			return
		}
		scene.Jobs = slices.Clone(scene.Jobs)
		scene.Jobs[i] = withinQuota(job, scene.Seen[job.Name].Most)
	}
	w.Header().Set("Content-Type", "application/json")
	encoder := json.NewEncoder(w)
	encoder.SetIndent("", "  ")
	_ = encoder.Encode(scene) // a caller who has gone away needs no answer
}

// Beyond fills in what a job of the last snapshot would do with more workers than it was planned with. Of one that was
// not measured nobody can tell.
func (p *Planner) Beyond(ctx context.Context, job elastic.Job) (elastic.Job, error) {
	namespace, name, _ := strings.Cut(job.Name, "/")
	var ej v1alpha1.ElasticJob
	if err := p.Client.Get(ctx, types.NamespacedName{Namespace: namespace, Name: name}, &ej); err != nil {
		return job, client.IgnoreNotFound(err)
	}
	s, err := p.View.Look(ctx, &ej)
	planned := job.Sizes[len(job.Sizes)-1]
	if err != nil || s.Known == nil || job.Believed != "" || planned.Expected == 0 || s.Ends() {
		return job, err
	}
	_, most := s.Sizes()
	if !s.Job.Bounded { // what its workers were started to be is no bound once it starts anew
		most = max(most, s.OutOfItsReach())
	}
	job.MayHave = elastic.Workers(most)
	job.Beyond = slices.DeleteFunc(s.Known.Run.Beyond(s.Further()), func(size elastic.Size) bool {
		again := size.Workers <= planned.Workers // it was planned with fewer before, or since
		return again || s.Job.Bounded && size.Workers > job.MayHave
	})
	return job, nil
}

// withinQuota leaves of what a job would do with more workers what a quota lets it have.
func withinQuota(job elastic.Job, most *elastic.Workers) elastic.Job {
	if most != nil {
		job.MayHave = min(job.MayHave, *most)
		job.Beyond = slices.DeleteFunc(job.Beyond, func(size elastic.Size) bool { return size.Workers > *most })
	}
	return job
}
