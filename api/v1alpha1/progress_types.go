package v1alpha1

// ProgressSource is where progress is read from.
//
// +kubebuilder:validation:Enum=Agent;Annotation;Prometheus;Logs;CustomMetrics
type ProgressSource string

const (
	// ProgressAgent is the endpoint of Takt's agent in the pods of the job.
	ProgressAgent ProgressSource = "Agent"
	// ProgressAnnotation is the annotation takt.dev/progress of the job.
	ProgressAnnotation ProgressSource = "Annotation"
	// ProgressPrometheus is a Prometheus endpoint of the first worker.
	ProgressPrometheus ProgressSource = "Prometheus"
	// ProgressLogs is the output of the first worker.
	ProgressLogs ProgressSource = "Logs"
	// ProgressCustomMetrics is the custom metrics API of the cluster.
	ProgressCustomMetrics ProgressSource = "CustomMetrics"
)

// ProgressSpec says where to read how far a job is.
//
// +kubebuilder:validation:XValidation:rule="!has(self.total) || self.total.matches('[1-9]')",message="total must be more than zero: it is what done counts up to, such as 1000 steps"
// +kubebuilder:validation:XValidation:rule="!has(self.source) || self.source in ['Prometheus', 'CustomMetrics'] == has(self.metric)",message="metric is the name of the metric to read, with the sources Prometheus and CustomMetrics: give it with these, and leave it out with others"
// +kubebuilder:validation:XValidation:rule="!has(self.metric) || has(self.source)",message="give source with metric: Prometheus or CustomMetrics"
// +kubebuilder:validation:XValidation:rule="!has(self.totalMetric) || has(self.metric)",message="totalMetric goes with metric: name the metric that counts what is done, too"
// +kubebuilder:validation:XValidation:rule="!has(self.metric) || has(self.total) != has(self.totalMetric)",message="say what metric counts up to: give either total, such as 1000, or totalMetric"
// +kubebuilder:validation:XValidation:rule="!(has(self.port) || has(self.path)) || !has(self.source) || self.source == 'Prometheus'",message="port and path are for the source Prometheus: leave them out with others"
// +kubebuilder:validation:XValidation:rule="!has(self.container) || !has(self.source) || self.source == 'Logs'",message="container is for the source Logs: leave it out with others"
type ProgressSpec struct {
	// source is where to read: Agent, Annotation, Prometheus, Logs or
	// CustomMetrics. Nothing else is then looked at.
	// +optional
	Source ProgressSource `json:"source,omitempty"`

	// total is what done counts up to, for a source that does not tell: the
	// number of steps or epochs of the whole training; 1 or 100 for a metric
	// that is a share or a percentage. With the source Logs, nothing that counts
	// up to another number is believed.
	// +optional
	Total Decimal `json:"total,omitempty"`

	// metric is the name of the metric that counts what is done, for the sources
	// Prometheus and CustomMetrics, such as train_steps_total.
	// +optional
	// +kubebuilder:validation:MaxLength=253
	// +kubebuilder:validation:XValidation:rule="self.matches('^[a-zA-Z_:][a-zA-Z0-9_:-]*([./][a-zA-Z0-9_:-]+)*$')",message="metric must be the name of a metric, such as train_steps_total"
	Metric string `json:"metric,omitempty"`

	// totalMetric is the name of a metric that says what metric counts up to.
	// Give either total or totalMetric.
	// +optional
	// +kubebuilder:validation:MaxLength=253
	// +kubebuilder:validation:XValidation:rule="self.matches('^[a-zA-Z_:][a-zA-Z0-9_:-]*([./][a-zA-Z0-9_:-]+)*$')",message="totalMetric must be the name of a metric, such as train_steps_planned"
	TotalMetric string `json:"totalMetric,omitempty"`

	// port is where the pods serve Prometheus metrics. Defaults to what the
	// annotation prometheus.io/port of the pod says.
	// +optional
	// +kubebuilder:validation:Minimum=1
	// +kubebuilder:validation:Maximum=65535
	Port *int32 `json:"port,omitempty"`

	// path is the path of the Prometheus metrics. Defaults to what the
	// annotation prometheus.io/path of the pod says, else /metrics.
	// +optional
	// +kubebuilder:validation:MaxLength=253
	// +kubebuilder:validation:XValidation:rule="self.startsWith('/')",message="path must begin with '/', as in /metrics"
	Path string `json:"path,omitempty"`

	// container is the container whose output is read, for the source Logs.
	// Defaults to the one that trains.
	// +optional
	// +kubebuilder:validation:MaxLength=63
	// +kubebuilder:validation:XValidation:rule="!format.dns1123Label().validate(self).hasValue()",message="container must be the name of a container of the pods of the job"
	Container string `json:"container,omitempty"`
}
