package contract

import (
	"strings"
	"time"
)

// Voice begins each line that the agent writes among those of the training. Nothing of it is progress.
const Voice = "takt-agent: "

// What Takt writes on a pod for the agent in it.
const (
	// AgentAnnotation says that the agent wraps the container (Wraps). It waits at the start barrier.
	AgentAnnotation = "takt.dev/agent"
	// PortAnnotation is the port at which the agent serves MetricsPath.
	PortAnnotation = "takt.dev/agent-port"
	// EpochLabel is the epoch of the resize that brought the pod about.
	EpochLabel = "takt.dev/epoch"
	// IndexLabel is the number of the pod among the workers of its job, with all kinds of jobs that the agent can be put
	// into.
	IndexLabel = "training.kubeflow.org/replica-index"
	// LetInAnnotation is the epoch in which the barrier was opened for the pod. It is open for the pod
	// if that is not less than its own epoch.
	LetInAnnotation = "takt.dev/let-in"
	// DrainingAnnotation is on a pod that is told to leave the training, whatever its value is.
	DrainingAnnotation = "takt.dev/draining"
	// StepAsideAnnotation is a Request that a worker which is to leave steps aside: while all train on, those that stay
	// are to forget what runs its training, so that they do not wait for it once it has gone. It takes nothing back, and
	// need not be taken back.
	StepAsideAnnotation = "takt.dev/step-aside"
	// SaveAnnotation is a Request for a checkpoint.
	SaveAnnotation = "takt.dev/save"
	// GangAnnotation is with which others the pod has come, as JSON (Joins).
	GangAnnotation = "takt.dev/gang"
	// WrittenAnnotation is when Takt has written any of these at last, in milliseconds since 1970. It is written anew
	// where the agent does not seem to have read them, so that the kubelet looks again.
	WrittenAnnotation = "takt.dev/written"
)

// Wraps says that AgentAnnotation with some value says that the agent is there.
func Wraps(value string) bool { return strings.TrimSpace(value) != "" && !Denied(value) }

// Denied says that it says that the agent is not there, or on a job that it is not to be.
func Denied(value string) bool {
	switch strings.ToLower(strings.TrimSpace(value)) {
	case "false", "no", "off":
		return true
	}
	return false
}

// What people write on the template of the pods of a job, to say how their training is followed.
const (
	// SaveSignalAnnotation is the signal upon which the training saves its state, such as SIGUSR1.
	SaveSignalAnnotation = "takt.dev/save-signal"
	// SaveFileAnnotation is a file upon whose appearance it does.
	SaveFileAnnotation = "takt.dev/save-file"
	// CheckpointPathAnnotation is where it saves its state: a file, a folder or a pattern.
	CheckpointPathAnnotation = "takt.dev/checkpoint-path"
	// CheckpointPatternAnnotation is an expression for the line that it prints when it has.
	CheckpointPatternAnnotation = "takt.dev/checkpoint-pattern"
	// ProgressFileAnnotation is a file in which it tells its step, as DLRover does.
	ProgressFileAnnotation = "takt.dev/progress-file"
	// BarrierWithinAnnotation is how long the start barrier is waited for, such as 15m.
	BarrierWithinAnnotation = "takt.dev/barrier-within"
)

// Where things are in the container that is wrapped.
const (
	// Directory is an emptyDir, into which the init container installs the agent.
	Directory = "/takt"
	// Binary is the agent as it is installed in Directory.
	Binary = "agent"
	// AnnotationsFile is the annotations of the pod, as the downward API writes them.
	AnnotationsFile = "/takt-pod/annotations"
	// Port is where the agent serves its metrics, unless it is told otherwise.
	Port = 9494
	// Ports are how many ports there are, from that one on, of which it takes the first that is free: in the network of a
	// node there may be another agent.
	Ports = 16
	// MetricsPath is the path under which it does.
	MetricsPath = "/metrics"
)

// BarrierWithin is how long the start barrier is waited for where nobody says otherwise.
const BarrierWithin = 15 * time.Minute

// What the operator sets in the environment of the container that is wrapped, out of the pod itself.
const (
	// EpochVariable is the value of EpochLabel.
	EpochVariable = "TAKT_EPOCH"
	// IndexVariable is the value of IndexLabel.
	IndexVariable = "TAKT_INDEX"
	// GraceVariable is the grace period of the pod, such as 30s. Without it SIGTERM is forwarded at once.
	GraceVariable = "TAKT_GRACE"
	// PodVariable is the UID of the pod, which the agent tells with its metrics.
	PodVariable = "TAKT_POD"
	// LetInWithinVariable is how long the operator may take to let the pod in, such as 35m, where that is more than
	// BarrierWithin. The start barrier is waited for as long, unless the job says how long.
	LetInWithinVariable = "TAKT_LET_IN_WITHIN"
)

// What the agent sets in the environment of the training, for a script that wants to help.
const (
	// URLVariable is where the local endpoint is, such as http://127.0.0.1:40123.
	URLVariable = "TAKT_AGENT_URL"
	// TokenVariable is what a script shows there as a bearer token.
	TokenVariable = "TAKT_AGENT_TOKEN"
)

// What the agent serves under MetricsPath. A metric of which nothing is known is absent.
const (
	// MetricPod is 1 for the pod that the agent is in, whose UID is in its label PodLabel: who reads another has asked at
	// the port of somebody else. It is absent where the agent was not told.
	MetricPod = "takt_agent_pod"
	// MetricDone counts what is done. Its label UnitLabel says what is counted.
	MetricDone = "takt_progress_done"
	// MetricTotal is what MetricDone counts up to.
	MetricTotal = "takt_progress_total"
	// MetricDoneAt is when MetricDone was last told, in seconds since 1970.
	MetricDoneAt = "takt_progress_timestamp_seconds"
	// MetricSource is 1 for the source that tells the progress, in its label SourceLabel.
	MetricSource = "takt_progress_source"
	// MetricSavedAt is when the job last saved its state, in seconds since 1970.
	MetricSavedAt = "takt_checkpoint_timestamp_seconds"

	// MetricWaiting is 1 as long as the agent waits at the start barrier, and 0 afterwards.
	MetricWaiting = "takt_barrier_waiting"
	// MetricStartedAt is when the training was started, in seconds since 1970.
	MetricStartedAt = "takt_training_start_timestamp_seconds"
	// MetricDraining is 1 once the agent has read DrainingAnnotation: from then on an exit with 0 is one
	// with 143. Before that, the mark has not arrived.
	MetricDraining = "takt_draining"

	// MetricSavePossible is 1 if the agent knows how to ask the training for a checkpoint.
	MetricSavePossible = "takt_save_possible"
	// MetricSaveRead is the newest Request that the agent has read.
	MetricSaveRead = "takt_save_request"
	// MetricSaveAnswered is the newest Request that was handed to the training.
	MetricSaveAnswered = "takt_save_answered_request"
	// MetricSaveAnsweredAt is when that was, in seconds since 1970.
	MetricSaveAnsweredAt = "takt_save_answered_timestamp_seconds"
	// MetricSaveDeclined is the newest Request that could not be handed to anybody.
	MetricSaveDeclined = "takt_save_declined_request"

	// MetricAsideRead is the newest Request to step aside that the agent has read, and MetricAsideOver the newest that is
	// over.
	MetricAsideRead = "takt_aside_request"
	MetricAsideOver = "takt_aside_over_request"
	// MetricAsideTook is how many seconds it took then until the others had forgotten it; absent if they have not, or
	// there was nothing to forget.
	MetricAsideTook = "takt_aside_seconds"

	// MetricLines counts the lines of output, and MetricLinesSkipped those that nobody looked at because
	// there were too many.
	MetricLines        = "takt_output_lines_total"
	MetricLinesSkipped = "takt_output_lines_skipped_total"

	// PodLabel, UnitLabel and SourceLabel are labels of the metrics above.
	PodLabel    = "uid"
	UnitLabel   = "unit"
	SourceLabel = "source"
)
