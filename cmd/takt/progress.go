package main

import (
	"fmt"
	"io"
	"os"
	"time"
)

// patience is how long people wait without wondering.
const patience = 2 * time.Second

// showProgress shows what say tells on one line of a terminal, once it takes longer than people
// wait without wondering. The line is gone after stop. Where there is no terminal nothing is shown.
func showProgress(w io.Writer, say func() string) (stop func()) {
	if !isTerminal(w) {
		return func() {}
	}
	return redraw(w, say)
}

func isTerminal(w io.Writer) bool {
	file, ok := w.(*os.File)
	if !ok || os.Getenv("TERM") == "dumb" {
		return false
	}
	info, err := file.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}

// What terminals understand. A line that is too long is cut off at the edge: if it went on below,
// it could not be drawn over.
const (
	clearLine = "\r\x1b[K"
	cutOff    = "\x1b[?7l"
	goOnBelow = "\x1b[?7h"
)

func redraw(w io.Writer, say func() string) (stop func()) {
	ended, cleared := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(cleared)
		select {
		case <-ended:
			return
		case <-time.After(patience):
		}
		ticks := time.NewTicker(patience / 10)
		defer ticks.Stop()
		for {
			fmt.Fprint(w, clearLine+cutOff+say()+goOnBelow)
			select {
			case <-ended:
				fmt.Fprint(w, clearLine)
				return
			case <-ticks.C:
			}
		}
	}()
	return func() {
		close(ended)
		<-cleared
	}
}
