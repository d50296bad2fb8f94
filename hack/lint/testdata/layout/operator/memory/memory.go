package memory

import _ "github.com/takt-dev/takt/operator/view" // want depguard "on the ground alone"
