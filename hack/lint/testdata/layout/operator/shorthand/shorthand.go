package shorthand

import _ "github.com/takt-dev/takt/operator/view" // want depguard "rests on no other room"
