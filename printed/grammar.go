package printed

import "regexp"

// This file is the grammar: each form beside examples of it, with what is read of them, and of what looks like it and
// is not. The tests read these very examples. Text is in lower case here; form.go says what <step> and its like stand
// for.

// lines are forms of a piece as a whole. The first that fits counts; those that begin alike stand beside each other.
var lines = made([]form{
	{name: "Keras", is: `^<batch>/<batches> (?:\[[=>.]+\]|[━╸╺─]+)`, examples: []example{
		{"  45/1875 [>.............................] - ETA: 9s - loss: 0.4", "batch 45/1875"},
		{"1875/1875 [==============================] - 5s 3ms/step - loss: 0.3", "batch 1875/1875"},
		{"\x1b[1m  45/1875\x1b[0m \x1b[32m━\x1b[0m\x1b[37m━━━━━━━\x1b[0m \x1b[1m9s\x1b[0m 3ms/step", "batch 45/1875"},
		{"     45/Unknown - 5s 3ms/step - loss: 0.3", ""},
		{"   ━━━━━━━━━━━━━━━━━━━ 45.0/100.0 MB 5.4 MB/s eta 0:00:01", ""},
	}},
	{name: "Keras", is: `^<batch>/<batches> - [0-9]+m?s -`, examples: []example{
		{"1875/1875 - 5s - loss: 0.3 - accuracy: 0.9 - 5s/epoch - 3ms/step", "batch 1875/1875"},
		{"1875/1875 - 5s - 3ms/step - accuracy: 0.9 - loss: 0.3", "batch 1875/1875"},
		{"11/24 - all good", ""},
	}},
	{name: "tqdm without a total", is: `^(?:[^|:\[]*: )?<step>`, also: "it [", mark: labelled, examples: []example{
		{"450it [01:23,  5.40it/s]", "step 450"},
		{"Training: 450it [01:23,  5.40it/s, loss=2.1]", "step 450"},
		{"Evaluating: 450it [01:23,  5.40it/s]", ""},
	}},
	{name: "PyTorch CIFAR10 tutorial", is: `^\[<epoch>, <batch>\] loss`, mark: fromOne, examples: []example{
		{"[3,  2000] loss: 1.234", "epoch 3 from 1, batch 2000"}, {"[3, 4] is a list", ""},
	}},
	{name: "char-rnn", is: `^<whole>/<wholes> \(epoch [0-9.]+\), train_loss`, examples: []example{
		{"450/17700 (epoch 1.271), train_loss = 1.23, grad/param norm = 4.1e-01", "step 450/17700 of all"},
	}},
	{name: "llama2.c", is: `^<whole> \| loss`, examples: []example{
		{"450 | loss 2.1234 | lr 5.0e-04 | 112.34ms | mfu 12.12%", "step 450 of all"},
	}},
	{name: "DCGAN", is: `^\[<epoch>/<epochs> \] ?\[<batch>/<batches> \]`, also: "loss", mark: fromZero,
		examples: []example{
			{"[3/25][45/782]\tLoss_D: 1.2\tLoss_G: 3.4", "epoch 3/25 from 0, batch 45/782"},
			{"[3/25][45/782] files are here", ""},
		}},
	{name: "Hugging Face results", from: "{'",
		is:   `^\{'(?:[^{}]*'global_step/max_steps': '<whole>/<wholes>')?[^{}]*'epoch': ?'?<epoch>'?[,}]`,
		mark: partly | barsOfAll, examples: []example{
			{"{'loss': '1.2', 'global_step/max_steps': '5/1000', 'epoch': '0.01'}", "epoch 0.01 done, step 5/1000 of all"},
			{"[node-0]: {'eval_loss': 1.2, 'epoch': 1.0}", "epoch 1 done, by 0"},
			{"{'loss': 1.2, 'grad_norm': 0.5, 'learning_rate': 5e-05, 'epoch': 0.5}", "epoch 0.5 done"},
			{"{'eval_loss': '1.2', 'eval_runtime': '3.1', 'epoch': '1.0'}", "epoch 1 done"},
			{"{'loss': 1.2, 'learning_rate': 5e-05}", ""},
		}},
	{name: "Lightning, drawn by Rich", from: "epoch", is: `^epoch <epoch>/<epochs> [━╸╺─ ]+ <batch>/<batches>\s`,
		mark: fromZero | toLast, examples: []example{
			{"Epoch 3/9  ━━━━━━━━━╸━━━━━ 45/100 0:00:10 • 0:00:12 4.4it/s v_num: 0",
				"epoch 3/9 from 0 to the last, batch 45/100"},
		}},
	{name: "PyTorch ImageNet, torchvision", from: "epoch", is: `^epoch: \[<epoch> \] \[<batch>/<batches> \]`,
		mark: fromZero, examples: []example{
			{"Epoch: [0][  10/5005]\tTime  0.2 ( 0.3)\tLoss 6.9e+00 (6.9e+00)", "epoch 0 from 0, batch 10/5005"},
			{"Epoch: [3]  [ 450/1251]  eta: 0:01:23  lr: 0.1  img/s: 450  loss: 2.1", "epoch 3 from 0, batch 450/1251"},
			{"Test: [ 10/196]\tTime  0.2 ( 0.3)\tLoss 1.1", ""},
		}},
	{name: "pytorch-classification", from: "epoch", is: `^epoch: \[<epoch> \| <epochs> \]`, examples: []example{
		{"Epoch: [1 | 164] LR: 0.100000", "epoch 1/164"},
	}},
	{name: "torchvision, end of an epoch", from: "epoch", is: `^epoch: \[<epoch> \] total time`, mark: fromZero | ended,
		examples: []example{
			{"Epoch: [3] Total time: 0:01:23", "epoch 3 from 0 over"},
		}},
	{name: "MMCV", from: "epoch", is: `^epoch \[<epoch> \]\[<batch>/<batches> \]`, mark: fromOne, examples: []example{
		{"2026-11-24 12:00:00,123 - mmdet - INFO - Epoch [3][450/1251]\tlr: 1.0e-02, eta: 1:02:03",
			"epoch 3 from 1, batch 450/1251"},
	}},
	{name: "MMEngine", from: "epoch", is: `^epoch\(train\) \[<epoch> \]\[<batch>/<batches> \]`, mark: fromOne,
		examples: []example{
			{"2026/11/24 12:00:00 - mmengine - INFO - Epoch(train)  [3][ 450/1251]  lr: 1.0e-02  eta: 1:02:03",
				"epoch 3 from 1, batch 450/1251"},
			{"11/24 12:00:00 - mmengine - INFO - Epoch(val)  [3][10/48]    eta: 0:00:09", ""},
		}},
	{name: "fairseq", from: "epoch", is: `^epoch <epoch>: <batch> /<batches> [a-z_]+=(?:.*\bnum_updates=<whole>)?`,
		mark: fromOne, examples: []example{
			{"2026-11-24 12:00:00 | INFO | train_inner | epoch 001:    100 / 1000 loss=9.1, ppl=550.1, " +
				"num_updates=100, lr=1e-05",
				"epoch 1 from 1, batch 100/1000, step 100 of all"},
			{"epoch 002:    100 / 1000 loss=9.1, ppl=550.1", "epoch 2 from 1, batch 100/1000"},
		}},
	{name: "Swin Transformer", from: "epoch", is: `^epoch <epoch> training takes`, mark: fromZero | ended, examples: []example{
		{"[2026-11-24 12:00:00 swin](main.py 300): INFO EPOCH 150 training takes 0:05:00", "epoch 150 from 0 over"},
	}},
	{name: "pytorch-cifar100", from: "epoch", is: `^epoch <epoch> training time consumed`, mark: ended, examples: []example{
		{"epoch 1 training time consumed: 40.12s", "epoch 1 over"},
	}},
	{name: "PyTorch word language model", from: "epoch", is: `^epoch <epoch> \| <batch>/<batches> batches`, mark: fromOne,
		examples: []example{
			{"| epoch   3 |   200/ 2983 batches | lr 20.00 | ms/batch 10.1 | loss  5.1 | ppl   164",
				"epoch 3 from 1, batch 200/2983"},
		}},
	{name: "PyTorch multigpu_torchrun", from: "epoch", is: `^epoch <epoch> \| batchsize:`, mark: fromZero,
		examples: []example{
			{"[GPU0] Epoch 3 | Batchsize: 32 | Steps: 64", "epoch 3 from 0, by 0"},
		}},
	{name: "PyTorch multigpu_torchrun", from: "epoch", is: `^epoch <epoch> \| training (?:snapshot|checkpoint) saved`,
		mark: fromZero | ended, examples: []example{
			{"Epoch 3 | Training snapshot saved at snapshot.pt", "epoch 3 from 0 over, saved"},
		}},
	{name: "Spinning Up", from: "epoch", is: `^epoch \| <epoch> \|$`, mark: fromZero | ended, examples: []example{
		{"|             Epoch |                3 |", "epoch 3 from 0 over"},
	}},
	{name: "MMEngine", from: "iter(", is: `^iter\(train\) \[<whole>/<wholes> \]`, examples: []example{
		{"2026/11/24 12:00:00 - mmengine - INFO - Iter(train) [  450/90000]  lr: 1.0e-02  eta: 1:02:03",
			"step 450/90000 of all"},
		{"2026/11/24 12:00:00 - mmengine - INFO - Iter(val) [ 45/100]  eta: 0:00:09", ""},
	}},
	{name: "detectron2", from: "iter: ", is: `^iter: <whole> (?:[a-z_]*loss)`, examples: []example{
		{"[11/24 12:00:00 d2.utils.events]:  eta: 1:02:03  iter: 459  total_loss: 1.2  loss_cls: 0.5  lr: 0.001  max_mem: " +
			"3000M", "step 459 of all"},
		{"[11/24 12:00:00 d2.evaluation.evaluator]: Inference done 11/5000. 0.05 s/iter. ETA=0:04:30", ""},
	}},
	{name: "nanoGPT", from: "iter ", is: `^iter <whole>: loss`, examples: []example{
		{"iter 450: loss 2.1234, time 12.30ms, mfu 30.10%", "step 450 of all"},
	}},
	{name: "Megatron", from: "iteration ", is: `^iteration <whole>/<wholes> \|`, examples: []example{
		{" [2026-11-24 12:00:00] iteration      100/  500000 | consumed samples:        25600 | elapsed time per iteration " +
			"(ms): 1234.5 |", "step 100/500000 of all"},
		{" validation loss at iteration 100 | lm loss value: 2.1E+00 |", "step 100"},
	}},
	{name: "StyleGAN", from: "tick ", is: `^tick [0-9]+ kimg <whole> time`, examples: []example{
		{"tick 2     kimg 8.0      time 7m 05s       sec/tick 90.5     sec/kimg 22.0", "step 8 of all"},
	}},
	{name: "ESPnet", from: "info: ", is: `^info: <epoch>/<epochs>epoch started`, mark: fromOne, examples: []example{
		{"[n1] 2026-11-24 12:10:01,000 (trainer:304) INFO: 2/70epoch started. Estimated time to finish: 10 hours",
			"epoch 2/70 from 1"},
	}},
	{name: "ESPnet", from: "info: ", is: `^info: <epoch>epoch results:`, mark: fromOne | ended, examples: []example{
		{"[n1] 2026-11-24 12:10:00,000 (trainer:365) INFO: 5epoch results: [train] iter_time=0.02, loss=100",
			"epoch 5 from 1 over"},
	}},
	{name: "BasicSR", from: "[epoch:", is: `^\[epoch: <epoch>, iter: <whole>, lr:`, mark: fromZero, examples: []example{
		{"2026-11-24 12:00:00,123 INFO: [train..][epoch:  1, iter:   1,000, lr:(2.0e-04,)] [eta: 1 day, 1:02:03]",
			"epoch 1 from 0, step 1000 of all"},
	}},
	{name: "OLMo", from: "[step=", is: `^\[step=<whole>/<wholes>`, examples: []example{
		{"[step=10/739328,epoch=0]", "step 10/739328 of all"},
	}},
	{name: "Composer", from: "[batch=", is: `^\[batch=<whole>/<wholes>\]:`, mark: atFirst, examples: []example{
		{"[batch=10/4800]:", "step 10/4800 of all"}, {"[epoch=1][batch=10/93]:", "epoch 1, batch 10/93"},
	}},
	{name: "PaddleSeg", from: "[train] epoch: ", is: `^\[train\] epoch: [0-9]+, iter: <whole>/<wholes>`, examples: []example{
		{"2026-11-24 12:00:00 [INFO]\t[TRAIN] epoch: 1, iter: 10/1000, loss: 0.5, lr: 0.01", "step 10/1000 of all"},
	}},
	{name: "CLU", from: "steps/s, ", is: `^steps/s, [0-9.]+% \(<whole>/<wholes>\), eta`, examples: []example{
		{"I1124 12:00:00.123456 140 local.py:41] Setting work unit notes: 4.0 steps/s, 2.5% (12500/500000), ETA: 1d",
			"step 12500/500000 of all"},
	}},
	{name: "DINOv2", from: "training ", is: `^training \[<whole>/<wholes> \] eta: `, examples: []example{
		{"I20261124 12:00:00 140 dinov2 helpers.py:103] Training  [ 62500/125000]  eta: 1:02:03  lr: 0.1  total_loss: 9",
			"step 62500/125000 of all"},
	}},
	{name: "Stable-Baselines3", from: "total_timesteps", is: `^total_timesteps \| <whole> \|`, examples: []example{
		{"|    total_timesteps      | 2048        |", "step 2048 of all"},
	}},
	{name: "pix2pix", from: "end of epoch ", is: `^end of epoch <epoch> / <epochs>`, mark: fromOne | ended, examples: []example{
		{"End of epoch 4 / 200 \t Time Taken: 30 sec", "epoch 4/200 from 1 over"},
	}},
	{name: "VITS", from: "====> epoch: ", is: `^====> epoch: <epoch>`, mark: ended, examples: []example{
		{"INFO:ljs_base:====> Epoch: 5", "epoch 5 over"},
	}},
	{name: "MONAI", is: `^<batch>/<batches>, train_loss`, examples: []example{
		{"7/10, train_loss: 0.4123", "batch 7/10"},
	}},
	{name: "nanoGPT", from: "step ", is: `^step <whole>: train loss [0-9.]+, val loss`, examples: []example{
		{"step 250: train loss 2.1000, val loss 2.2000", "step 250 of all"},
	}},
	{name: "DLRM", from: "it ", is: `^it <batch>/<batches> of epoch <epoch>`, examples: []example{
		{"Finished training it 1024/306969 of epoch 0, 24.29 ms/it, loss 0.517118", "epoch 0, batch 1024/306969"},
	}},
	{name: "TensorFlow Estimator", from: "step = ", is: `^step = <whole> \([0-9.]+ sec\)`, examples: []example{
		{"INFO:tensorflow:loss = 1.2, step = 400 (1.2 sec)", "step 400 of all"},
		{"INFO:tensorflow:global_step/sec: 83.3", ""},
	}},
	{name: "DeepSpeed", from: "step=", is: `^step=<whole>, skipped=`, examples: []example{
		{"[2026-11-24 12:00:00,123] [INFO] [logging.py:96:log_dist] [Rank 0] step=100, skipped=0, lr=[0.0001], mom=[(0.9, " +
			"0.999)]", "step 100 of all"},
	}},
	{name: "DeepSpeed", from: "steps: ", is: `^steps: <whole> loss: \S+ iter time`, examples: []example{
		{"steps: 100 loss: 1.2345 iter time (s): 0.123 samples/sec: 130.1", "step 100 of all"},
	}},
	{name: "WeNet", from: "train batch ", is: `^train batch <epoch>/<batch> loss`, mark: fromZero, examples: []example{
		{"2022-01-01 10:00:00,123 DEBUG TRAIN Batch 3/100 loss 12.1 loss_att 10.1 rank 0", "epoch 3 from 0, batch 100"},
	}},
	{name: "WeNet", from: "cv batch ", is: `^cv batch [0-9]+/[0-9]+ loss`, mark: aside, examples: []example{
		{"2022-01-01 10:00:00,123 DEBUG CV Batch 3/100 loss 12.1 history loss 12.0 rank 0", ""},
	}},
	{name: "DrQ", from: "| train |", is: `^\| train \|(?: [a-z]: [0-9.]+ \|)* s: <whole> \|`, examples: []example{
		{"| train | F: 90000 | S: 45000 | E: 90 | L: 500 | R: 312.1 | FPS: 60.1 | T: 1:02:03", "step 45000 of all"},
	}},
	{name: "DGL-KE", from: "[train](", is: `^\[train\]\(<whole>/<wholes>\) average`, examples: []example{
		{"[proc 0][Train](4500/24000) average pos_loss: 0.28", "step 4500/24000 of all, by 0"},
	}},
	{name: "TD3", from: "total t: ", is: `^total t: <whole> episode num`, examples: []example{
		{"Total T: 45000 Episode Num: 45 Episode T: 1000 Reward: 123.4", "step 45000 of all"},
	}},
	{name: "PyTorch MNIST", from: "train epoch: ", is: `^train epoch: <epoch> \[<batch>/<batches> \(`, mark: fromOne,
		examples: []example{
			{"Train Epoch: 1 [640/60000 (1%)]\tLoss: 2.3", "epoch 1 from 1, batch 640/60000"},
			{"Test set: Average loss: 0.0587, Accuracy: 9806/10000 (98%)", ""},
		}},
	{name: "Swin Transformer", from: "train: ", is: `^train: \[<epoch>/<epochs> \]\[<batch>/<batches> \]`, mark: fromZero,
		examples: []example{
			{"Train: [150/300][900/1251]\teta 0:01:00 lr 0.000500\t time 0.1 (0.1)\tloss 3.1 (3.2)",
				"epoch 150/300 from 0, batch 900/1251"},
		}},
	{name: "SupContrast", from: "train: ", is: `^train: \[<epoch> \]\[<batch>/<batches> \]`, examples: []example{
		{"Train: [3][100/196]\tBT 0.5 (0.6)\tloss 5.1 (5.2)", "epoch 3, batch 100/196"},
		{"train: [3][560/1000]|Tot: 0:05:01 |ETA: 0:03:55 |loss 2.1", "epoch 3, batch 560/1000"},
	}},
	{name: "timm", from: "train: ", is: `^train: <epoch> \[<batch>/<batches> \(`, mark: fromZero, examples: []example{
		{"Train: 3 [ 450/1251 ( 36%)]  Loss: 6.91 (6.9)  Time: 0.12s", "epoch 3 from 0, batch 450/1251"},
		{"Test: [  10/48]  Time: 0.12 (0.2)  Loss: 1.1 (1.2)", ""},
	}},
	{name: "results of a test", from: "test", is: `^test(?: \([a-z]+\))?: `, mark: aside | atFirst, examples: []example{
		{"Epoch: 001, Loss: 1.9465, Train: 0.2786, Val: 0.2260, Test: 0.2370", "epoch 1 over"},
		{"Test:  [ 10/48]  eta: 0:00:09  loss: 1.1  step 3/4", ""},
		{"Test (EMA): [  10/48]  Loss: 1.1", ""},
	}},
	{name: "Hugging Face begins", from: "***** running training", is: `^\*`, mark: barsOfAll, examples: []example{
		{"***** Running training *****", ""},
	}},
})

// barOfTqdm is a bar from its percent sign on: what is done, its unit, the total, its unit, and the times and rate.
var barOfTqdm = regexp.MustCompile(`^%\|[^|]*\|\s*([0-9]+(?:\.[0-9]+)?)([kmgt]?)[a-z]*/([0-9]+(?:\.[0-9]+)?)([kmgt]?)[a-z]*\s\[([^\]]*)`)

var barOfUltralytics = regexp.MustCompile(`^% [━╸╺─]+\s*([0-9]+)/([0-9]+)\s`)

// bars are examples of these.
var bars = []example{
	{"desc:  45%|████▌     | 450/1000 [01:23<01:40,  5.4it/s, loss=2.1]", "step 450/1000, bar"},
	{" 45%|####5     | 450/1000 [01:23<01:40,  1.4s/it]", "step 450/1000, bar"},
	{"  0%|          | 0/1000 [00:00<?, ?it/s]", "step 0/1000, bar"},
	{"Training:  45%|████▌     | 1.20k/2.67k [01:23<01:40, 5.4kit/s]", "step 1200/2670, bar"},
	{" 45%|████▌     | 45/100 [00:10<00:12,  4.4it/s]\x1b[A", "step 45/100, bar in another"},
	{"Epochs:  30%|███       | 3/10 [00:10<00:23,  3.3s/it]", "epoch 3/10 from 0 done, bar"},
	{" 20%|██        | 10/50 [00:01<00:04, 9.9it/s, epoch=2/10, avg_epoch_loss=5.1]", "epoch 2/10, batch 10/50, bar"},
	{" 20%|██        | 10/50 [00:01<00:04, 9.9it/s, epoch=2, avg_epoch_loss=5.1]", "step 10/50, bar"},
	{"Sanity Checking DataLoader 0:  50%|█████     | 1/2 [00:00<00:00,  4.4it/s]", ""},
	{"Validation DataLoader 0:  45%|████▌     | 45/100 [00:10<00:12,  4.4it/s]", ""},
	{"Batches:  90%|█████████ | 9/10 [00:01<00:00,  9.0it/s]", ""},
	{"Evaluating:  90%|█████████ | 9/10 [00:01<00:00,  9.0it/s]", ""},
	{"epoch 001 | valid on 'valid' subset:  10%|█         | 1/10 [00:00<00:01,  9.0it/s]", ""},
	{"                 Class     Images  Instances      Box(P          R      mAP50  mAP50-95): 100%|██████████| 4/4 " +
		"[00:01<00:00,  3.1it/s]", ""},
	{"Map:  45%|████▌     | 450/1000 [00:01<00:01, 450.00 examples/s]", ""},
	{" 45%|████▌     | 450/1000 [00:01<00:01, 450.00 examples/s]", ""},
	{"Map (num_proc=4):  45%|████▌     | 450/1000 [00:01<00:01, 450.00it/s]", ""},
	{"Downloading:  45%|████▌     | 45.0M/100M [00:01<00:01, 45.0MB/s]", ""},
	{"model.safetensors:  45%|████▌     | 45.0M/100M [00:01<00:01, 45.0MB/s]", ""},
	{"Fetching 3 files:  33%|███▎      | 1/3 [00:01<00:02,  1.1s/it]", ""},
	{"Loading checkpoint shards:  50%|█████     | 2/4 [00:03<00:03,  1.6s/it]", ""},
	{"Generating train split:  45%|████▌     | 450/1000 [00:01<00:01, 450.00 examples/s]", ""},
	{"Running tokenizer on dataset:  45%|████▌     | 450/1000 [00:01<00:01, 450.00it/s]", ""},
	{"train: Scanning /data/coco/labels/train2017... 450 images, 0 corrupt:  45%|████▌     | 450/1000 [00:01<00:01, " +
		"450.00it/s]", ""},
	{" 10%|█         | 900/1000 [00:01<00:09,  9.0it/s]", ""},
}

// epochBehind is the epoch that stands behind the times and the rate of a bar.
var epochBehind = regexp.MustCompile(`, epochs?=([0-9]+)/([0-9]+)\b`)

// labels are forms of what stands before a bar.
var labels = made([]form{
	{name: "Ultralytics", is: `^<epoch>/<epochs> [0-9.]+g?\s`, examples: []example{
		{"      3/100      2.1G      1.52      2.31      1.21        16        640:  45%|████▌     | 12/27 [00:03<00:03,  " +
			"4.1it/s]", "epoch 3/100, batch 12/27, bar"},
		{"      3/100      2.1G      1.52      2.31      1.21        16        640: 45% ━━━━━╸────── 12/27 4.1it/s 3.2s<3.7s",
			"epoch 3/100, batch 12/27, bar"},
	}},
	{name: "fairseq", from: "epoch", is: `^epoch 0<epoch>:`, mark: fromOne, examples: []example{
		{"epoch 001:  10%|█         | 100/1000 [00:10<01:30, 10.0it/s, loss=9.1]", "epoch 1 from 1, batch 100/1000, bar"},
	}},
	{name: "Catalyst", is: `^<epoch>/<epochs> \* epoch`, examples: []example{
		{"2/3 * Epoch (train):  45%|████▌     | 45/100 [00:10<00:12,  4.4it/s]", "epoch 2/3, batch 45/100, bar"},
	}},
	{name: "torchtune", is: `^<epoch>\|<whole>\|loss`, mark: fromOne, examples: []example{
		{"1|45|Loss: 2.1:  45%|████▌     | 45/100 [00:10<00:12,  4.4it/s]",
			"epoch 1 from 1, batch 45/100, step 45 of all, bar"},
	}},
	{name: "SRGAN", is: `^\[<epoch>/<epochs> \]`, also: "loss", examples: []example{
		{"[3/30] Loss_D: 0.6 Loss_G: 0.01:  45%|████▌     | 45/100 [00:10<00:12,  4.4it/s]", "epoch 3/30, batch 45/100, bar"},
		{"[1/2] Fetching:  45%|████▌     | 45/100 [00:10<00:12,  4.4it/s]", ""},
	}},
	{name: "epoch before a bar", from: "epoch", is: `^epochs?` + counter("epoch"),
		examples: []example{
			{"Epoch 3:  45%|████▌     | 45/100 [00:10<00:12,  4.4it/s]", "epoch 3, batch 45/100, bar"},
			{"Epoch 3/10:  45%|████▌     | 45/100 [00:10<00:12,  4.4it/s]", "epoch 3/10, batch 45/100, bar"},
			{"Epoch 3:  45%|████▌     | 45/100 [00:10<00:12,  4.4it/s, v_num=0]", "epoch 3 from 0, batch 45/100, bar"},
			{"Epoch 2 of 3:  33%|███▎      | 1/3 [00:10<00:20, 10.0s/it]", "epoch 1/3 from 0 done, bar"},
			{"Train [epoch 3 of 10]:  45%|████▌     | 45/100 [00:10<00:12,  4.4it/s]", "epoch 3/10, batch 45/100, bar"},
		}},
})

// words say what the number behind them counts; what a piece says in several of them is put together. Of those that are
// marked as aside, a number without a total is itself an amount.
var words = made([]form{
	{name: "epochs", from: "epochs", is: `^epochs` + counter("epoch"), mark: aside,
		examples: []example{
			{"epochs 3/10", "epoch 3/10"}, {"3 epochs 5 to go", ""}, {"Epochs: 3 | Train Loss: 0.546", "epoch 3 over"},
		}},
	{name: "epoch", from: "epoch", is: `^epoch` + counter("epoch"), examples: []example{
		{"Epoch 3/10", "epoch 3/10"}, {"Epoch: 3, lr 0.1", "epoch 3"}, {"Epoch 03 | train loss 0.3", "epoch 3 over"},
		{"epoch=3", "epoch 3"}, {"[default0]:Epoch [3/10]", "epoch 3/10, by 0"}, {"Epoch 3 of 10", "epoch 3/10"},
		{"| end of epoch   3 | time: 9.1s | valid loss  5.1", "epoch 3 over"},
		{"Epoch [1/3]: [30/469]   6%|6  , loss=0.3 [00:01<00:10]", "epoch 1/3, batch 30/469"},
		{"Epoch 3:\t[2000/82783]", "epoch 3, batch 2000/82783"}, {"| epoch 003  3000 / 8223 loss=1.27", "epoch 3 maybe over"},
		{"Testing at - 1024/306969 of epoch 0, loss 0.5", ""},
		{"Epoch 3 Batch 0 Loss 2.1", "epoch 3 maybe over, batch 0"},
		{"Epoch: 3/20... Step: 10... Loss: 2.1", "epoch 3/20 maybe over, step 10"},
		{"Epoch 0: |          | 16/? [00:01<00:00, v_num=0, train_loss=2.610]", "epoch 0 maybe over"},
		{"Train Epoch: 1 [240/2000 (95%)]", "epoch 1 from 1, batch 1900/2000"},
		{"Epoch: 1 | Step: 0 | PPO Epoch: 2 | Loss: 0.1", "epoch 1 maybe over, step 0"},
		{"current epoch: 3 best mean dice: 0.69 at epoch: 2", "epoch 3"}, {"Learning rate will decay at epoch 8", ""},
		{"*** Best metric: 76.12 (epoch 280)", ""}, {"Best acc: 0.93 | Epoch: 3 | Loss: 0.1", "epoch 3 over"},
		{"val_loss: 0.4 train_loss: 0.3 epoch: 3/5", "epoch 3/5 over"}, {"test-run-7 | Epoch 3/5", "epoch 3/5"},
		{"Cost after iteration 2300: 0.6", "step 2300"}, {"epoch 2.80 step 2800 loss 0.1", "epoch 2.8 done, step 2800"},
		{"Time taken for 1 epoch 84.2 sec", ""}, {"Epoch 4, 11/26 05:14 loss 0.2", "epoch 4 maybe over"},
		{"Epoch 5/5: 45/50 correct", "epoch 5/5"}, {"Epoch 1 [100/1000 (93%)]", "epoch 1, batch 100/1000"},
		{"Ｅｐｏｃｈ：1／5　loss: 0.2", "epoch 1/5 over"},
		{"resuming from iteration 0, epoch 0 until 5 epochs", ""}, {"Time for epoch: 45", ""},
		{"| Global Round : 3 | Local Epoch : 5/10 | [0/480 (0%)]\tLoss: 1.2", ""},
		{"Starting data epoch 3 in logical epoch 3.000", "epoch 3"},
		{"Training acc over epoch: 0.6845", ""}, {"Loss for final step: 0.0052", ""}, {"Average loss this epoch: 0.53", ""},
		{"Epoch 1/10，loss：2.1", "epoch 1/10 over"}, {"Epoch 1 out of 10", "epoch 1/10"},
		{`"epoch": "3/50", "iter": "90/159"`, "epoch 3/50, step 90/159"}, {"  epoch                   =        3.0", "epoch 3 done"},
		{"Epoch 1/4 : |███---| 25.00% [23/92 00:02<00:10]", "epoch 1/4, batch 23/92"},
		{"INFO:ljs_base:Train Epoch: 1 [26%]", "epoch 1, batch 26/100"},
		{"Epoch  3, 1850/2000; acc:   3.99; ppl: 12792.57", "epoch 3, batch 1850/2000"},
		{"Train | Epoch 3 | 20/200 | 3.1 it/sec | loss 5.1", "epoch 3, batch 20/200"},
		{"Epoch: 03 | Epoch Time: 0m 12s", "epoch 3 over"}, {"Epoch: 3 cost time: 12.1", "epoch 3 over"},
		{"====== Finished epoch 3 ======", "epoch 3 over"}, {"Epoch 3, time 0.2", "epoch 3"},
		{"Epoche 3/10 | Verlust: 0.3", "epoch 3/10 over"},
		{"Época [3/10], Passo [45/100], Perda: 0.3", "epoch 3/10, step 45/100"},
		{"第3轮 | 损失: 0.3", "epoch 3 over"}, {"------第 3/10 轮训练------", "epoch 3/10"},
		{"Эпоха 3/10: потери 0.3", "epoch 3/10 over"},
		{"エポック 3/10 損失: 0.3", "epoch 3/10 over"}, {"验证轮次 3/10 步 4/5", ""},
		{"epoch 2026/11/24", ""}, {"epoch -3/10", ""}, {"epoch3/10", ""}, {"Eval epoch 3/10 step 4/5", ""},
	}},
	{name: "global step", from: "global_step", is: `^global_step(?:/max_steps)?` + counter("whole"),
		examples: []example{
			{"epoch=0/micro_step=100/global_step=25, RunningAvgSamplesPerSec=130.1", "step 25 of all"},
			{"global_step/sec: 83.3", ""},
		}},
	{name: "global step", from: "global step", is: `^global steps?` + counter("whole"),
		examples: []example{
			{"[rank0]: Global step 420/1000.", "step 420/1000 of all, by 0"},
			{"Epoch 3, global step 1200: 'val_loss' reached 0.12, saving model to '/out/epoch=3.ckpt' as top 1",
				"epoch 3 maybe over, step 1200 of all, saved"},
		}},
	{name: "updates", from: "num_updates", is: `^num_updates\b["'\]]? [:=|]? <whole>`, examples: []example{
		{"epoch 001 | loss 8.1 | ppl 274.4 | num_updates 1000 | lr 0.0001", "epoch 1 maybe over, step 1000 of all"},
	}},
	{name: "steps", from: "steps", is: `^steps` + counter("step"), mark: aside,
		examples: []example{
			{"steps = 420/1000, loss 1.2", "step 420/1000"}, {"steps: 1000", ""},
		}},
	{name: "step", from: "step", is: `^step` + counter("step"), examples: []example{
		{"step 420/1000", "step 420/1000"}, {"INFO: Step: 420 of 1000", "step 420/1000"},
		{"[step 420/1000] loss=0.3", "step 420/1000"},
		{"step=420, loss=0.3", "step 420"}, {"0: Epoch [3/10], Step [420/1000], Loss: 0.3",
			"epoch 3/10, step 420/1000, by 0"},
		{"1 step 3/4/5", ""}, {"mystep 9/10", ""}, {"step 1,000", "step 1000"}, {"step 1,0", ""},
		{"Step 1,200 / 10,000", "step 1200/10000"}, {"epoch 1,200", ""}, {"step 1.2.3/4", ""}, {"Validation step 9/10", ""},
		{"logging every step 10", ""},
		{"loss 3/10", ""}, {"4/8 GPUs found", ""}, {"acc 45/100", ""}, {"ratio 3/10", ""}, {"v1.2.3, 11/24/2026", ""},
	}},
	{name: "iterations", from: "iterations", is: `^iterations` + counter("step"),
		mark: aside, examples: []example{
			{"iterations: 420/1000", "step 420/1000"}, {"iterations: 1000", ""},
		}},
	{name: "iteration", from: "iteration", is: `^iteration` + counter("step"),
		examples: []example{
			{"iteration 420/1000", "step 420/1000"}, {"Iteration: 420", "step 420"},
		}},
	{name: "iters", from: "iters", is: `^iters` + counter("step"), mark: aside, examples: []example{
		{"iters: 420/1000", "step 420/1000"}, {"Total epochs: 2; iters: 1000.", "2 epochs planned"},
	}},
	{name: "iter", from: "iter", is: `^iter` + counter("step"), examples: []example{
		{"Iter [420/1000]\tlr: 1e-3", "step 420/1000"}, {"iter 420", "step 420"}, {"0.05 s/iter. 3", ""},
	}},
	{name: "episode", from: "episode", is: `^episodes?` + counter("step"), mark: aside | atFirst, examples: []example{
		{"episode: 5/1000, score: 12", "step 5/1000"}, {"Episode 5", ""},
		{"Iteration 4/5, Episode 3/4", "step 4/5"}, {"Epoch 3/5 Episode 2/4", "epoch 3/5"},
	}},
	{name: "generation", from: "generation", is: `^generations?` + counter("step"), mark: aside | atFirst, examples: []example{
		{"Generation 5/100", "step 5/100"},
	}},
	{name: "round", from: "round", is: `^rounds?` + counter("step"), mark: aside | atFirst, examples: []example{
		{"[Round 5/100] accuracy 0.3", "step 5/100"}, {"round 3", ""},
	}},
	{name: "updates", from: "updates", is: `^updates` + counter("step"), mark: aside, examples: []example{
		{"Algo rmappo Exp check updates 45/800 episodes", "step 45/800"}, {"updates: 1000", ""},
	}},
	{name: "timesteps", from: "timesteps", is: `^timesteps` + counter("step"), mark: aside, examples: []example{
		{"total num timesteps 35200/20000000, FPS 1234", "step 35200/2e+07"}, {"total timesteps: 1000", ""},
	}},
	{name: "t_env", from: "t_env", is: `^t_env` + counter("step"), examples: []example{
		{"[INFO 10:00:02] my_main t_env: 10123 / 2050000", "step 10123/2.05e+06"},
	}},
	// It may be an episode as well.
	{name: "ep", from: "ep", is: `^ep\b\.? [:=#]? ["'\[(]? <epoch>(?: (?:/|of) <epochs>)?`, mark: aside,
		examples: []example{
			{"Ep 3/100 loss=0.3", "epoch 3/100 over"}, {"Ep 003 | Train loss: 0.3", "epoch 3 over"},
			{"Ep 3 (Step 000125): Train loss 2.1, Val loss 6.1", "epoch 3 maybe over, step 125"},
			{"Ep. 3 : Up. 500 : Sen. 25,000 : Cost 5.2 : Time 359.5s", "epoch 3"},
			{"Ep 12 | score 8.1 | loss 0.3", ""}, {"ep 12", ""}, {"eps=1e-08", ""},
		}},
	{name: "batch", from: "batch", is: `^batch(?:es)?` + counter("batch"), examples: []example{
		{"[Epoch 3/10] [Batch 45/100] [D loss: 0.3]", "epoch 3/10, batch 45/100"}, {"batch 45", ""},
		{"Epoch 3, batch 450, loss[loss=0.5521], batch size: 32", "epoch 3 maybe over, batch 450"},
		{"batch size: 32", ""},
	}},
})

// brackets are read where nothing else is.
var brackets = made([]form{
	{name: "counter in brackets", from: "[", is: `^\[<step>/<steps> \]`, also: "loss", examples: []example{
		{"[450/1000] loss: 0.3", "step 450/1000"},
		{"2026-11-24 12:00:00,123 - INFO - [ 450/1000] loss 0.3", "step 450/1000"},
		{"[1/3] c++ -MMD -MF fused_adam.o", ""},
		{"[4/8] GPUs found", ""},
	}},
	{name: "counter in brackets behind a loss", from: "loss", is: `^loss: [0-9.]+ \[ <step>/<steps> \]`, examples: []example{
		{"loss: 2.303494  [   64/60000]", "step 64/60000"}, {"loss: 2.3 [0.1]", ""},
	}},
})

// besideEpoch is a counter in brackets right behind that of the epoch, which counts the steps of it.
var besideEpoch = regexp.MustCompile(`^(?:\s*:?\s*\|[^|]*\|\s*[0-9.]+%)?[\])\s:,|-]*[\[(]\s*([0-9]+)\s*/\s*([0-9]+)\b`)

// plainBeside is the same without brackets: between signs that part it from what stands around it.
var plainBeside = regexp.MustCompile(`^\s*[,|]\s*([0-9]+)\s*/\s*([0-9]+)\s*[;|]`)

// shareBeside is how many percent of the epoch are done, right behind it.
var shareBeside = regexp.MustCompile(`^\s*\[\s*([0-9]+(?:\.[0-9]+)?)%\s*\]`)

// overBehind stands behind an epoch that is over, and overBefore before it: a word that says so, or how long it took.
var (
	overBehind = regexp.MustCompile(`^[\])\s:,|=*.-]*(?:is )?(?:done|finished|completed?|ended|end|over|summary|` +
		`took|takes|cost time|(?:epoch )?(?:time|duration)[ :=]+[0-9]+m|epoch time)\b`)
	overBefore = regexp.MustCompile(`\b(?:finished|completed|end of)(?: training)?(?: for)? *$`)
)

// within are words before a number which say that an epoch goes on.
var within = wordList("batch batches step steps iter iters iteration iterations it idx minibatch update updates")

// engineRun stands before how many epochs an engine of Ignite has that begins.
var engineRun = regexp.MustCompile(`\bengine run starting with max_epochs=`)

// passes are parts of words for what all epochs are gone through for.
var passes = []string{"fold", "run", "trial", "seed", "repe"}

// outer counts what all epochs are gone through for again.
var outer = regexp.MustCompile(`\b(?:fold|run|trial|seed|repeat|repetition)s?\b\s*[:=#]?\s*[\[(]?\s*([0-9]+)\s*(?:/|of)\s*([0-9]+)\b`)

// pass is one of these of which nothing says how many there are.
var pass = regexp.MustCompile(`(?:^|[^a-z0-9_./-])(?:fold|run|trial|repeat|repetition)\s*[:=#]?\s*([0-9]{1,3})` +
	`(?:\s*[:,|)\]=-]|\s*$|\s+[a-z.=*#-])`)

// passOver stands behind one that is over.
var passOver = regexp.MustCompile(`\b(?:results?|finish\w*|scores?|done|complete\w*|end\w*|best|highest)\b`)

// result is a measured result.
var result = regexp.MustCompile(`\b(?:loss|acc|accuracy|cost)\b["']?\s*[:=]?\s*[0-9]*\.[0-9]`)

// shareOf is a count with its share as the program has reckoned it, which knows how many processes go through it
// together.
var shareOf = regexp.MustCompile(`([0-9]+)\s*/\s*([0-9]+)\s*\(\s*([0-9]+(?:\.[0-9]+)?)%\s*\)`)

// percentDone is how many percent are done.
var percentDone = regexp.MustCompile(`\b(?:progress|percent complete|completed?|finished|done)\b["']?\s*[:=]?\s*[\[(]?([0-9]+(?:\.[0-9]+)?)\s*%` +
	`|\b([0-9]+(?:\.[0-9]+)?)\s*% (?:completed?|done|finished)\b` +
	`|\b(?:[0-9]+h )?[0-9]+m [0-9]+s\)? \([0-9]+ ([0-9]+(?:\.[0-9]+)?)%\)` +
	`|^[0-9]+ ([0-9]+)% \([0-9]+m [0-9]+s\)|^[0-9]+ \(([0-9]+)%\):\s+average` +
	`|^[0-9]+ \(([0-9]+\.[0-9]+)%\) {2,}[0-9.]+ m?s\b` +
	`|\b([0-9]+\.[0-9]+)% @[0-9]+, [0-9.]+ steps/s`)

// percents are examples of it.
var percents = []example{
	{"Progress: 45.5%", "step 45.5/100"}, {"[training] 45% complete, loss 0.3", "step 45/100"},
	{"Iteration: 400; Percent complete: 10.0%; Average loss: 4.9", "step 10/100"},
	{"3m 14s (- 45m 32s) (5000 6%) 2.8438", "step 6/100"}, {"0m 5s (5000 5%) 1.3699", "step 5/100"},
	{"5000 5% (0m 33s) 2.5071 Horigome / Japanese", "step 5/100"}, {"5 (19%): \t average batch loss = 1.61",
		"step 19/100"},
	{"4090 (81.78%)       43.140 ms            39 s, 300.687 ms     14.86 M", "step 81.78/100"},
	{"local.py:41] Setting work unit notes: 40.0% @4, 8.3 steps/s", "step 40/100"},
	{"Epoch 3/10, 45% done", "epoch 3/10, step 45/100"},
	{"Downloading the dataset: 45% complete", ""}, {"Validation progress: 45%", ""}, {"GPU utilisation 45%", ""},
	{"Step 3/10, 30% done", "step 3/10"}, {"Progress: 145%", ""},
}

// processes are what launchers put before what a process writes, with its number.
var processes = made([]form{
	{name: "torchrun", is: `^\[ (?:rank|default|worker|trainer|gpu|node|local_rank|proc|process)[ :_-]*([0-9]{1,6})\]:? `,
		examples: []example{
			{"[default0]:step 4/10", "step 4/10, by 0"}, {"[rank3]: step 4/10", "step 4/10, by 3"},
			{"[rank: 3] step 4/10", "step 4/10, by 3"},
			{"[GPU2] step 4/10", "step 4/10, by 2"}, {"[epoch 3] step 4/10", "epoch 3, step 4/10"},
		}},
	{name: "mpirun", is: `^\[[0-9]+,([0-9]{1,6})\]<std(?:out|err)>: ?`,
		examples: []example{{"[1,2]<stdout>: step 4/10", "step 4/10, by 2"}}},
	{name: "Ray", is: `^\((?:[a-z_]+ )?(?:pid|rank)=([0-9]{1,9})[^)]*\) `, examples: []example{
		{"(RayTrainWorker pid=123, ip=10.0.0.1) step 4/10", "step 4/10, by 123"},
	}},
	{name: "srun", is: `^([0-9]{1,4}):\s `, examples: []example{{"12: step 4/10", "step 4/10, by 12"}}},
})

// saved tells of a checkpoint, unless notSaved stands before it or failed anywhere.
var (
	saved = regexp.MustCompile(`\b(?:saved|saving|wrote|writing)\b.{0,60}\b(?:checkpoint|snapshot)|\bsaving model to\b.{0,200}\.ckpt|` +
		`\b(?:checkpoint|snapshot)\b.{0,200}\b(?:saved|written)\b`)
	notSaved = regexp.MustCompile(`\b(?:not|no|never|cannot|could|skip\w*|unable|will|would|without|if|before|restor\w*|load\w*|resum\w*|every)\b|n't\b`)
	failed   = regexp.MustCompile(`\b(?:fail\w*|error\w*|exception)\b`)
)

// saves are examples of these.
var saves = []example{
	{"Saved checkpoint", "saved"}, {"Saving model checkpoint to /out/checkpoint-50", "saved"},
	{"checkpoint /out/3.pt saved in 2.1 s", "saved"},
	{"Wrote checkpoint for step 420", "step 420, saved"}, {"INFO:tensorflow:Saving checkpoints for 400 into " +
		"/tmp/model.ckpt.", "saved"},
	{"snapshot saved", "saved"}, {"  successfully saved checkpoint from iteration     100 to /out", "saved"},
	{"Model weights saved in /out/checkpoint-500/model.safetensors", "saved"},
	{"Checkpoint could not be saved", ""}, {"Saving checkpoint failed: disk full", ""}, {"Skipped saving checkpoint", ""},
	{"will be saved as checkpoint at the end", ""}, {"Restored the saved checkpoint", ""},
	{"Loading saved checkpoint from /out", ""},
	{"checkpoints are saved every 100 steps", ""}, {"activation checkpointing is on", ""},
	{"we don't think it saved a checkpoint", ""},
}

// The names of counts in JSON, in lower case.
var (
	jsonSteps = []string{"step", "global_step", "_step", "current_steps", "steps", "iteration", "iter",
		"train/global_step",
		"trainer/global_step", "num_updates"}
	jsonTotalSteps  = []string{"total_steps", "max_steps", "total_iterations", "max_iters", "num_steps", "total"}
	jsonEpochs      = []string{"epoch", "train/epoch"}
	jsonTotalEpochs = []string{"total_epochs", "num_epochs", "max_epochs", "num_train_epochs", "epochs"}
	jsonPhases      = []string{"mode", "phase", "stage", "split"}
)

var objects = []example{
	{`{"step": 420, "total_steps": 1000, "loss": 0.3}`, "step 420/1000 of all"},
	{`{"global_step":"420","max_steps":"1000"}`, "step 420/1000 of all"},
	{`{"epoch": 2.42, "num_epochs": 10}`, "epoch 2.42/10 done"},
	{`{"epoch": 3, "num_epochs": 10, "loss": 0.1}`, "epoch 3/10 over"},
	{`{"_step": 420, "_runtime": 12.3, "train/epoch": 1.5, "_timestamp": 1.7}`, "epoch 1.5 done, step 420"},
	{`{"level":"info","msg":"step 420/1000"}`, "step 420/1000"},
	{`{"mode": "val", "epoch": 3, "iter": 10}`, ""}, {`{"step": {"a": 1}}`, ""}, {`{"step": null}`, ""},
}

// asides are words before a counter which say that it does not count the training.
var asides = wordList(`eval evaluation evaluating evaluate validation validating validate valid val test testing
	predict predicting prediction predictions inference download downloading upload uploading loading map tokenizing
	tokenizer tokenize processing preprocessing generating generate filter filtering fetching fetch extracting extraction
	evaluator validator tester
	warmup warming shards files sampling sanity checking datasets dataset compiling substep sub micro accumulation
	scanning caching cache casting grouping packing resolving reading building preparing converting indexing collecting
	computing calculating calibrating quantizing saving writing decoding encoding sample denoising denoise diffusion`)

// evaluations are words that a line about something else than the training begins with.
var evaluations = wordList("evaluating validating testing")

// evaluators are words before a setting that say of whom it is.
var evaluators = wordList("evaluator validator tester")

// asideUnits are units of a bar of something else, besides bytes.
var asideUnits = wordList("example examples ex file files row rows doc docs record records shard shards table tables")

// amounts are words before a number without a total which say that it is itself an amount.
var amounts = wordList("total max num number per every save log logging accumulation optimization until next best " +
	"warmup resume from time elapsed final loading loaded load")

// results are words before a fraction which say that it is a result.
var results = wordList("loss acc accuracy error score time average avg mean over in this per")

// references are words in the same clause, as in "best score 0.93 at epoch 3", which say that the number is not where
// the training is. What stands behind one of begins is where it goes on; but nobody knows whether such an epoch is over
// or begins.
var (
	references = wordList("best will next logical")
	begins     = wordList("resuming resumed resume restoring restored restore loaded")
)

// inner are words before an epoch which say that it is one of a part of the training, such as of what a client of it
// does.
var inner = wordList("local inner ppo client")

// trainings are words before a bar that say that it counts the training; loops say that it counts epochs, unless one of
// trainingSteps says that it counts steps.
var (
	trainings     = wordList("train training step steps iteration iterations iter iters")
	loops         = wordList("epoch epochs")
	manyEpochs    = wordList("epochs")
	trainingSteps = wordList("step steps iteration iterations iter iters batch batches")
)

// plan is what a setting says that there is to do.
type plan int

const (
	noPlan plan = iota
	planSteps
	planEpochs
	planEpochsOfBar // of scripts that draw one bar for all of them
	planMoreEpochs  // beside the others
	planPasses      // through all epochs
	planRuns        // the same, whether they are named or not
	planOnePass     // which one of them is gone through
)

// settings say how much there is to do; settingsInWords do so behind one of the words in plans.
var (
	settings = map[string]plan{
		"epochs": planEpochs, "num_epochs": planEpochs, "n_epochs": planEpochs, "nb_epochs": planEpochs,
		"nepochs":    planEpochs,
		"max_epochs": planEpochs, "max_epoch": planEpochs, "total_epochs": planEpochs, "total_epoch": planEpochs,
		"num_train_epochs": planEpochsOfBar, "train_epochs": planEpochs, "training_epochs": planEpochs,
		"max_steps": planSteps, "total_steps": planSteps, "max_iters": planSteps, "max_iter": planSteps,
		"train_iters":     planSteps,
		"num_train_steps": planSteps, "max_train_steps": planSteps, "max_update": planSteps, "total_iterations": planSteps,
		"total_kimg": planSteps, "total_iter": planSteps, "niter": planEpochs, "num_training_epochs": planEpochs,
		"n_epochs_decay": planMoreEpochs, "niter_decay": planMoreEpochs,
		"num_iterations": planSteps, "training_steps": planSteps, "train_steps": planSteps, "num_training_steps": planSteps,
	}
	passSettings = map[string]plan{
		"n_fold": planPasses, "n_folds": planPasses, "num_folds": planPasses, "nfolds": planPasses, "k_folds": planPasses,
		"kfold": planPasses, "k_fold": planPasses, "n_splits": planPasses, "num_fold": planPasses, "folds": planPasses,
		"n_trials": planPasses,
		"runs":     planRuns, "n_runs": planRuns, "num_runs": planRuns, "itr": planRuns, "fold": planOnePass,
	}
	// options say so on a command line, where nothing is counted.
	options = map[string]plan{
		"epoch": planEpochs, "number_of_epochs": planEpochs, "max_train_epochs": planEpochs, "iters": planSteps,
		"iterations": planSteps, "num_iters": planSteps, "total_iters": planSteps, "total_timesteps": planSteps,
		"kimg": planSteps, "num_epoch": planEpochs, "n_epoch": planEpochs, "max_num_epochs": planEpochs,
		"epoch_num": planEpochs, "nb_epoch": planEpochs,
		"steps": planSteps, "n_iter": planSteps, "num_iter": planSteps,
		"niters": planSteps, "n_iters": planSteps, "max_iteration": planSteps, "num_updates": planSteps,
		"max_step": planSteps, "max_timesteps": planSteps, "num_env_steps": planSteps, "iter": planSteps,
		"after_epochs": planEpochs,
		"n_timesteps":  planSteps, "num_timesteps": planSteps, "total_env_steps": planSteps,
	}
	settingsInWords = map[string]plan{"epochs": planEpochs, "steps": planSteps, "iterations": planSteps, "kimg": planSteps}
	plans           = wordList("num number total scheduled of training train optimization")
	notPlanned      = wordList("warmup warm patience every per save eval cooldown decay first last after remaining")
)

// examplesInAll and examplesOfStep stand before how many examples there are, and how many go through at each step.
var (
	examplesInAll  = regexp.MustCompile(`\bnum examples = `)
	examplesOfStep = regexp.MustCompile(`\btotal (?:train )?batch size(?: \([^)]*\))? = `)
)

// totalOf stands before how many steps there are in all, where there is no sign.
var totalOf = regexp.MustCompile(`\btotal (?:optimization |training |train )?(?:steps|iterations) `)

// inWords are how many steps there are, in other sentences.
var inWords = regexp.MustCompile(`\btraining\.*, iters: ([0-9,]+)|\b([0-9,]+) max iterations\b`)

// trainingFor is how much there is to do, in a sentence.
var trainingFor = regexp.MustCompile(`\btraining for ([0-9,]+) (epochs|steps|iterations|kimg)\b`)

var planned = []example{
	{"Training for 25000 kimg...", "25000 steps planned"},
	{"Training for 10 epochs...", "10 epochs planned"}, {"Start training for 1,000 steps: good luck",
		"1000 steps planned"},
	{"max_steps:\t500000", "500000 steps planned"}, {"Starting training..., iters: 400", "400 steps planned"},
	{"92 iterations per epoch. 13800 max iterations ", "13800 steps planned"},
	{"Training starts at step 1: sequence length 2048, total steps 1000 (warmup 200)", "step 1, 1000 steps planned"},

	{"Namespace(batch_size=64, epochs=14, lr=1.0, warmup_epochs=5)", "14 epochs planned"},
	{"TrainingArguments(max_steps=-1, num_train_epochs=3.0, save_steps=500)", "3 epochs planned"},
	{"epochs: 90", "90 epochs planned"}, {"  'max_epochs': 12,", "12 epochs planned"},
	{"Running with --epochs=90 --lr=0.1", "90 epochs planned"},
	{"  Num Epochs = 3", "3 epochs planned"}, {"  Total optimization steps = 1,500", "1500 steps planned"},
	{"  train_iters ..................................... 500000", "500000 steps planned"},
	{"Overriding: max_iters = 2000", "2000 steps planned"}, {"Number of epochs: 90", "90 epochs planned"},
	{"Scheduled epochs: 310. LR stepped per epoch.", "310 epochs planned"}, {"Total steps: 1000", "1000 steps planned"},
	{"`Trainer.fit` stopped: `max_epochs=3` reached.", "3 epochs planned"},
	{"  Num examples = 50,000", ""}, {"steps: 1000", ""}, {"steps per epoch: 100", ""}, {"warmup epochs: 5", ""},
	{"save_steps=500", ""},
	{"{'data_sampling': {'enabled': False, 'num_epochs': 1000}}", ""},
	{"2026-11-24 12:00:00 evaluator INFO: Engine run starting with max_epochs=1.", ""}, {"epochs: many", ""},
	{"max_steps=-1", ""}, {"num_train_epochs=0.5", ""},
}
