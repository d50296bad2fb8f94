package predictor

import "testing"

func TestHindsight(t *testing.T) {
	steady := []float64{1, 1, 1, 1, 1, 1}
	for name, tt := range map[string]struct {
		strides     int // of 10 seconds each, at each of the speeds
		speeds      []float64
		pauses      []float64 // after each of these, in seconds
		ahead       Seconds
		least, most float64
	}{
		"too little to look back at": {looksBack - 1, []float64{1}, nil, 3600, 0, 0},
		"nothing is left":            {60, []float64{1, 1, 1, 1}, nil, 0, 0, 0},
		"steady":                     {60, steady, nil, 3600, 1, 1.01},
		"pauses as ever":             {60, steady, []float64{60, 60, 60, 60, 60, 60}, 3600, 1, 1.01},
		"half as fast of late":       {60, []float64{1, 1, 1, 1, .5, .5}, nil, 3600, 1.5, 2.7},
		"twice as fast of late":      {60, []float64{1, 1, 1, 1, 2, 2}, nil, 3600, 1.5, 2.7},
		"slower all the time":        {60, []float64{1, .9, .8, .7, .6, .5}, nil, 3600, 1.2, 2},
		"pauses longer each time":    {60, steady, []float64{60, 120, 180, 240, 300, 360}, 3600, 1.1, 1.6},
	} {
		t.Run(name, func(t *testing.T) {
			var p Pace
			at := Seconds(0)
			for i, speed := range tt.speeds {
				for range tt.strides {
					at += 10
					p.Add(at, 10, Work(10*speed))
				}
				if i < len(tt.pauses) {
					at += Seconds(tt.pauses[i]) + 10
					p.Add(at, Seconds(tt.pauses[i])+10, Work(10*speed))
				}
			}
			if got := p.Hindsight(tt.ahead); got < tt.least || got > tt.most {
				t.Errorf("off by %.2f, want %g to %g", got, tt.least, tt.most)
			}
		})
	}
}
