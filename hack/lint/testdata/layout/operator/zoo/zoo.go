package zoo

import _ "github.com/takt-dev/takt/operator/view" // want depguard "knows of nobody who looks after it"
