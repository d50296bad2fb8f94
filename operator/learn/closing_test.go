package learn

import (
	"testing"
	"time"

	"github.com/takt-dev/takt/elastic"
	"github.com/takt-dev/takt/predictor"
)

func seconds(f float64) *predictor.Seconds { return new(predictor.Seconds(f)) }

// A run that has ended tells how long that took after its last step, if its readings say when that was.
func TestARunTellsHowLongItTookToEnd(t *testing.T) {
	tests := map[string]struct {
		told  []tell
		ended time.Time
		want  time.Duration // -1 for nothing
	}{
		"its last step was read":    {[]tell{reads(2, line(0, 10, 11, 9800, 2)...)}, at(400), 5 * time.Minute},
		"its last step came unread": {[]tell{reads(2, line(0, 10, 10, 9800, 2)...)}, at(400), 5 * time.Minute},
		"it has said so ever since": {[]tell{
			reads(2, line(0, 10, 11, 9800, 2)...), reads(2, line(110, 10, 20, 10000, 0)...),
		}, at(400), 5 * time.Minute},
		"it ended before its last one": {[]tell{reads(2, line(0, 10, 10, 9800, 2)...)}, at(95), 0},
		"it was read too long before":  {[]tell{reads(2, line(0, 10, 10, 5000, 2)...)}, at(400), -1},
		"nobody knows its work":        {nil, at(400), -1},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			r := NewRun("resnet-1")
			r.Attend(size(2), at(-10), at(0))
			for _, tell := range tt.told {
				tell(r)
			}
			r.Finished(tt.ended)
			m, ok := r.whole()
			if !ok {
				t.Fatal("it does not tell how long it took")
			}
			got := time.Duration(-1)
			if m.ClosingMilliseconds != nil {
				got = time.Duration(*m.ClosingMilliseconds) * time.Millisecond
			}
			if off := got - tt.want; off < -time.Second || off > time.Second {
				t.Errorf("it took %v from its last step to its end, want %v", got, tt.want)
			}
			if read, err := readWhole(&m); err != nil || (read.Closing == nil) != (m.ClosingMilliseconds == nil) {
				t.Errorf("it is read as %+v, %v", read, err)
			}
		})
	}
}

// What earlier runs took to end is still to come until this one has ended, too.
func TestClosingIsWhatEarlierRunsTook(t *testing.T) {
	const most = time.Minute
	earlier := predictor.Profile{Runs: []predictor.Whole{
		{Run: "a", Seen: 1, Took: []predictor.Spent{{Shape: size(2), Time: 1000}}, Closing: seconds(600)},
		{Run: "b", Seen: 2, Took: []predictor.Spent{{Shape: size(2), Time: 1000}}, Closing: seconds(660)},
		{Run: "c", Seen: 3, Took: []predictor.Spent{{Shape: size(2), Time: 1000}}},
	}}
	r := NewRun("resnet-1")
	if err := r.Inherit(earlier, "steps", at(0)); err != nil {
		t.Fatal(err)
	}
	within := func(what string, c elastic.Closing, least, expected, late elastic.Seconds) {
		t.Helper()
		if c.Shortest > c.Usual || c.Usual > c.Longest || c.Usual < least || c.Usual > expected || c.Longest > late {
			t.Errorf("%s it takes %+v", what, c)
		}
	}
	within("before it has begun", r.closes(30*time.Second, at(0)), 400, 660, 1200)
	reads(2, line(0, 10, 11, 9800, 2)...)(r)
	within("a minute after its last step", r.closes(30*time.Second, at(100).Add(most)), 340, 600, 1140)
	within("long after its last step", r.closes(30*time.Second, at(100000)), 0, 0, 0)
	within("without earlier ones", NewRun("other").closes(30*time.Second, at(0)), 29, 31, 150)
}

// A training that has told all of its work, and still runs for longer than its end takes, overruns: for as long as that
// is ago.
func TestWhoeverHasNotEndedForLongOverruns(t *testing.T) {
	r := NewRun("resnet-1")
	reads(4, line(0, 10, 11, 9800, 2)...)(r)
	for seconds, want := range map[int]elastic.Seconds{100: 0, 130: 0, 1000: 900} {
		if got := filled(r, seconds, Expected{}).Overruns; got != want {
			t.Errorf("%d s after its last step it overruns by %v, want %v", seconds-100, got, want)
		}
	}
	reads(4, line(110, 10, 2, 9000, 2)...)(r)
	if got := filled(r, 1000, Expected{}).Overruns; got != 0 {
		t.Errorf("it trains again, and overruns by %v", got)
	}
}
