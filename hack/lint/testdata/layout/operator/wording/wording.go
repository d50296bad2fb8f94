package wording

import _ "github.com/takt-dev/takt/operator/memory" // want depguard "knows of no job"
