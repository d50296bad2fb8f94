package capacity

import _ "github.com/takt-dev/takt/operator/profiles" // want depguard "knows of no job"
