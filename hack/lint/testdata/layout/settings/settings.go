package settings

import _ "github.com/takt-dev/takt/scheduler/pack" // want depguard "nothing that goes by them"
