package v1alpha1

// What has happened to jobs that have ended is kept in ConfigMaps in the
// namespace of the operator, one for each namespace of jobs. Package records
// says what is in them.
const (
	// RecordsLabel is on each of these ConfigMaps, with the namespace that its
	// jobs are of.
	RecordsLabel = "takt.dev/records-of"
	// RecordsKey is where the records are in its binaryData.
	RecordsKey = "records.jsonl.gz"
)

// RecordsName is the name of the ConfigMap with the records of a namespace.
func RecordsName(namespace string) string { return "takt-records-" + namespace }
