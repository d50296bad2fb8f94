package rooms

import (
	"k8s.io/apimachinery/pkg/types"

	"github.com/takt-dev/takt/operator/expiring"
	"github.com/takt-dev/takt/operator/profiles"
	"github.com/takt-dev/takt/operator/reading"
	"github.com/takt-dev/takt/operator/recording"
	"github.com/takt-dev/takt/operator/reporting"
	"github.com/takt-dev/takt/operator/resizing"
	"github.com/takt-dev/takt/operator/view"
	"github.com/takt-dev/takt/records"
	"github.com/takt-dev/takt/records/volume"
)

// mostRecordBytes is how much is kept of the jobs of one namespace: a quarter of what a ConfigMap may have.
const mostRecordBytes = 256 << 10

// Furnish makes the rooms, and gives each what it works with. What is to outlive it is made before.
func (r *Rooms) Furnish() {
	r.View = &view.Viewer{Client: r.Client, Kinds: r.Kinds, Memory: r.Memory, Profiles: r.Profiles, GPUs: r.GPUs,
		Zone: r.Settings.Zone(), Now: r.now}
	r.Shelf = &profiles.Shelf{Store: r.Profiles, StaleAfter: r.Settings.Progress.StaleAfter.Duration, Now: r.now}
	r.Recorder = &recording.Recorder{
		Store:  &recording.Store{Client: r.Client, Live: r.Live, Namespace: r.RecordsIn, Now: r.now},
		Folder: volume.Folder{Path: r.Settings.Records.Folder, Most: int64(r.Settings.Records.FolderMiB) << 20},
		Limits: records.Limits{Count: r.Settings.Records.Keep, Bytes: mostRecordBytes}, GPUs: r.GPUs,
		Ask: r.Asks.Recorder.Add,
	}
	r.Reader = &reading.Reader{
		Client: r.Client, View: r.View, Shelf: r.Shelf, Sources: r.Sources, Usage: r.Usage, Turns: r.Turns,
		Unserved: &r.unserved,
		Metrics:  r.Metrics, Settings: r.Settings, Limits: r.Limits, GPUs: r.GPUs, Now: r.now, Ended: r.Recorder.Ended,
		Heard:  func(of types.NamespacedName, foreseen bool) { r.Planner.HearReading(of, foreseen) },
		Report: r.Report,
	}
	r.Reporter = &reporting.Reporter{
		Client: r.Client, Live: r.Live, View: r.View, Shelf: r.Shelf, Events: r.Events, Metrics: r.Metrics,
		Statuses: &r.statuses,
		Settings: r.Settings, Now: r.now,
	}
	r.Resizer = &resizing.Resizer{
		Client: r.Client, Live: r.Live, View: r.View, Events: r.Events, Metrics: r.Metrics,
		Unwritten: resizing.NewUnwritten(),
		Settings:  r.Settings, Limits: r.Limits, GPUs: r.GPUs, Now: r.now, Replan: func() { r.Planner.Kick() },
		Agents: r.Agents, Again: func(name types.NamespacedName) { r.Asks.Resizer.Add(name, 0) },
		Planned: r.Planner.Warm.Load,
	}
	r.Expirer = &expiring.Expirer{
		Client: r.Client, Live: r.Live, View: r.View, Events: r.Events,
		Default: r.Settings.ElasticJobs.TTLAfterFinished.Duration,
		Rest:    expiring.Rest, Now: r.now, Unkept: r.Recorder.Holds,
	}
	r.Attendant = &resizing.Attendant{Client: r.Client, View: r.View, Limits: r.Limits, Now: r.now}
	r.furnishPlanner()
}

func (r *Rooms) furnishPlanner() {
	p := r.Planner
	p.Client, p.Live, p.View, p.Shelf, p.Shared, p.Memory = r.Client, r.Live, r.View, r.Shelf, &r.Shared, r.Memory
	p.Events, p.Metrics, p.Last, p.Ready = r.Events, r.Metrics, r.Last, r.Kinds.LookedFor()
	r.Last.Beyond = p.Beyond
	p.Settings, p.Limits, p.GPUs, p.AtOnce, p.Now = r.Settings, r.Limits, r.GPUs, r.ResizesAtOnce(), r.now
	p.Report, p.Say, p.Outspoken = r.Report, r.Reporter.Say, reporting.Outspoken
	p.StepOn = func(name types.NamespacedName) { r.Asks.Resizer.Add(name, 0) }
	p.ReadOn = func(name types.NamespacedName) { r.Asks.Reader.Add(name, 0) }
}
