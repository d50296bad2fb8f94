package progress

import (
	"testing"
	"time"
)

// The clock of a node is behind ours, or ours is set ahead and back again. What its worker tells is dated by ours, as
// exactly as we look; and where clocks agree, as the worker dates it.
func TestReadingsAreDatedByOurClock(t *testing.T) {
	for name, behind := range map[string]func(round int) time.Duration{
		"as ours":         func(int) time.Duration { return 0 },
		"a bit ahead":     func(int) time.Duration { return -30 * time.Second },
		"behind":          func(int) time.Duration { return 6 * time.Minute },
		"far behind":      func(int) time.Duration { return time.Hour },
		"ours is set":     func(round int) time.Duration { return time.Duration(min(round/30, 1)) * time.Hour },
		"and set back":    func(round int) time.Duration { return time.Duration(1-min(round/30, 1)) * time.Hour },
		"behind and then": func(round int) time.Duration { return time.Duration(round/40) * 7 * time.Minute },
	} {
		t.Run(name, func(t *testing.T) {
			reader, sources, _ := stage()
			source := sources[logs]
			source.err = nil
			truly := sixOClock // what a clock shows that is right, as the node's is
			for round := range 80 {
				truly = truly.Add(ten)
				told := truly.Add(-3 * time.Second)
				now := truly.Add(behind(round))
				source.answer = Sample{Done: float64(round), Total: 1000, At: told}
				got, err := reader.Read(t.Context(), resnet(), now)
				if err != nil {
					t.Fatal(err)
				}
				was := behind(max(round-1, 0))
				off := got.At.Sub(told.Add(behind(round)))
				switch {
				case round == 0 || was != behind(round): // that is found out with the next
				case off < -ten || off > 3*time.Second && behind(round) >= 0:
					t.Fatalf("%d: it is dated %s off, by %s, at %s", round, off, got.At, now)
				case behind(round) <= 0 && round < 30 && !got.At.Equal(told):
					t.Fatalf("%d: it is dated %s, want what the worker says, %s", round, got.At, told)
				}
			}
		})
	}
}

// What was told long ago is dated so, however often it is read; and so is what comes out of order.
func TestWhatIsToldRarelyIsDatedWhenItWas(t *testing.T) {
	reader, sources, _ := stage()
	source := sources[logs]
	source.err = nil
	for round := range 200 {
		now := sixOClock.Add(time.Duration(round) * ten)
		told := now.Truncate(10 * time.Minute)
		if round%7 == 3 {
			told = told.Add(-time.Minute)
		}
		source.answer = Sample{Done: float64(told.Unix() - sixOClock.Unix() + 3600), Total: 1e6, At: told}
		got, err := reader.Read(t.Context(), resnet(), now)
		if err != nil {
			t.Fatal(err)
		}
		if !got.At.Equal(told) {
			t.Fatalf("%d: it is dated %s, want %s", round, got.At, told)
		}
	}
}
