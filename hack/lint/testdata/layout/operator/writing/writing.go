package writing

import _ "github.com/takt-dev/takt/operator/keeping" // want depguard "nobody who decides what"
