package predictor

import (
	"math/rand/v2"
	"time"

	_ "gonum.org/v1/gonum"

	_ "github.com/takt-dev/takt/elastic" // want depguard "from list predictor"
	_ "k8s.io/apimachinery"              // want depguard "from list predictor"
	_ "k8s.io/client-go"                 // want depguard "from list predictor"
	_ "sigs.k8s.io/controller-runtime"   // want depguard "from list predictor"
)

func now() time.Time { return time.Now() } // want forbidigo "takes the time as a value"

func age(t time.Time) time.Duration { return time.Since(t) } // want forbidigo "takes the time as a value"

func wait() {
	<-time.After(time.Second) // want forbidigo "takes the time as a value"
	time.Sleep(time.Second)   // want forbidigo "wait for what is awaited"
}

func draw() int { return rand.IntN(6) } // want forbidigo "draws from a source"

func drawFrom(source *rand.Rand) int { return source.IntN(6) }

func later(t time.Time) time.Time { return t.Add(time.Hour) }
