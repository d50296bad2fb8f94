package expiring

import _ "github.com/takt-dev/takt/operator/recording" // want depguard "joined by the wiring alone"
