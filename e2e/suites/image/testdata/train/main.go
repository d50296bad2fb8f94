// Command train is a training as its operator sees it: it prints how far it is, and ends well.
package main

import (
	"fmt"
	"time"
)

func main() {
	const steps = 40
	ticks := time.NewTicker(500 * time.Millisecond)
	for step := 1; step <= steps; step++ {
		<-ticks.C
		fmt.Printf("step %d/%d\n", step, steps)
	}
}
