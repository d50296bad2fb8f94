package view

import (
	_ "github.com/takt-dev/takt/operator/cached"
	_ "github.com/takt-dev/takt/operator/profiles" // want depguard "decides nothing and writes nothing"
	_ "github.com/takt-dev/takt/operator/writing"  // want depguard "decides nothing and writes nothing"
)
