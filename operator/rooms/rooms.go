package rooms

import (
	"time"

	"github.com/go-logr/logr"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/takt-dev/takt/elastic/resize"
	"github.com/takt-dev/takt/operator/capacity"
	"github.com/takt-dev/takt/operator/expiring"
	"github.com/takt-dev/takt/operator/hearing"
	"github.com/takt-dev/takt/operator/installed"
	"github.com/takt-dev/takt/operator/keeping"
	"github.com/takt-dev/takt/operator/kind"
	"github.com/takt-dev/takt/operator/learn"
	"github.com/takt-dev/takt/operator/memory"
	"github.com/takt-dev/takt/operator/pacing"
	"github.com/takt-dev/takt/operator/planning"
	"github.com/takt-dev/takt/operator/profiles"
	"github.com/takt-dev/takt/operator/progress"
	"github.com/takt-dev/takt/operator/reading"
	"github.com/takt-dev/takt/operator/recording"
	"github.com/takt-dev/takt/operator/reporting"
	"github.com/takt-dev/takt/operator/resizing"
	"github.com/takt-dev/takt/operator/settings"
	"github.com/takt-dev/takt/operator/telling"
	"github.com/takt-dev/takt/operator/view"
)

// Rooms are all rooms of one operator, and what they share.
type Rooms struct {
	Settings settings.Settings
	Limits   resize.Limits
	GPUs     capacity.Options
	Now      func() time.Time

	Client client.Client // reads from the cache
	Live   client.Reader // reads from the API server

	Kinds    *installed.Kinds
	Memory   *memory.Memory
	Profiles *learn.Store
	Sources  *progress.Reader
	Turns    *reading.Turns
	Usage    *progress.UsageReader
	Agents   *hearing.Agents
	Events   *telling.Recorder
	Metrics  *telling.Metrics
	Last     *planning.LastSnapshot

	RecordsIn string // the namespace in which records of jobs are kept; empty keeps none

	// These are there from the beginning, so that others can ask them for something.
	Planner *planning.Planner
	Asks    Asks
	Shared  profiles.Shared

	// These are there once Furnish was called.
	View      *view.Viewer
	Shelf     *profiles.Shelf
	Reader    *reading.Reader
	Recorder  *recording.Recorder
	Expirer   *expiring.Expirer
	Reporter  *reporting.Reporter
	Resizer   *resizing.Resizer
	Attendant *resizing.Attendant

	statuses pacing.Allowances // written, by ElasticJob
	words    pacing.Allowances // that were written on jobs anew
	unserved memory.Unserved
}

// Asks are the lines of the controllers that others than their watches ask to look at something.
type Asks struct{ Reporter, Reader, Resizer, Recorder pacing.Requests }

// New has what rooms share that knows of no cluster but by its clients. Whoever calls it sets the rest, and then calls
// Furnish.
func New(s settings.Settings, c client.Client, live client.Reader, now func() time.Time, log logr.Logger) *Rooms {
	return &Rooms{
		Settings: s, Limits: s.Limits(), GPUs: gpusOf(s), Now: now, Client: c, Live: live,
		Memory: memory.New(), Metrics: telling.NewMetrics(), Last: &planning.LastSnapshot{},
		Profiles: &learn.Store{Client: c, Fresh: live},
		Turns:    reading.NewTurns(s.API.Workers, s.Progress.Timeout.Duration, s.Progress.StaleAfter.Duration),
		Planner:  planning.NewPlanner(log.WithName("planner")),
	}
}

// gpusOf is what the settings say of GPUs, and of who else uses them.
func gpusOf(s settings.Settings) capacity.Options {
	gpus := capacity.Options{
		ProductLabel: s.GPUs.ProductLabel, NodeSelector: s.NodeSelector,
		LeavingTaints: s.LeavingNodes.Taints, LeavingConditions: s.LeavingNodes.Conditions,
		MinPriority: s.Outsiders.MinPriority, After: s.Outsiders.After.Duration, LeaveWithin: s.Limits().DrainWithin,
	}
	for _, name := range s.GPUs.Resources {
		gpus.Resources = append(gpus.Resources, corev1.ResourceName(name))
	}
	return gpus
}

// ResizesAtOnce is how many resizes are begun, or taken a step further, at a time: half as many again as other things.
// Each waits for the API server nearly all of the time, and of ten that are decided together none is to wait for
// another.
func (r *Rooms) ResizesAtOnce() int {
	workers := max(r.Settings.API.Workers, 1)
	return workers + workers/2
}

// Keeper is that of the jobs of a kind.
func (r *Rooms) Keeper(of kind.Kind) *keeping.Keeper {
	return &keeping.Keeper{
		Client: r.Client, Live: r.Live, Events: r.Events, Kind: of, Zone: r.Settings.Zone(), Words: &r.words,
		Now: r.now, StopWithin: r.Limits.StopWithin,
	}
}

// Report has the status of an ElasticJob looked at, soon. Nothing is lost before the reporter runs: it
// begins with all of them.
func (r *Rooms) Report(name types.NamespacedName) {
	r.Asks.Reporter.Add(name, pacing.DelayedBy)
}

// now is the time by the clock that there is when it is asked.
func (r *Rooms) now() time.Time { return r.Now() }
