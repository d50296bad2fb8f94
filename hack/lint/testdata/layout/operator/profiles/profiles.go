package profiles

import _ "github.com/takt-dev/takt/operator/reading" // want depguard "know of nobody who acts"
