package printed

// words say what the number behind them counts; what a piece says in several of them is put together. Of those that are
// marked as aside, a number without a total is itself an amount.
var words = made([]form{
	{name: "epochs", from: "epochs", is: `^epochs` + counter("epoch"), mark: aside,
		examples: []example{
			{"epochs 3/10", "epoch 3/10"}, {"3 epochs 5 to go", ""}, {"Epochs: 3 | Train Loss: 0.546", "epoch 3 over"},
			{"epoch=3 epochs=10 loss=0.3", "epoch 3/10 over, 10 epochs planned"},
		}},
	{name: "epoch", from: "epoch", is: `^epoch` + counter("epoch"), examples: []example{
		{"Epoch 3/10", "epoch 3/10"}, {"Epoch: 3, lr 0.1", "epoch 3"}, {"Epoch 03 | train loss 0.3", "epoch 3 over"},
		{"epoch=3", "epoch 3"}, {"[default0]:Epoch [3/10]", "epoch 3/10, by 0"}, {"Epoch 3 of 10", "epoch 3/10"},
		{"Epoch 3 (of 10)", "epoch 3/10"}, {"Epoch no. 3 / 10", "epoch 3/10"},
		{"epoch number 3 of 10", "epoch 3/10"}, {"number of epochs", ""},
		{"| end of epoch   3 | time: 9.1s | valid loss  5.1", "epoch 3 over"},
		{"Epoch [1/3]: [30/469]   6%|6  , loss=0.3 [00:01<00:10]", "epoch 1/3, batch 30/469"},
		{"Epoch 3:\t[2000/82783]", "epoch 3, batch 2000/82783"}, {"| epoch 003  3000 / 8223 loss=1.27", "epoch 3 maybe over"},
		{"Testing at - 1024/306969 of epoch 0, loss 0.5", ""},
		{"Epoch 3 Batch 0 Loss 2.1", "epoch 3 maybe over, batch 0"},
		{"Epoch: 3/20... Step: 10... Loss: 2.1", "epoch 3/20 maybe over, step 10"},
		{"Epoch 0: |          | 16/? [00:01<00:00, v_num=0, train_loss=2.610]", "epoch 0 maybe over"},
		{"Train Epoch: 1 [240/2000 (95%)]", "epoch 1 from 1, batch 1900/2000"},
		{"Epoch: 1 | Step: 0 | PPO Epoch: 2 | Loss: 0.1", "epoch 1 maybe over, step 0"},
		{"current epoch: 3 best mean dice: 0.69 at epoch: 2", "epoch 3 over"}, {"Learning rate will decay at epoch 8", ""},
		{"Best epoch: 3/10", ""},
		{"[best_model] Epoch 3/10", "epoch 3/10"}, {"best model so far (epoch 3/10)", ""}, {"Best model so far: epoch 2", ""},
		{"[best of all runs] Epoch 3, lr 0.1", "epoch 3"}, {"Warm-up epoch 3/5", ""},
		{"*** Best metric: 76.12 (epoch 280)", ""}, {"Best acc: 0.93 | Epoch: 3 | Loss: 0.1", "epoch 3 over"},
		{"val_loss: 0.4 train_loss: 0.3 epoch: 3/5", "epoch 3/5 over"}, {"test-run-7 | Epoch 3/5", "epoch 3/5"},
		{"INFO:crowd_counting.train:Epoch 3/5", "epoch 3/5"}, {"[parsing] Epoch 3/5 loss 0.3", "epoch 3/5 over"},
		{"Cost after iteration 2300: 0.6", "step 2300"}, {"epoch 2.80 step 2800 loss 0.1", "epoch 2.8 done, step 2800"},
		{"Time taken for 1 epoch 84.2 sec", ""}, {"Epoch 4, 11/26 05:14 loss 0.2", "epoch 4 maybe over"},
		{"Epoch 5/5: 45/50 correct", "epoch 5/5"}, {"Epoch 3/5 - 45/50 [=====>.] - loss: 0.3", "epoch 3/5, batch 45/50"},
		{"Epoch 3/5: 45/50 - loss: 0.3", "epoch 3/5, batch 45/50"},
		{"Epoch 3: 45/50 batches", "epoch 3, batch 45/50"}, {"Epoch 3 | MSE 0.3", "epoch 3 over"},
		{"Epoch 3/5, val_auc=0.93", "epoch 3/5 over"}, {"Epoch 3, ppl 12.3", "epoch 3 over"},
		{"[Epoch 3/5] 90% (45/50) loss=0.3", "epoch 3/5, batch 45/50"},
		{"Epoch 3/5 [====>.] 90% - loss: 0.3", "epoch 3/5 maybe over"}, {"Epoch 3/5: 90.0% loss 0.3", "epoch 3/5 maybe over"},
		{"Epoch 1 [100/1000 (93%)]", "epoch 1, batch 100/1000"},
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
		{"epoch 3 | 51200/102400 samples | loss 5.1", "epoch 3, batch 51200/102400"},
		{"Epoch: 03 | Epoch Time: 0m 12s", "epoch 3 over"}, {"Epoch: 3 cost time: 12.1", "epoch 3 over"},
		{"====== Finished epoch 3 ======", "epoch 3 over"}, {"Epoch 3, time 0.2", "epoch 3"},
		{"Epoche 3/10 | Verlust: 0.3", "epoch 3/10 over"},
		{"Época [3/10], Passo [45/100], Perda: 0.3", "epoch 3/10, step 45/100"},
		{"Epoche 3 von 20, Schritt 120 von 500: Verlust 0,3", "epoch 3/20, step 120/500"},
		{"Época 3 de 20, paso 120 de 500 - pérdida: 0.3", "epoch 3/20, step 120/500"},
		{"Epoca 3 di 20", "epoch 3/20"}, {"Époque 3 sur 20", "epoch 3/20"}, {"Schritt 120 von 500", "step 120/500"},
		{"第3轮/共20轮, 第120步/共500步, 损失: 0.3", "epoch 3/20, step 120/500, 20 epochs planned"},
		{"第3轮 | 损失: 0.3", "epoch 3 over"}, {"------第 3/10 轮训练------", "epoch 3/10"},
		{"Эпоха 3/10: потери 0.3", "epoch 3/10 over"},
		{"エポック 3/10 損失: 0.3", "epoch 3/10 over"}, {"验证轮次 3/10 步 4/5", ""},
		{"epoch 2026/11/24", ""}, {"epoch -3/10", ""}, {"epoch3/10", ""}, {"Eval epoch 3/10 step 4/5", ""},
	}},
	{name: "global step", from: "global_step", is: `^global_step(?:/max_steps)?` + counter("whole"),
		examples: []example{
			{"epoch=0/micro_step=100/global_step=25, RunningAvgSamplesPerSec=130.1", "step 25 of all"},
			{"global_step/sec: 83.3", ""}, {"wandb:    train/global_step 25", ""},
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
			{"steps = 420/1000, loss 1.2", "step 420/1000"}, {"steps: 1000", ""}, {"sub-steps 3/8 [1/2] loss 0.3", ""},
		}},
	{name: "step", from: "step", is: `^step` + counter("step"), examples: []example{
		{"step 420/1000", "step 420/1000"}, {"INFO: Step: 420 of 1000", "step 420/1000"},
		{"[step 420/1000] loss=0.3", "step 420/1000"},
		{"step=420, loss=0.3", "step 420"}, {"level=info step=420 total=1000 loss=0.3", "step 420/1000"},
		{"step: 420 | total: 1000 | loss 0.3", "step 420/1000"}, {"step 420 total 12.3s", "step 420"},
		{"step=420 total=1000ms", "step 420"}, {"step=420 total=3.5", "step 420"},
		{"step=420 total=300 loss=0.3", "step 420"},
		{"0: Epoch [3/10], Step [420/1000], Loss: 0.3",
			"epoch 3/10, step 420/1000, by 0"},
		{"train | micro-step 3/8 | step 120/2000 | loss 0.3", "step 120/2000"}, {"micro-step 3/8 [1/2] loss 0.3", ""},
		{"DDIM step 3/50", ""}, {"beam search step 3/10", ""},
		{"early stop step 3/5", ""}, {"train_step: 420/1000", "step 420/1000"}, {"current_step=420 loss=0.3", "step 420"},
		{"eval_step: 4/10", ""}, {"val_train_step: 4/10", ""},
		{"1 step 3/4/5", ""}, {"mystep 9/10", ""}, {"step 1,000", "step 1000"}, {"step 1,0", ""},
		{"Step 1,200 / 10,000", "step 1200/10000"}, {"epoch 1,200", ""}, {"step 1.2.3/4", ""}, {"Validation step 9/10", ""},
		{"logging every step 10", ""}, {"INFO - mining - step 420/1000", "step 420/1000"},
		{"Epoch 3/5 step 20/100 train step 220/500", "epoch 3/5, batch 20/100, step 220/500 of all"},
		{"loss 3/10", ""}, {"4/8 GPUs found", ""}, {"acc 45/100", ""}, {"ratio 3/10", ""}, {"v1.2.3, 11/24/2026", ""},
	}},
	{name: "iterations", from: "iterations", is: `^iterations` + counter("step"),
		mark: aside, examples: []example{
			{"iterations: 420/1000", "step 420/1000"}, {"iterations: 1000", ""},
		}},
	{name: "iteration", from: "iteration", is: `^iteration` + counter("step"),
		examples: []example{
			{"iteration 420/1000", "step 420/1000"}, {"Iteration: 420", "step 420"}, {"k-means iteration 3/100", ""},
			{"1.23 seconds elapsed, finished iteration 7", "step 7"},
		}},
	{name: "iters", from: "iters", is: `^iters` + counter("step"), mark: aside, examples: []example{
		{"iters: 420/1000", "step 420/1000"}, {"Total epochs: 2; iters: 1000.", "2 epochs planned, 1000 steps planned"},
		{"iters: 1000", ""},
		{"(epoch: 3, iters: 400, time: 0.078, data: 3.094) G_GAN: 18.2", "epoch 3, step 400"},
		{"\titers: 100, epoch: 3 | loss: 0.1234567", "epoch 3 maybe over, step 100"},
	}},
	{name: "iter", from: "iter", is: `^iter` + counter("step"), examples: []example{
		{"Iter [420/1000]\tlr: 1e-3", "step 420/1000"}, {"iter 420", "step 420"}, {"0.05 s/iter. 3", ""},
	}},
	{name: "iteration", from: "itr", is: `^itrs?` + counter("step"), examples: []example{
		{"Epoch 1, Itrs 10/30000, Loss=1.234567", "epoch 1, step 10/30000"}, {"itr: 420 | loss 0.3", "step 420"},
	}},
	{name: "it", from: "it=", is: `^it=<step>(?: / <steps>)?`, examples: []example{
		{"epoch=3/20 it=120/500 loss=0.3", "epoch 3/20, step 120/500"}, {"it=000025 loss=0.3", "step 25"},
	}},
	{name: "it", from: "it", is: `^it` + counter("step"), mark: aside, examples: []example{
		{"it 120/500 | loss 0.3", "step 120/500"}, {"found it 3 times", ""}, {"it 120", ""},
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
	{name: "update", from: "update", is: `^update\b` + counter("step") + `(?: [|,:;)\]-]|$)`, mark: aside | atFirst,
		examples: []example{
			{"Update 12/488 | timesteps 12288 | mean reward 8.1", "step 12/488"}, {"update 12", ""},
			{"Update 3/10 packages", ""}, {"Epoch 3/5 update 2/4", "epoch 3/5"},
		}},
	{name: "train", from: "train", is: `^train(?:ing)?\b [:\]\[(|-]* <step>/<steps>`, also: "loss", mark: atFirst,
		examples: []example{
			{"train 25/5000 | loss=2.1", "step 25/5000"}, {"Training: [25/5000] loss 2.1", "step 25/5000"},
			{"train step 25/5000 | loss=2.1", "step 25/5000"}, {"train 3/5 models", ""},
			{"[TRAIN] 25/5000 loss: 2.1", "step 25/5000"}, {"Train: 0.2786, loss 2.1", ""},
		}},
	{name: "timesteps", from: "timesteps", is: `^timesteps` + counter("step"), mark: aside, examples: []example{
		{"total num timesteps 35200/20000000, FPS 1234", "step 35200/2e+07"}, {"total timesteps: 1000", ""},
	}},
	{name: "samples seen", from: "samples seen", is: `^samples seen` + counter("step"), mark: aside, examples: []example{
		{"Samples seen: 6400/1000000 | loss 0.3", "step 6400/1e+06"}, {"samples seen: 6400", ""},
	}},
	{name: "t_env", from: "t_env", is: `^t_env` + counter("step"), examples: []example{
		{"[INFO 10:00:02] my_main t_env: 10123 / 2050000", "step 10123/2.05e+06"},
	}},
	// It may be an episode as well.
	{name: "ep", from: "ep", is: `^ep\b\.? [:=#]? ["'\[(]? <epoch>(?: (?:/|of) <epochs>)?`, mark: aside,
		examples: []example{
			{"Ep 3/100 loss=0.3", "epoch 3/100 over"}, {"Ep 003 | Train loss: 0.3", "epoch 3 over"},
			{"Ep 3 (Step 000125): Train loss 2.1, Val loss 6.1", "epoch 3 maybe over, step 125"},
			{"Ep. 3 : Up. 500 : cost 5.2", "epoch 3"},
			{"Ep 12 | score 8.1 | loss 0.3", ""}, {"ep 12", ""}, {"eps=1e-08", ""},
		}},
	{name: "batch", from: "batch", is: `^batch(?:es|[_ ]id|[_ ]idx|[_ ]index)?` + counter("batch"), examples: []example{
		{"epoch 3 step 3450/20000 batch 450/1000 loss 0.3", "epoch 3, batch 450/1000, step 3450/20000 of all"},
		{"[Epoch 3/10] [Batch 45/100] [D loss: 0.3]", "epoch 3/10, batch 45/100"}, {"batch 45", ""},
		{"Epoch 3, batch 450, loss[loss=0.5521], batch size: 32", "epoch 3 maybe over, batch 450"},
		{"minibatch 45/100, epoch 3", "epoch 3, batch 45/100"}, {"batch size: 32", ""},
		{"epoch: 3, batch_id: 450, loss: 0.5", "epoch 3 maybe over, batch 450"},
		{"epoch: 3, batch idx: 450/1000", "epoch 3, batch 450/1000"},
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
