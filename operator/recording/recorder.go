package recording

import (
	"context"
	"slices"
	"sync"
	"time"

	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/log"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"github.com/takt-dev/takt/operator/capacity"
	"github.com/takt-dev/takt/operator/view"
	"github.com/takt-dev/takt/operator/writing"
	"github.com/takt-dev/takt/records"
	"github.com/takt-dev/takt/records/volume"
)

const (
	// together is how long after the end of a job its record is written: with those of all others of its namespace that
	// end meanwhile. A tenant whose jobs end without pause makes no more writes than that.
	together = 10 * time.Second
	// tryAgain is how long it takes until it is tried again what was refused: somebody has to grant that right.
	tryAgain = 10 * time.Minute
)

// Recorder writes down what has happened to jobs that have ended.
type Recorder struct {
	Store  *Store
	Folder volume.Folder  // besides, if it is there
	Limits records.Limits // of each namespace; a Count of 0 keeps nothing
	GPUs   capacity.Options
	Ask    func(namespace types.NamespacedName, after time.Duration) // has Reconcile called

	mu      sync.Mutex
	pending map[string][]records.Record // by namespace: not written yet
}

// Ended takes that a job has ended, once for each process.
func (r *Recorder) Ended(s *view.Subject) {
	nowhere := r.Limits.Count == 0 || r.Store.Namespace == "" && !r.Folder.There()
	if nowhere || s.Job.EndedAt.IsZero() || !s.Known.ToBeRecorded() {
		return
	}
	record := recordOf(s, r.GPUs)
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.pending == nil {
		r.pending = map[string][]records.Record{}
	}
	waiting := r.pending[record.Namespace]
	waiting = append(waiting[max(0, len(waiting)+1-r.Limits.Count):], record)
	r.pending[record.Namespace] = waiting
	r.Ask(types.NamespacedName{Namespace: record.Namespace, Name: record.Namespace}, together)
}

// Holds says that the record of a job is not written yet.
func (r *Recorder) Holds(namespace string, job types.UID) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.ContainsFunc(r.pending[namespace], func(record records.Record) bool { return record.UID == string(job) })
}

// Reconcile writes down what there is to be written of the jobs of one namespace.
func (r *Recorder) Reconcile(ctx context.Context, request reconcile.Request) (reconcile.Result, error) {
	r.mu.Lock()
	more := r.pending[request.Namespace]
	r.mu.Unlock()
	if len(more) == 0 {
		return reconcile.Result{}, nil
	}
	var err error
	if r.Store.Namespace != "" {
		err = r.Store.Add(ctx, request.Namespace, more, r.Limits)
	}
	if writing.RefusedForGood(err) {
		log.FromContext(ctx).Error(err,
			"What has happened to jobs cannot be kept for takt trace: give takt-operator the Role takt-operator-records, "+
				"or set records.keep to 0", "namespace", request.Namespace)
		return reconcile.Result{RequeueAfter: tryAgain}, nil
	}
	if err != nil {
		return reconcile.Result{}, err
	}
	if r.Folder.There() {
		if err := r.Folder.Add(request.Namespace, more); err != nil {
			log.FromContext(ctx).Error(err, "What has happened to jobs cannot be kept on the volume: see to it that "+
				"takt-operator may write there, and that there is room, or set records.folder to \"\"",
				"namespace", request.Namespace)
			return reconcile.Result{RequeueAfter: tryAgain}, nil
		}
	}
	r.written(request.Namespace, more)
	return reconcile.Result{}, nil
}

// written drops those that are written; others may have come meanwhile.
func (r *Recorder) written(namespace string, these []records.Record) {
	r.mu.Lock()
	defer r.mu.Unlock()
	done := map[string]bool{}
	for _, record := range these {
		done[record.UID] = true
	}
	rest := slices.DeleteFunc(slices.Clone(r.pending[namespace]), func(record records.Record) bool {
		return done[record.UID]
	})
	if r.pending[namespace] = rest; len(rest) > 0 {
		r.Ask(types.NamespacedName{Namespace: namespace, Name: namespace}, together)
		return
	}
	delete(r.pending, namespace)
}
