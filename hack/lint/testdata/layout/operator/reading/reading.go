package reading

import _ "github.com/takt-dev/takt/operator/reporting" // want depguard "joined by the wiring alone"
