package settings

import (
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Settings are read from a YAML file. What is not given has its default.
type Settings struct {
	// Namespaces are the namespaces whose jobs Takt looks after; none means all of them. Where they
	// are named, Takt needs no rights beyond them but to read nodes, namespaces and TrainingQueues,
	// and sees only their pods: give it nodes of its own by nodeSelector. Defaults to none.
	Namespaces []string `json:"namespaces,omitempty"`
	// NodeSelector chooses the nodes whose GPUs Takt hands out, by their labels; empty means all.
	// Defaults to empty.
	NodeSelector map[string]string `json:"nodeSelector,omitempty"`
	// TimeZone is that of deadlines which name none, such as 18:00: a place such as Europe/Berlin, or UTC.
	// Empty refuses such deadlines, and says how to write them. Defaults to empty.
	TimeZone string `json:"timeZone,omitempty"`

	GPUs           GPUs           `json:"gpus"`
	LeavingNodes   LeavingNodes   `json:"leavingNodes"`
	Outsiders      Outsiders      `json:"outsiders"`
	Planning       Planning       `json:"planning"`
	Progress       Progress       `json:"progress"`
	Usage          Usage          `json:"usage"`
	Status         Status         `json:"status"`
	Resizes        Resizes        `json:"resizes"`
	Agent          Agent          `json:"agent"`
	Records        Records        `json:"records"`
	ElasticJobs    ElasticJobs    `json:"elasticJobs"`
	LeaderElection LeaderElection `json:"leaderElection"`
	Metrics        Metrics        `json:"metrics"`
	Page           Page           `json:"page"`
	Health         Health         `json:"health"`
	API            API            `json:"api"`
	Log            Log            `json:"log"`
}

// GPUs are how nodes offer their GPUs.
type GPUs struct {
	// Resources are the names of the resource; a worker uses one of them. Defaults to nvidia.com/gpu.
	Resources []string `json:"resources"`
	// ProductLabel is the label of a node that tells what GPUs it has. A job stays on one product.
	// Defaults to nvidia.com/gpu.product.
	ProductLabel string `json:"productLabel"`
	// Prices are what a GPU costs in an hour, in any currency, by its product; "*" is for all others. Without prices
	// nothing is told of cost. Defaults to none.
	Prices map[string]float64 `json:"prices,omitempty"`
}

// LeavingNodes are how it is told that a node is about to go: its cloud takes it back, or somebody drains it. Jobs with
// workers there are asked to save what they have done, and train on without these workers where they can.
type LeavingNodes struct {
	// Taints are the keys of taints that say so. Defaults to those of the node termination handlers of AWS and Google
	// Cloud, of Karpenter, and of the cluster autoscaler.
	Taints []string `json:"taints"`
	// Conditions are the types of conditions that say so where they are True. Defaults to PreemptScheduled,
	// TerminateScheduled, RedeployScheduled and RebootScheduled, as on Azure.
	Conditions []string `json:"conditions"`
}

// Outsiders are pods that ask for GPUs, and that Takt does not look after. Jobs of Takt give back GPUs for one that
// waits once its scheduler says that it lacks them.
type Outsiders struct {
	// MinPriority is the least priority of such a pod. Defaults to 0, which pods have that name none.
	MinPriority int32 `json:"minPriority"`
	// After is how long its scheduler must have said so. Defaults to 10s.
	After metav1.Duration `json:"after"`
	// UsedWithin is how long GPUs are kept free for it; if it has not used them by then, it waits for something
	// else, and none are kept for it any more. Where new pods of a namespace do not use them either, none are kept for
	// its pods for as long, then for twice as long, up to 32 times. Defaults to 2m.
	UsedWithin metav1.Duration `json:"usedWithin"`
	// Most is how many GPUs of a pool are given back at a time for such pods at most, and Reserve how many such
	// pods have at least, in use or free, by the names of pools; "*" is for all others. A pool that is not named
	// has no such bound. They default to none.
	Most    map[string]int64 `json:"most,omitempty"`
	Reserve map[string]int64 `json:"reserve,omitempty"`
	// OverGuarantees has queues give back GPUs that they are guaranteed, and use or ask for. Defaults to false.
	OverGuarantees bool `json:"overGuarantees"`
}

// Planning is when and how sizes are decided.
type Planning struct {
	// Settle is how long after something has happened a plan is made: what happens together is
	// planned for together. Defaults to 200ms.
	Settle metav1.Duration `json:"settle"`
	// Every is how often a plan is made though nothing has happened, at first; it is longer than Settle. As long as
	// such plans find nothing they are made more rarely. Defaults to 30s.
	Every metav1.Duration `json:"every"`
	// PromiseShare, Payback and Cooldown are explained in package elastic. They default to a third,
	// 10 and 2. None can be 0, which that package takes for the default.
	PromiseShare float64 `json:"promiseShare"`
	Payback      float64 `json:"payback"`
	Cooldown     float64 `json:"cooldown"`
	// AssumedPause is what a resize is taken to cost a job of which none was seen yet, and six times as long as a job
	// takes to end after its last step, as long as no run of its code has shown that. Defaults to 30s.
	AssumedPause metav1.Duration `json:"assumedPause"`
}

// Progress is how progress is read.
type Progress struct {
	// Every is how often a job is read. Defaults to 10s.
	Every metav1.Duration `json:"every"`
	// Timeout bounds one reading, and MaxBytes what is read of an answer. They default to 5s and
	// 1048576.
	Timeout  metav1.Duration `json:"timeout"`
	MaxBytes int64           `json:"maxBytes"`
	// StaleAfter is how old the last reading may be before the verdict says so; it is longer than
	// Every. Defaults to 5m.
	StaleAfter metav1.Duration `json:"staleAfter"`
}

// Usage is how it is watched whether jobs use the GPUs that they hold, where the cluster serves that.
type Usage struct {
	// Every is how often the use of a job is read.
	Every metav1.Duration `json:"every"`
	// GPUMetric is the custom metric of pods that tells the use of their GPUs in percent.
	GPUMetric string `json:"gpuMetric"`
	// A job whose GPUs, or CPUs where nobody tells of GPUs, were used less than IdleBelowPercent for a time
	// of IdleFor is said to be idle.
	IdleBelowPercent float64         `json:"idleBelowPercent"`
	IdleFor          metav1.Duration `json:"idleFor"`
}

// Status is how often it is told how things stand.
type Status struct {
	// Every is how often a status is written at most where only figures have moved on. What has happened is
	// told at once, unless it happens to one job more than twenty times in a row. Defaults to 15s.
	Every metav1.Duration `json:"every"`
}

// Resizes are the limits of package elastic/resize, with its defaults, and what is kept.
type Resizes struct {
	// Keep is how many finished Resizes of a job stay. Defaults to 20.
	Keep int `json:"keep"`
	// RetryAfter is how long a job is not grown again after a growth that found no room; it doubles
	// with every failure that follows, up to thirty times as long, and stays the same where nobody has answered. Defaults
	// to 1m.
	RetryAfter metav1.Duration `json:"retryAfter"`

	SettleAfter       metav1.Duration `json:"settleAfter"`       // Defaults to 20s.
	PlaceWithin       metav1.Duration `json:"placeWithin"`       // Defaults to 2m.
	ReadyWithin       metav1.Duration `json:"readyWithin"`       // Defaults to 10m.
	AcknowledgeWithin metav1.Duration `json:"acknowledgeWithin"` // Defaults to 15s.
	CheckpointWithin  metav1.Duration `json:"checkpointWithin"`  // Defaults to 2m.
	CheckpointFresh   metav1.Duration `json:"checkpointFresh"`   // Defaults to 15s.
	DrainWithin       metav1.Duration `json:"drainWithin"`       // Defaults to 2m.
	StopWithin        metav1.Duration `json:"stopWithin"`        // Defaults to 5m.
	VerifyWithin      metav1.Duration `json:"verifyWithin"`      // Defaults to 5m.
	StartWithin       metav1.Duration `json:"startWithin"`       // Defaults to 20m.
	SteadyFor         metav1.Duration `json:"steadyFor"`         // Defaults to 30s.
}

// Agent is what runs in the pods of jobs beside their training.
type Agent struct {
	// Enabled says whether there is one; if not, no job gets it. Defaults to true.
	Enabled bool `json:"enabled"`
	// Image is that of the agent, which all namespaces whose jobs Takt looks after must be able to pull. Defaults to the
	// one that Takt was installed with; without that, no job gets the agent.
	Image string `json:"image,omitempty"`
	// ByDefault says whether jobs get it that do not say. Defaults to true.
	ByDefault bool `json:"byDefault"`
}

// Records are what is kept of jobs that have ended, for takt trace.
type Records struct {
	// Keep is how many of each namespace stay at most, in 256 KiB; 0 keeps none. Defaults to 1000.
	Keep int `json:"keep"`
	// Namespace is where they are kept, in ConfigMaps; empty means that of the pod. Defaults to empty.
	Namespace string `json:"namespace,omitempty"`
	// Folder is where they are kept besides, for longer, if it is there: where a volume is mounted. Defaults to
	// /var/lib/takt/records.
	Folder string `json:"folder,omitempty"`
	// FolderMiB is how much the folder may have. Defaults to 64.
	FolderMiB int `json:"folderMiB"`
}

// ElasticJobs are what becomes of ElasticJobs whose jobs have ended.
type ElasticJobs struct {
	// TTLAfterFinished is how long those stay that do not say; 0s keeps them as long as their jobs. Defaults to 0s.
	TTLAfterFinished metav1.Duration `json:"ttlAfterFinished"`
}

// LeaderElection lets several replicas stand by.
type LeaderElection struct {
	// Enabled says that only the replica that holds the lease works. Defaults to true.
	Enabled bool `json:"enabled"`
	// Namespace is that of the lease; empty means that of the pod. Defaults to empty.
	Namespace string `json:"namespace,omitempty"`
	// Name is that of the lease. The Role of config/rbac names it too. Defaults to takt-operator.
	Name string `json:"name"`

	// LeaseDuration is how long the others wait for a leader that does not answer, RenewDeadline how
	// long a leader tries to renew before it gives up, and RetryPeriod the time between two tries.
	// They default to 15s, 10s and 2s.
	LeaseDuration metav1.Duration `json:"leaseDuration"`
	RenewDeadline metav1.Duration `json:"renewDeadline"`
	RetryPeriod   metav1.Duration `json:"retryPeriod"`
}

// Metrics is where Prometheus metrics are served.
type Metrics struct {
	// BindAddress is host and port, either of which may be left out; "0" serves none. Defaults to
	// :8443.
	BindAddress string `json:"bindAddress"`
	// Secure serves HTTPS, to those who may get /metrics. CertDir has tls.crt and tls.key; without
	// it a certificate is made at every start. They default to true and empty.
	Secure  bool   `json:"secure"`
	CertDir string `json:"certDir,omitempty"`
	// Jobs is how many jobs have figures of their own, whose labels name them; 0: none. They are served where Secure is
	// true alone, as job names are not for everyone. Defaults to 500.
	Jobs int `json:"jobs"`
}

// Page is a web page for people: all jobs and queues at a glance, and the life of each job.
type Page struct {
	// Enabled serves it below /takt/ beside the metrics, by every replica, to those who may get that path. It takes
	// Metrics.Secure. Defaults to false.
	Enabled bool `json:"enabled"`
}

// Health is where /healthz and /readyz are served.
type Health struct {
	// BindAddress is as that of Metrics. Defaults to :8081.
	BindAddress string `json:"bindAddress"`
}

// API is how fast the operator may talk to the API server.
type API struct {
	// QPS is how many requests it may send in a second, and Burst how many at once after a rest. They
	// default to 100 and 200.
	QPS   float32 `json:"qps"`
	Burst int     `json:"burst"`
	// Workers is how many objects of a kind are worked on at a time. Defaults to 8.
	Workers int `json:"workers"`
}

// Log is how much is logged, and how.
type Log struct {
	// Level is 0 for what an administrator must know, 1 for decisions, 2 for every step. Defaults to
	// 0.
	Level int `json:"level"`
	// Format is json or console. Defaults to json.
	Format string `json:"format"`
}

// Zone is the zone of deadlines that name none; nil refuses them.
func (s Settings) Zone() *time.Location {
	if zone, err := time.LoadLocation(s.TimeZone); err == nil && s.TimeZone != "" {
		return zone
	}
	return nil
}
