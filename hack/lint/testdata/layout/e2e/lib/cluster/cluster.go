package cluster

import _ "github.com/takt-dev/takt/e2e/lib/extent" // want depguard "rests on no other library"
