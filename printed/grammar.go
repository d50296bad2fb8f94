package printed

// The grammar stands in the files that are called after it: each form beside examples of it, with what is read of them,
// and of what looks like it and is not. The tests read these very examples. Text is in lower case here; form.go says
// what <step> and its like stand for.
//
//	grammar.go            lines as frameworks print them
//	grammar_bars.go       bars, and what stands before them
//	grammar_words.go      numbers behind a word that says what they count
//	grammar_units.go      counts whose unit stands behind them, and shortened ones
//	grammar_numbered.go   lines that begin with what they count
//	grammar_epochs.go     what stands beside an epoch, and around all of them
//	grammar_shares.go     percentages
//	grammar_json.go       lines in JSON
//	grammar_plans.go      how much there is to do in all
//	grammar_saves.go      checkpoints
//	grammar_launchers.go  what launchers put before a line
//	grammar_context.go    words around a number that say what it counts, or that it counts nothing

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
	{name: "tqdm without a total", is: `^(?:train(?:ing)? )?epoch <epoch>(?:/<epochs>)?[^|\[]*: <batch>it \[`,
		examples: []example{
			{"Epoch 3: 450it [01:23,  5.40it/s, loss=2.1]", "epoch 3, batch 450"},
			{"Train Epoch 3/10: 450it [01:23,  5.40it/s]", "epoch 3/10, batch 450"}, {"Validation Epoch 3: 450it [01:23]", ""},
		}},
	{name: "tqdm without a total", is: `^(?:[^|:\[]*: )?<step>`, also: "it [", mark: labelled, examples: []example{
		{"450it [01:23,  5.40it/s]", "step 450"},
		{"Training: 450it [01:23,  5.40it/s, loss=2.1]", "step 450"},
		{"Evaluating: 450it [01:23,  5.40it/s]", ""}, {"Skipping: 450it [01:23,  5.40it/s]", ""},
		{"9912422it [00:06, 1652070.33it/s]", ""},
	}},
	{name: "DLLogger", from: "dll ", is: `^dll [0-9-]+ [0-9:.]+ - \(<epoch>, <batch>(?:, <whole>)?\)\s`, mark: fromZero,
		examples: []example{
			{"DLL 2026-11-24 12:00:00.123456 - (3, 100) train.loss : 3.1", "epoch 3 from 0, batch 100"},
			{"DLL 2026-11-24 12:00:00.123456 - (3, 100, 400) train.loss : 3.1", "epoch 3 from 0, batch 100, step 400 of all"},
			{"DLL 2026-11-24 12:00:00.123456 - (3,) val.loss : 3.1", ""},
			{"DLL 2026-11-24 12:00:00.123456 - () train_time : 300.1", ""},
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
	{name: "E3 S1200/5000", is: `^e <epoch>(?:/<epochs>)?[ ,:|/-]+(?:s|b|i|it) <batch>/<batches>\b`, also: "loss",
		examples: []example{
			{"E3 S1200/5000 loss 0.3", "epoch 3, batch 1200/5000"}, {"e3 | it 45/100 | loss: 0.3", "epoch 3, batch 45/100"},
			{"e3 s1200/5000 files", ""}, {"e3 m1200/5000 loss", ""},
		}},
	{name: "E3 S1200/5000", is: `^\[e <epoch>(?:/<epochs>)?[ ,:|/-]+(?:s|b|i|it) <batch>/<batches>\b`, also: "loss",
		examples: []example{{"[E3/10 B45/100] loss=0.3", "epoch 3/10, batch 45/100"}}},
	{name: "ms-swift results", from: "{'",
		is:   `^\{'[^{}]*'global_step/max_steps': '<whole>/<wholes>'[^{}]*'epoch': ?'?<epoch>'?[,}]`,
		mark: partly | barsOfAll, examples: []example{
			{"{'loss': '1.2', 'global_step/max_steps': '5/1000', 'epoch': '0.01'}", "epoch 0.01 done, step 5/1000 of all"},
		}},
	{name: "ms-swift results", from: "{'", // the step is behind the epoch
		is:   `^\{'[^{}]*'epoch': ?'?<epoch>'?,[^{}]*'global_step/max_steps': '<whole>/<wholes>'`,
		mark: partly | barsOfAll, examples: []example{
			{"{'loss': '0.37', 'epoch': '0.08602', 'global_step/max_steps': '1/60', 'elapsed_time': '43s'}",
				"epoch 0.08602 done, step 1/60 of all"},
		}},
	{name: "Hugging Face results, all in quotes", from: "{'", // those of its releases from 5 on: 3.0 is '3' there
		is:   `^\{'[^{}]*(?:grad_norm|learning_rate|(?:eval|train)_[a-z_]+)': '[^{}]*'epoch': '<epoch>'[,}]`,
		mark: partly | barsOfAll | inQuotes, examples: []example{
			{"{'eval_loss': '1.534', 'eval_runtime': '6.584', 'epoch': '1'}", "epoch 1 done"},
			{"{'eval_loss': '1.2', 'eval_runtime': '3.1', 'epoch': '1.0'}", "epoch 1 done"},
		}},
	{name: "Hugging Face results", from: "{'", // before the training the epoch has no point
		is:   `^\{'[^{}]*'eval_runtime': [^{}]*'epoch': <epoch>[,}]`,
		mark: partly | barsOfAll | inQuotes, examples: []example{
			{"{'eval_loss': 2.5, 'eval_runtime': 6.5, 'epoch': 0}", "epoch 0 done"},
			{"{'eval_loss': 2.5, 'eval_runtime': 6.5, 'epoch': 1.0}", "epoch 1 done"},
		}},
	{name: "Hugging Face results", from: "{'",
		is:   `^\{'[^{}]*'epoch': ?'?<epoch>'?[,}]`,
		mark: partly | barsOfAll, examples: []example{
			{"[node-0]: {'eval_loss': 1.2, 'epoch': 1.0}", "epoch 1 done, by 0"},
			{"{'loss': 1.2, 'grad_norm': 0.5, 'learning_rate': 5e-05, 'epoch': 0.5}", "epoch 0.5 done"},
			{"{'loss': 1.2, 'learning_rate': 5e-05}", ""}, {"{'loss': 1.2, 'epoch': 3}", "epoch 3 over"},
			{"{'type': 'train', 'epoch': 3, 'step': 10, 'loss': 1.2}", "epoch 3 maybe over, step 10"},
		}},
	{name: "fb.resnet.torch", from: "| epoch: [", is: `^\| epoch: \[<epoch> \] \[<batch>/<batches> \] time [0-9.]+ data`,
		mark: fromOne, examples: []example{
			{" | Epoch: [3][450/5005]    Time 0.312  Data 0.001  Err 1.2345  top1  99.123  top5  97.123",
				"epoch 3 from 1, batch 450/5005"},
			{" | Test: [3][45/196]    Time 0.112  Data 0.001  top1  99.123 ( 99.123)", ""},
		}},
	{name: "Lightning, drawn by Rich", from: "epoch", is: `^epoch <epoch>/<epochs> [━╸╺─ ]+ <batch>/<batches>\s`,
		also: "it/s", mark: fromZero | toLast, examples: []example{
			{"Epoch 3/9  ━━━━━━━━━╸━━━━━ 45/100 0:00:10 • 0:00:12 4.4it/s v_num: 0",
				"epoch 3/9 from 0 to the last, batch 45/100"},
		}},
	{name: "semantic-segmentation-pytorch", from: "epoch",
		is:   `^epoch: \[<epoch> \] \[<batch>/<batches> \], [^,]*time: [0-9.]+, data: [0-9.]+, lr_encoder:`,
		mark: fromOne, examples: []example{
			{"Epoch: [3][450/5000], Img/s: 12.30 Time: 0.65, Data: 0.01, lr_encoder: 0.019123, lr_decoder: 0.019123",
				"epoch 3 from 1, batch 450/5000"},
		}},
	{name: "PyTorch ImageNet, torchvision", from: "epoch", is: `^epoch: \[<epoch> \] \[<batch>/<batches> \]`,
		mark: fromZero, examples: []example{
			{"Epoch: [0][  10/5005]\tTime  0.2 ( 0.3)\tLoss 6.9e+00 (6.9e+00)", "epoch 0 from 0, batch 10/5005"},
			{"Epoch: [3]  [ 450/1251]  eta: 0:01:23  lr: 0.1  img/s: 450  loss: 2.1", "epoch 3 from 0, batch 450/1251"},
			{"Test: [ 10/196]\tTime  0.2 ( 0.3)\tLoss 1.1", ""},
		}},
	{name: "DINO", from: "epoch", is: `^epoch: \[<epoch>/<epochs> \] \[<batch>/<batches> \] eta:`, mark: fromZero,
		examples: []example{
			{"Epoch: [3/100]  [ 450/1251]  eta: 0:01:23  loss: 10.1 (10.2)  lr: 0.0001", "epoch 3/100 from 0, batch 450/1251"},
		}},
	{name: "HRNet", from: "epoch", is: `^epoch: \[<epoch>/<epochs> \] iter:\[<batch>/<batches> \], time:`, mark: fromZero,
		examples: []example{
			{"2026-11-24 12:00:00,123 Epoch: [3/484] Iter:[100/371], Time: 1.23, lr: [0.01], Loss: 1.2",
				"epoch 3/484 from 0, batch 100/371"},
		}},
	{name: "FastReID", from: "epoch", is: `^epoch/iter: <epoch>/<whole>\s`, mark: fromZero, examples: []example{
		{"[11/24 12:00:00 fastreid.utils.events]:  eta: 0:05:12  epoch/iter: 3/799  total_loss: 1.2  cls_accuracy: 0.3",
			"epoch 3 from 0, step 799 of all"},
	}},
	{name: "OpenPCDet", from: "epoch", is: `^epoch: <epoch>/<epochs>, acc_iter=[0-9]+, cur_iter=<batch>/<batches>`,
		mark: fromZero, examples: []example{
			{"2026-11-24 12:00:00,123   INFO  epoch: 3/80, acc_iter=1228, cur_iter=100/376, batch_size=4, loss=1.2",
				"epoch 3/80 from 0, batch 100/376"},
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
	{name: "Swin Transformer", from: "epoch", is: `^epoch <epoch> training takes`, mark: fromZero | ended,
		examples: []example{
			{"[2026-11-24 12:00:00 swin](main.py 300): INFO EPOCH 150 training takes 0:05:00", "epoch 150 from 0 over"},
		}},
	{name: "pytorch-cifar100", from: "epoch", is: `^epoch <epoch> training time consumed`, mark: ended,
		examples: []example{
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
	{name: "Spinning Up", from: "epoch", is: `^epoch \| <epoch> \|$`, mark: fromZero | ended | alone,
		examples: []example{
			{"|             Epoch |                3 |", "epoch 3 from 0 over"},
			{"| num_batches per epoch | 19560                                              |", ""},
		}},
	{name: "MMEngine", from: "iter(", is: `^iter\(train\) \[<whole>/<wholes> \]`, examples: []example{
		{"2026/11/24 12:00:00 - mmengine - INFO - Iter(train) [  450/90000]  lr: 1.0e-02  eta: 1:02:03",
			"step 450/90000 of all"},
		{"2026/11/24 12:00:00 - mmengine - INFO - Iter(val) [ 45/100]  eta: 0:00:09", ""},
	}},
	{name: "detectron2", from: "iter: ", is: `^iter: <whole> (?:[a-z_]*loss)`, mark: atFirst, examples: []example{
		{"epoch: 3  iter: 459  loss: 1.2", "epoch 3 maybe over, step 459"},
		{"[11/24 12:00:00 d2.utils.events]:  eta: 1:02:03  iter: 459  total_loss: 1.2  loss_cls: 0.5  lr: 0.001  max_mem: " +
			"3000M", "step 459 of all"},
		{"[11/24 12:00:00 d2.evaluation.evaluator]: Inference done 11/5000. 0.05 s/iter. ETA=0:04:30", ""},
	}},
	{name: "nanoGPT", from: "iter ", is: `^iter <whole>: loss`, mark: atFirst, examples: []example{
		{"Epoch 3, iter 450: loss 2.1234", "epoch 3 maybe over, step 450"},
		{"iter 450: loss 2.1234, time 12.30ms, mfu 30.10%", "step 450 of all"},
	}},
	{name: "Megatron", from: "iteration ", is: `^iteration <whole>/<wholes> \|`, mark: atFirst, examples: []example{
		{"Epoch 3/10, iteration 420/1000 | loss 2.1", "epoch 3/10, step 420/1000"},
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
	{name: "ESPnet", from: "info: ", is: `^info: <epoch>epoch:train:[0-9]+-<batch>batch:`, mark: fromOne,
		examples: []example{
			{"[n1] 2026-11-24 12:10:01,000 (trainer:732) INFO: 8epoch:train:2901-3000batch: iter_time=0.070, loss=17.0",
				"epoch 8 from 1, batch 3000"},
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
	{name: "Composer", from: "[token=", is: `^\[token=<whole>/<wholes>\]:`, examples: []example{
		{"[token=2097152/1000000000]:", "step 2.097152e+06/1e+09 of all"},
	}},
	{name: "PaddleSeg", from: "[train] epoch: ", is: `^\[train\] epoch: [0-9]+, iter: <whole>/<wholes>`,
		examples: []example{
			{"2026-11-24 12:00:00 [INFO]\t[TRAIN] epoch: 1, iter: 10/1000, loss: 0.5, lr: 0.01", "step 10/1000 of all"},
		}},
	{name: "CLU", from: "steps/s, ", is: `^steps/s, [0-9.]+% \(<whole>/<wholes>\), eta`, examples: []example{
		{"I1124 12:00:00.123456 140 local.py:41] Setting work unit notes: 4.0 steps/s, 2.5% (12500/500000), ETA: 1d",
			"step 12500/500000 of all"},
	}},
	{name: "CLU", from: "logging_writer.py:", is: `^logging_writer\.py:[0-9]+\] \[<whole>\] [^=]*=`, examples: []example{
		{"I1124 12:00:00.123456 140 logging_writer.py:48] [1200] loss=2.1, steps_per_sec=3.4", "step 1200 of all"},
		{"I1124 12:00:00.123456 140 logging_writer.py:64] [1200] Got texts: {'samples': 3}.", ""},
	}},
	{name: "DINOv2", from: "training ", is: `^training \[<whole>/<wholes> \] eta: `, examples: []example{
		{"I20261124 12:00:00 140 dinov2 helpers.py:103] Training  [ 62500/125000]  eta: 1:02:03  lr: 0.1  total_loss: 9",
			"step 62500/125000 of all"},
	}},
	{name: "verl", from: "step:", is: `^step:<whole> - [a-z_]+/`, examples: []example{
		{"(TaskRunner pid=123) step:30 - actor/entropy:0.22 - training/global_step:30 - training/epoch:1 - critic/kl:0.1",
			"step 30 of all, by 123"},
	}},
	{name: "XTuner", from: "epoch ", is: `^epoch [0-9]+ step <whole>/<wholes> data_time:`, examples: []example{
		{"[XTuner][RANK 0][2026-11-24 12:00:00][INFO] Epoch 1 Step 30/500 data_time: 0.0012 lr: 0.00001 time: 1.1",
			"step 30/500 of all"},
	}},
	{name: "ikostrikov", from: "updates ", is: `^updates [0-9]+, num timesteps <whole>, fps`, examples: []example{
		{"Updates 30, num timesteps 317440, FPS 1234", "step 317440 of all"},
	}},
	{name: "Sample Factory", from: "total num frames: ", is: `^total num frames: <whole>\. throughput`,
		examples: []example{
			{"[2026-11-24 12:00:00,123][140] Fps is (10 sec: 1.5). Total num frames: 45000. Throughput: 0: 1.5.",
				"step 45000 of all"},
		}},
	{name: "Stable-Baselines3", from: "total_timesteps", is: `^total_timesteps \| <whole> \|`, examples: []example{
		{"|    total_timesteps      | 2048        |", "step 2048 of all"},
	}},
	{name: "pix2pix", from: "end of epoch ", is: `^end of epoch <epoch> / <epochs>`, mark: fromOne | ended,
		examples: []example{
			{"End of epoch 4 / 200 \t Time Taken: 30 sec", "epoch 4/200 from 1 over"},
		}},
	{name: "MLPerf", from: ":::mllog", is: `^:::mllog \{[^{}]*"key": "epoch_start"[^{}]*\{[^{}]*"epoch_num": <epoch>`,
		examples: []example{
			{`:::MLLOG {"namespace": "", "time_ms": 1700000000000, "event_type": "INTERVAL_START", "key": "epoch_start", ` +
				`"value": null, "metadata": {"file": "train.py", "lineno": 120, "epoch_num": 3}}`, "epoch 3"},
			{`:::MLLOG {"namespace": "", "event_type": "POINT_IN_TIME", "key": "eval_accuracy", "value": 0.7, ` +
				`"metadata": {"file": "train.py", "lineno": 160, "epoch_num": 3}}`, ""},
		}},
	{name: "MLPerf", from: ":::mllog", is: `^:::mllog \{[^{}]*"key": "epoch_stop"[^{}]*\{[^{}]*"epoch_num": <epoch>`,
		mark: ended, examples: []example{
			{`0: :::MLLOG {"namespace": "", "event_type": "INTERVAL_END", "key": "epoch_stop", "value": null, ` +
				`"metadata": {"file": "train.py", "lineno": 150, "epoch_num": 3}}`, "epoch 3 over, by 0"},
		}},
	{name: "tutorials of TensorFlow", from: "time ",
		is:   `^time (?:taken |spent )?for epoch <epoch> (?:is|was|:|=) [0-9.]+ ?[smh]`,
		mark: ended, examples: []example{
			{"Time for epoch 3 is 12.1 sec", "epoch 3 over"}, {"Time taken for epoch 3: 12.1s", "epoch 3 over"},
			{"Time for epoch 45 sec", ""},
		}},
	{name: "VITS", from: "====> epoch: ", is: `^====> epoch: <epoch>`, mark: ended, examples: []example{
		{"INFO:ljs_base:====> Epoch: 5", "epoch 5 over"},
	}},
	{name: "XGBoost, LightGBM", from: "[", is: `^\[<whole>\]\s+[a-z0-9_]+(?:-[a-z0-9@_-]+:|'s [a-z0-9@_-]+: )-?[0-9.]+`,
		examples: []example{
			{"[30]\ttrain-rmse:1.32994\teval-rmse:1.34434", "step 30 of all"},
			{"2026-11-24 12:00:00,123 [INFO] [30]\ttrain-rmse:1.32994\teval-rmse:1.34434", "step 30 of all"},
			{"[30]\ttraining's binary_logloss: 0.512\tvalid_1's binary_logloss: 0.534", "step 30 of all"},
			{"[30] files: 12", ""}, {"[4711] train-loss is 0.3", ""}, {"[4711] step-time: 0.3", ""},
		}},
	{name: "MXNet", from: "epoch[", is: `^epoch\[<epoch>\] batch ?\[(?:[0-9]+-)?<batch>\]\s+speed`, mark: fromZero,
		examples: []example{
			{"INFO:root:Epoch[3] Batch [40-60]\tSpeed: 1234.10 samples/sec\taccuracy=0.501234", "epoch 3 from 0, batch 60"},
			{"Epoch[3] Batch [60] loss 0.3", "epoch 3 maybe over, batch 60"},
		}},
	{name: "GluonCV", from: "[epoch ", is: `^\[epoch <epoch>\]\[batch <batch>\], speed`, mark: fromZero,
		examples: []example{
			{"INFO:root:[Epoch 3][Batch 49], Speed: 12.345 samples/sec, ObjLoss=1.2", "epoch 3 from 0, batch 49"},
		}},
	{name: "AllenNLP", from: "training.", is: `^training\.(?:[a-z_]+_)?trainer - epoch <epoch>/<epochs>$`,
		mark: fromZero | toLast,
		examples: []example{
			{"2026-11-24 12:00:00,123 - INFO - allennlp.training.gradient_descent_trainer - Epoch 3/9",
				"epoch 3/9 from 0 to the last"},
			{"my trainer - Epoch 3/9", "epoch 3/9"},
		}},
	{name: "ParlAI", from: "total_exs:", is: `^total_exs:[0-9]+ (?:total_steps:<whole> )?(?:epochs:<epoch>\b)?`,
		mark: partly,
		examples: []example{
			{"12:00:00 | time:12s total_exs:640 total_steps:10 epochs:0.25 time_left:34s", "epoch 0.25 done, step 10 of all"},
			{"12:00:00 | time:12s total_exs:640 epochs:0.25", "epoch 0.25 done"},
			{"12:00:00 | time:12s total_exs:640 total_steps:10 time_left:34s", "step 10 of all"},
		}},
	{name: "Marian", from: "ep. ", is: `^ep\. <epoch> : up\. <whole> : sen\.`, mark: fromOne, examples: []example{
		{"[2026-11-24 12:00:00] Ep. 3 : Up. 500 : Sen. 25,000 : Cost 5.2 : Time 359.5s", "epoch 3 from 1, step 500 of all"},
		{"[2026-11-24 12:00:00] [valid] Ep. 3 : Up. 500 : cross-entropy : 12.1 : new best", ""},
	}},
	{name: "Sockeye", from: "e=", is: `^e=<epoch> b=<batch>\s+s/sec=`, mark: fromZero, examples: []example{
		{"[INFO:sockeye.training:__call__] E=3 B=50\ts/sec=1234.10 tok/sec=12345.67 u/sec=4.10\tppl=12.3",
			"epoch 3 from 0, batch 50"}, {"e=3 b=50", ""},
	}},
	{name: "Sockeye", from: "updates=", is: `^updates=<whole> epoch=<epoch> `, mark: fromZero, examples: []example{
		{"[INFO:sockeye.training] Checkpoint [3]\tUpdates=1000 Epoch=2 Samples=64000 Time-cost=12.1",
			"epoch 2 from 0, step 1000 of all"},
	}},
	{name: "DeePMD-kit", from: "batch ", is: `^batch <whole>(?: training time|: (?:trn: rmse|total wall time))`,
		examples: []example{
			{"[2026-11-24 12:00:00,123] DEEPMD INFO    batch   30000 training time 1.20 s, testing time 0.00 s",
				"step 30000 of all"},
			{"[2026-11-24 12:00:00,123] DEEPMD INFO    Batch   30000: trn: rmse = 2.17e+01, lr = 1.00e-03", "step 30000 of all"},
			{"[2026-11-24 12:00:00,123] DEEPMD INFO    Batch   30000: total wall time = 18.41 s, eta = 2:10:01",
				"step 30000 of all"},
		}},
	{name: "ELECTRA", is: `^<step>/<steps> = [0-9.]+%, sps: [0-9]`, examples: []example{
		{"450/1000 = 45.0%, SPS: 3.1, ELAP: 1:02, ETA: 1:03 - loss: 4.1", "step 450/1000"},
		{"450/1000 = 45.0%, SPS", ""},
	}},
	{name: "keras-rl", is: `^<whole>/<wholes>: episode: [0-9]+, duration:`, examples: []example{
		{"   450/1000: episode: 12, duration: 0.512s, episode steps:  19, steps per second:  37, episode reward: 19.000",
			"step 450/1000 of all"},
	}},
	{name: "MONAI", is: `^<batch>/<batches>, train_loss`, examples: []example{
		{"7/10, train_loss: 0.4123", "batch 7/10"},
	}},
	{name: "an image that is built", from: "step ", mark: aside,
		is:       `^step [0-9]+/[0-9]+ ?: (?:from|run|copy|add|env|arg|workdir|user|cmd|entrypoint|label|expose)\b`,
		examples: []example{{"STEP 4/9: FROM x", ""}, {"Step 4/12 : RUN pip install y", ""}}},
	{name: "Paddle", from: "step ", is: `^step <batch>/<batches> \[[=>.]+\] - `, examples: []example{
		{"step 10/469 [==>.................] - loss: 1.2 - acc: 0.5 - ETA: 1s - 12ms/step", "batch 10/469"},
	}},
	{name: "guided-diffusion", from: "step ", is: `^step \| <whole> \| $`, mark: alone, examples: []example{
		{"| step          | 45000    |", "step 45000 of all"}, {"| best step     | 45000    |", ""},
	}},
	{name: "nanochat", from: "step ", is: `^step <whole>(?:/<wholes>)? \([0-9.]+%\) \| loss`, mark: atFirst,
		examples: []example{
			{"step 00010/21400 (0.05%) | loss: 8.012345 | lrm: 1.00 | dt: 512.12ms | tok/sec: 1,023,123 | epoch: 1 | total " +
				"time: 0.12m | eta: 12.1m", "step 10/21400 of all"},
			{"step 00010 (2.50%) | loss: 1.012345 | lrm: 1.00 | dt: 512.12ms | tok/sec: 1,023,123 | epoch: 1", "step 2.5/100"},
			{"Epoch 3 step 10/214 (5%) | loss: 8.0", "epoch 3, step 10/214"},
		}},
	{name: "nanoGPT", from: "step ", is: `^step <whole>: train loss [0-9.]+, val loss`, mark: atFirst, examples: []example{
		{"Epoch 3 step 250: train loss 2.1000, val loss 2.2000", "epoch 3 maybe over, step 250"},
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
	{name: "WeNet", from: "train | steps/sec", is: `^train \| steps/sec [0-9.]+ ?\| ?batch <epoch>/<batch> loss`,
		mark: fromZero,
		examples: []example{
			{"2022-01-01 10:00:00,123 DEBUG TRAIN | steps/sec 1.234| Batch 3/100 loss 12.1 lr 6.2e-09 grad_norm 11.3 rank 0",
				"epoch 3 from 0, batch 100"},
		}},
	{name: "WeNet", from: "cv | ", is: `^cv \| (?:steps/sec [0-9.]+ ?\| ?)?batch [0-9]+/[0-9]+ loss`, mark: aside,
		examples: []example{
			{"2022-01-01 10:00:00,123 DEBUG CV | Batch 3/100 loss 12.1 history loss 12.0 rank 0", ""},
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
	{name: "FunASR", from: "train, rank: ",
		is: `^train, rank: [0-9]+, epoch: <epoch>/<epochs>, data_slice: <slice>/<slices>, ` +
			`step_in_slice: <batch>/<batches>, step_in_epoch: [0-9]+, total step: <whole>`,
		mark: fromZero, examples: []example{
			{"train, rank: 0, epoch: 3/50, data_slice: 0/1, step_in_slice: 100/1200, step_in_epoch: 100, total step: 3700, " +
				"(loss_avg_rank: 0.512)", "epoch 3/50 from 0, batch 100/1200, step 3700 of all"},
			{"train, rank: 0, epoch: 3/50, data_slice: 1/4, step_in_slice: 100/1200, step_in_epoch: 1300, total step: 9700, " +
				"(loss_avg_rank: 0.512)", "epoch 3/50 from 0, batch 1300/4800, step 9700 of all"},
		}},
	{name: "FunASR", from: "val, rank: ", is: `^val, rank: [0-9]+, epoch: `, mark: aside, examples: []example{
		{"val, rank: 0, epoch: 3/50, data_slice: 0/1, step_in_slice: 10/50, step_in_epoch: 100, total step: 10", ""},
	}},
	{name: "OpenCLIP", from: "train epoch: ", is: `^train epoch: <epoch> \[ <batch>/<batches> \(`, also: "logit scale",
		mark: fromZero, examples: []example{
			{"2026-11-24,12:00:00 | INFO | Train Epoch: 3 [  64000/1280000 (5%)] Loss: 1.1 (1.2) LR: 0.0001 Logit Scale: 14.3",
				"epoch 3 from 0, batch 64000/1.28e+06"},
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
	{name: "OpenPCDet", from: "train: ", is: `^train: <epoch>/<epochs> \( [0-9.]+%\) \[ <batch>/<batches> \(`,
		mark: fromOne, examples: []example{
			{"2026-11-24 12:00:00,123   INFO  Train:    3/80 (  4%) [ 100/376 ( 27%)]  Loss: 1.2 (1.3)  LR: 1.0e-03",
				"epoch 3/80 from 1, batch 100/376"},
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
