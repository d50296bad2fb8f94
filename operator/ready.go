package operator

import (
	"context"
	"errors"
	"net/http"
	"sync/atomic"

	"sigs.k8s.io/controller-runtime/pkg/manager"
)

// addReadyCheck has the process pass for ready once it has read what it works from, whether it leads or not. One that
// may not read it would lead and do nothing: a Deployment that has the new one come first keeps the one before it as
// long as that is not ready. The kinds of training jobs are no part of it: who leads opens them, once it does.
func addReadyCheck(m manager.Manager) error {
	r := &ready{}
	if err := m.Add(r); err != nil {
		return err
	}
	return m.AddReadyzCheck("ready", r.check)
}

// ready is started by the manager once all caches are filled.
type ready struct{ is atomic.Bool }

// Start is called then.
func (r *ready) Start(context.Context) error {
	r.is.Store(true)
	return nil
}

// NeedLeaderElection says that it is called on those as well that do not lead.
func (r *ready) NeedLeaderElection() bool { return false }

func (r *ready) check(*http.Request) error {
	if !r.is.Load() {
		return errors.New("not all of what the operator works from could be read yet: its log says what the API server " +
			"refuses")
	}
	return nil
}
