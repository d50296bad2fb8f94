package told

import _ "github.com/takt-dev/takt/predictor" // want depguard "from list told"
