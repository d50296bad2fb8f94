package real

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// Of the script: how many steps apart its checkpoints are, and what it trains in a step and in an epoch.
const (
	saveEvery = 10
	batch     = 48
	samples   = 960
	learned   = 100 // steps after which it has learned something
)

// record is what a worker writes of each step.
type record struct {
	Step, Epoch, Workers, Rank, PID int
	Loss, Began, Ended              float64 // times in seconds
	Samples                         []int
	Saves                           bool // it saves its state after the step
	pod                             string
}

// records are those of all workers of a job, in order of time.
func records(t *testing.T, folder string) (all []record) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(folder, "*.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for line := range bytes.Lines(text) {
			r := record{pod: strings.TrimSuffix(filepath.Base(file), ".jsonl")}
			if !bytes.HasSuffix(line, []byte("\n")) {
				continue // it was killed, or writes at this moment
			}
			if err := json.Unmarshal(line, &r); err != nil {
				t.Fatalf("%s: %v", file, err)
			}
			all = append(all, r)
		}
	}
	slices.SortStableFunc(all, func(a, b record) int { return cmp.Compare(a.Ended, b.Ended) })
	return all
}

// round is what the same processes trained together, from one start of them to the next.
type round struct {
	workers, pid, first, last int     // pid is of its first rank
	pod                       string  // of its first rank
	began, ended              float64 // when its first step began, and its last had ended
}

// rounds are what the first rank has seen, in order. A start that came to no step is none.
func rounds(all []record) (found []round) {
	for _, r := range all {
		if r.Rank != 0 {
			continue
		}
		if last := len(found) - 1; last < 0 || found[last].pid != r.PID || found[last].workers != r.Workers ||
			r.Step <= found[last].last {
			found = append(found, round{workers: r.Workers, pid: r.PID, pod: r.pod, first: r.Step, began: r.Began})
		}
		last := &found[len(found)-1]
		last.last, last.ended = r.Step, r.Ended
	}
	return found
}

func (r round) String() string {
	return fmt.Sprintf("%d workers from step %d to %d in %.1f s", r.workers, r.first, r.last, r.ended-r.began)
}

// sizes are those of the rounds, in order. A size that comes twice in a row was started anew without a change of it.
func sizes(all []round) (workers []int) {
	for _, r := range all {
		workers = append(workers, r.workers)
	}
	return workers
}

// checkTraining judges whether a job was trained as if nothing had ever happened to it: each step was done, none from
// before the last checkpoint was done again, each sample was seen once an epoch, and what was done again came out the
// same.
func checkTraining(t *testing.T, all []record, steps int) {
	t.Helper()
	history := rounds(all)
	for i, r := range history {
		t.Log(r)
		if i == 0 {
			continue
		}
		before := history[i-1]
		// The last step may have been trained, and the checkpoint after it not yet written.
		if r.first != lastSave(all, before.last-1)+1 && r.first != lastSave(all, before.last)+1 {
			t.Errorf("after step %d, it goes on with step %d, and not from the last checkpoint", before.last, r.first)
		}
	}
	if len(history) == 0 || history[len(history)-1].last != steps {
		t.Fatalf("the training does not end with step %d", steps)
	}
	counted := map[int][]record{} // by step; what was done last counts
	for _, r := range all {
		if before := counted[r.Step]; len(before) > 0 && before[0].Workers == r.Workers && len(before) < r.Workers &&
			!anew(before, r) {
			counted[r.Step] = append(before, r)
			continue
		}
		if before := counted[r.Step]; len(before) > 0 && len(before) == before[0].Workers &&
			math.Abs(before[0].Loss-r.Loss) > 1e-3 {
			t.Errorf("step %d has a loss of %.5f, and of %.5f when it is done again", r.Step, before[0].Loss, r.Loss)
		}
		counted[r.Step] = []record{r}
	}
	seen := map[[2]int]int{} // by epoch and sample
	for step := 1; step <= steps; step++ {
		of := 0
		for _, r := range counted[step] {
			of += len(r.Samples)
			for _, sample := range r.Samples {
				seen[[2]int{r.Epoch, sample}]++
			}
		}
		if of != batch {
			t.Errorf("step %d has trained %d samples, want %d", step, of, batch)
		}
	}
	for what, times := range seen {
		if times != 1 {
			t.Errorf("in epoch %d, sample %d was seen %d times", what[0], what[1], times)
		}
	}
	if want := steps * batch; len(seen) != want {
		t.Errorf("%d samples were seen in all epochs together, want %d", len(seen), want)
	}
	if first, last := meanLoss(counted, 1), meanLoss(counted, steps-saveEvery+1); steps >= learned && last > first/2 {
		t.Errorf("the loss is %.4f at first and %.4f in the end: nothing is learned", first, last)
	}
}

// lastSave is the last step up to that one after which the state was saved; 0 if there is none.
func lastSave(all []record, upTo int) (step int) {
	for _, r := range all {
		if r.Saves && r.Step <= upTo {
			step = max(step, r.Step)
		}
	}
	return step
}

// anew says that a record is of a step that its worker has been seen to do already.
func anew(before []record, r record) bool {
	return slices.ContainsFunc(before, func(b record) bool { return b.Rank == r.Rank })
}

// meanLoss is that of the steps of one checkpoint.
func meanLoss(counted map[int][]record, from int) (loss float64) {
	for step := from; step < from+saveEvery; step++ {
		loss += counted[step][0].Loss / saveEvery
	}
	return loss
}
