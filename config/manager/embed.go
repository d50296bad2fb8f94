// Package manager holds the manifests that run the operator. The program has its default
// configuration from here, so that what it prints is what it is installed with.
package manager

import _ "embed"

// DefaultConfiguration is the file takt.yaml: every setting with its default and what it is for.
//
//go:embed takt.yaml
var DefaultConfiguration string
