package removal

import _ "github.com/takt-dev/takt/operator/keeping" // want depguard "no room that acts"
