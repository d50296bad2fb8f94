package progress

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// stamped puts a time before each line, one second after another.
func stamped(lines ...string) string { return stampedFrom(0, lines...) }

// stampedFrom does so from a number of seconds on.
func stampedFrom(second int, lines ...string) string {
	var text strings.Builder
	for i, line := range lines {
		fmt.Fprintf(&text, "%s %s\n", sixOClock.Add(time.Duration(second+i)*time.Second).Format(time.RFC3339Nano), line)
	}
	return text.String()
}

// readTail reads the end of a log for the first time.
func readTail(text string, total float64) (Sample, bool) {
	return (&output{}).tell(text, total, Work{})
}

// tell reads the end of a log of which the beginning is not known.
func (o *output) tell(text string, total float64, work Work) (Sample, bool) {
	sample, _, found := o.sample(text, false, given(total, work))
	return sample, found
}

func steps(done, total float64) Sample  { return Sample{Done: done, Total: total, Unit: "steps"} }
func epochs(done, total float64) Sample { return Sample{Done: done, Total: total, Unit: "epochs"} }

func TestLogsAreUnderstood(t *testing.T) {
	cases := map[string]struct {
		total float64
		lines []string
		want  Sample
	}{
		"step":              {lines: []string{"step 420/1000"}, want: steps(420, 1000)},
		"step with a colon": {lines: []string{"INFO: Step: 420 of 1000"}, want: steps(420, 1000)},
		"step in brackets":  {lines: []string{"[step 420/1000] loss=0.3"}, want: steps(420, 1000)},
		"steps":             {lines: []string{"steps = 420/1000, loss 1.2"}, want: steps(420, 1000)},
		"global step":       {lines: []string{"[rank0] Global step 420/1000."}, want: steps(420, 1000)},
		"iteration": {
			lines: []string{" iteration      420/    1000 | consumed samples: 7 |"}, want: steps(420, 1000),
		},
		"iter":                    {lines: []string{"Iter [420/1000]\tlr: 1e-3"}, want: steps(420, 1000)},
		"epoch that has begun":    {lines: []string{"Epoch 3/10"}, want: epochs(2, 10)},
		"epoch that is over":      {lines: []string{"Epoch 3/10, train loss: 0.31"}, want: epochs(3, 10)},
		"epochs from 0":           {lines: []string{"Epoch 0/24", "----------"}, want: epochs(0, 24)},
		"epoch and step":          {lines: []string{"Epoch [3/10], Step [420/1000], Loss: 0.3"}, want: epochs(2.42, 10)},
		"epoch, then steps":       {lines: []string{"epoch 3/10", "step 420/1000"}, want: epochs(2.42, 10)},
		"epoch and step of whole": {total: 1000, lines: []string{"Epoch 3/10 step 420/1000"}, want: steps(420, 1000)},
		"Keras": {
			lines: []string{"Epoch 3/10", "128/512 [=====>................] - ETA: 9s - loss: 0.4"}, want: epochs(2.25, 10),
		},
		"Keras 3": {lines: []string{"Epoch 3/10",
			"\x1b[1m128/512\x1b[0m \x1b[32m━━━━━\x1b[0m\x1b[37m━━━━━\x1b[0m 9s 3ms/step"}, want: epochs(2.25, 10)},
		"Keras over itself": {lines: []string{"Epoch 3/10",
			"  1/512 [....]\b\b\b\r  2/512 [....] - loss: 1\b\b\b\r384/512 [===>..]"}, want: epochs(2.75, 10)},
		"tqdm": {
			lines: []string{" 42%|████▏     | 420/1000 [00:10<00:15, 38.1it/s, loss=0.3]"}, want: steps(420, 1000),
		},
		"tqdm over itself": {lines: []string{"\r  0%|   | 0/1000 [00:00<?, ?it/s]\r 41%|███ | 410/1000 " +
			"[00:10<00:15, 38it/s]\r 42%|███ | 420/1000 [00:10<00:15, 38it/s]"}, want: steps(420, 1000)},
		"tqdm with large numbers": {
			lines: []string{"Training:  42%|████  | 420k/1.00M [1:10:00<1:15:00, 38.1it/s]"}, want: steps(420_000, 1_000_000),
		},
		"tqdm of an epoch": {
			lines: []string{"Epoch 3/10:  42%|████  | 420/1000 [00:10<00:15, 38.1it/s]"}, want: epochs(2.42, 10),
		},
		"Lightning": {total: 10,
			lines: []string{"Epoch 2:  42%|████  | 420/1000 [00:10<00:15, 38.1it/s, v_num=0]"}, want: epochs(2.42, 10)},
		"ImageNet": {
			total: 90, lines: []string{"Epoch: [3][ 100/400]\tTime  0.2 ( 0.3)\tLoss 6.9e+00 (6.9e+00)"}, want: epochs(3.25, 90),
		},
		"JSON": {lines: []string{`{"step": 420, "total_steps": 1000, "loss": 0.3}`},
			want: steps(420, 1000)},
		"JSON with strings":       {lines: []string{`{"global_step":"420","max_steps":"1000"}`}, want: steps(420, 1000)},
		"JSON with epochs":        {lines: []string{`{"epoch": 2.42, "num_epochs": 10}`}, want: epochs(2.42, 10)},
		"JSON with an epoch over": {lines: []string{`{"epoch": 3, "num_epochs": 10, "loss": 0.1}`}, want: epochs(3, 10)},
		"JSON with both": {lines: []string{`{"epoch": 2.42, "step": 420, "total_steps": 1000}`},
			want: steps(420, 1000)},
		"JSON around a message": {lines: []string{`{"level":"info","msg":"step 420/1000"}`}, want: steps(420, 1000)},
		"JSON without a total":  {total: 1000, lines: []string{`{"step": 420}`}, want: steps(420, 1000)},
		"bare step":             {total: 1000, lines: []string{"step 420 loss 0.3"}, want: steps(420, 1000)},
		"bare step with equals": {total: 1000, lines: []string{"step=420, loss=0.3"}, want: steps(420, 1000)},
		"bare epoch":            {total: 10, lines: []string{"epoch 3"}, want: epochs(2, 10)},
		"bare epoch and step":   {total: 10, lines: []string{"epoch 3 step 5"}, want: epochs(2, 10)},
		"bare, counting steps":  {total: 10_000, lines: []string{"epoch 3 step 500"}, want: steps(500, 10_000)},
		"the newest wins": {
			lines: []string{"step 1/1000", "step 3/1000", "step 2/1000", "done with that"}, want: steps(2, 1000),
		},
		"validation passed over": {lines: []string{"step 420/1000", "Validation step 9/10",
			"Evaluating:  90%|████ | 9/10 [00:01<00:00, 9it/s]"}, want: steps(420, 1000)},
		"download passed over": {
			lines: []string{"step 420/1000", "100%|█████| 97.8M/97.8M [00:01<00:00, 83.2MB/s]"}, want: steps(420, 1000),
		},
		"other total passed over": {total: 1000, lines: []string{"step 420/1000", "step 7/50",
			" 14%|█ | 7/50 [00:01<00:09, 9it/s]"}, want: steps(420, 1000)},
		"backwards of all": {lines: []string{"step 420/1000", "step 1001/1000", "step 5/0"}, want: steps(420, 1000)},
		"bar that contradicts": {
			lines: []string{"step 420/1000", " 10%|█ | 900/1000 [00:01<00:09, 9it/s]"}, want: steps(420, 1000),
		},
		"huge numbers": {lines: []string{"step 420/1000", "step 1/99999999999999999999999999",
			"step 1/999999999999999999"}, want: steps(420, 1000)},
		"amounts": {total: 1000, lines: []string{"step 420", "total steps: 1000", "Total step 1000",
			"logging every step 10", "max_steps=1000", "step 1,00"}, want: steps(420, 1000)},
		"dates and paths": {lines: []string{"step 420/1000", "epoch 2026/11/21", "step 3/4/5", "mystep 9/10",
			"step/9/10", "step 1.2.3/4"}, want: steps(420, 1000)},
		"versions and ranges": {lines: []string{"step 420/1000", "10/20", "ratio 3/10", "epoch -3/10", "step 9e5/1e6",
			"step NaN/1000"}, want: steps(420, 1000)},
	}
	for name, test := range cases {
		t.Run(name, func(t *testing.T) {
			got, ok := readTail(stamped(test.lines...), test.total)
			if !ok {
				t.Fatal("nothing is understood")
			}
			if got.At.IsZero() {
				t.Error("it is not known when")
			}
			got.At, got.SavedAt = time.Time{}, time.Time{}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

// The line that names the epoch leaves the tail long before the epoch is over.
func TestEpochsAreRemembered(t *testing.T) {
	readings := []struct {
		lines []string
		total float64
		want  Sample
	}{
		{lines: []string{"Epoch 3/10", "step 100/1000"}, want: epochs(2.1, 10)},
		{lines: []string{"step 600/1000", "step 700/1000"}, want: epochs(2.7, 10)},
		{lines: []string{"step 690/1000"}, want: epochs(2.69, 10)}, // went back a little: the same epoch
		{lines: []string{"step 990/1000"}, want: epochs(2.99, 10)},
		{lines: []string{"step 900/1000", "step 50/1000"}, want: epochs(3.05, 10)},
		{lines: []string{"step 60/1000"}, want: epochs(3.06, 10)},
		{lines: []string{"step 1000/1000", "Epoch 5/10", "step 20/1000"}, want: epochs(4.02, 10)},
		{lines: []string{"Epoch 10/10", "step 999/1000"}, want: epochs(9.999, 10)},
		{lines: []string{"step 1/1000"}, want: epochs(9.001, 10)}, // there is no eleventh
	}
	var out output
	for i, reading := range readings {
		got, _ := out.tell(stampedFrom(60*i, reading.lines...), 0, Work{})
		got.At = time.Time{}
		if diff := cmp.Diff(reading.want, got); diff != "" {
			t.Errorf("reading %d: -want +got:\n%s", i, diff)
		}
	}
}

func TestLogsThatTellNothing(t *testing.T) {
	for name, test := range map[string]struct {
		total float64
		lines []string
	}{
		"nothing":                      {lines: nil},
		"prose":                        {lines: []string{"In this step 3 of us went home."}, total: 0},
		"bare step without a total":    {lines: []string{"step 420"}},
		"batches of an unknown epoch":  {lines: []string{"128/512 [=====>......] - ETA: 9s"}},
		"bar of one of unknown epochs": {lines: []string{"Epoch 2:  42%|████  | 420/1000 [00:10<00:15, 38.1it/s]"}},
		"steps of one of those":        {lines: []string{"Epoch 2", "step 420/1000"}},
		"ImageNet without a total":     {lines: []string{"Epoch: [3][ 100/400]\tTime  0.2"}},
		"steps that are not the total": {lines: []string{"step 420/1000"}, total: 5000},
		"download":                     {lines: []string{"Downloading: 100%|█████| 97/97 [00:01<00:00, 83it/s]"}},
		"a date":                       {lines: []string{"epoch 2026-11-21"}, total: 5000},
		"JSON of something else": {lines: []string{`{"step": {"a": 1}, "total_steps": []}`, `{"step": null}`,
			`{"step": true, "total_steps": 5}`}, total: 10},
		"a line that is longer than ok": {lines: []string{"step 420/1000 " + strings.Repeat("x", 8<<10)}},
	} {
		t.Run(name, func(t *testing.T) {
			if got, ok := readTail(stamped(test.lines...), test.total); ok {
				t.Errorf("%+v is understood", got)
			}
		})
	}
}

func TestLogsTellWhen(t *testing.T) {
	cut := "2026-11-21T18:00:09Z step 43"
	long := strings.Repeat("\r 42%|███ | 420/1000 [00:10<00:15, 38it/s]", 500)
	cases := map[string]struct {
		text   string
		wantAt time.Time
		want   float64
	}{
		"the time of its line":   {stamped("a", "step 420/1000", "b"), sixOClock.Add(time.Second), 420},
		"no time":                {"step 420/1000\n", time.Time{}, 420},
		"the end may be cut off": {stamped("step 420/1000") + cut + "/1000", sixOClock, 420},
		"the end of a bar may be cut off": {stamped("step 7/1000") +
			"2026-11-21T18:00:09Z \r 42%|█ | 420/1000 [0<0, 1s]\r 43%|█ | 430/1000 [0", sixOClock.Add(9 * time.Second), 420},
		"a line of several chunks": {stamped(long), time.Time{}, 420},
	}
	for name, test := range cases {
		t.Run(name, func(t *testing.T) {
			got, ok := readTail(test.text, 0)
			if !ok || !got.At.Equal(test.wantAt) || got.Done != test.want {
				t.Errorf("%v, %+v, want %v at %v", ok, got, test.want, test.wantAt)
			}
		})
	}
}

func TestLogsTellOfCheckpoints(t *testing.T) {
	for line, want := range map[string]bool{
		"Saved checkpoint": true,
		"Saving model checkpoint to /out/checkpoint-50": true,
		"INFO saved the checkpoint to /no/error":        false, // better missed than believed in a failure
		"checkpoint /out/3.pt saved in 2.1 s":           true,
		"Wrote checkpoint for step 420":                 true,
		"Checkpoint could not be saved":                 false,
		"Saving checkpoint failed: disk full":           false,
		"Skipped saving checkpoint":                     false,
		"will be saved as checkpoint at the end":        false,
		"Restored the saved checkpoint":                 false,
		"Loading saved checkpoint from /out":            false,
		"checkpoints are saved every 100 steps":         false,
		"activation checkpointing is on":                false,
		"we don't think it saved a checkpoint":          false,
	} {
		t.Run(line, func(t *testing.T) {
			got, _ := readTail(stamped("step 1/10", line, "step 2/10"), 0)
			if got.SavedAt.IsZero() == want || want && !got.SavedAt.Equal(sixOClock.Add(time.Second)) {
				t.Errorf("saved at %v, want %v", got.SavedAt, want)
			}
		})
	}
}

func FuzzTail(f *testing.F) {
	for _, line := range []string{
		" 42%|████▏     | 420/1000 [00:10<00:15, 38.1it/s]", "128/1563 [==>...]", "Epoch [3/10], Step [420/1000]",
		"Epoch: [3][420/1000]", `{"step": 420, "total_steps": 1000}`, "step 420", "epoch 3 \r\b\x1b[1mstep 4/5",
		"Saved checkpoint",
		"Epoch 2: 42%|█|420k/1M [", "Epoch 0/0 step 0/0", "epoch 11/10 loss",
	} {
		f.Add(stamped("Epoch 3/10", line), 0.0)
		f.Add(stamped(line, line), 10.0)
	}
	f.Fuzz(func(t *testing.T, text string, total float64) {
		if !(total >= 0 && total <= 1e15) {
			return
		}
		var out output
		// The same again, from the middle on, comes down to the end of the text.
		for _, text := range []string{text, text[len(text)/2:]} {
			got, found := out.tell(text, total, Work{})
			if !found {
				continue
			}
			got.At, got.SavedAt = time.Time{}, time.Time{}
			if err := check(got, sixOClock); err != nil {
				t.Errorf("%q up to %v: %v", text, total, err)
			}
			if total > 0 && got.Total != total {
				t.Errorf("%q up to %v: counts up to %v", text, total, got.Total)
			}
		}
	})
}
