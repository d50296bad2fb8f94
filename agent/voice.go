package agent

import (
	"fmt"
	"io"
	"sync/atomic"
	"time"

	"github.com/takt-dev/takt/agent/contract"
)

// voice says what people have to know, among what the training writes to its standard error. It waits for nobody: where
// the log is read slowly, the agent has better things to do than to tell.
type voice struct {
	sentences chan string
	flush     chan chan struct{}
	// within says that the training has begun a line there, such as a bar. A sentence begins another.
	within atomic.Bool
}

const (
	unsaid   = 64 // sentences that wait, at most
	lastWord = time.Second
)

func newVoice(to io.Writer) *voice {
	v := &voice{sentences: make(chan string, unsaid), flush: make(chan chan struct{})}
	go func() {
		for {
			select {
			case s := <-v.sentences:
				v.write(to, s)
			case done := <-v.flush:
				for len(v.sentences) > 0 {
					v.write(to, <-v.sentences)
				}
				close(done)
				return
			}
		}
	}()
	return v
}

func (v *voice) write(to io.Writer, sentence string) {
	if v.within.Swap(false) {
		sentence = "\n" + sentence
	}
	_, _ = io.WriteString(to, sentence)
}

// say says a sentence.
func (v *voice) say(format string, args ...any) {
	select {
	case v.sentences <- fmt.Sprintf(contract.Voice+format+"\n", args...):
	default:
	}
}

// close waits until all is said, for a bounded time.
func (v *voice) close() {
	limit := time.NewTimer(lastWord)
	defer limit.Stop()
	done := make(chan struct{})
	select {
	case v.flush <- done:
	case <-limit.C:
		return
	}
	select {
	case <-done:
	case <-limit.C:
	}
}
