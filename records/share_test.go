package records

import (
	"testing"
	"time"
)

func TestWhoYieldsWhereThereIsNoRoom(t *testing.T) {
	const month = 30 * 24 * time.Hour
	now := noon.Add(3 * month)
	busy, idle := Share{"busy", now.Add(-time.Hour), 5000}, Share{"idle", now.Add(-time.Hour), 2}
	gone := Share{"gone", noon, 90_000}
	for name, test := range map[string]struct {
		there    []Share
		newcomer Share
		want     string
	}{
		"one that is long gone":             {[]Share{busy, gone, idle}, Share{"new", now, 1}, "gone"},
		"one that has trained less":         {[]Share{busy, idle}, Share{"new", now, 3}, "idle"},
		"the newcomer itself":               {[]Share{busy, idle}, Share{"new", now, 1}, "new"},
		"as much as another: the newcomer":  {[]Share{busy, idle}, Share{"new", now, 2}, "new"},
		"a newcomer of a cluster with none": {nil, Share{"new", now, 1}, "new"},
	} {
		if got := Yields(test.there, test.newcomer, month, now); got.Namespace != test.want {
			t.Errorf("%s: %s yields, want %s", name, got.Namespace, test.want)
		}
	}
}

func TestShareOf(t *testing.T) {
	got := ShareOf("team-a", []Record{record("b", 7), record("a", 1)})
	if want := (Share{"team-a", noon.Add(7 * time.Minute), 4}); got != want {
		t.Errorf("it is %+v, want %+v", got, want)
	}
}
