package printed

import (
	"fmt"
	"testing"
	"time"
)

// All that is left of a long epoch is its steps. Which it is was read before the lines that said so were gone.
func TestAnEpochIsRecalledThatNothingNames(t *testing.T) {
	start := time.Date(2026, 11, 21, 18, 0, 0, 0, time.UTC)
	for name, c := range map[string]struct {
		steps []int // of 1000, one each ten seconds
		was   Count
		ago   time.Duration // before the last of them
		want  string
	}{
		"a moment ago":            {[]int{400, 410, 420}, Count{4.41, 10}, 10 * time.Second, "4.42 of 10 epochs"},
		"out of order":            {[]int{400, 420, 415}, Count{4.42, 10}, 10 * time.Second, "4.415 of 10 epochs"},
		"half an epoch ago":       {[]int{400, 410, 420}, Count{3.92, 10}, 500 * time.Second, "4.42 of 10 epochs"},
		"three epochs ago":        {[]int{400, 410, 420}, Count{1.42, 10}, 3000 * time.Second, "4.42 of 10 epochs"},
		"it has gone back":        {[]int{10, 20, 30}, Count{4.3, 10}, 10 * time.Second, "4.03 of 10 epochs"},
		"one line is left":        {[]int{420}, Count{4.41, 10}, 10 * time.Second, "4.42 of 10 epochs"},
		"it cannot be beyond":     {[]int{900}, Count{0.1, 1}, 10 * time.Second, "0.9 of 1 epochs"},
		"nothing was known":       {[]int{400, 410, 420}, Count{}, 0, "0 of 0 "},
		"no step is left of it":   {nil, Count{4.41, 10}, 10 * time.Second, "0 of 0 "},
		"all of it was done":      {[]int{980, 990, 1000}, Count{10, 10}, 10 * time.Second, "10 of 10 epochs"},
		"its clock was set back":  {[]int{400, 410, 420}, Count{4.41, 10}, -10 * time.Second, "4.42 of 10 epochs"},
		"another epoch has begun": {[]int{980, 990, 10}, Count{4.99, 10}, 10 * time.Second, "5.01 of 10 epochs"},
	} {
		t.Run(name, func(t *testing.T) {
			var r Reader
			r.Missed()
			at := start
			for _, step := range c.steps {
				at = at.Add(10 * time.Second)
				r.Write(fmt.Appendf(nil, "%d/1000 ━━━━━━━━━━━━━━━━━━━━ 6s 44ms/step - loss: 0.42\n", step), at)
			}
			r.Recall(c.was, at.Add(-c.ago))
			is := r.Reading()
			if got := fmt.Sprintf("%.4g of %g %s", is.Done, is.Total, is.Unit); got != c.want {
				t.Errorf("%s, want %s (%s)", got, c.want, is.Doubt)
			}
		})
	}
}

// What the output says itself counts, then and later.
func TestWhatTheOutputSaysIsNotRecalled(t *testing.T) {
	at := time.Date(2026, 11, 21, 18, 0, 0, 0, time.UTC)
	var r Reader
	r.Missed()
	r.Write([]byte("420/1000 ━━━━━━━━━━━━━━━━━━━━ 6s 44ms/step - loss: 0.42\n"), at)
	if !r.Recall(Count{4.4, 10}, at) {
		t.Fatal("it is not recalled")
	}
	r.Write([]byte("Epoch 8/20\n\n 10/1000 ━━━━━━━━━━━━━━━━━━━━ 6s 44ms/step - loss: 0.42\n"), at)
	if is := r.Reading(); is.Done != 7.01 || is.Total != 20 {
		t.Errorf("%g of %g, want 7.01 of 20", is.Done, is.Total)
	}
	if r.Recall(Count{4.4, 10}, at) {
		t.Error("it is recalled, though the output says it")
	}
}
