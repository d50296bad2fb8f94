package printed

import (
	"strings"
	"testing"
)

// evaluated is a line of transformers 5 with the results of an evaluation.
func evaluated(epoch string) string {
	return "{'eval_loss': '1.5', 'eval_runtime': '6.5', 'eval_steps_per_second': '0.6', 'epoch': '" + epoch + "'}"
}

// What well-known trainings print, as it was found in public logs, each up to a line by which it was once misread.
func TestWhatStrangersPrint(t *testing.T) {
	within := bar("", 4, 4) + "\x1b[A" // the evaluation's
	below := func(label string, total, from, to int) (lines []string) {
		for _, line := range barsOf(label, total, from, to) {
			lines = append(lines, line+"\x1b[A")
		}
		return lines
	}
	course := func(epoch string) string { return ">>> Epoch " + epoch + ": Loss: 0.98" }
	later := strings.Split(strings.Repeat("a word\n", 10), "\n")
	four := func(line string) []string { return []string{line, line, line, line} }
	for name, c := range map[string]struct {
		command string
		lines   []string
		want    string
	}{
		"transformers 5, with an evaluation each epoch": {"train.py", all(barsOf("", 240, 0, 80), within, evaluated("1"),
			bar("", 81, 240)), "81/240 steps"},
		"transformers 5, of which the epochs are known": {"train.py --epochs 3", all(barsOf("", 240, 0, 80), within,
			evaluated("1"), bar("", 120, 240)), "120/240 steps"},
		"transformers 5, that logs by epochs": {"train.py --epochs 3", all(barsOf("", 240, 0, 80),
			"{'loss': '2.1', 'learning_rate': '3e-05', 'epoch': '1'}", bar("", 120, 240)), "120/240 steps"},
		"one bar, and a result as each epoch ends": {"train.py --epochs 5", all(barsOf("", 50, 0, 10), course("0"),
			barsOf("", 50, 11, 20), course("1"), bar("", 25, 50)), "25/50 steps"},
		"Lightning, of two processes": {"train.py", all("Initializing distributed: GLOBAL_RANK: 0, MEMBER: 1/2",
			"Epoch 0/29  ━━━━━━━━━╸━━━━━ 30/60 0:00:10 • 0:00:12 4.4it/s v_num: 0"), "0.5/30 epochs"},
		"Lightning, once a learning rate was found": {"train.py --max_epochs 10", all(
			barsOf("Finding best initial lr: ", 100, 0, 100), "`Trainer.fit` stopped: `max_steps=100` reached.",
			barsOf("Epoch 0: ", 100, 0, 50)), "0.5/10 epochs"},
		"bars of which nobody knows from what on they count epochs": {"train.py --epochs 10", all(
			barsOf("Epoch 5: ", 20, 0, 10)), "4.5/10 epochs"},
		"several results in the only epoch": {"train.py --epochs 1", all("Epoch 1/1.. Train loss: 3.551.. Accuracy: 51%",
			later, "Epoch 1/1.. Train loss: 2.551.. Accuracy: 61%", later, "Epoch 1/1.. Train loss: 1.551.. Accuracy: 71%",
			later, "Epoch 1/1.. Train loss: 1.351.. Accuracy: 75%"), "0/1 epochs"},
		"an epoch of four processes that is trained again": {"train.py", all(four("Epoch 1/3, loss 0.3"), later,
			four("Epoch 2/3, loss 0.2"), later, four("Epoch 2/3, loss 0.2")), "2/3 epochs"},
		"Composer's bar": {"train.py", all("train          Epoch   0:  25%|███ | 15/60 [00:05<00:16, 2.77ba/s]"),
			"unknown: epochs are counted, 0 of them at last, and nothing says how many there are in all"},
		"an epoch that is trained again": {"train.py", all("Epoch 1/3, loss 0.3", later, "Epoch 2/3, loss 0.2", later,
			"Epoch 2/3, loss 0.2"), "2/3 epochs"},
		"ms-swift": {"swift sft", all("{'loss': 2.13, 'epoch': 0.32, 'global_step/max_steps': '5/16', 'elapsed_time': '9s'}"),
			"5/16 steps"},
		"Keras under Horovod": {"train.py", all("[0]<stdout>:Epoch 1/24",
			"[0]<stdout>: 45/250 [==>....] - ETA: 9s - loss: 0.4"), "0.18/24 epochs"},
		"pip, which draws its packages": {"train.py", all("Installing collected packages: pypdf, numpy",
			"   ━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━ 2/2 [numpy]"), "unknown: "},
		"LeRobot, in thousands": {"lerobot-train", all("INFO ts/train.py:195 cfg.steps=10000 (10K)",
			"INFO ts/train.py:232 step:800 smpl:6K ep:13 epch:0.65 loss:2.331 grdn:68.764 lr:1.0e-05 updt_s:0.042",
			"INFO ts/train.py:232 step:1K smpl:8K ep:16 epch:0.81 loss:2.075 grdn:64.323 lr:1.0e-05 updt_s:0.042",
			"INFO ts/train.py:232 step:4K smpl:30K ep:56 epch:2.81 loss:1.075 grdn:64.323 lr:1.0e-05 updt_s:0.042"),
			"3500/10000 steps"},
		"LeRobot, once it has told its step of a checkpoint": {"lerobot-train --steps=10000", all(
			"INFO ts/train.py:232 step:4K smpl:30K ep:56 epch:2.81 loss:1.075 grdn:64.323 lr:1.0e-05 updt_s:0.042",
			"INFO ts/train.py:250 Checkpoint policy after step 4000",
			"INFO ts/train.py:232 step:4K smpl:32K ep:59 epch:2.88 loss:1.074 grdn:64.323 lr:1.0e-05 updt_s:0.042"),
			"4000/10000 steps"},
		"LeRobot, in millions": {"lerobot-train --steps=10000000", all(
			"INFO ts/train.py:232 step:995K smpl:6M ep:56K epch:2.81 loss:1.075 grdn:64.323 lr:1.0e-05 updt_s:0.042",
			"INFO ts/train.py:232 step:4M smpl:30M ep:56K epch:2.81 loss:1.075 grdn:64.323 lr:1.0e-05 updt_s:0.042"),
			"3.5e+06/1e+07 steps"},
		"LeRobot, resumed, whose bar counts what is left": {"lerobot-train --steps=100000 --resume=true", all(
			bar("Training: ", 0, 60000), bar("Training: ", 200, 60000)),
			"unknown: steps are counted up to 60000, and there are 100000 in all: these are a part"},
		"LeRobot, resumed": {"lerobot-train --steps=100000 --resume=true", all(bar("Training: ", 200, 60000),
			"INFO ts/train.py:232 step:40K smpl:322K ep:3K epch:12.54 loss:2.331 grdn:68.764 lr:1.0e-05 updt_s:0.042",
			bar("Training: ", 400, 60000)), "39500/100000 steps"},
		"a report of the classes below a table": {"train.py --max_epochs 3", all(
			"  epoch    train_loss    valid_acc    valid_loss     dur",
			"-------  ------------  -----------  ------------  ------",
			count("      #        0.6512       0.7100        0.6012  0.5123", 1, 3, 1),
			"              precision    recall  f1-score   support", "",
			"           0       1.00      1.00      1.00        12", "           1       1.00      1.00      1.00        14"),
			"3/3 epochs"},
		"a report of the classes after each epoch": {"train.py --max_epochs 4", all(
			"  epoch    train_loss    valid_acc    valid_loss     dur",
			count("      #        0.6512       0.7100        0.6012  0.5123", 1, 2, 1),
			"              precision    recall  f1-score   support",
			"           0       1.00      1.00      1.00        12", "           1       1.00      1.00      1.00        14",
			"   macro avg       1.00      1.00      1.00        26", "      3        0.6512       0.7100        0.6012  0.5123"),
			"3/4 epochs"},
		"Optuna's bar": {"train.py", all("[I 2025-12-29 10:33:22,786] A new study created in memory with name: no-name-1",
			bar("", 0, 50), bar("Best trial: 0. Best value: 0.879779: ", 1, 50),
			"[I 2025-12-29 10:34:24,147] Trial 0 finished with value: 0.8797786016991349 and parameters: {'leaves': 69}.",
			bar("Best trial: 1. Best value: 0.912345: ", 2, 50)), "2/50 steps"},
		"a training with what a study has found": {"train.py --epochs 100", all(
			bar("Best trial: 11. Best value: 0.912: ", 20, 20), "Epoch 3/100 loss 0.93"), "3/100 epochs"},
		"steps below a thousand, written in thousands": {"train.py --steps=10000", all("step: 0.2k, loss 2.1"),
			"150/10000 steps"},
		"a line of precision below a table": {"train.py --max_epochs 4", all(
			"  epoch    train_loss    valid_acc    valid_loss     dur",
			count("      #        0.6512       0.7100        0.6012  0.5123", 1, 2, 1), "Precision   : 0.90",
			"      3        0.6512       0.7100        0.6012  0.5123"), "3/4 epochs"},
		"Ludwig": {"ludwig train", all(" 'trainer': {'epochs': 100,",
			"Training for 6300 step(s), approximately 100 epoch(s).", "Starting with step 0, epoch: 0",
			bar("Training: ", 0, 6300), bar("Training: ", 62, 6300), "Running evaluation for step: 63, epoch: 0",
			barsOf("Evaluation train: ", 63, 61, 63), bar("Training: ", 1498, 6300)), "1498/6300 steps"},
		"an evaluation before the training": {"train.py --num_train_epochs 3", all(
			"{'eval_loss': 2.5, 'eval_runtime': 6.5, 'epoch': 0}"), "0/3 epochs"},
		"tf_cnn_benchmarks": {"tf_cnn_benchmarks.py --model=resnet50", all("Num batches: 100", "Num epochs:  0.00",
			"Running warm up", "Done warm up", "Step\tImg/sec\ttotal_loss",
			"1\timages/sec: 234.5 +/- 0.0 (jitter = 0.0)\t8.1", "40\timages/sec: 234.5 +/- 0.3 (jitter = 1.1)\t7.9"),
			"40/100 steps"},
		"tf_cnn_benchmarks, by its command alone": {"tf_cnn_benchmarks.py --num_batches=200",
			all("40\timages/sec: 234.5 +/- 0.3 (jitter = 1.1)\t7.9"), "40/200 steps"},
		"tf_cnn_benchmarks, once it is over": {"tf_cnn_benchmarks.py", all("Num batches: 100",
			"100\timages/sec: 234.5 +/- 0.3 (jitter = 1.1)\t7.9", "total images/sec: 468.12"), "100/100 steps"},
		"FunASR, of which an epoch has several slices": {"train_ds.py", all("[root][INFO] - Train epoch: 0, rank: 0",
			"[root][INFO] - Train epoch: 1, rank: 0",
			count("[root][INFO] - train, rank: 0, epoch: 1/5, data_slice: 0/4, step_in_slice: #/200, step_in_epoch: #, "+
				"total step: 8#, (loss_avg_rank: 0.512)", 100, 200, 50),
			"rank: 0, time_escaped_epoch: 0.123 hours, estimated to finish 4 data_slices, remaining: 3 slices, "+
				"0.369 hours, epoch: 4 epochs, 1.845 hours",
			"[root][INFO] - Train epoch: 1, rank: 0",
			count("[root][INFO] - train, rank: 0, epoch: 1/5, data_slice: 1/4, step_in_slice: #/200, step_in_epoch: 3#, "+
				"total step: 9#, (loss_avg_rank: 0.512)", 100, 200, 50)), "1.5/5 epochs"},
		"FunASR, once an epoch is over": {"train_ds.py", all("[root][INFO] - train, rank: 0, epoch: 2/5, data_slice: 0/1, "+
			"step_in_slice: 200/200, step_in_epoch: 200, total step: 600, (loss_avg_rank: 0.512)",
			"[root][INFO] - Validate epoch: 3, rank: 0",
			count("[root][INFO] - val, rank: 0, epoch: 3/5, data_slice: 0/1, step_in_slice: #/50, step_in_epoch: 200, "+
				"total step: #, (loss_avg_rank: 0.512)", 10, 50, 10),
			"rank: 0, time_escaped_epoch: 0.123 hours, estimated to finish 5 epoch: 0.369 hours"), "3/5 epochs"},
		"another way to name the next epoch": {"train.py", all(
			"[root][INFO] - train, rank: 0, epoch: 0/5, data_slice: 0/1, step_in_slice: 100/200, step_in_epoch: 100, "+
				"total step: 100, (loss_avg_rank: 0.512)",
			"[root][INFO] - train, rank: 0, epoch: 0/5, data_slice: 0/1, step_in_slice: 200/200, step_in_epoch: 200, "+
				"total step: 200, (loss_avg_rank: 0.512)", "[root][INFO] - Train epoch: 1, rank: 0"), "1/5 epochs"},
		"Flax of transformers": {"run_clm_flax.py", all("  Num Epochs = 3", "  Total optimization steps = 180",
			bar("Epoch ... : ", 0, 3), below("Training...: ", 60, 1, 40), "Step... (40 | Loss: 2.31, Learning Rate: 4.9e-05)",
			bar("Epoch ... : ", 0, 3), below("Training...: ", 60, 41, 45)), "0.75/3 epochs"},
		"Flax of transformers, in its second epoch": {"run_clm_flax.py", all("  Num Epochs = 3",
			"  Total optimization steps = 180", bar("Epoch ... : ", 0, 3), below("Training...: ", 60, 1, 60),
			below("Evaluating...: ", 12, 1, 12), bar("Step... (60 | Eval Loss: 2.2 | Eval Perplexity: 9.2): ", 1, 3),
			below("Training...: ", 60, 1, 30)), "1.5/3 epochs"},
		"Flax of transformers, that names its epochs": {"run_mlm_flax.py", all(bar("Epoch ... : ", 0, 3),
			below("Training...: ", 60, 1, 60), "Epoch... (1/3 | Loss: 2.3, Learning Rate: 4.9e-05)",
			below("Evaluating...: ", 12, 1, 12), bar("Epoch... (1/3 | Eval Loss: 2.2 | Eval Accuracy: 0.5): ", 1, 3),
			below("Training...: ", 60, 1, 30)), "1.5/3 epochs"},
		"Flax of transformers, of T5": {"run_t5_mlm_flax.py", all(bar("Epoch ... : ", 0, 2),
			below("Training...: ", 60, 1, 60), bar("Step... (60 | Loss: 2.3, Acc: 0.4): ", 1, 2),
			below("Training...: ", 60, 1, 15)), "1.25/2 epochs"},
		"an evaluation of as many batches as there are epochs": {"train.py", all(bar("Epoch ... : ", 0, 3),
			below("Training...: ", 60, 1, 30), bar("Evaluating: ", 1, 3)), "0.5/3 epochs"},
		"Levanter": {"train_lm", all("- INFO :: Progress on:/data: tokenizing 80.0doc/80.0doc rate:1.7doc/s remaining:00:00 ",
			"- INFO :: Progress on:train -/10000 rate:- remaining:? elapsed:00:00 postfix:-",
			"- INFO :: Progress on:train 1.61kit/10.0kit rate:1.7it/s remaining:1:37:26 elapsed:01:00 postfix:loss=7.01",
			"- INFO :: Progress on:eval 200it/200it rate:1.7it/s remaining:00:00 elapsed:01:00 postfix:-",
			"- INFO :: Saving checkpoint at step 1610 to /out/step-1610"), "1610/10000 steps"},
		"Levanter, of which the steps are known": {"train_lm --trainer.num_train_steps=28610", all(
			"- INFO :: Progress on:train 1.61kit/28.6kit rate:1.7it/s remaining:1:37:26 elapsed:01:00 postfix:loss=7.01",
			"- INFO :: Saving checkpoint at step 1612 to /out/step-1612",
			"- INFO :: Progress on:train 1.70kit/28.6kit rate:1.7it/s remaining:1:37:26 elapsed:01:00 postfix:loss=7.01"),
			"1700/28610 steps"},
		"nanochat": {"base_train.py", all("step 00400/01000 (40.00%) | loss: 8.01 | dt: 512.12ms | epoch: 1 | eta: 12.1m",
			"Step 00401 | Validation bpb: 0.812345", "step 00450/01000 (45.00%) | loss: 8.01 | dt: 512.12ms | epoch: 1"),
			"450/1000 steps"},
		"nanochat, of which only percent are known": {"chat_sft.py", all(
			"step 00400 (40.00%) | loss: 1.012345 | dt: 512.12ms | tok/sec: 1,023,123 | mfu: 45.12 | epoch: 1",
			"Step 00410 | Validation bpb: 0.8123"), "40/100 steps"},
		"T5X": {"train.py", all("train.py:607] Starting main loop over steps 0-1000", "train.py:668] Epoch 0 of 5",
			"train.py:679] Training for 200 steps.", "logging_writer.py:48] [200] accuracy=0.1, loss=3.1",
			"train.py:668] Epoch 1 of 5", "train.py:679] Training for 200 steps."), "200/1000 steps"},
		"steps of an epoch in a sentence": {"train.py", all("Epoch 1/5", "Training for 200 steps.", "step 200: loss 3.1"),
			"0/5 epochs"},
		"litgpt, which counts iterations within its steps": {"litgpt pretrain --train.max_steps 100", all(
			count("Epoch 1 | iter 4# step # | loss train: 8.212, val: n/a | iter time: 312.12 ms (step)", 1, 25, 1),
			"iter 100: val loss 7.1234, val time: 1234.12 ms"), "25/100 steps"},
		"HugeCTR": {"train.py", all("[RK0][main]: Use epoch mode with number of epochs: 2",
			"[RK0][main]: -----------------------------------Epoch 0-----------------------------------",
			count("[RK0][main]: Iter: # Time(100 iters): 1.2s Loss: 0.1512 lr:0.001", 100, 500, 100),
			"[RK0][main]: -----------------------------------Epoch 1-----------------------------------",
			"[RK0][main]: Iter: 600 Time(100 iters): 1.2s Loss: 0.1512 lr:0.001"), "1/2 epochs"},
		"a bar whose unit is an epoch": {"train.py", all(
			"Training:   0%|    | 0/4 [00:00<?, ?epoch/s]", below("epoch   1 train: ", 30, 1, 30),
			below("epoch   1 val: ", 8, 1, 8), "Training:  25%|##   | 1/4 [00:10<00:30, 10.0s/epoch, val_auc=0.91]",
			below("epoch   2 train: ", 30, 1, 15)), "1.5/4 epochs"},
		"a counter beside the loss of training": {"train.py", all("[01/40] train_loss=0.5123 | val_cer=0.12",
			"[02/40] train_loss=0.5123 | val_cer=0.12"), "2/40 steps"},
		"the first tutorial of PyTorch, from the middle of an epoch": {"train.py", all("loss: 2.303494  [ 6400/60000]",
			"loss: 2.303494  [12800/60000]"), "unknown: the 60000 steps of an epoch are counted, and nothing counts the epochs"},
		"SuperGradients": {"train.py", all("Started training for 4 epochs (0/3)", barsOf("Train epoch 0: ", 50, 0, 50),
			barsOf("Validating epoch 0: ", 10, 0, 10), "SUMMARY OF EPOCH 0", barsOf("Train epoch 1: ", 50, 0, 25)),
			"1.5/4 epochs"},
		"DeepSpeed, of which other counts come first": {"main.py", all("Beginning of Epoch 1/1, Total Micro Batches 1840",
			"Grad overflow on iteration 0", "Grad overflow on iteration 1", count("[Rank 0] step=#, skipped=2, lr=[5e-06]",
				10, 460, 10)), "0.25/1 epochs"},
		"steps beside a counter that does not go on": {"main.py", all("Beginning of Epoch 1/1, Total Micro Batches 1840",
			"reduced the scale at iteration 3", count("[Rank 0] step=#, skipped=2, lr=[5e-06]", 10, 460, 10)), "0.25/1 epochs"},
		"DeepSpeed, with two batches to a step": {"main.py", all("Beginning of Epoch 1/1, Total Micro Batches 4000",
			"[Rank 0] step=990, skipped=2, lr=[5e-06]", "epoch=0/micro_step=1980/global_step=990, SamplesPerSec=217.3",
			"[Rank 0] step=1000, skipped=2, lr=[5e-06]"), "0.5/1 epochs"},
		"a data set of torchvision": {"train.py", all("  0%|          | 0/9912422 [00:00<?, ?it/s]",
			" 67%|██████▋   | 6619136/9912422 [00:00<00:00, 56403769.51it/s]", "Extracting data/train-images-idx3-ubyte.gz"),
			"unknown: "},
		"a bar that has only begun": {"train.py", all("  0%|          | 0/1000 [00:00<?, ?it/s]"), "0/1000 steps"},
		"an image that is built before the training": {"run.sh", all("STEP 4/9: FROM x", "STEP 5/9: RUN pip install y",
			bar("", 50, 100)), "50/100 steps"},
		"data of TensorFlow": {"train.py", all("Dl Completed...: 100%|█████| 1/1 [00:02<00:00,  2.91s/ url]"),
			"unknown: "},
	} {
		t.Run(name, func(t *testing.T) {
			if got := afterCommand(c.command, c.lines...); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}
