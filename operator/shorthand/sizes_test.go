package shorthand

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/takt-dev/takt/api/v1alpha1"
)

// The API server refuses sizes of which none is within the bounds beside them, and all that the job says along with
// them.
func TestSizesAreLeftOutWhereWhatSomebodyHasSetLeavesNone(t *testing.T) {
	named, multiples := Fields{Sizes: List("4,8")}, Fields{
		WorkersMin: int64(8), WorkersMax: int64(64), MultipleOf: int64(8),
	}
	for name, test := range map[string]struct{ says, theirs, want Fields }{
		"named, and nothing set":              {named, nil, named},
		"named, and a bound that leaves one":  {named, Fields{WorkersMax: int64(6)}, named},
		"named, and a bound that leaves none": {named, Fields{WorkersMax: int64(2)}, Fields{}},
		"named, and bounds between them":      {named, Fields{WorkersMin: int64(5), WorkersMax: int64(7)}, Fields{}},
		"named, and a multiple of some":       {named, Fields{MultipleOf: int64(8)}, named},
		"named, and a multiple of none":       {named, Fields{MultipleOf: int64(3)}, Fields{}},
		"multiples, and one within a bound": {
			multiples, Fields{WorkersMax: int64(16)}, Fields{WorkersMin: int64(8), MultipleOf: int64(8)},
		},
		"multiples, and none within a bound": {multiples, Fields{WorkersMax: int64(4)}, Fields{}},
		"multiples, and sizes of them":       {multiples, Fields{Sizes: List("16,20")}, multiples},
		"a range, and sizes beyond it": {
			Fields{WorkersMin: int64(1), WorkersMax: int64(2)}, Fields{Sizes: List("4,8")}, Fields{},
		},
		"a range, and multiples beyond it": {
			Fields{WorkersMin: int64(1), WorkersMax: int64(4)}, Fields{MultipleOf: int64(8)}, Fields{},
		},
		"none, and a range of somebody": {Fields{}, Fields{WorkersMin: int64(0), WorkersMax: int64(4)}, Fields{}},
	} {
		t.Run(name, func(t *testing.T) {
			owners := Owners{Others: map[Field]bool{}}
			for field := range test.theirs {
				owners.Others[field] = true
			}
			if diff := cmp.Diff(test.want, Said{}.Wanted(test.says, test.theirs, owners)); diff != "" {
				t.Errorf("-want +got\n%s", diff)
			}
		})
	}
}

// What is read of an ElasticJob is what was sent to it, or it would be written for ever.
func TestSizesAreReadAsTheyWereSent(t *testing.T) {
	want := map[string]any{"workers": map[string]any{"sizes": []any{int64(1), int64(2), int64(8)}, "multipleOf": int64(1)}}
	fields := Fields{Sizes: listOf([]int32{1, 2, 8}), MultipleOf: int64(1)}
	if diff := cmp.Diff(want, fields.Spec()); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
}

// So are the names of those that a job starts after.
func TestNamesAreReadAsTheyWereSent(t *testing.T) {
	want := map[string]any{"after": []any{map[string]any{"name": "prepare"}, map[string]any{"name": "pretrain"}}}
	spec := v1alpha1.ElasticJobSpec{After: []v1alpha1.Predecessor{{Name: "prepare"}, {Name: "pretrain"}}}
	if diff := cmp.Diff(want, Of(&spec).Spec()); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
}
