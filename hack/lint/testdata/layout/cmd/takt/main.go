package main

import (
	"time"

	_ "github.com/takt-dev/takt/operator" // want depguard "nothing imports the operator"
)

func main() {
	time.Sleep(time.Second) // want forbidigo "wait for what is awaited"
}
