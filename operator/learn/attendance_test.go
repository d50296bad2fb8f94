package learn

import (
	"maps"
	"testing"
	"time"
)

// Every second counts once, for those who trained in it, whoever tells of it and when.
func TestEachSecondOfARunCountsOnce(t *testing.T) {
	for name, test := range map[string]struct {
		tell func(a *attendance)
		want map[int]int // seconds, by workers
	}{
		"seen again": {func(a *attendance) {
			a.attend("a", size(2), at(0), at(60))
			a.attend("a", size(2), at(0), at(90))
		}, map[int]int{2: 90}},
		"nobody knows since when": {func(a *attendance) {
			a.attend("a", size(2), time.Time{}, at(60))
			a.attend("a", size(2), time.Time{}, at(90))
		}, map[int]int{2: 30}},
		"others, after a pause": {func(a *attendance) {
			a.attend("a", size(2), at(0), at(60))
			a.attend("b", size(4), at(100), at(130))
		}, map[int]int{2: 60, 4: 30}},
		"others, who began before the last look": {func(a *attendance) {
			a.attend("a", size(2), at(0), at(60))
			a.attend("b", size(4), at(40), at(130))
		}, map[int]int{2: 60, 4: 70}},
		"the last goes on": {func(a *attendance) {
			a.attend("a", size(2), at(0), at(60))
			a.attend("b", size(4), at(60), at(100))
			a.finish(at(110))
			a.finish(at(500))
		}, map[int]int{2: 60, 4: 50}},
		"nobody was seen": {func(a *attendance) { a.finish(at(110)) }, map[int]int{}},
	} {
		t.Run(name, func(t *testing.T) {
			a := attendance{}
			test.tell(&a)
			got, whole := map[int]int{}, 0
			for _, s := range a.until(time.Time{}) {
				got[int(s.Shape.Workers)] = int(s.Time)
				whole += int(s.Time)
			}
			if !maps.Equal(got, test.want) || a.whole() != time.Duration(whole)*time.Second {
				t.Errorf("%v s, %v in all, want %v", got, a.whole(), test.want)
			}
		})
	}
}

// Who was last seen has gone on until now, unless all is done.
func TestARunGoesOnUntilItIsFinished(t *testing.T) {
	a := attendance{}
	a.attend("a", size(2), at(0), at(60))
	if all := a.until(at(100)); len(all) != 1 || all[0].Time != 100 || a.whole() != time.Minute {
		t.Errorf("while it trains it had %+v, and %v are counted", all, a.whole())
	}
	a.finish(at(90))
	if all := a.until(at(100)); len(all) != 1 || all[0].Time != 90 {
		t.Errorf("once it is finished it had %+v", all)
	}
}
