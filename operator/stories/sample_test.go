package stories

import (
	"math/rand/v2"
	"os"
	"strconv"
	"sync"
	"testing"

	"github.com/takt-dev/takt/operator/zoo/habit"
)

const seedVariable = "TAKT_SEED"

// sampleSeed is what a sample of the zoo is drawn by: another one each time, unless it is given.
var sampleSeed = sync.OnceValue(func() uint64 {
	if text := os.Getenv(seedVariable); text != "" {
		if given, err := strconv.ParseUint(text, 10, 64); err == nil {
			return given
		}
		panic(seedVariable + " is " + strconv.Quote(text) + ": give a whole number")
	}
	return rand.Uint64N(1e6)
})

// sample draws for a test.
func sample(t *testing.T) *rand.Rand {
	t.Helper()
	t.Logf("a sample is played; %s=%d draws the same again", seedVariable, sampleSeed())
	return rand.New(rand.NewPCG(sampleSeed(), 4))
}

// companies divides all animals into fours, so that each is in one. The last is filled up.
func companies(animals []habit.Animal) [][]habit.Animal {
	shuffled := rand.New(rand.NewPCG(0, 3)).Perm(len(animals))
	var all [][]habit.Animal
	for i := 0; i < len(shuffled); i += 4 {
		var four []habit.Animal
		for k := range 4 {
			four = append(four, animals[shuffled[(i+k)%len(shuffled)]])
		}
		all = append(all, four)
	}
	return all
}
