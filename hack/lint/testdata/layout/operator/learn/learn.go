package learn

import _ "github.com/takt-dev/takt/operator/page" // want depguard "knows of no job"
