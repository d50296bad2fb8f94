package settings

import (
	"os"
	"strings"
)

// ownNamespace is where a pod finds the name of its namespace.
const ownNamespace = "/var/run/secrets/kubernetes.io/serviceaccount/namespace"

// In is the namespace in which records are kept; empty where none is named, outside of a cluster.
func (r Records) In() string {
	if r.Namespace != "" {
		return r.Namespace
	}
	text, err := os.ReadFile(ownNamespace)
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(text))
}
