package page

import _ "github.com/takt-dev/takt/operator/planning" // want depguard "asks nobody who acts"
