package training

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestASpecIsReadAndWritten(t *testing.T) {
	cases := map[string]struct {
		text     string
		want     Spec
		complain string
	}{
		"measured": {
			text: `{"total": 1000, "unit": "epochs", "stepsPerSecond": {"1": 10, "2": 19}, "restart": "1s", "checkpointEvery": "5s"}`,
			want: Spec{
				Total: 1000, Unit: "epochs", StepsPerSecond: Measured(10, 19), Restart: seconds(1), CheckpointEvery: seconds(5),
			},
		},
		"a law": {
			text: `{"total": 10, "stepsPerSecond": {"base": 10, "scaling": 0.9}, "failAt": 0.5}`,
			want: Spec{Total: 10, Unit: "steps", StepsPerSecond: Speed{Base: 10, Scaling: 0.9}, FailAt: 0.5},
		},
		"in proportion": {
			text: `{"total": 10, "stepsPerSecond": {"base": 10}}`,
			want: Spec{Total: 10, Unit: "steps", StepsPerSecond: Speed{Base: 10, Scaling: 1}},
		},
		"no work":     {text: `{"stepsPerSecond": {"1": 10}}`, complain: "needs a total"},
		"no size":     {text: `{"total": 1, "stepsPerSecond": {"one": 10}}`, complain: `"one": 10 is neither`},
		"no speed":    {text: `{"total": 1, "stepsPerSecond": {}}`, complain: "stepsPerSecond is empty"},
		"no duration": {text: `{"total": 1, "restart": "soon"}`, complain: "not as it should be"},
	}
	for name, test := range cases {
		t.Run(name, func(t *testing.T) {
			got, err := ParseSpec(test.text)
			if test.complain != "" {
				if err == nil || !strings.Contains(err.Error(), test.complain) {
					t.Fatalf("the complaint is %v, want %q", err, test.complain)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			again, err := ParseSpec(got.String())
			if err != nil || !cmp.Equal(got, again) {
				t.Errorf("written and read again it is %+v, %v", again, err)
			}
		})
	}
}

func TestSpeedGoesByTheWorkers(t *testing.T) {
	cases := map[string]struct {
		speed   Speed
		workers int
		want    float64
	}{
		"none":             {Measured(10), 0, 0},
		"as measured":      {Measured(10, 19), 2, 19},
		"between":          {Speed{At: map[int]float64{2: 20, 6: 40}}, 3, 25},
		"below all":        {Speed{At: map[int]float64{4: 40}}, 1, 10},
		"above all":        {Measured(10, 19), 9, 19},
		"a law":            {Speed{Base: 10, Scaling: 0.5}, 4, 20},
		"hangs, by intent": {Measured(10, 0), 2, 0},
	}
	for name, test := range cases {
		t.Run(name, func(t *testing.T) {
			if got := test.speed.Of(test.workers); got != test.want {
				t.Errorf("%d workers do %v, want %v", test.workers, got, test.want)
			}
		})
	}
}
