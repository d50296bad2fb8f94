package capacity

import _ "github.com/takt-dev/takt/operator/kind" // want depguard "rests on no other room"
