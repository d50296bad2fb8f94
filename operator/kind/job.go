package kind

import (
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/takt-dev/takt/elastic/resize"
	"github.com/takt-dev/takt/operator/kind/written"
)

// Job is a training job, whatever its kind.
type Job struct {
	Kind            string // such as PyTorchJob
	Namespace, Name string
	UID             types.UID
	Labels          map[string]string
	Annotations     map[string]string
	CreatedAt       time.Time

	// Size is the number of pods that train, as declared; Fixed of them, those with the lowest
	// indices, cannot be taken away, such as a master.
	Size, Fixed resize.Workers
	// Alone says that its leader trains without workers: it starts and stops, and has no other size.
	Alone bool
	// Written is the size that it was written for: the one that it had before Takt gave it any, or that somebody
	// has given it since.
	Written resize.Workers
	// SubmittedSuspended says that it was submitted suspended, for Takt to start it.
	SubmittedSuspended bool
	// Least and Most are the range of sizes that the job declares itself; both are Size if it does
	// not. Most is at least Least, and Least at least 1.
	Least, Most resize.Workers
	// Together is how many workers a gang scheduler other than Takt's starts at once at least; 0 for any.
	Together  resize.Workers
	Mode      resize.Mode
	Suspended bool
	State     resize.JobState
	EndedAt   time.Time // when it finished or failed
	Message   string    // what the job says of its end
	Asked     resize.Ask
	// EndsByLeaver says that a worker which is told to leave, and exits with 0, ends the whole job: its controller takes
	// that for the success of all.
	EndsByLeaver bool
	// PodsStay says that pods which have ended stay until the job is deleted, and others come in their place.
	PodsStay bool
	// Retries are the failures that the job has left before it fails as a whole, those not taken off that are told by its
	// pods: restarts of their containers. Nil is that it outlives any number.
	Retries *int32
	// Failures are those of its pods that its controller counts, and HoldsBack is how long it makes no new ones after the
	// last of them; zero if it makes them at once.
	Failures  int
	HoldsBack time.Duration
	// ReturnsTo is what Target said when the job was last suspended by Takt; 0 once it is not.
	ReturnsTo resize.Workers
	// Held says that the job was to start when it was created, and was suspended for Takt to find its size.
	Held bool

	// Ceiling is the size that the workers which run now cannot outgrow; 0 is none.
	Ceiling resize.Workers
	// Floor is the size that the workers which run now cannot go below; 0 is none.
	Floor resize.Workers
	// Bounded says that both hold for those that are started next, too.
	Bounded bool

	// Worker is what a worker's pod looks like, as declared; nil if the job has none. Not to be
	// changed.
	Worker *corev1.PodTemplateSpec
	// PodLabels are the labels that its controller gives each worker, beside those of the template.
	PodLabels map[string]string
	// MadeBy is what has made it, and may judge it by its pods or its conditions; empty if nobody but people has. To such
	// a judge a job that is stopped, or has another number of workers, may have failed.
	MadeBy string
	// AddedPort is one that its controller adds to those that a worker names, as each of its pods listens there; 0 is
	// none.
	AddedPort int32
	// Container is what the container that trains is called in jobs of this kind, as a rule; empty if there is no such
	// rule.
	Container string
	// Leader is the same for the pod that cannot be taken away; nil if the job has none.
	Leader *corev1.PodTemplateSpec
	// StartedAt is since when its controller counts Lasts, which is how long it lets the job run; 0 is as long as it
	// takes. Both begin anew when it goes on after it was suspended.
	StartedAt time.Time
	Lasts     time.Duration
	// AtItsEnd says of a job some of whose workers have finished that it keeps its size until it ends; empty otherwise. A
	// restart would throw away what the others still do.
	AtItsEnd string
	// Finished is how many of its workers have, where it is at its end.
	Finished resize.Workers
	// Objections are why the job cannot be managed as it is, whether it is suspended or not.
	Objections []Objection
	// OnlyCold are why its workers cannot join and leave while it trains, though they could in others of its
	// kind: it is resized by a restart. Those that Patch mends go with the first.
	OnlyCold []Objection
	// AgentObstacle is why Takt's agent cannot start its training, and what to do about it; empty if it can.
	AgentObstacle string
}

// Objection is a reason for leaving a job alone, or for resizing it by a restart.
type Objection struct {
	Reason  string // in CamelCase, as of a condition
	Message string // what is the matter, and what to change
	// Mendable says that Patch makes it safe when it starts the job.
	Mendable bool
	// Fits is the size at which nothing is the matter, for a job that is to have no other; 0 for none.
	Fits resize.Workers
}

// Reasons of Objections that are known outside of the kinds that have them.
const (
	// ManagedElsewhere is that of a job which another system starts and stops.
	ManagedElsewhere = "ManagedElsewhere"
	// AboutToFinish is that of a job which is stopped, and some of whose workers have finished.
	AboutToFinish = "AboutToFinish"
	// SizeInCommand is that of a job whose command tells its training one size, whatever size it has.
	SizeInCommand = "SizeInCommand"
	// HasGang is that of a job whose pods another scheduler starts together, by a number that is written elsewhere.
	HasGang = "HasGang"
	// SizeInEnvironment is that of a job of which a variable does.
	SizeInEnvironment = "SizeInEnvironment"
)

// QueueOfKueue is the label by which Kueue takes a job over.
const QueueOfKueue = written.QueueOfKueue

// Unchanged says that what was decided for the job as it was holds for it as it is.
func (j Job) Unchanged(since Job) bool {
	return j.UID == since.UID && j.Size == since.Size && j.Suspended == since.Suspended && j.Asked == since.Asked &&
		j.State == since.State && j.AtItsEnd == since.AtItsEnd
}

// Fewest is the size that the job has at least, whatever it is asked for: a leader, if it has one, and a worker, unless
// the leader trains alone.
func (j Job) Fewest() resize.Workers {
	if j.Alone {
		return j.Fixed
	}
	return j.Fixed + 1
}

// Ranging gives the job a range of sizes.
func (j Job) Ranging(least, most resize.Workers) Job {
	j.Least = max(least, j.Fewest())
	j.Most = max(most, j.Least)
	return j
}

// Restarting makes a job of live workers one that is resized by a restart, for as long as there is anything
// that does not let them join and leave. What Patch mends counts for the workers that run alone.
func (j Job) Restarting(found []Objection) Job {
	j.Mode = resize.Live
	for _, o := range found {
		if !o.Mendable || !j.Suspended {
			j.OnlyCold, j.Mode = append(j.OnlyCold, o), resize.Cold
		}
	}
	return j
}
