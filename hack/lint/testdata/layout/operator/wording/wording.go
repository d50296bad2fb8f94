package wording

import _ "github.com/takt-dev/takt/operator/memory" // want depguard "rests on no other room"
