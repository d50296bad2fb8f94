package reporting

import _ "github.com/takt-dev/takt/operator/resizing" // want depguard "joined by the wiring alone"
