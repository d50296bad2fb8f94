// Command train is a training as its operator sees it: it prints how far it is, and ends well. It takes 40 steps, or as
// many as it is told.
package main

import (
	"fmt"
	"os"
	"strconv"
	"time"
)

func main() {
	steps := 40
	if len(os.Args) > 1 {
		steps, _ = strconv.Atoi(os.Args[1])
	}
	ticks := time.NewTicker(500 * time.Millisecond)
	for step := 1; step <= steps; step++ {
		<-ticks.C
		fmt.Printf("step %d/%d\n", step, steps)
	}
}
