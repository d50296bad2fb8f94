package elastic

import "testing"

// On an idle cluster a job begins with as many GPUs as the variant has it. Where another has all of them, it begins
// only if that one gives back some.
func TestVariants(t *testing.T) {
	sizes := []Size{{Workers: 1}, {Workers: 2}, {Workers: 3}, {Workers: 4}}
	unknown := Job{Name: "unknown", Deadline: new(Seconds(90)), Left: 2200, Sizes: sizes, Written: 2, Pause: 2}
	patient := Job{
		Name: "patient", Deadline: new(Seconds(480)), Left: 6000, Workers: 4, Pause: 2,
		Sizes: []Size{
			{Workers: 1, Speed: 14, Expected: 20}, {Workers: 2, Speed: 30, Expected: 38},
			{Workers: 3, Speed: 50, Expected: 54}, {Workers: 4, Speed: 70, Expected: 72},
		},
	}
	unhurried, laden := unknown, patient
	unhurried.Deadline, laden.Pause = new(Seconds(1000)), 30
	tests := map[string]struct {
		variant Variant
		jobs    []Job
		want    Workers
	}{
		"written":                  {Variant{}, []Job{unknown}, 2},
		"smallest":                 {Variant{Start: AtSmallest}, []Job{unknown}, 1},
		"largest":                  {Variant{Start: AtLargest}, []Job{unknown}, 4},
		"a trial that is worth it": {Variant{}, []Job{patient, unknown}, 1},
		"no trial":                 {Variant{Trials: NoTrials}, []Job{patient, unknown}, 0},
		"not worth it":             {Variant{}, []Job{laden, unhurried}, 0},
		"eager":                    {Variant{Trials: EagerTrials}, []Job{laden, unhurried}, 1},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			s := Snapshot{Nodes: []Node{{Name: "n", GPUs: 4}}, Jobs: tt.jobs}
			d := tt.variant.Plan(s)
			if got := d.Jobs[len(d.Jobs)-1]; got.Workers != tt.want {
				t.Errorf("it begins with %d workers, want %d: %s", got.Workers, tt.want, got.Why)
			}
		})
	}
}
