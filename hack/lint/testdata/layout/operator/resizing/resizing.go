package resizing

import _ "github.com/takt-dev/takt/operator/planning" // want depguard "joined by the wiring alone"
