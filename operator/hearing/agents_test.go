package hearing

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/takt-dev/takt/agent/contract"
	"github.com/takt-dev/takt/operator/progress"
)

func pod(namespace, name string) *corev1.Pod {
	return &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: name, UID: types.UID(namespace + "/" + name)},
	}
}

func TestAWordIsHeardOnceItIsSaid(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var drains atomic.Bool
		again := 0
		e := &Agents{Now: time.Now, Ask: func(context.Context, *corev1.Pod) (progress.Word, error) {
			return progress.Word{Drains: drains.Load()}, nil
		}}
		of := func() Word {
			word := e.Of(t.Context(), pod("team", "a"), func() { again++ })
			synctest.Wait()
			return word
		}
		if word := of(); !word.At.IsZero() {
			t.Errorf("before it has answered it says %+v", word)
		}
		drains.Store(true)
		if word := of(); word.At.IsZero() || word.Drains || again != 1 {
			t.Errorf("at once it says %+v, and has called %d times", word, again)
		}
		<-time.After(every)
		of()
		if word := of(); !word.Drains || again != 2 {
			t.Errorf("once it has read the mark it says %+v, and has called %d times", word, again)
		}
	})
}

// Until when an agent had not read a request is known as well as it was asked.
func TestSinceWhenAnAgentHasReadARequest(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var read atomic.Int64
		e := &Agents{Now: time.Now, Ask: func(context.Context, *corev1.Pod) (progress.Word, error) {
			return progress.Word{Read: contract.Request(read.Load())}, nil
		}}
		began := time.Now()
		at := func(passed time.Duration) Word {
			<-time.After(time.Until(began.Add(passed)))
			e.Of(t.Context(), pod("team", "a"), func() {})
			synctest.Wait()
			return e.Last(pod("team", "a"))
		}
		if word := e.Of(t.Context(), pod("team", "a"), func() {}); !word.UnreadAt().Equal(began) {
			t.Errorf("before it has answered: %+v", word)
		}
		if word := at(10 * time.Second); !word.UnreadAt().Equal(began.Add(10 * time.Second)) {
			t.Errorf("as long as it has not read anything: %+v", word)
		}
		read.Store(7)
		at(20 * time.Second)
		if word := at(30 * time.Second); !word.ReadAt.Equal(began.Add(20 * time.Second)) {
			t.Errorf("once it has: %+v", word)
		}
	})
}

// Pods that never answer take the turns of their own namespace, and give them back.
func TestPodsThatNeverAnswerHoldUpNobodyElse(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		asked := map[string]*atomic.Int32{"mean": {}, "team": {}}
		e := &Agents{Now: time.Now, Ask: func(ctx context.Context, p *corev1.Pod) (progress.Word, error) {
			asked[p.Namespace].Add(1)
			if p.Namespace == "mean" {
				<-ctx.Done()
				return progress.Word{}, errors.New("no answer")
			}
			return progress.Word{CanSave: true}, nil
		}}
		nothing := func() {}
		for i := range 100 {
			e.Of(t.Context(), pod("mean", string(rune('a'+i))), nothing)
		}
		e.Of(t.Context(), pod("team", "a"), nothing)
		synctest.Wait()
		if word := e.Of(t.Context(), pod("team", "a"), nothing); !word.CanSave {
			t.Errorf("it is not heard: %+v", word)
		}
		if n := asked["mean"].Load(); n != ofOne {
			t.Errorf("%d of them are asked at a time, want %d", n, ofOne)
		}
		<-time.After(within + time.Second)
		synctest.Wait()
		if e.busy != 0 || len(e.ofOne) != 0 {
			t.Errorf("%d turns are not given back: %v", e.busy, e.ofOne)
		}
	})
}

func TestWhatNobodyWantsToKnowIsForgotten(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e := &Agents{
			Now: time.Now, Ask: func(context.Context, *corev1.Pod) (progress.Word, error) { return progress.Word{}, nil },
		}
		e.Of(t.Context(), pod("team", "a"), func() {})
		<-time.After(2 * kept)
		e.Of(t.Context(), pod("team", "b"), func() {})
		synctest.Wait()
		if len(e.of) != 1 {
			t.Errorf("%d are remembered", len(e.of))
		}
	})
}
