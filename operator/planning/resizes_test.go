package planning

import (
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/go-logr/logr"
)

// Ten resizes that are decided together take as long to be made as one.
func TestResizesThatAreDecidedTogetherDoNotWaitForEachOther(t *testing.T) {
	p := NewPlanner(logr.Discard())
	p.AtOnce = 10
	synctest.Test(t, func(t *testing.T) {
		const answer = 100 * time.Millisecond // of the API server
		failed := errors.New("the API server is away")
		made := make([]func() error, p.AtOnce)
		for i := range made {
			made[i] = func() error {
				<-time.After(answer)
				return failed
			}
		}
		began := time.Now()
		errs := p.together(made)
		if took := time.Since(began); took != answer {
			t.Errorf("ten take %v, and one %v", took, answer)
		}
		for i, err := range errs {
			if !errors.Is(err, failed) {
				t.Errorf("of resize %d it is said: %v", i, err)
			}
		}
	})
}
