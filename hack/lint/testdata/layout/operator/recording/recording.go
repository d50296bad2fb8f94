package recording

import _ "github.com/takt-dev/takt/operator/reading" // want depguard "joined by the wiring alone"
