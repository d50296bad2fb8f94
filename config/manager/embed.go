package manager

import _ "embed"

// DefaultConfiguration is the file takt.yaml: every setting with its default and what it is for.
//
//go:embed takt.yaml
var DefaultConfiguration string
