package main

import (
	_ "github.com/takt-dev/takt/operator"
	_ "github.com/takt-dev/takt/operator/rooms" // want depguard "all rooms at hand"
)

func main() {}
