package extent

import (
	"hash/fnv"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"sync"
	"testing"
)

// Long says that all is to be played, however long it takes.
func Long() bool { return os.Getenv("TAKT_LONG") != "" }

// Of is one of two figures: that of a sample, or that of the whole.
func Of[T any](sample, whole T) T {
	if Long() {
		return whole
	}
	return sample
}

const seedVariable = "TAKT_SEED"

// Given is the seed that somebody has given.
func Given() (seed uint64, given bool) {
	text := os.Getenv(seedVariable)
	if text == "" {
		return 0, false
	}
	seed, err := strconv.ParseUint(text, 10, 64)
	if err != nil {
		panic(seedVariable + " is " + strconv.Quote(text) + ": give a whole number")
	}
	return seed, true
}

// Seed is what samples are drawn by: another one each time, unless it is given.
var Seed = sync.OnceValue(func() uint64 {
	if seed, given := Given(); given {
		return seed
	}
	return rand.Uint64N(1e6)
})

// Some draws so many of all that might be played, in their order, or takes all of them. What is drawn
// depends on the seed and the name of the test alone.
func Some[T any](t testing.TB, all []T, n int) []T {
	t.Helper()
	if Long() || n >= len(all) {
		return all
	}
	t.Logf("%d of %d are played; %s=%d draws the same ones again", n, len(all), seedVariable, Seed())
	return draw(all, n, Seed(), t.Name())
}

// Seeds are those of so many histories: where time is short a twelfth of them, others each time.
func Seeds(t testing.TB, histories int) []uint64 {
	t.Helper()
	if testing.Short() {
		return Some(t, First(histories), max(1, histories/12))
	}
	return First(histories)
}

// First are the first so many seeds.
func First(n int) []uint64 {
	all := make([]uint64, n)
	for i := range all {
		all[i] = uint64(i)
	}
	return all
}

// One draws one of all, in make test-long too: another one for each purpose that a test has.
func One[T any](t testing.TB, all []T, purpose string) T {
	t.Helper()
	t.Logf("%s=%d draws the same again", seedVariable, Seed())
	return draw(all, 1, Seed(), t.Name()+" "+purpose)[0]
}

func draw[T any](all []T, n int, seed uint64, name string) []T {
	hash := fnv.New64a()
	_, _ = hash.Write([]byte(name)) // it never fails
	places := rand.New(rand.NewPCG(seed, hash.Sum64())).Perm(len(all))[:n]
	slices.Sort(places)
	drawn := make([]T, 0, n)
	for _, i := range places {
		drawn = append(drawn, all[i])
	}
	return drawn
}
