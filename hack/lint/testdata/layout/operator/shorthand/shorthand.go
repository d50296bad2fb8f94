package shorthand

import _ "github.com/takt-dev/takt/operator/view" // want depguard "knows of no job"
