package printed

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"time"
)

var noon = time.Date(2026, 11, 24, 12, 0, 0, 0, time.UTC)

// String is a reading in the words of these tests.
func (r Reading) String() string {
	if !r.Known() {
		return "unknown: " + r.Doubt
	}
	return fmt.Sprintf("%.6g/%g %s", r.Done, r.Total, r.Unit)
}

// after is the reading after these lines, one a second.
func after(r *Reader, lines ...string) string {
	for i, line := range lines {
		r.Write([]byte(line+"\n"), noon.Add(time.Duration(i)*time.Second))
	}
	return r.Reading().String()
}

// afterCommand is the same of a training that was begun with a command.
func afterCommand(command string, lines ...string) string {
	var r Reader
	r.Plan(Command(strings.Fields(command)))
	return after(&r, lines...)
}

// count are lines with a number in the place of #, each so much more than the one before.
func count(format string, from, to, by int) []string {
	var lines []string
	for i := from; i <= to; i += by {
		lines = append(lines, strings.ReplaceAll(format, "#", fmt.Sprint(i)))
	}
	return lines
}

// bar is a bar of tqdm.
func bar(label string, done, total int) string {
	return fmt.Sprintf("%s%3d%%|####      | %d/%d [01:23<01:40,  5.4it/s]", label, 100*done/total, done, total)
}

func barsOf(label string, total, from, to int) []string {
	var lines []string
	for i := from; i <= to; i++ {
		lines = append(lines, bar(label, i, total))
	}
	return lines
}

// barsOfEpochs are states of a bar of ten epochs, each with its number before it.
func barsOfEpochs(from, to int) []string {
	var lines []string
	for i := from; i <= to; i++ {
		lines = append(lines, bar(fmt.Sprintf("Epoch %d | loss 0.3: ", i), i, 10))
	}
	return lines
}

// linesOf are many lines with results of one epoch.
func linesOf(epoch int) []string {
	return count(fmt.Sprintf("Epoch %d - batch loss: 0.#", epoch), 1, 20, 1)
}

func all(parts ...any) []string {
	var lines []string
	for _, part := range parts {
		switch part := part.(type) {
		case string:
			lines = append(lines, part)
		case []string:
			lines = append(lines, part...)
		}
	}
	return lines
}

// What the operator knows without being told anything is not taken for something that was given.
func TestRoundsAreCountedWhereNothingIsGiven(t *testing.T) {
	var r Reader
	r.Know(Given{Either: true})
	if got := after(&r, "Round 3/50", "Epoch 1/5", "Epoch 2/5"); got != "3/50 steps" {
		t.Errorf("it reads %s, want 3/50 steps", got)
	}
}

// A bar may name the epoch, as lines before it do, and nobody has seen from which number on they count.
func TestABarCountsEpochsAsLinesDo(t *testing.T) {
	var r Reader
	r.Missed()
	got := after(&r, all("Starting epoch 1/5", bar("Training Epoch: 2/5: ", 9, 25), "Epoch 2: loss 0.4",
		"Starting epoch 2/5", bar("Training Epoch: 3: ", 5, 25))...)
	if got != "2.2/5 epochs" {
		t.Errorf("it reads %s, want 2.2/5 epochs", got)
	}
}

// What is drawn behind the training is short, and may be longer than what was seen of it.
func TestAClosingIsNotTheTrainingThatWasMostlyMissed(t *testing.T) {
	var r Reader
	r.Missed()
	got := after(&r, all(barsOf("Steps: ", 300, 296, 300), barsOf("", 25, 0, 20))...)
	const want = "unknown: a counter up to 300 is complete, and another up to 25 goes on: " +
		"nothing says which of them counts the training"
	if got != want {
		t.Errorf("it reads %s, want %s", got, want)
	}
}

// The engine that evaluates is the first whose beginning is seen where that of the training was missed.
func TestAnEvaluationIsNotTheTrainingWhoseBeginningWasMissed(t *testing.T) {
	var r Reader
	r.Missed()
	got := after(&r, "Epoch [4/5]: [90/100]  90%|█████████ , loss=0.3 [00:09<00:01]",
		"INFO: Epoch[4] Complete. Time taken: 00:01:12",
		"INFO: Engine run starting with max_epochs=1.", "INFO: Epoch[1] Complete. Time taken: 00:00:12")
	if got != "4/5 epochs" {
		t.Errorf("it reads %s, want 4/5 epochs", got)
	}
}

// An engine that begins when epochs were seen already is none of the training, and each process has one.
func TestAnEvaluationOfSeveralProcessesIsNotTheTraining(t *testing.T) {
	begins, ends := "INFO: Engine run starting with max_epochs=1.", "INFO: Engine run complete. Time taken: 00:00:02"
	over := "INFO: Epoch[1] Complete. Time taken: 00:00:02"
	third := "Epoch[3] Iteration[100/100] Loss: 0.3"
	lines := all(third, begins, third, begins, over, ends, over, "Epoch[4] Iteration[50/100] Loss: 0.3", ends)
	var r Reader
	if got := after(&r, all("INFO: Engine run starting with max_epochs=5.", lines)...); got != "3.5/5 epochs" {
		t.Errorf("it reads %s, want 3.5/5 epochs", got)
	}
	fifth := "Epoch[5] Iteration[100/100] Loss: 0.3"
	if got := after(&r, begins, over, ends, fifth, begins, over, ends, begins, ends, over); got != "5/5 epochs" {
		t.Errorf("at its end it reads %s, want 5/5 epochs", got)
	}
	r = Reader{}
	r.Missed()
	want := "unknown: epochs are counted, 4 of them at last, and nothing says how many there are in all"
	if got := after(&r, lines...); got != want {
		t.Errorf("where the beginning was missed it reads %s, want %s", got, want)
	}
	r = Reader{}
	r.Missed()
	if got := after(&r, all(begins, over, ends, lines)...); got != want {
		t.Errorf("seen from an evaluation on it reads %s, want %s", got, want)
	}
}

// Where the beginning was missed, nothing may say how many epochs a run has.
func TestRunsOfUnknownEpochsAreToldToBe(t *testing.T) {
	var r Reader
	r.Missed()
	const want = "unknown: epochs are gone through again and again, and nothing says how many there are, and how often"
	if got := after(&r, "Run: 02, Epoch: 03, Loss: 0.1", "Run: 02, Epoch: 04, Loss: 0.1"); got != want {
		t.Errorf("it reads %s, want %s", got, want)
	}
}

func TestTrainingsAreFollowed(t *testing.T) {
	dict := "{'loss': 1.2, 'grad_norm': 0.5, 'learning_rate': 5e-05, 'epoch': %s}"
	for name, test := range map[string]struct {
		lines []string
		want  string
	}{
		"steps counted on, and epochs named as they end": {all(count("step # loss 0.3", 10, 100, 10), "epoch 1/10 loss 0.4",
			count("step # loss 0.3", 110, 150, 10)), "1.5/10 epochs"},
		"the same, later": {all(count("step # loss 0.3", 10, 100, 10), "epoch 1/10 loss 0.4", count("step # loss 0.3", 110,
			200, 10), "epoch 2/10 loss 0.4", count("step # loss 0.3", 210, 270, 10)), "2.7/10 epochs"},
		"the same, at the end of one": {all(count("step # loss 0.3", 10, 100, 10), "epoch 1/10 loss 0.4",
			count("step # loss 0.3", 110, 200, 10), "epoch 2/10 loss 0.4"), "2/10 epochs"},
		"steps counted anew, and epochs named as they end": {all(count("step # loss 0.3", 10, 100, 10), "epoch 1/10 loss 0.4",
			count("step # loss 0.3", 10, 50, 10)), "1.5/10 epochs"},
		"Hugging Face, told and drawn": {all("***** Running training *****", "  Num examples = 50,000", "  Num Epochs = 3",
			"  Total optimization steps = 1,500",
			barsOf("", 1500, 0, 450), fmt.Sprintf(dict, "0.9"), bar("", 451, 1500), barsOf("", 16, 0, 9)), "451/1500 steps"},
		"Hugging Face, drawn alone": {all(barsOf("", 1500, 0, 450), fmt.Sprintf(dict, "0.9"), bar("", 451, 1500),
			fmt.Sprintf(dict, "0.95")), "451/1500 steps"},
		"Hugging Face, not drawn": {all("TrainingArguments(max_steps=-1, num_train_epochs=3.0)", fmt.Sprintf(dict, "0.5"),
			fmt.Sprintf(dict, "0.9")), "0.9/3 epochs"},
		"Hugging Face, neither drawn nor planned": {all(fmt.Sprintf(dict, "0.5"), fmt.Sprintf(dict, "0.9")),
			"unknown: epochs are counted, 0.9 of them at last, and nothing says how many there are in all"},
		"Hugging Face, evaluating": {all("TrainingArguments(max_steps=-1, num_train_epochs=3.0)", barsOf("", 1500, 0, 450),
			count(bar("", 1, 16)+"\x1b[A", 1, 5, 1), "{'eval_loss': 1.2, 'epoch': 0.9}"), "450/1500 steps"},
		"Hugging Face, begun anew with more workers": {all("[transformers]   Total optimization steps = 1,800",
			barsOf("", 1800, 0, 69), "[transformers]   Total optimization steps = 900",
			"[transformers]   Resuming training from checkpoint with epoch 2 and global step 60", bar("", 0, 900),
			barsOf("", 900, 61, 80)), "80/900 steps"},
		"Hugging Face, begun anew at its end": {all("  Total optimization steps = 1,800", barsOf("", 1800, 0, 1800),
			"  Total optimization steps = 3,600", "  Resuming training from checkpoint with epoch 15 and global step 1780"),
			"1780/3600 steps"},
		"Hugging Face, begun anew twice, as more come": {all("  Total optimization steps = 1,800", barsOf("", 1800, 0, 69),
			"  Total optimization steps = 1,200", "  Resuming training from checkpoint with epoch 2 and global step 60",
			bar("", 0, 1200), "  Total optimization steps = 900", bar("", 0, 900), barsOf("", 900, 61, 80)), "80/900 steps"},
		"DLLogger": {all("epochs: 4", count("DLL 2026-11-24 12:00:00.1 - (0, #) loss : 0.3", 10, 100, 10),
			count("DLL 2026-11-24 12:00:00.1 - (1, #) loss : 0.3", 10, 50, 10)), "1.47619/4 epochs"},
		"DLLogger, in JSON, gone on with": {all("epochs: 4",
			count(`DLLL {"type": "LOG", "step": [2, #], "data": {"loss": 0.3}}`,
				10, 100, 10), `DLLL {"type": "LOG", "step": [2], "data": {"val.loss": 0.3}}`), "2/4 epochs"},
		"a schedule that is behind": {all("epochs: 5", count("Epoch 1 Step #/100", 10, 100, 10),
			"Epoch     0: adjusting learning rate of group 0 to 1.0000e-03.", count("Epoch 2 Step #/100", 10, 50, 10)),
			"1.5/5 epochs"},
		"epochs beside their steps, without words": {all(count("1/5 [#/100] loss=0.3", 10, 100, 10),
			count("2/5 [#/100] loss=0.3", 10, 50, 10)), "1.5/5 epochs"},
		"an evaluation that counts in the words of the training": {all(count("step #/500 loss 0.3", 10, 50, 10),
			"Evaluating...", count("  step #/20 loss 0.3", 1, 20, 1)), "50/500 steps"},
		"an evaluation that counts in these words, and where it is made": {all(count("step #/500 loss 0.3", 10, 50, 10),
			"Evaluating at step 50", count("  step #/20 loss 0.3", 1, 20, 1), "step 60/500 loss 0.3"), "60/500 steps"},
		"an evaluation that counts without a total": {all("max_steps: 500", count("step # loss 0.3", 10, 50, 10),
			"validation:", count("  step # loss 0.3", 10, 30, 10)), "50/500 steps"},
		"parts of several epochs": {all(count("pretrain epoch 1/3 step #/100", 10, 100, 10),
			count("pretrain epoch 2/3 step #/100", 10, 100, 10), count("pretrain epoch 3/3 step #/100", 10, 100, 10),
			count("finetune epoch 1/2 step #/50", 10, 50, 10)),
			"unknown: 2 epochs are counted behind others that were over: nothing says how many such parts there are"},
		"folds of two processes": {all("Fold 1/3", "Epoch 1/3, loss 0.1", "Fold 1/3", count("Epoch #/3, loss 0.1", 1, 3, 1),
			"Epoch 2/3, loss 0.1", "Fold 2/3", "Epoch 3/3, loss 0.1", "Epoch 1/3, loss 0.1", "Fold 2/3",
			"Epoch 2/3, loss 0.1"), "5/9 epochs"},
		"configurations": {all("[config 1/5] lr=0.1", count("epoch #/10 loss 0.3", 1, 10, 1), "[config 2/5] lr=0.2",
			count("epoch #/10 loss 0.3", 1, 5, 1)), "15/50 epochs"},
		"models that are loaded": {all("Loading model 1/2", count("epoch #/10 loss 0.3", 1, 5, 1)), "5/10 epochs"},
		"models": {all("Training model 1/2 (resnet18)", count("epoch #/10 loss 0.3", 1, 10, 1),
			"Training model 2/2 (resnet50)", count("epoch #/10 loss 0.3", 1, 5, 1)), "15/20 epochs"},
		"steps within each of a training that is drawn": {all(barsOf("", 500, 0, 20), count("kl step #/10", 1, 5, 1),
			bar("", 21, 500)), "21/500 steps"},
		"steps that stand where the training is": {all(count("step #/500 loss 0.3", 10, 300, 10),
			"kl step 6/10"), "300/500 steps"},
		"steps of something else, which nothing says the number of": {all("max_steps: 500",
			count("step # loss 0.3", 10, 50, 10), "line search step 3", "iter 4 loss 0.3"), "50/500 steps"},
		"steps that go on in other words": {all("max_steps: 500", count("step # loss 0.3", 10, 50, 10),
			count("iter # loss 0.3", 1, 40, 1)), "40/500 steps"},
		"steps that are planned, beside epochs": {all("max_steps: 500", count("step # loss 0.3", 10, 100, 10),
			"Epoch 1/5 - checkpoint saved", count("step # loss 0.3", 110, 150, 10)), "150/500 steps"},
		"steps that begin anew with an epoch, though others are planned": {all("max_steps: 500",
			count("step # loss 0.3", 10, 100, 10), "Epoch 1/5 - checkpoint saved", count("step # loss 0.3", 10, 50, 10)),
			"0/5 epochs"},
		"Flower": {all("INFO :      Starting Flower ServerApp, config: num_rounds=5, no round_timeout",
			"INFO :      [ROUND 1]", "INFO :      aggregate_fit: received 2 results and 0 failures",
			"INFO :      [ROUND 2]"), "1/5 steps"},
		"Flower, in its last round": {all("INFO :      Starting Flower ServerApp, config: num_rounds=3, no round_timeout",
			count("INFO :      [ROUND #]", 1, 3, 1)), "2/3 steps"},
		"JSON with the steps of each epoch": {all(count(`{"epoch": 1, "epochs": 5, "step": #, "total_steps": 100}`, 10, 100,
			10),
			count(`{"epoch": 2, "epochs": 5, "step": #, "total_steps": 100}`, 10, 50, 10)), "1.5/5 epochs"},
		"JSON with the steps of all epochs": {all(count(`{"epoch": 1, "epochs": 5, "step": #, "total_steps": 500}`, 10, 100,
			10),
			count(`{"epoch": 2, "epochs": 5, "step": #, "total_steps": 500}`, 110, 150, 10)), "150/500 steps"},
		"JSON of an evaluation": {all(count(`{"step": #, "num_steps": 500, "train_loss": 0.3}`, 10, 100, 10),
			`{"step": 20, "num_steps": 20, "eval_loss": 0.3}`), "100/500 steps"},
		"steps of all epochs, of nobody knows how many": {all(count("Epoch 1 step #/500 loss 0.3", 10, 100, 10),
			count("Epoch 2 step #/500 loss 0.3", 110, 150, 10)), "150/500 steps"},
		"one count in each epoch": {all("Epoch 1 step 40/100 loss 0.3", "Epoch 2 step 60/100 loss 0.3"),
			"unknown: epochs are counted, 2 of them at last, and nothing says how many there are in all"},
		"steps of each epoch, with their total behind them": {all(
			count("msg=train epoch=1 total_epochs=5 step=# total_steps=100 loss=0.3", 10, 100, 10),
			count("msg=train epoch=2 total_epochs=5 step=# total_steps=100 loss=0.3", 10, 50, 10)), "1.5/5 epochs"},
		"epochs before a bar, without a word": {all(barsOf("[1/5]: ", 100, 0, 100), barsOf("[2/5]: ", 100, 0, 50)),
			"1.5/5 epochs"},
		"epochs from 0, gone on with": {all("epochs: 5", "=> loaded checkpoint 'out/2.pt' (epoch 2)",
			"Epoch 2 | Step 10/100 | Loss 0.3"), "2.1/5 epochs"},
		"epochs from 1, gone on with": {all("epochs: 5", "=> loaded checkpoint 'out/2.pt' (epoch 2)",
			"Epoch 3 | Step 10/100 | Loss 0.3"), "2.1/5 epochs"},
		"epochs from 1, gone on with in the middle of one": {all("epochs: 5", "loaded checkpoint of epoch 2, step 50",
			"Epoch 2 | Step 60/100 | Loss 0.3"), "1.6/5 epochs"},
		"a training that begins anew with a line about its evaluation": {all(count("step #/500 loss 0.3", 10, 300, 10),
			"Loading the validation set", count("step #/250 loss 0.3", 140, 200, 10)), "200/250 steps"},
		"epochs of something within the training": {all(count("Epoch 1/5 step #/100 loss 0.3", 10, 100, 10),
			count("probe epoch #/3 loss 0.3", 1, 3, 1), count("Epoch 2/5 step #/100 loss 0.3", 10, 50, 10),
			"probe epoch 1/3 loss 0.3"), "1.5/5 epochs"},
		"epochs of something within the last of the training": {all("Epoch 1/2, loss 0.3", "probe epoch 1/5, loss 0.3",
			"Epoch 2/2, loss 0.3", "probe epoch 1/5, loss 0.3"), "2/2 epochs"},
		"epochs in other words that go on alone": {all("pretrain epoch 1/3 loss 0.3",
			count("Epoch 1/5 step #/1000 loss 0.3", 10, 500, 10)), "0.5/5 epochs"},
		"a preparation of few epochs": {all(count("Epoch #/2 loss 0.3", 1, 2, 1), count("Epoch #/20 loss 0.3", 1, 10, 1)),
			"10/20 epochs"},
		"JSON with the steps of each epoch beside how many there are": {all(
			count(`{"epoch": 1, "epochs": 5, "step": #, "steps_per_epoch": 100, "loss": 0.3}`, 10, 30, 10), "attack step 3/20"),
			"0.3/5 epochs"},
		"JSON with the steps of all beside how many an epoch has": {all(
			count(`{"epoch": 2, "epochs": 5, "step": #, "steps_per_epoch": 100, "loss": 0.3}`, 100, 150, 10)), "1.5/5 epochs"},
		"steps of something else beside a bar": {all("Total optimization steps = 500", barsOf("", 500, 0, 50),
			"line search step 3"), "50/500 steps"},
		"steps that were counted before a setting of epochs": {all(count("step #/500 loss 0.3", 10, 50, 10),
			"total epochs: 5", count("step #/500 loss 0.3", 60, 100, 10)), "100/500 steps"},
		"steps that begin anew behind a setting of epochs": {all(count("step #/100 loss 0.3", 10, 50, 10), "total epochs: 5",
			count("step #/100 loss 0.3", 60, 100, 10), count("step #/100 loss 0.3", 10, 50, 10)),
			"unknown: steps are counted up to 100, which may be one of several epochs"},
		"bars of each of a few steps": {all("max_steps: 5", barsOf("Training Net: ", 100, 0, 100), "Starting iter #1",
			barsOf("Training Net: ", 100, 0, 100), "Starting iter #2"), "2/5 steps"},
		"CatBoost": {all("0:\tlearn: 0.68\ttotal: 50ms\tremaining: 4.95s", "24:\tlearn: 0.5\ttotal: 1.25s\tremaining: 3.75s"),
			"25/100 steps"},
		"CatBoost, planned": {all("max_steps: 100", "0:\tlearn: 0.68\ttotal: 50ms\tremaining: 4.95s",
			"24:\tlearn: 0.5\ttotal: 1.25s\tremaining: 3.75s"), "24/100 steps"},
		"a count that is written over a bar": {all("Namespace(epochs=4)", "Epoch: 0", count(
			" [=>...]  Step: 20ms | Tot: 1s | Loss: 1.2 | Acc: 30.1% (12/50)\b\b\b #/40 ", 1, 40, 1), count(
			" [=>...]  Step: 20ms | Tot: 1s | Loss: 1.2 | Acc: 30.1% (12/50)\b\b\b #/8 ", 1, 8, 1), "Epoch: 1", count(
			" [=>...]  Step: 20ms | Tot: 1s | Loss: 1.2 | Acc: 30.1% (12/50)\b\b\b #/40 ", 1, 20, 1)), "1.5/4 epochs"},
		"a bar of what is left": {all("  Total optimization steps = 1,000", barsOf("Steps: ", 1000, 0, 470),
			"  Total optimization steps = 1,000", "Resuming from checkpoint checkpoint-400", barsOf("Steps: ", 600, 0, 30)),
			"430/1000 steps"},
		"a bar of what is left, in another pod": {all("  Total optimization steps = 1,000",
			"  Continuing training from global step 400", barsOf("", 600, 0, 30)), "430/1000 steps"},
		"an evaluation as long as what was left": {all("  Total optimization steps = 1,000",
			"Loading model from out/checkpoint-900", bar("", 0, 1000), barsOf("", 1000, 901, 950), barsOf("", 100, 0, 100)),
			"950/1000 steps"},
		"planned by other JSON": {all(`{"total_steps": 1000}`, count(`{"_step": #}`, 1, 90, 1),
			`{"warm_up": 1, "total_steps": 100}`,
			`{"_step": 91}`), "91/1000 steps"},
		"planned anew": {all("10:01 INFO total_steps=1800", barsOf("", 1800, 0, 69),
			"10:02 INFO total_steps=900", barsOf("", 900, 40, 50)), "50/900 steps"},
		"a count by the name of a plan": {all("step 10/1000, total_steps=1000",
			count("step #/1000, total_steps=#", 20, 90, 10)), "90/1000 steps"},
		"planned by somebody else": {all("10:01 INFO total_steps=1800", barsOf("", 1800, 0, 69),
			"warm up: total_steps=100", barsOf("", 100, 0, 9)), "69/1800 steps"},
		"steps of an epoch beside those of the whole": {all(" > EPOCH: 0/10", "   --> STEP: 50/400 -- GLOBAL_STEP: 50",
			" > EPOCH: 1/10", "   --> STEP: 100/400 -- GLOBAL_STEP: 500"), "1.25/10 epochs"},
		"steps of an epoch beside those of the whole, gone on with from 0": {all(" > EPOCH: 3/10",
			"   --> STEP: 50/400 -- GLOBAL_STEP: 1250", "   --> STEP: 100/400 -- GLOBAL_STEP: 1300"), "3.25/10 epochs"},
		"steps of an epoch beside those of the whole, gone on with from 1": {all("epochs: 10",
			"epoch: 3 | step 50/400 | global_step 850", "epoch: 3 | step 100/400 | global_step 900"), "2.25/10 epochs"},
		"steps of an epoch beside those of the whole, with fewer workers before": {all(" > EPOCH: 3/10",
			"   --> STEP: 50/400 -- GLOBAL_STEP: 650"), "2.125/10 epochs"},
		"an epoch behind a bar": {all(bar("", 0, 50), " 20%|##  | 10/50 [00:01<00:04, 9.9it/s, epoch=1/10, loss=5.1]",
			"100%|####| 50/50 [00:05<00:00, 9.9it/s, epoch=1/10]", " 20%|##  | 10/50 [00:01<00:04, 9.9it/s, epoch=2/10]"),
			"1.2/10 epochs"},
		"a total without a sign": {all("Training starts at step 1: total steps 1000 (warmup 200)", "step: 20  loss:  7.1"),
			"20/1000 steps"},
		"a line at the end of each epoch": {all("Namespace(epochs=4)", barsOf("", 100, 0, 100), "Epoch 1/4, Train Loss: 0.41",
			barsOf("", 100, 0, 100), "Epoch 2/4, Train Loss: 0.31", barsOf("", 100, 0, 50)), "2.5/4 epochs"},
		"a line at the end of each epoch, from 0": {all("Namespace(epochs=4)", barsOf("Training: ", 100, 0, 100),
			"Epoch 0: loss 0.41", barsOf("Training: ", 100, 0, 100), "Epoch 1: loss 0.41", barsOf("Training: ", 100, 0, 50)),
			"2.5/4 epochs"},
		"a line at the end of each epoch, without a result": {all("Namespace(epochs=4)", barsOf("", 100, 0, 100), "Epoch: 0",
			"\tTrain loss: 0.3", barsOf("", 100, 0, 100), "Epoch: 1", barsOf("", 100, 0, 50)), "2.5/4 epochs"},
		"lines in the middle of each epoch": {all("Namespace(epochs=4)", barsOf("", 100, 0, 50), "Epoch 1, loss 0.4",
			barsOf("", 100, 51, 100), barsOf("", 100, 0, 50), "Epoch 2, loss 0.3", barsOf("", 100, 51, 75)), "1.75/4 epochs"},
		"a bar of a validation behind the end of an epoch": {all("Namespace(epochs=4)", barsOf("", 100, 0, 100),
			"Epoch 1/4, Train Loss: 0.41", barsOf("", 20, 0, 20), barsOf("", 100, 0, 50)), "1.5/4 epochs"},
		"the end of an epoch seen first, and the title of the next": {all("Namespace(epochs=5)", barsOf("", 100, 90, 100),
			"epoch: 2 - train loss: 3.1", "Going into epoch 3", barsOf("", 100, 0, 50)), "2.5/5 epochs"},
		"a bar of a preparation before the first epoch": {all(barsOf("", 300, 0, 300), "Epoch 1/4", barsOf("", 100, 0, 100),
			"Epoch 2/4", barsOf("", 100, 0, 50)), "1.5/4 epochs"},
		"an evaluator": {all("trainer INFO: Engine run starting with max_epochs=3.",
			"evaluator INFO: Engine run starting with max_epochs=1.", "evaluator INFO: Epoch[1] Complete. Time taken: 00:00:05",
			"evaluator INFO: Engine run complete. Time taken: 00:00:05",
			"Training Results - Epoch: 1 Avg accuracy: 0.93 Avg loss: 0.25"), "1/3 epochs"},
		"an engine within another": {all("Engine run starting with max_epochs=3.",
			"Epoch: 1/3, Iter: 10/10 -- train_loss: 0.6",
			"Engine run starting with max_epochs=1.", "Epoch[1] Metrics -- Mean_Dice: 0.3",
			"Epoch[1] Complete. Time taken: 00:01",
			"Engine run complete. Time taken: 00:01", "Epoch: 2/3, Iter: 5/10 -- train_loss: 0.6",
			"Engine run starting with max_epochs=1.", "Epoch[1] Metrics -- Mean_Dice: 0.3"), "1.5/3 epochs"},
		"several lines at the end of each epoch": {all("Namespace(epochs=2)", barsOf("Training Epoch: ", 375, 0, 375),
			"Train Epoch: \t1, Loss: \t3.1234", barsOf("Validation Epoch: ", 25, 0, 25), "--> epoch 1 completed",
			"model checkpoint saved for epoch 1 at /out/1.pt", barsOf("Training Epoch: ", 375, 0, 150)), "1.4/2 epochs"},
		"bars of a training and a validation before each epoch is named": {all("Namespace(epochs=3)", barsOf("", 228, 0, 228),
			barsOf("", 20, 0, 20), "Epoch: 0", "\tTrain loss: 5.340", barsOf("", 228, 0, 228), barsOf("", 20, 0, 20), "Epoch: 1",
			barsOf("", 228, 0, 57)), "2.25/3 epochs"},
		"samples that are drawn": {all("***** Running training *****", "  Num Epochs = 4", "  Total optimization steps = 252",
			barsOf("Epoch 0: ", 63, 0, 63), barsOf("", 1000, 0, 1000), barsOf("Epoch 1: ", 63, 0, 21)), "1.33333/4 epochs"},
		"bars of epochs and of what they go through": {all(bar("Epoch 1 of 3: ", 0, 3), barsOf("Epochs 0/3. Loss: 0.6: ",
			100, 0,
			100), bar("Epoch 1 of 3: ", 1, 3), bar("Epoch 2 of 3: ", 1, 3), barsOf("Epochs 1/3. Loss: 0.6: ", 100, 0, 50)),
			"1.5/3 epochs"},
		"a logger that counts from 0 and a bar that counts from 1": {all("INFO:trainer:Epoch[0] Learning rate is 0.001",
			bar("", 50, 50)[:30]+"| 50/50 [00:01<00:04, 9.9it/s, epoch=1/5]", "INFO:trainer:Epoch[0] Elapsed time 1.2 seconds",
			"INFO:trainer:Epoch[1] Learning rate is 0.001", " 50%|##  | 25/50 [00:01<00:04, 9.9it/s, epoch=2/5]"),
			"1.5/5 epochs"},
		"results of steps of epochs from 1": {all("epochs: 5", count("{'loss': 0.3, 'epoch': 1, 'step': #}", 0, 90, 10),
			count("{'loss': 0.3, 'epoch': 2, 'step': #}", 0, 50, 10)), "1.5/5 epochs"},
		"a title from 1 and steps from 0, first seen in the middle": {all("Epoch: 0, Step: 9, loss = 2",
			"Epoch: 0, Step: 19, loss = 2", "Beginning of Epoch 2/2", "Epoch: 1, Step: 9, loss = 2"), "1/2 epochs"},
		"a title from 1 and steps from 0": {all("Beginning of Epoch 1/2, Total Micro Batches 100",
			"Epoch: 0, Step: 9, loss = 2",
			"Epoch: 0, Step: 19, loss = 2", "Beginning of Epoch 2/2, Total Micro Batches 100", "Epoch: 1, Step: 9, loss = 2",
			"Epoch: 1, Step: 19, loss = 2"), "1/2 epochs"},
		"Hugging Face, streamed": {all("***** Running training *****", "  Num Epochs = 9,223,372,036,854,775,807",
			"  Total optimization steps = 1,000", fmt.Sprintf(dict, "0.25")), "0.25/1 epochs"},
		"steps of an epoch beside steps that are planned": {all("max_steps=200", count("Epoch 1 step #/40", 1, 40, 1),
			"Epoch 2 step 4/40"), "unknown: the steps of an epoch are counted up to 40, and there are 200 steps in all: " +
			"nothing says whether these are the same steps"},
		"Hugging Face, ended by its steps": {all("***** Running training *****", "  Num examples = 50,000",
			"  Num Epochs = 2",
			"  Total train batch size (w. parallel, distributed & accumulation) = 64", "  Total optimization steps = 1,000",
			fmt.Sprintf(dict, "0.64")), "0.64/1.28 epochs"},
		"Hugging Face, not ended by its steps": {all("***** Running training *****", "  Num examples = 50,000",
			"  Num Epochs = 2", "  Total train batch size (w. parallel, distributed & accumulation) = 64",
			"  Total optimization steps = 1,564", fmt.Sprintf(dict, "0.64")), "0.64/2 epochs"},
		"a bar that begins without its label": {all("Namespace(epochs=3)", barsOf("1|100|Loss: 1.1: ", 100, 1, 100),
			bar("", 0, 100)), "1/3 epochs"},
		"steps of one seed of several": {all(count("[seed 1/5] step #/2000", 0, 2000, 100),
			count("[seed 2/5] step #/2000", 0, 500, 100)), "1.25/5 epochs"},
		"steps of a later seed, which may be all that there is": {count("[seed 3/5] step #/2000", 0, 500, 100),
			"0.25/1 epochs"},
		"runs that are said with their number once": {all("Run 01/10:",
			count("Run: 01, Epoch: #/20, Loss: 0.1", 1, 20, 1), "Run 02/10:",
			count("Run: 02, Epoch: #/20, Loss: 0.1", 1, 10, 1)), "30/200 epochs"},
		"a training that counts behind its name": {all(count("Tokenizing: #/120 documents", 0, 120, 10),
			count("Warmup #/3", 1, 3, 1), count("train #/5000 | loss=2.1", 25, 400, 25)), "400/5000 steps"},
		"tokens beside steps": {count("step=#00 tokens: #.5B/300B loss=2.1", 1, 30, 1), "3.05e+10/3e+11 steps"},
		"runs that tell every tenth epoch": {all("Run 01/10:",
			count("Run: 01, Epoch: #/20, Loss: 0.1", 10, 20, 10), "Run 02/10:",
			"Run: 02, Epoch: 10/20, Loss: 0.1"), "30/200 epochs"},
		"folds that stop early": {all("Fold 1/5", count("Epoch #/30, loss 0.1", 1, 12, 1), "Fold 2/5",
			count("Epoch #/30, loss 0.1", 1, 6, 1)), "36/150 epochs"},
		"rounds, of several epochs of several clients": {all("--- Round 1/50 ---",
			count("Client 1 Epoch #/5 loss 0.1", 1, 5, 1), count("Client 2 Epoch #/5 loss 0.1", 1, 5, 1),
			"--- Round 2/50 ---", count("Client 1 Epoch #/5 loss 0.1", 1, 5, 1)),
			"2/50 steps"},
		"samples before the first epoch": {all(count("Generation #/4: a cat", 1, 4, 1), count("Epoch #/10", 1, 4, 1)),
			"3/10 epochs"},
		"a first round": {all("Round 1/50", count("Client A, Epoch #/5 loss 0.1", 1, 3, 1)), "1/50 steps"},
		"updates, with epochs in each": {all(count("epoch #/4 pg_loss 0.1", 1, 4, 1), "Update 1/488 | reward 8.1",
			count("epoch #/4 pg_loss 0.1", 1, 4, 1), "Update 2/488 | reward 8.1", count("epoch #/4 pg_loss 0.1", 1, 2, 1)),
			"2/488 steps"},
		"steps of epochs that are gone through again and again": {all(count("Epoch #/3, loss 0.1", 1, 3, 1),
			"Epoch 1/3, loss 0.1", "step 30/100"),
			"unknown: 3 epochs are gone through again and again, and nothing says how often"},
		"steps of episodes": {all(count("Episode 1/100 Step #/200", 0, 200, 20),
			count("Episode 2/100 Step #/200", 0, 100, 20)),
			"1.5/100 epochs"},
		"episodes, planned": {all("num_episodes=100", count("Episode # | reward 12.1", 1, 10, 1)), "10/100 steps"},
		"episodes, planned and said": {all("episodes: 100", "episode: 100", count("Episode # finished", 1, 10, 1)),
			"10/100 steps"},
		"episodes of an evaluation": {all("num_episodes=100", count("Episode # | reward 12.1", 1, 10, 1),
			count("eval episode # | reward 12.1", 1, 5, 1)), "10/100 steps"},
		"episodes beside a batch": {all("num_episodes=100", "Episode 3 batch 5"), "3/100 steps"},
		"episodes, not planned": {count("Episode # | reward 12.1", 1, 10, 1),
			"unknown: episodes are counted, 10 of them at last, and nothing says how many there are in all"},
		"rounds of clients, planned": {all("Namespace(comm_round=50, epochs=5)", "Round 3",
			count("Client 1 Epoch #/5 loss 0.1", 1, 5, 1), "Round 4",
			count("Client 1 Epoch #/5 loss 0.1", 1, 5, 1)), "4/50 steps"},
		"rounds beside planned episodes": {all("num_episodes=100", "Round 3", "Generation 3 batch 5"),
			"unknown: generations are counted, 3 of them at last, and nothing says how many there are in all"},
		"a generation": {all("n_generations: 100", "Generation 10 best 12"), "10/100 steps"},
		"every tenth episode": {all(count("Episode #0/1000, step 20/200, reward 12", 1, 40, 1)),
			"399.1/1000 epochs"},
		"episodes, set back": {all(count("Episode #0/1000, step 20/200, reward 12", 1, 40, 1),
			count("Episode #0/1000, step 20/200, reward 12", 30, 33, 1)), "329.1/1000 epochs"},
		"episodes from the middle on": {all("Episode 401/1000 | Step 0/200", "Episode 401/1000 | Step 200/200"),
			"401/1000 epochs"},
		"a bar of an episode, and what is drawn within": {all(bar("Episode [1/3]: ", 7, 98),
			barsOf("make_experience: ", 16, 0, 16), barsOf("Train epoch [1/1]: ", 64, 0, 64), bar("Episode [1/3]: ", 49, 98),
			barsOf("Train epoch [1/1]: ", 64, 0, 64)),
			"0.5/3 epochs"},
		"one epoch again and again": {all(barsOf("Train epoch [1/1]: ", 64, 0, 64), barsOf("Train epoch [1/1]: ", 64, 0, 30)),
			"unknown: 1 epochs are gone through again and again, and nothing says how often"},
		"epochs of one stage of several": {all(count("stage 1/3 epoch #/4", 1, 4, 1), "  stage 2/3 epoch 1/4",
			"  stage 2/3 epoch 2/4"), "5/12 epochs"},
		"stages with other numbers of epochs": {all(count("stage 1/3 epoch #/4 loss 0.1", 1, 4, 1), "  stage 2/3 epoch 1/9",
			"  stage 2/3 epoch 2/9"), "unknown: 9 epochs are gone through again and again, and nothing says how often"},
		"a stage of a pipeline": {count("stage 1/4 rank 0 step #/2000", 10, 400, 10), "400/2000 steps"},
		"begun anew with another total, by two processes": {all(count("step #/2000", 0, 1000, 50), "step 2/1000",
			"step 1/1000", count("step #/1000", 2, 80, 2)), "80/1000 steps"},
		"tasks of a continual training": {all(count("[Task 1/4] Epoch #/5 loss 0.3", 1, 5, 1),
			count("[Task 2/4] Epoch #/5 loss 0.3", 1, 2, 1)), "7/20 epochs"},
		"experiments, one after another": {all("Experiment 1/3", count("Epoch #/5 loss 0.3", 1, 5, 1), "Experiment 2/3",
			count("Epoch #/5 loss 0.3", 1, 2, 1)), "7/15 epochs"},
		"a split of the data": {all("Reading split 1/2", count("Epoch #/10", 1, 4, 1)), "3/10 epochs"},
		"a task of a script":  {all("Task 1/3: training", count("Epoch #/10", 1, 4, 1)), "3/10 epochs"},
		"stages of all epochs": {all(count("stage 1/2 epoch #/10", 1, 5, 1), count("stage 2/2 epoch #/10", 6, 7, 1)),
			"6/10 epochs"},
		"stages of a script": {all("Stage 1/3: training", count("Epoch #/10", 1, 4, 1)), "3/10 epochs"},
		"an evaluation in the words of the training": {all(count("Step #/3000", 0, 1000, 50), count("Step #/40", 5, 40, 5)),
			"1000/3000 steps"},
		"evaluations in the words of the training": {all(count("Step #/3000", 0, 1000, 50), count("Step #/40", 1, 40, 1),
			count("Step #/3000", 1050, 1100, 50), count("Step #/40", 1, 40, 1)), "1100/3000 steps"},
		"evaluations, each from the same count on": {all(count("Step #/2000", 0, 200, 10), count("Step #/50", 10, 30, 10),
			count("Step #/2000", 210, 400, 10), count("Step #/50", 10, 30, 10), "Step 410/2000"), "410/2000 steps"},
		"an evaluation that begins where the training is": {all(count("Step #/2000", 0, 400, 10),
			count("Step #/50", 10, 30, 10), "Step 410/2000"), "410/2000 steps"},
		"begun anew early, with another total": {
			all(count("Step #/2000", 5, 20, 5), "Step 1/500", "Step 2/500"), "2/500 steps"},
		"begun anew with another total": {all(count("Step #/3000", 0, 1000, 50), count("Step #/1500", 0, 400, 10)),
			"400/1500 steps"},
		"two loops in turn": {all(count("[A] iter #/20", 1, 20, 1), count("[B] iter #/10", 1, 10, 1),
			count("[A] iter #/20", 1, 5, 1)), "unknown: a counter up to 20 begins anew when it is complete: it counts a part, " +
			"and nothing says how many parts there are"},
		"a plan in two languages": {all("  num epochs / epoch数: 10", "  total optimization steps / 学習ステップ数: 1600",
			"epoch 1/10", barsOf("steps: ", 1600, 1, 151)), "151/1600 steps"},
		"steps beside what a configuration says of epochs": {all("| num_batches per epoch | 19560       |",
			"step   21/19560 | loss 10.1 | norm 1.2"), "21/19560 steps"},
		"JSON of the batches of an epoch": {count(`{"epoch": 0, "epochs": 15, "batch": #, "num_batches": 300, "loss": 0.3}`,
			0, 210, 30), "0.7/15 epochs"},
		"CLU, beside its checkpoints": {all("num_train_steps: 50000", "train.py:301] Starting training loop at step 1.",
			"checkpoint_manager.py:812] Saving checkpoint at step 1000",
			"I0506 09:13:40.123456 140123 logging_writer.py:48] [1550] loss=6.1, steps_per_sec=5.1"), "1550/50000 steps"},
		"Lightning, not planned until its end": {all("Epoch 0: 100%|##| 400/400 [00:10<00:00,  4.4it/s, v_num=0]",
			"Epoch 1: 100%|##| 400/400 [00:10<00:00,  4.4it/s, v_num=0]", "`Trainer.fit` stopped: `max_epochs=2` reached.",
			"Epoch 1: 100%|##| 400/400 [00:10<00:00,  4.4it/s, v_num=0]"), "2/2 epochs"},
		"a rule below the title of an epoch": {all("Epoch 0/4", "----------", "train Loss: 0.6 Acc: 0.7", "", "Epoch 1/4"),
			"1/5 epochs"},
		"a rule elsewhere": {all("Epoch 0/4", "train Loss: 0.6 Acc: 0.7", "----------", "Epoch 1/4"), "1/4 epochs"},
		"as many epochs as are planned, from 0, seen from the middle on": {all("Namespace(epochs=5)",
			bar("2/4  2.1G  0.1: ", 1, 2)), "2.5/5 epochs"},
		"epochs beside others, said again and again": {all("n_epochs: 100 ", "n_epochs_decay: 50", "n_epochs: 100 ",
			"n_epochs_decay: 50", "(epoch: 51, iters: 100, time: 0.1) G_GAN: 0.1"), "50/150 epochs"},
		"epochs beside others": {all("          n_epochs: 100", "    n_epochs_decay: 50 \t[default: 100]",
			"(epoch: 51, iters: 100, time: 0.1) G_GAN: 0.1", "End of epoch 51 / 150 \t Time Taken: 22 sec"), "51/150 epochs"},
		"Keras": {all("Epoch 3/10", "  45/450 [>.....] - ETA: 9s - loss: 0.4"), "2.1/10 epochs"},
		"Keras, evaluated": {all("Epoch 3/3", "450/450 [=====] - 5s 3ms/step", "  1/20 [>....] - ETA: 1s",
			" 10/20 [==>..] - ETA: 1s"), "3/3 epochs"},
		"Keras, a line an epoch": {all("Epoch 1/10", "1875/1875 - 5s - loss: 0.4", "Epoch 2/10",
			"1875/1875 - 5s - loss: 0.4", "Epoch 3/10", "1875/1875 - 5s - 3ms/step - loss: 0.4"), "3/10 epochs"},
		"Keras, saved before its line": {all("Epoch 1/10",
			"Epoch 1: val_loss improved from 0.5 to 0.4, saving model to m.keras",
			"1875/1875 - 5s - 3ms/step - loss: 0.4", "Epoch 1: ReduceLROnPlateau reducing learning rate to 0.0001."),
			"1/10 epochs"},
		"Keras, epochs not told": {all("  45/450 [>.....] - ETA: 9s - loss: 0.4"),
			"unknown: the 450 steps of an epoch are counted, and nothing counts the epochs"},
		"Lightning, planned": {all("max_epochs: 10", "Sanity Checking DataLoader 0:  50%|██ | 1/2 [00:00<00:00,  "+
			"4.4it/s]", barsOf("Epoch 0: ", 100, 0, 100), bar("Validation DataLoader 0: ", 9, 10), bar("Epoch 1: ", 45, 100)),
			"1.45/10 epochs"},
		"Lightning, not planned": {all(bar("Epoch 3: ", 45, 100)),
			"unknown: epochs are counted, 3 of them at last, and nothing says how many there are in all"},
		"Lightning, drawn by Rich": {all("Epoch 3/9  ━━━━━━━━━╸━━━━━ 45/100 0:00:10 • 0:00:12 4.4it/s v_num: 0"),
			"3.45/10 epochs"},
		"bars of epochs from 1, seen from the middle on": {all("epochs: 5", barsOf("Epoch #4: ", 100, 50, 100),
			barsOf("Epoch #5: ", 100, 0, 50)), "4.5/5 epochs"},
		"bars of epochs from 1": {all("epochs: 10", barsOf("Epoch 1: ", 100, 0, 100), bar("Epoch 2: ", 45, 100)),
			"1.45/10 epochs"},
		"DeepSpeed, planned": {all(`  "max_steps": 1000,`, "[Rank 0] step=100, skipped=0, lr=[0.0001]",
			"steps: 100 loss: 1.2345 iter time (s): 0.123"), "100/1000 steps"},
		"DeepSpeed": {all("[Rank 0] step=100, skipped=0, lr=[0.0001]"),
			"unknown: steps are counted, 100 at last, and nothing says how many there are in all"},
		"Megatron": {all(" iteration      100/  500000 | consumed samples: 25600 |",
			" validation loss at iteration 100 | lm loss value: 2.1 |"), "100/500000 steps"},
		"fairseq, epochs": {all("Namespace(max_epoch=10, lr=[0.1])", "epoch 002:  10%|█ | 100/1000 [00:10<01:30, "+
			"10.0it/s]", "epoch 002 | valid on 'valid' subset:  50%|█ | 5/10 [00:00<00:01, 9.0it/s]"), "1.1/10 epochs"},
		"fairseq, updates": {all("'max_update': 50000,", "| INFO | train_inner | epoch 002:    100 / 1000 "+
			"loss=9.1, num_updates=1100, lr=1e-05"), "1100/50000 steps"},
		"timm": {all("Scheduled epochs: 310. LR stepped per epoch.",
			"Train: 3 [ 625/1250 ( 50%)]  Loss: 6.9", "Test: [  10/48]  Time: 0.12"), "3.5/310 epochs"},
		"Ultralytics": {all("      Epoch    GPU_mem   box_loss", bar("      3/100      2.1G      1.52      2.31        16  "+
			"      640: ", 9, 18),
			bar("                 Class     Images  Instances      Box(P          R      mAP50  mAP50-95): ", 3, 4)),
			"2.5/100 epochs"},
		"YOLOv5": {all(bar("      0/299      2.1G   0.1  0.2  0.3  16  640: ", 18, 18),
			bar("      1/299      2.1G   0.1  0.2  0.3  16  640: ", 9, 18)), "1.5/299 epochs"},
		"Estimator, planned": {all("'max_steps': 1000", "INFO:tensorflow:loss = 1.2, step = 400 (1.2 sec)",
			"INFO:tensorflow:global_step/sec: 83.3"), "400/1000 steps"},
		"torchvision": {all("Namespace(batch_size=32, epochs=90, lr=0.1)", "Epoch: [3]  [ 500/1250]  eta: 0:01:23 "+
			" lr: 0.1", "Epoch: [3] Total time: 0:01:23", "Test:  [ 10/48]  eta: 0:00:09"), "4/90 epochs"},
		"MMEngine, epochs": {all("train_cfg = dict(by_epoch=True, max_epochs=12, val_interval=1)",
			"- mmengine - INFO - Epoch(train)  [3][ 625/1250]  lr: 1.0e-02", "Epoch(val) [3][10/48]"), "2.5/12 epochs"},
		"MMEngine, iterations": {all("- mmengine - INFO - Iter(train) [  450/90000]  lr: 1.0e-02"), "450/90000 steps"},
		"detectron2": {all("  MAX_ITER: 90000", "[11/24 12:00:00 d2.utils.events]:  eta: 1:02:03  iter: 459  "+
			"total_loss: 1.2", "Inference done 11/5000. 0.05 s/iter."), "459/90000 steps"},
		"nanoGPT": {all("Overriding: max_iters = 2000", "step 250: train loss 2.1, val loss 2.2",
			"iter 450: loss 2.1, time 12.3ms, mfu 30.1%"), "450/2000 steps"},
		"MNIST": {all("Namespace(batch_size=64, epochs=14)", "Train Epoch: 2 [15000/60000 (25%)]\tLoss: 2.3",
			"Test set: Average loss: 0.05, Accuracy: 9806/10000 (98%)"), "1.25/14 epochs"},
		"multigpu_torchrun": {all("total_epochs=10", "[GPU0] Epoch 3 | Batchsize: 32 | Steps: 64",
			"[GPU1] Epoch 3 | Batchsize: 32 | Steps: 64"), "3/10 epochs"},
		"DCGAN": {all("[3/25][391/782]\tLoss_D: 1.2\tLoss_G: 3.4"), "3.5/25 epochs"},
		"word language model": {all("Namespace(epochs=40)", "| epoch   3 |   500/ 2000 batches | lr 20.00 | loss  5.1 |",
			"| end of epoch   3 | time: 9.1s | valid loss  5.1"), "3/40 epochs"},
		"GAN":                 {all("[Epoch 3/10] [Batch 25/100] [D loss: 0.3]"), "2.25/10 epochs"},
		"numbers in brackets": {all("[449/1000] loss: 0.3", "[450/1000] loss: 0.3"), "450/1000 steps"},
		"wandb":               {all(`{"total_steps": 1000}`, `{"_step": 420, "_runtime": 12.3}`), "420/1000 steps"},
		"unit that stays":     {all("Epoch 1/3", " iteration  100/ 500 | consumed samples: 25600 |"), "100/500 steps"},
		"nothing of a training": {all("loss 3/10", "4/8 GPUs found", "11/24/2026", "acc 45/100", "v1.2/3",
			bar("Map: ", 45, 100), bar("Fetching 3 files: ", 1, 3),
			bar("Loading checkpoint shards: ", 2, 4), bar("Evaluating: ", 9, 10),
			"Downloading:  45%|████ | 45.0M/100M [00:01<00:01, 45.0MB/s]"), "unknown: "},
		"preparation before":   {all(barsOf("", 50, 0, 50), barsOf("", 1000, 0, 60)), "60/1000 steps"},
		"preparation given up": {all(barsOf("", 50, 0, 20), barsOf("", 1000, 0, 3)), "3/1000 steps"},
		"just after another": {all(barsOf("", 50, 0, 50), barsOf("", 1000, 0, 3)), "unknown: a counter up to 50 is " +
			"complete, and another up to 1000 goes on: nothing says which of them counts the training"},
		"named after another": {all(barsOf("", 50, 0, 50), barsOf("Training: ", 1000, 0, 3)), "3/1000 steps"},
		"bars of epochs": {all(barsOf("", 100, 0, 100), barsOf("", 20, 0, 20), barsOf("", 100, 0, 45)),
			"unknown: a counter up to 100 begins anew when it is complete: it counts a part, and nothing says how many parts " +
				"there are"},
		"bars, epochs planned": {all("Namespace(epochs=14)", barsOf("", 100, 0, 45)),
			"unknown: a bar counts up to 100, and there are 14 epochs: nothing says whether it counts one of them or all"},
		"validated in epochs": {all("Epoch 1/3", barsOf("", 100, 0, 100), barsOf("", 20, 0, 20), "Epoch 2/3",
			barsOf("", 100, 0, 50), barsOf("", 20, 0, 15)), "1.5/3 epochs"},
		"a bar over all epochs": {all("epoch 1/4", barsOf("steps: ", 100, 0, 25), "epoch 2/4",
			barsOf("steps: ", 100, 26, 40)), "40/100 steps"},
		"few steps of an epoch": {all("epoch 1/2", count("step #/100", 0, 50, 50), "epoch 2/2",
			count("step #/100", 0, 50, 50)), "1.5/2 epochs"},
		"a line behind a bar": {all("Epoch 1/3", bar("", 100, 100)+"Epoch 2/3", bar("", 50, 100)), "1.5/3 epochs"},
		"numbered lines":      {count("#: step #/1000", 1, 500, 1), "500/1000 steps"},
		"stages of a script, and steps": {all("Step 1/3: loading", "Step 2/3: building", "Step 3/3: training"),
			"unknown: steps are counted up to 3, which may be one of several epochs"},
		"few rounds":             {all("Round 1/5", "Round 2/5"), "2/5 steps"},
		"few steps with results": {all("step 1/5, loss 0.3", "step 2/5, loss 0.3"), "2/5 steps"},
		"stages of a script before steps": {all("Step 1/3: loading", "Step 3/3: training", "step 4/1000, loss 0.3"),
			"4/1000 steps"},
		"stages before epochs": {all("Step 1/5: preparing", "Step 2/5: training", "Epoch 1/10", "  45/450 [>...] - ETA: 9s"),
			"0.1/10 epochs"},
		"epochs named late": {all(barsOf("", 100, 0, 100), "Epoch 1 loss 0.3", barsOf("", 100, 0, 50)),
			"unknown: epochs are counted, 1 of them at last, and nothing says how many there are in all"},
		"epochs that are times": {all("epoch: 1700000000", "step 420/1000"), "420/1000 steps"},
		"set back":              {all(barsOf("", 1000, 0, 450), barsOf("", 1000, 400, 420)), "420/1000 steps"},
		"begun anew, fewer":     {all(barsOf("", 1000, 0, 450), barsOf("", 500, 200, 210)), "210/500 steps"},
		"steps of other length": {all(count("step #/1000", 0, 450, 10), count("step #/500", 225, 300, 5)), "300/500 steps"},
		"ranks": {all("[rank1]: step 420/1000", "[rank0]: step 419/1000", "[rank1]: step 430/1000",
			"[rank0]: step 425/1000", "[rank2]: step 431/1000"), "425/1000 steps"},
		"ranks of which the last alone says how many there are": {
			all(count("[default3]: iteration #/ 1000 | consumed samples: 1 |", 10, 30, 10),
				"[default0]:steps: 30 loss: 2.3 iter time (s): 8.1", "[default3]: iteration 40/ 1000 | consumed samples: 1 |",
				"[default0]:steps: 40 loss: 2.3 iter time (s): 8.1"), "40/1000 steps"},
		"the other rank alone": {all("[rank0]: step 419/1000", count("[rank1]: step #/1000", 420, 500, 1)),
			"500/1000 steps"},
		"processes, mixed": {all("step 10/1000", "step 9/1000", "step 11/1000", "step 10/1000", "step 12/1000",
			"step 11/1000", "step 10/1000"), "12/1000 steps"},
		"processes, set back": {all("step 10/1000", "step 9/1000", "step 11/1000", "step 10/1000", "step 12/1000",
			count("step #/1000", 2, 11, 1), count("step #/1000", 2, 11, 1)), "11/1000 steps"},
		"epochs from 0":     {all("Epoch 0/24", "Epoch 1/24", "Epoch 2/24"), "2/24 epochs"},
		"the last of those": {all("Epoch 0/2", "Epoch 1/2", "Epoch 2/2"), "2/3 epochs"},
		"results within epochs": {
			all("num_epochs=10", "Epoch 0 Batch 0 Loss 2.1", "Epoch 0 Batch 50 Loss 2.0"), "0/10 epochs",
		},
		"a result an epoch": {all("epochs: 10", count("epoch # | loss 8.1 | num_updates 100", 1, 3, 1)), "3/10 epochs"},
		"a process that is still in the epoch before": {all("Epoch 1/4", count("step #/100", 10, 100, 10), "Epoch 2/4",
			"step 90/100", "step 100/100"), "1/4 epochs"},
		"the end of a part, among the settings": {all("{'epochs': 300, 'scheduler': {'end_epoch': 10}}",
			"Epoch 5 loss 0.3"), "5/300 epochs"},
		"the end of a part, last":  {all("epochs: 300", "  end_epoch: 10", "Epoch 5 loss 0.3"), "5/300 epochs"},
		"the end of a part, first": {all("  end_epoch: 10", "epochs: 300", "Epoch 5 loss 0.3"), "5/300 epochs"},
		"the end alone":            {all("  end_epoch: 10", "Epoch 5 loss 0.3"), "5/10 epochs"},
		"many results of an epoch": {all("epochs: 10", linesOf(1), linesOf(2), "Epoch 3 - batch loss: 0.4"),
			"2/10 epochs"},
		"many results of an epoch, and one at its end": {all("epochs: 10", linesOf(1), "Epoch 1 - train loss: 0.4",
			linesOf(2), "Epoch 2 - train loss: 0.4"), "2/10 epochs"},
		"two results of an epoch": {all("epochs: 10", "Epoch 1, loss 0.5", "Epoch 1, loss 0.4"), "1/10 epochs"},
		"an epoch that is named again": {all("epochs: 10", "Epoch 3, loss 0.5", "Epoch 3: reducing learning rate"),
			"3/10 epochs"},
		"the best epoch":                 {all("Epoch 3/3, loss 0.5", "Best model at epoch 2"), "3/3 epochs"},
		"validated in epochs, at length": {all("Epoch 1/3", barsOf("", 100, 0, 100), barsOf("", 60, 0, 60)), "1/3 epochs"},
		"prepared in epochs, at length":  {all("Epoch 1/3", barsOf("", 40, 0, 40), barsOf("", 100, 0, 50)), "0.5/3 epochs"},
		"named bars of epochs": {all("Namespace(epochs=10)", barsOf("Training: ", 50, 0, 45)),
			"unknown: steps are counted up to 50, which may be one of several epochs"},
		"a bar called epoch, of each": {all(barsOf("r0 Training Epoch: ", 100, 0, 100),
			barsOf("r0 Training Epoch: ", 100, 0, 40)),
			"unknown: the 100 steps of an epoch are counted, and nothing counts the epochs"},
		"a bar called epoch, of the first": {barsOf("r0 Training Epoch: ", 100, 0, 100),
			"unknown: the 100 steps of an epoch are counted, and nothing counts the epochs"},
		"a bar called epoch, of as many as are planned": {all("epochs=10", barsOf("Training Epoch: ", 10, 0, 4)),
			"4/10 epochs"},
		"a bar called epoch, beside the epochs": {all(barsOf("r0 Training Epoch: ", 100, 0, 100),
			"Train Epoch: \t1, Loss: \t0.5", barsOf("r0 Training Epoch: ", 100, 0, 40)),
			"unknown: epochs are counted, 1 of them at last, and nothing says how many there are in all"},
		"a bar called epoch": {all("epochs=2", barsOf("Training Epoch: ", 94, 0, 40)),
			"unknown: steps are counted up to 94, which may be one of several epochs"},
		"a bar called epoch, begun anew": {all(barsOf("Epoch: ", 94, 0, 94), barsOf("Epoch: ", 94, 0, 94),
			barsOf("Epoch: ", 94, 0, 40)), "unknown: a counter up to 94 begins anew when it is complete: it counts a part, " +
			"and nothing says how many parts there are"},
		"a bar that was drawn before the epochs": {all("epochs: 10", bar("steps: ", 0, 1600), "epoch 1/10",
			barsOf("steps: ", 1600, 1, 151)), "151/1600 steps"},
		"a bar of all epochs, seen from the middle on": {all(barsOf("steps: ", 600, 358, 360), "epoch 4/5",
			barsOf("steps: ", 600, 361, 370)), "370/600 steps"},
		"a bar of all epochs, drawn again as an epoch begins": {all(barsOf("steps: ", 600, 358, 360), "epoch 4/5",
			barsOf("steps: ", 600, 360, 370)), "370/600 steps"},
		"a bar of an epoch, seen from the middle on": {all(barsOf("steps: ", 600, 358, 360), "epoch 4/5",
			barsOf("steps: ", 600, 0, 60)), "3.1/5 epochs"},
		"a bar of all steps behind an epoch": {all("Total optimization steps = 2290",
			barsOf("Epoch 1/10, Steps: ", 2290, 0, 174)),
			"174/2290 steps"},
		"epochs from 0 to one less than planned": {all("epochs=3", "Epoch 0/2", "Epoch 1/2"), "1/3 epochs"},
		"epochs from 0 of those who count from 1": {all("epochs: 5", "Train Epoch: 0 [32/64 (50%)]",
			"Train Epoch: 1 [32/64 (50%)]"), "1.5/5 epochs"},
		"epochs from 1 of those who count from 0": {all("epochs: 3", "Epoch: [3][196/391]\tTime 0.2"), "2.50128/3 epochs"},
		"a share of several processes": {
			all("epochs: 10", "Train Epoch: 1 [15000/60000 (100%)]\tloss=0.1"), "1/10 epochs",
		},
		"folds": {all("Fold 1/5", count("Epoch #/3", 1, 3, 1), "loss 0.1", "Fold 2/5", "Epoch 1/3", "Epoch 2/3"),
			"4/15 epochs"},
		"folds from 0": {all("Fold 0/5", count("Epoch #/3, loss 0.1", 1, 3, 1), "Fold 1/5", "Epoch 1/3", "Epoch 2/3"),
			"4/15 epochs"},
		"folds, first seen in the third": {all("Fold 3/5", count("Epoch #/3, loss 0.1", 1, 3, 1), "Fold 4/5", "Epoch 1/3"),
			"9/15 epochs"},
		"epochs begun anew before they were over": {all(count("Epoch #/3", 1, 3, 1), "Epoch 1/3", "Epoch 2/3"), "1/3 epochs"},
		"a run of another sweep": {
			all("Run 2/3 of the sweep", count("Epoch #/4, loss 0.1", 1, 3, 1)), "3/4 epochs",
		},
		"trials within epochs": {all(count("Epoch #/4 loss: 0.1 [trial 1/5]", 1, 3, 1)), "3/4 epochs"},
		"epochs again and again": {all(count("Epoch #/3, loss 0.1", 1, 3, 1), "Epoch 1/3, loss 0.1"),
			"unknown: 3 epochs are gone through again and again, and nothing says how often"},
		"a preparation, and steps beyond it": {all(barsOf("", 12, 0, 12), "Iter 10: loss 2.1", "Iter 20: loss 2.0"),
			"unknown: steps are counted, 20 at last, and nothing says how many there are in all"},
		"steps of the first epoch, as long as was said": {all("epochs=4", "steps per epoch: 100",
			count("Epoch 1, batch #, loss 0.3", 0, 75, 25)), "0.75/4 epochs"},
		"steps of the only epoch, as long as its title says": {all("Beginning of Epoch 1/1, Total Generation Batches 100",
			count("Epoch: 0 | Step: # | PPO Epoch: 1 | Actor Loss: 0.1", 0, 75, 1)), "0.75/1 epochs"},
		"steps of an epoch of unknown length, gone on with": {all("epochs=4", count("Epoch 1, batch #, loss 0.3", 0, 75, 25),
			count("Epoch 2, batch #, loss 0.3", 0, 75, 25), "Loading checkpoint from epoch-1.pt",
			count("Epoch 2, batch #, loss 0.3", 0, 25, 25)), "1.25/4 epochs"},
		"steps of the whole, of epochs of unknown length, gone on with": {all("epochs=4",
			count("Epoch 1 | iter # | loss 0.3", 10, 100, 10), count("Epoch 2 | iter # | loss 0.3", 110, 200, 10),
			count("Epoch 3 | iter # | loss 0.3", 210, 220, 10), "Resuming training from step-150",
			"Epoch 2 | iter 160 | loss 0.3", "Epoch 2 | iter 170 | loss 0.3"), "1.6/4 epochs"},
		"steps of an epoch that is longer than was said": {all("epochs=4", "steps per epoch: 50",
			count("Epoch 1, batch #, loss 0.3", 0, 75, 25), "Epoch 2, batch 0, loss 0.3", "Epoch 2, batch 25, loss 0.3"),
			"1.25/4 epochs"},
		"steps of an epoch of unknown length": {all("epochs=4", count("Epoch 1, batch #, loss 0.3", 0, 75, 25),
			count("Epoch 2, batch #, loss 0.3", 0, 50, 25)), "1.5/4 epochs"},
		"steps of the whole, of epochs of unknown length": {all("epochs=4", count("Epoch 1 | iter # | loss 0.3", 10, 100, 10),
			count("Epoch 2 | iter # | loss 0.3", 110, 160, 10)), "1.5/4 epochs"},
		"too few steps of an epoch to tell its length": {all("epochs=4", count("Epoch 1, batch #, loss 0.3", 50, 100, 50),
			count("Epoch 2, batch #, loss 0.3", 50, 100, 50)), "1/4 epochs"},
		"steps of an epoch of unknown length, by two processes": {all("epochs=4", count("[1, #] loss: 0.3", 0, 75, 25),
			"[2, 0] loss: 0.3", "[2, 25] loss: 0.3", "[1, 100] loss: 0.3"), "1.25/4 epochs"},
		"a validation in the words of the training": {all("epochs=4", count("Epoch 1, batch #, loss 0.3", 0, 75, 25),
			count("Epoch 1, batch #, loss 0.3", 0, 25, 25), count("Epoch 2, batch #, loss 0.3", 0, 75, 25),
			"Epoch 2, batch 0, loss 0.3"),
			"1.75/4 epochs"},
		"folds of nobody knows how many": {all("Fold 1", count("Epoch #/3", 1, 2, 1)),
			"unknown: 3 epochs are gone through again and again, and nothing says how often"},
		"folds, planned": {all("Namespace(n_fold=5)", "== fold: 0 training ==", count("Epoch #/3, loss 0.1", 1, 3, 1),
			"== fold: 0 result ==", "== fold: 1 training ==", "Epoch 1/3", "Epoch 2/3"), "4/15 epochs"},
		"one fold of several": {all("Namespace(n_fold=5, fold=0)", "Training fold 0", "Epoch 1/3", "Epoch 2/3"),
			"1/3 epochs"},
		"runs": {all("Namespace(epochs=3, runs=4)", count("Run: 01, Epoch: 0#, Loss: 0.1", 1, 3, 1),
			"Run: 02, Epoch: 01, Loss: 0.1"), "4/12 epochs"},
		"runs that are not named": {all("Namespace(train_epochs=3, itr=2)", count("Epoch: # cost time: 12.1", 1, 3, 1),
			"Epoch: 1 cost time: 12.1"), "4/6 epochs"},
		"trials of nobody knows how many": {all("[I 2026-11-24 10:00:00,123] A new study created in memory with name: a",
			count("Epoch #/3, loss 0.1", 1, 3, 1)),
			"unknown: 3 epochs are gone through again and again, and nothing says how often"},
		"trials, planned": {all("Namespace(n_trials=5)", "[I 2026-11-24 10:00:00,123] A new study created in memory",
			count("Epoch #/3, loss 0.1", 1, 3, 1), "[I 2026-11-24 10:00:01,123] Trial 0 finished with value: 0.8 and so on.",
			count("Epoch #/3, loss 0.1", 1, 2, 1), "[I 2026-11-24 10:00:02,123] Trial 1 pruned. Pruned at iteration 2.",
			"Epoch 1/3, loss 0.1"), "7/15 epochs"},
		"jobs of a sweep": {all("[2026-11-24 10:00:00,123][HYDRA] Launching 3 jobs locally",
			"[2026-11-24 10:00:00,123][HYDRA] \t#0 : lr=0.1", count("Epoch #/3, loss 0.1", 1, 3, 1),
			"[2026-11-24 10:00:00,123][HYDRA] \t#1 : lr=0.2", "Epoch 1/3, loss 0.1"), "4/9 epochs"},
		"trials that are named when they begin": {all("Search: Running Trial #1", count("Epoch #/3", 1, 3, 1)),
			"unknown: 3 epochs are gone through again and again, and nothing says how often"},
		"steps of another training behind all epochs": {all(count("Epoch #/3, loss 0.1", 1, 3, 1),
			count("step #/1000, loss 0.1", 10, 50, 10)),
			"unknown: 3 epochs are over, and steps up to 1000 go on: nothing says how much these are of the training"},
		"a test in the words of an epoch behind all of them": {all("Epoch 1/2", count("#/50 [==>.] - loss: 0.3", 1, 50, 1),
			"Epoch 2/2", count("#/50 [==>.] - loss: 0.3", 1, 50, 1), count("#/20 [==>.] - accuracy: 0.9", 1, 20, 1)),
			"2/2 epochs"},
		"two processes, one of which names the epoch before again": {all("Namespace(epochs=5)",
			count("epoch 1 | iter #/100 | loss 0.3", 20, 100, 20), "epoch 2 | iter 20/100 | loss 0.3", "epoch 1 | took 3 s",
			count("epoch 2 | iter #/100 | loss 0.3", 40, 60, 20)), "1.6/5 epochs"},
		"steps of the only epoch": {all("Namespace(epochs=1, max_steps=1000)", "Starting epoch: 0",
			count("step=#, loss=0.3", 100, 400, 100)), "400/1000 steps"},
		"the bar of an epoch that is named long after it began": {all("Namespace(epochs=2)",
			barsOf("Iteration: ", 100, 1, 50), "Epoch: 0, lr 0.1", barsOf("Iteration: ", 100, 51, 100),
			barsOf("Iteration: ", 100, 0, 80)), "1/2 epochs"},
		"bars of epochs of which nobody knows how long they are": {all("Namespace(epochs=4)",
			count("Epoch 0: #it [00:10, 9.9it/s]", 1, 100, 1), count("Epoch 1: #it [00:10, 9.9it/s]", 1, 50, 1)),
			"1.49751/4 epochs"},
		"a test of as many steps as an epoch behind all of them": {all("Epoch 1/2",
			count("#/50 [==>.] - loss: 0.3", 1, 50, 1), "Epoch 2/2", count("#/50 [==>.] - loss: 0.3", 1, 50, 1),
			count("#/50 [==>.] - accuracy: 0.9", 1, 40, 1)), "2/2 epochs"},
		"a bar of a test behind all epochs": {all(count("Epoch #/3, loss 0.1", 1, 3, 1), barsOf("", 100, 0, 20)),
			"3/3 epochs"},
		"folds, begun anew": {all("Fold 1/5", count("Epoch #/3", 1, 3, 1), "Fold 2/5", count("Epoch #/3", 1, 2, 1),
			"Fold 1/5", "Epoch 2/3"), "1/15 epochs"},
		"a validation that is longer than the training": {all("Epoch 1/5", barsOf("", 40, 0, 40), barsOf("", 80, 0, 20),
			"Epoch 2/5", barsOf("", 40, 0, 40), barsOf("", 80, 0, 60)), "2/5 epochs"},
		"bars of folds": {all("Fold 1/5", barsOf("", 100, 0, 100), "Fold 2/5", barsOf("", 100, 0, 50)), "1.5/5 epochs"},
		"bars of epochs of folds": {all("Fold 1/5", barsOf("", 100, 0, 100), barsOf("", 100, 0, 50), "Fold 2/5",
			barsOf("", 100, 0, 50)), "unknown: steps up to 100 are gone through again and again, and nothing says how often"},
		"steps of jobs of a sweep": {all("[10:00:00][HYDRA] Launching 3 jobs locally", "[10:00:00][HYDRA] \t#0 : lr=0.1",
			count("step #/100 loss 0.3", 0, 100, 10), "[10:00:01][HYDRA] \t#1 : lr=0.1",
			count("step #/100 loss 0.3", 0, 50, 10)), "1.5/3 epochs"},
		"bars of trials of nobody knows how many": {all("[I 2026-11-24] A new study created", barsOf("", 100, 0, 100)),
			"unknown: steps up to 100 are gone through again and again, and nothing says how often"},
		"a bar of as many as there are epochs, and bars below it": {all("Namespace(epochs=5)", bar("", 0, 5),
			"\r"+bar("", 50, 100)+"\x1b[A", "\r"+bar("", 100, 100)+"\x1b[A", bar("", 1, 5), "\r"+bar("", 0, 100)+"\x1b[A",
			"\r"+bar("", 50, 100)+"\x1b[A"), "1.5/5 epochs"},
		"a bar of as many as there are epochs, alone": {all("Namespace(epochs=5)", barsOf("", 5, 0, 3)),
			"unknown: a bar counts up to 5, and there are 5 epochs: nothing says whether it counts one of them or all"},
		"a title behind a bar that was cut off": {all("Epoch 3/5", "40/100 [==>...] - ETA: 9s - loss: 0.4Epoch 2/5",
			"10/100 [>.....] - ETA: 9s - loss: 0.4"), "1.1/5 epochs"},
		"trials that are named when they are over": {all(count("Epoch #/3, loss 0.1", 1, 3, 1),
			"Trial 0 finished with value: 0.8",
			"Epoch 1/3"), "unknown: 3 epochs are gone through again and again, and nothing says how often"},
		"epochs from 1 in a form of those who count from 0": {all("epochs=4", "Epoch: [1][50/100] Elapsed 0m"),
			"0.5/4 epochs"},
		"those who count from 0, gone on with": {all("epochs=4", "=> loaded checkpoint 'c.pth' (epoch 1)",
			"Epoch: [1][50/100] Time 0.2"), "1.5/4 epochs"},
		"an epoch that goes on with more workers": {all("epochs=10", count("Epoch: [3][#/200]\tTime 0.2", 0, 140, 20),
			count("Epoch: [3][#/100]\tTime 0.2", 0, 20, 10)), "3.2/10 epochs"},
		"a bar of an epoch that goes on with more workers": {all("max_epochs: 10", barsOf("Epoch 2: ", 200, 0, 140),
			barsOf("Epoch 3: ", 200, 0, 140),
			"Epoch 3:  20%|##   | 20/100 [00:10<00:12,  4.4it/s, v_num=0]"), "3.2/10 epochs"},
		"an epoch that goes on with more workers, as it says": {all(count("Epoch 4/10, step #/200", 0, 140, 20),
			"Resuming from /out/last.pt", count("Epoch 4/10, step #/100", 0, 20, 10)), "3.2/10 epochs"},
		"an epoch with a title that goes on with more workers": {all("Epoch 4/10", count("step #/200", 0, 140, 20),
			"Epoch 4/10", count("step #/100", 0, 20, 10)), "3.2/10 epochs"},
		"an evaluation within an epoch, in the words of the training": {all(count("Epoch 4/10, step #/200", 0, 100, 20),
			count("Epoch 4/10, step #/50", 0, 50, 10)), "3.5/10 epochs"},
		"epochs of clients": {all("Namespace(epochs=100)",
			"| Global Round : 3 | Local Epoch : 5 | [0/480 (0%)] Loss: 1.2"),
			"unknown: rounds are counted, 3 of them at last, and nothing says how many there are in all"},
		"a bar of epochs that names each": {all(barsOfEpochs(1, 6)), "6/10 epochs"},
		"a table from 0": {all("epochs: 10", "epoch     train_loss  valid_loss  accuracy  time    ",
			"0         1.231123    1.121412    0.712341  00:12     ", "1         1.131123    1.021412    0.752341  00:12     "),
			"2/10 epochs"},
		"a table from 1, in colours": {all("max_epochs=10", "  epoch    train_loss    valid_acc    dur",
			"-------  ------------  ----",
			"      1        \x1b[36m0.6512\x1b[0m       \x1b[32m0.7100\x1b[0m  0.5123",
			"      2        \x1b[36m0.6212\x1b[0m       0.7000  0.5123"), "2/10 epochs"},
		"a table from 0 beside bars from 1, seen from the middle on": {all("epoch     train_loss  valid_loss  time    ",
			"Epoch 4/10 : |███---| 50.00% [100/200 00:02<00:10]", "3         1.231123    1.121412    00:12     ",
			"Epoch 5/10 : |███---| 50.00% [100/200 00:02<00:10]"), "4.5/10 epochs"},
		"spaCy": {all("max_steps = 1000", "E    #       LOSS TOK2VEC  LOSS NER  ENTS_F  SCORE ",
			"---  ------  ------------  --------  ------  ------", "  0       0          0.00     39.33    0.00    0.00",
			"  1     200         33.34    816.50   32.10    0.32"), "200/1000 steps"},
		"spaCy, of epochs": {all("max_epochs = 10", "[rank0]: E    #       LOSS TOK2VEC  LOSS NER  ENTS_F  SCORE ",
			"[rank0]:   0       0          0.00     39.33    0.00    0.00",
			"[rank0]:   2     200         33.34    816.50   32.10    0.32"), "2/10 epochs"},
		"a table between commas": {all("epochs: 10", "epoch,loss,val_loss", "0,0.6512,0.5123", "1,0.6412,0.5023"),
			"2/10 epochs"},
		"a table behind the number of a process": {all("epochs: 10", "[rank0]: epoch  train_loss  valid_loss",
			"[rank0]: 0      0.6512      0.5123", "[rank1]: 0      0.6512      0.5123", "[rank0]: 1      0.6412      0.5023",
			"[rank1]: 1      0.6412      0.5023"), "2/10 epochs"},
		"a table of several lines an epoch": {all("epochs: 10", "epoch,step,loss", "0,100,0.6512", "0,200,0.6512",
			"1,300,0.6412", "1,400,0.6412"), "1/10 epochs"},
		"no table": {all("epochs: 10", "epoch  after  epoch", "3 of 4  and  5", "epoch time, loss and lr follow", "1, 2, 3"),
			"unknown: "},
		"Chinese": {all("共10轮",
			"第2轮训练", "第2轮 | 损失: 0.3 | 准确率: 81%", bar("验证", 3, 10)), "2/10 epochs"},
		"German": {all("Epoche 2/10 | Verlust: 0.3"), "2/10 epochs"},
		"JSON behind a logger": {all("'max_update': 40000",
			`[train_inner][INFO] - {"epoch": 3, "update": 2.1, "num_updates": "2400"}`,
			`[valid][INFO] - {"epoch": 3, "valid_num_updates": "2400"}`), "2400/40000 steps"},
		"Hugging Face, evaluated at the end": {all(barsOf("", 300, 0, 150), fmt.Sprintf(dict, "1.5"),
			barsOf("", 300, 151, 300),
			barsOf("", 40, 0, 40)), "300/300 steps"},
		"Hugging Face, trained a second time": {all(barsOf("", 300, 0, 150), fmt.Sprintf(dict, "1.5"),
			barsOf("", 300, 151, 300), barsOf("", 200, 0, 50), fmt.Sprintf(dict, "0.8"), barsOf("", 200, 51, 60)),
			"60/200 steps"},
		"iterations of a preparation, before planned steps": {all("max_steps: 1000",
			count("iteration #/10 of k-means", 1, 10, 1)),
			"unknown: steps are counted up to 10, and there are 1000 in all: these are a part"},
		"a bar below others, drawn at its end": {all(barsOf("", 40, 0, 40), bar("", 40, 40)+"\x1b[A"), "40/40 steps"},
		"epoch from 0, ended":                  {all("num_epochs=3", "Epoch 0, loss 1.2", "Epoch 1, loss 1.1"), "2/3 epochs"},
	} {
		t.Run(name, func(t *testing.T) {
			if got := after(&Reader{}, test.lines...); got != test.want {
				t.Errorf("%s, want %s", got, test.want)
			}
		})
	}
}

// What tqdm really writes.
func TestRealBarsAreFollowed(t *testing.T) {
	for name, want := range map[string]string{
		"plain": "200/200 steps", "nested": "3/3 epochs", "bare-nested": "4/4 steps", "slow": "4/4 steps",
		"scale":   "90000/90000 steps",
		"prepare": "120/120 steps", "unknown": "unknown: steps are counted, 100 at last, and nothing says how many there " +
			"are in all",
	} {
		t.Run(name, func(t *testing.T) {
			text, err := os.ReadFile("testdata/tqdm-" + name + ".txt")
			if err != nil {
				t.Fatal(err)
			}
			var r Reader
			r.Write(text, noon)
			if got := r.Reading().String(); got != want {
				t.Errorf("%s, want %s", got, want)
			}
			// It comes in pieces of any length, and never goes back or changes its unit on the way.
			for _, length := range []int{1, 7, 100} {
				var r Reader
				last, unit := 0.0, ""
				for i := 0; i < len(text); i += length {
					r.Write(text[i:min(i+length, len(text))], noon.Add(time.Duration(i)*time.Millisecond))
					now := r.Reading()
					if now.Known() && (now.Share() < last || unit != "" && now.Unit != unit) {
						t.Fatalf("%s, after %g %s", now, last, unit)
					}
					if now.Known() {
						last, unit = now.Share(), now.Unit
					}
				}
				if got := r.Reading().String(); got != want {
					t.Errorf("in pieces of %d bytes: %s, want %s", length, got, want)
				}
			}
		})
	}
}

// The SDK of Kubeflow writes the function that it was given, and calls it below.
func TestACallCountsAndNotWhatTheFunctionDoesElse(t *testing.T) {
	for call, want := range map[string]Work{
		"train(**{'num_epochs': 3, 'lr': 0.01})":           {Epochs: 3},
		`train({"epochs": 3, "data": {"max_steps": 500}})`: {Epochs: 3, Steps: 500},
		"train()":              {Epochs: 2},
		"train(**{'lr': 0.1})": {Epochs: 2},
	} {
		script := "read -r -d '' SCRIPT << EOM\n\ndef train(num_epochs=2, lr=0.1):\n    for epoch in range(num_epochs):\n" +
			"        print(epoch)\n\n" + call + "\n\nEOM\nprintf \"%s\" \"$SCRIPT\" > train.py\ntorchrun train.py"
		if got := Command([]string{"bash", "-c", script}); got != want {
			t.Errorf("%s: it says %+v, want %+v", call, got, want)
		}
	}
}

// A script may stand in a command line as a whole. What it sets counts, if it is about the training.
func TestScriptsTellHowMuchThereIsToDo(t *testing.T) {
	for lines, want := range map[string]Work{
		"num_epochs = 10":                                                              {Epochs: 10},
		"EPOCHS = 10  # was 5":                                                         {Epochs: 10},
		"# epochs=5\nmodel.fit(x, epochs=3)":                                           {Epochs: 3},
		"def main(num_epochs: int = 4):":                                               {Epochs: 4},
		"for epoch in range(10):":                                                      {Epochs: 10},
		"for epoch in tqdm(range(1, 11)):":                                             {Epochs: 10},
		"for epoch in range(1, 10 + 1):":                                               {Epochs: 10},
		"for epoch in trange(10, desc='x'):":                                           {Epochs: 10},
		"for epoch in range(5, 10):":                                                   {},
		"for epoch in range(start, 10):":                                               {},
		"for epoch in range(10):\nfor epoch in range(10):":                             {},
		"model.fit(x, epochs=5)\nmodel.fit(x, epochs=5)":                               {},
		"x=$(mktemp -d)\nmax_iters = 5000":                                             {Steps: 5000},
		"epochs=3\nfor epoch in range(epochs):\nfor epoch in range(epochs):":           {},
		"num_epochs = 10\nfor epoch in range(5):":                                      {},
		"max_iters = 5_000":                                                            {Steps: 5000},
		"max_steps = 500\nfor episode in episodes:":                                    {},
		"args = TrainingArguments(\n    'out',\n    max_steps=500)":                    {Steps: 500},
		"evaluate(loader, max_steps=50)":                                               {},
		"trainer.evaluate(\n    loader(1),\n    max_steps=50,\n)":                      {},
		"clf = LogisticRegression(max_iter=1000)":                                      {},
		"t = torch.linspace(0, 1, steps=100)":                                          {},
		"x = input_fn(num_epochs=1)":                                                   {},
		"parser.add_argument('--epochs', type=int, default=14)":                        {Epochs: 14},
		"p.add_argument(\n    '-n',\n    '--num-epochs',\n    default=14,\n)":          {Epochs: 14},
		"p.add_argument('--epochs', default=14)\nEOM\ntorchrun train.py --epochs 3":    {Epochs: 3},
		"p.add_argument('--epochs', default=14)\nEOM\ntorchrun train.py --epochs $N":   {},
		"p.add_argument('--max-steps', default=14)\nfor episode in x:":                 {},
		"p.add_argument('--lr', default=14)\np.add_argument('--epochs')\nf(default=3)": {},
		"p.add_argument('--epochs', default=14)\nepochs=3\nmax_epochs=4":               {},
		"def main(epochs=3, max_steps=20):":                                            {Epochs: 3, Steps: 20},
	} {
		script := "cat > train.py << EOM\nimport torch\n" + lines + "\nprint('done')\nEOM\ntorchrun train.py"
		if got := Command([]string{"bash", "-c", script}); got != want {
			t.Errorf("%s: %+v, want %+v", lines, got, want)
		}
		if got := Command(Telling([]string{"bash", "-c", script})); got != want {
			t.Errorf("what tells it in %s: %+v, want %+v", lines, got, want)
		}
	}
}

// What is told by a long command line is told by a short one.
func TestWhatACommandTellsIsShort(t *testing.T) {
	long := strings.Repeat("    print('this is a long script')\n", 1000)
	for _, test := range []struct {
		args []string
		want Work
	}{
		{[]string{"python3", "train.py", "--epochs", "90", "--lr", "0.1"}, Work{Epochs: 90}},
		{[]string{"python3", "--epochs=3", "--epochs=4"}, Work{}},
		{[]string{"train.py", "--epoch", "50", "--n_epochs=200"}, Work{Epochs: 200}},
		{[]string{"sh", "-c", long + "train(**{'num_epochs': 3, 'lr': 0.1})\n"}, Work{Epochs: 3}},
		{[]string{"sh", "-c", long + "torchrun train.py --num_train_epochs 3 --steps 5\n" + long[:1<<10]},
			Work{Epochs: 3, Steps: 5, allInOne: true}},
		{[]string{"sh", "-c", strings.Repeat("train.py --epochs=3\n", 1000)}, Work{Epochs: 3}},
	} {
		told := Telling(test.args)
		if got := Command(told); got != test.want || Command(test.args) != test.want || len(strings.Join(told, " ")) > 100 {
			t.Errorf("%.80q tells %+v, and %+v shortened to %q", test.args, Command(test.args), got, told)
		}
	}
}

func TestCommandsTellHowMuchThereIsToDo(t *testing.T) {
	for command, want := range map[string]Work{
		"python train.py --epochs 90 --lr 0.1":             {Epochs: 90},
		"python train.py --max_steps=1000 --save_steps=5":  {Steps: 1000},
		"torchrun run.py --num-train-epochs 3.0":           {Epochs: 3, allInOne: true},
		"python train.py trainer.max_epochs=10":            {Epochs: 10},
		"pretrain_gpt.py --train-iters 500000":             {Steps: 500000},
		"python train.py --warmup-epochs 5 --epochs -1":    {},
		"python train.py --iters 1000 --steps-per-epoch 5": {Steps: 1000, ofEpoch: 5},
		"python train.py 50 10":                            {},
		"python train.py --nepoch 250 --batchSize 32":      {Epochs: 250},
		"train_net.py SOLVER.MAX_ITER 90000 SEED 7":        {Steps: 90000},
		"python epochs.py 50":                              {},
		"lightgbm config=train.conf num_trees=100":         {Steps: 100},
		"composer train.py max_duration=5ep":               {Epochs: 5},
		"python gan.py --epoch 50 --n_epochs 200":          {Epochs: 200},
		"python train.py --epoch 50 --n_epoch 200":         {},
		"python train.py --end_epoch 9 --epochs 300":       {Epochs: 300},
		"python train.py --epochs 300 --end_epoch 9":       {Epochs: 300},
		"th train.lua -end_epoch 9":                        {Epochs: 9, ends: true},
	} {
		if got := Command(strings.Fields(command)); got != want {
			t.Errorf("%s: %+v, want %+v", command, got, want)
		}
		if got := Command([]string{"sh", "-c", command}); got != want {
			t.Errorf("in a shell, %s: %+v, want %+v", command, got, want)
		}
	}
}

// A command says more surely than its environment what it was started for.
func TestWhatAProgramWasStartedFor(t *testing.T) {
	for _, test := range []struct {
		command, environment string
		want                 Work
	}{
		{"python train.py", "EPOCHS=30 WORLD_SIZE=4", Work{Epochs: 30}},
		{"python train.py", "MAX_STEPS=1000 NCCL_DEBUG=INFO", Work{Steps: 1000}},
		{"python train.py --epochs 5", "EPOCHS=30", Work{Epochs: 5}},
		{"python train.py", "LOGGING_STEPS=10 PATH=/usr/bin", Work{}},
	} {
		if got := Started(strings.Fields(test.command), strings.Fields(test.environment)); got != test.want {
			t.Errorf("%s with %s: %+v, want %+v", test.command, test.environment, got, test.want)
		}
	}
}

func TestWhatIsGivenCounts(t *testing.T) {
	var r Reader
	r.Know(Given{Work: Work{Steps: 90000}})
	if got, want := after(&r, "step 420/1000"), "unknown: steps are counted up to 1000, and there are 90000 in all: "+
		"these are a part"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	r = Reader{}
	r.Know(Given{Total: 500})
	if got, want := after(&r, "step 420/1000"), "unknown: steps are counted up to 1000, and not up to 500"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	if got, want := after(&r, "step 420/500"), "420/500 steps"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// A configuration that somebody else prints, such as DeepSpeed, is not what the training was begun with.
func TestTheCommandCountsFirst(t *testing.T) {
	for name, test := range map[string]struct {
		command string
		lines   []string
		want    string
	}{
		"another program": {"torchrun t5.py --epochs 2",
			all("data_efficiency_config ....... {'seed': 1, 'num_epochs': 1000}", "Train Epoch: 1 [50/100 (50%)]"),
			"0.5/2 epochs"},
		"epochs that timm adds": {"train.py --epochs 20 --cooldown-epochs 10",
			all("Scheduled epochs: 30 (epochs + cooldown_epochs). LR stepped per epoch.", "Train: 25 [ 625/1250 ( 50%)]"),
			"25.5/30 epochs"},
		"more epochs than it says": {"train.py --epochs 3",
			all("Train: 2 [1249/1250 (100%)]", "Train: 4 [ 625/1250 ( 50%)]"),
			"unknown: epochs are counted, 4 of them at last, and nothing says how many there are in all"},
	} {
		t.Run(name, func(t *testing.T) {
			if got := afterCommand(test.command, test.lines...); got != test.want {
				t.Errorf("%s, want %s", got, test.want)
			}
		})
	}
}

// Settings are printed at each start, and look like counts.
func TestSettingsAreNoCounts(t *testing.T) {
	for name, test := range map[string]struct {
		command string
		lines   []string
		want    string
	}{
		"of Python": {"train.py --epoch 100", all("Namespace(batch_size=32, epoch=100, step=30)"), "unknown: "},
		"of Python, counted": {"train.py",
			all("Namespace(epoch=100, lr=0.1)", "epoch 0, loss 0.3", "epoch 1, loss 0.3"), "2/100 epochs"},
		"a first epoch": {"train.py",
			all("Namespace(epoch=50, n_epochs=200)", "[Epoch 50/200] [Batch 5/10]"), "49.5/200 epochs"},
		"of epochs": {"train.py --epoch 100",
			all("epoch: 100", "| epoch | 100 |", "  \"epoch\": 100,"), "unknown: "},
		"in one line":             {"train.py --epoch 100", all("{'epoch': 100, 'loss': 'mse'}"), "unknown: "},
		"in JSON":                 {"train.py --epoch 100", all(`{"epoch": 100, "loss": "mse", "step": 30}`), "unknown: "},
		"of steps":                {"train.py --steps 1000", all("step: 1000", "iteration=1000"), "unknown: "},
		"of a training":           {"train.py --steps 1000", all("step 400, loss 0.3", "step: 1000"), "400/1000 steps"},
		"the last step":           {"train.py --steps 1000", all("step 900", "step 1000"), "1000/1000 steps"},
		"the last epoch":          {"train.py --epoch 3", all("epoch 1", "epoch 2", "epoch 3"), "2/3 epochs"},
		"a result of the end":     {"train.py --steps 1000", all("step 1000, loss 0.3"), "1000/1000 steps"},
		"steps of the last epoch": {"train.py --epoch 3", all("Epoch: [3][50/100]"), "2.5/3 epochs"},
	} {
		t.Run(name, func(t *testing.T) {
			var r Reader
			r.Plan(Command(strings.Fields(test.command)))
			if got := after(&r, test.lines...); got != test.want {
				t.Errorf("%s, want %s", got, test.want)
			}
		})
	}
}

// Once a training is told in a unit, it stays in that one.
func TestTheUnitStays(t *testing.T) {
	var r Reader
	for _, step := range []struct {
		line, want string
	}{
		{"Epoch 1/3", "0/3 epochs"},
		{" iteration  100/ 300 | consumed samples: 25600 |", "1/3 epochs"},
		{"Epoch 2/3", "1/3 epochs"},
		{" iteration  150/ 300 | consumed samples: 25600 |", "1.5/3 epochs"},
	} {
		if got := after(&r, step.line); got != step.want {
			t.Errorf("after %s: %s, want %s", step.line, got, step.want)
		}
	}
}

// Where the beginning was missed, nothing says whether the first epoch that is named begins or ends.
func TestFirstEpochBehindWhatWasMissed(t *testing.T) {
	var r Reader
	r.Missed()
	lines := all(count("step #/100", 50, 100, 10), "epoch 3/5", count("step #/100", 0, 50, 10))
	if got, want := after(&r, lines...), "2.5/5 epochs"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// A bar that nothing names may be that of an evaluation, if what came before it was missed.
func TestBarBehindWhatWasMissed(t *testing.T) {
	var r Reader
	r.Missed()
	for _, step := range []struct {
		lines []string
		want  string
	}{
		{barsOf("", 16, 4, 8), "8/16 steps"},
		{barsOf("", 16, 9, 16), "unknown: a bar up to 16 is complete, and what was printed before it is not known: " +
			"it may count a part"},
		{all("{'eval_loss': 1.2, 'epoch': 1.0}", barsOf("", 1500, 501, 520)), "520/1500 steps"},
	} {
		if got := after(&r, step.lines...); got != step.want {
			t.Errorf("%s, want %s", got, step.want)
		}
	}
}

// The line that names an epoch may be among those that were missed.
func TestMissedEpochs(t *testing.T) {
	var r Reader
	r.Missed()
	for _, step := range []struct {
		missed     bool
		line, want string
	}{
		{false, "Epoch 3/10", "2/10 epochs"}, {false, "step 900/1000", "2.9/10 epochs"},
		{false, "step 50/1000", "2.05/10 epochs"},
		{true, "step 990/1000", "2.99/10 epochs"}, {false, "step 50/1000", "3.05/10 epochs"},
		{false, "step 990/1000", "3.99/10 epochs"},
		{false, "Epoch 5/10", "4/10 epochs"},
	} {
		if step.missed {
			r.Missed()
		}
		if got := after(&r, step.line); got != step.want {
			t.Errorf("after %s: %s, want %s", step.line, got, step.want)
		}
	}
}

func TestCheckpointsAreTold(t *testing.T) {
	var r Reader
	r.Write([]byte("Saving model checkpoint to /out/checkpoint-50\nstep 1/10\nSaving checkpoint failed\n"), noon)
	r.Write([]byte(bar("", 1, 10)+"Saving model checkpoint to /out/checkpoint-60\n"), noon)
	if got := r.Reading(); got.Saves != 2 || !got.SavedAt.Equal(noon) {
		t.Errorf("saved %d times, at last at %v", got.Saves, got.SavedAt)
	}
}

func TestReadingsHaveTheirTime(t *testing.T) {
	var r Reader
	r.Write([]byte("step 1/10\n"), noon)
	r.Write([]byte("nothing\n"), noon.Add(time.Minute))
	if got := r.Reading().At; !got.Equal(noon) {
		t.Errorf("it is as of %v", got)
	}
}

// An hour without a line break, or a line of megabytes, takes no more memory than any other, and what follows is read.
func TestLongOutputIsBounded(t *testing.T) {
	var r Reader
	for range 1000 {
		r.Write([]byte(strings.Repeat("step 3/10 ", 1000)), noon)
	}
	if held := cap(r.split.rest); held > 2*maxPiece {
		t.Errorf("%d bytes are held", held)
	}
	if got, want := after(&r, "", "step 4/10"), "4/10 steps"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

func ExampleReader() {
	var r Reader
	r.Plan(Command([]string{"torchrun", "train.py", "--epochs", "10"}))
	r.Write([]byte("Epoch 3:   0%|          | 0/100 [00:00<?, ?it/s, v_num=0]\r"), noon)
	r.Write([]byte("Epoch 3:  45%|████▌     | 45/100 [00:10<00:12,  4.4it/s, v_num=0]\r"), noon)
	now := r.Reading()
	fmt.Printf("%g of %g %s, which is %.1f %%\n", now.Done, now.Total, now.Unit, 100*now.Share())
	// Output: 3.45 of 10 epochs, which is 34.5 %
}

// Who comes to a training later knows how long its epochs are by the steps at which the first of them ends.
func TestStepsAreCountedOnFromAnEpochThatWasNotSeenToBegin(t *testing.T) {
	var r Reader
	r.Missed()
	lines := all(count("step # loss 0.3", 250, 300, 10), "epoch 3/10 loss 0.4", count("step # loss 0.3", 310, 350, 10))
	if got := after(&r, lines...); got != "3.5/10 epochs" {
		t.Errorf("it reads %s, want 3.5/10 epochs", got)
	}
}
