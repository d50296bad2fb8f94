package marking

import _ "github.com/takt-dev/takt/operator/keeping" // want depguard "joined by the wiring alone"
