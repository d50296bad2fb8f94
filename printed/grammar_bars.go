package printed

import "regexp"

// barOfTqdm is a bar from its percent sign on: what is done, its unit, the total, its unit, and the times and rate.
var barOfTqdm = regexp.MustCompile(
	`^%\|[^|]*\|\s*([0-9]+(?:\.[0-9]+)?)([kmgt]?)[a-z]*/([0-9]+(?:\.[0-9]+)?)([kmgt]?)[a-z]*\s?\[([^\]]*)`)

// barWithoutWidth is the same where a terminal has no width, as that of a pod has to which nobody is attached.
var barWithoutWidth = regexp.MustCompile(
	`^% ([0-9]+(?:\.[0-9]+)?)([kmgt]?)[a-z]*/([0-9]+(?:\.[0-9]+)?)([kmgt]?)[a-z]* \[([0-9:]+<[^\]]*)`)

// loggedBar is one that tqdm-loggable writes as a line of a log: what it is called, what is done and in all, each
// before the unit that stands behind the rate.
var loggedBar = regexp.MustCompile(`\bprogress on:(.*?)[: ]([0-9]+(?:\.[0-9]+)?)([a-z]*)/` +
	`([0-9]+(?:\.[0-9]+)?)([a-z]*) rate:[0-9.,]+([a-z]*)/s\b`)

var barOfUltralytics = regexp.MustCompile(`^% [━╸╺─]+\s*([0-9]+)/([0-9]+)\s`)

// otherBars are what other libraries draw: of what is done and the total, or of how many percent. What stands before a
// match is the label, and has is in all that match.
var otherBars = []struct {
	has string
	is  *regexp.Regexp
}{
	{" of ", regexp.MustCompile(`[0-9]+% \(([0-9]+) of ([0-9]+)\) \|`)},                           // progressbar2
	{"%] in ", regexp.MustCompile(`\|[^|]{3,}\| ([0-9]+)/([0-9]+) \[[0-9]+%\] in `)},              // alive-progress
	{"━", regexp.MustCompile(`[━╸╺]{3,} +([0-9]+)/([0-9]+)(?: (?:[^a-z[]|\[[^a-z])|$)`)},          // Rich
	{"━", regexp.MustCompile(`[━╸╺]{3,} +([0-9]+)(%)(?:\s|$)`)},                                   // Rich
	{"] ", regexp.MustCompile(`\[#*[->]*\] +([0-9]+)(%)(?:\s+(?:[0-9]+d )?[0-9]+:[0-9:]+)?\s*$`)}, // Click
}

// bars are examples of these.
var bars = []example{
	{" 34% (340 of 1000) |######              | Elapsed Time: 0:00:09 ETA:   0:01:12", "step 340/1000, bar"},
	{"Validating:  34% (340 of 1000) |######       | Elapsed Time: 0:00:09 ETA:   0:01:12", ""},
	{"Training |██████████          | 340/1000 [34%] in 1:02.1s (~2:12.1, 8.1/s)", "step 340/1000, bar"},
	{"INFO     Training ━━━━━╸━━━━━━━━━━━━ 68/1500 • loss 2.1 • 0:10:12 remaining", "step 68/1500, bar"},
	{"Epoch 3/10 ━━━━━╸━━━━━━━━━━━━ 68/150 0:00:12", "epoch 3/10, batch 68/150, bar"},
	{"Training ━━━━━━━━━╸━━━━━━━━━━━━━━━━━━━━━━  34% 0:12:03", "step 34/100, bar"},
	{"Training  [############------------------------]   34%  00:12:01", "step 34/100, bar"},
	{"Downloading ━━━━━━━━━╸━━━━━━━━━━━━━━━━━━━━━━  34% 0:12:03", ""}, {"Working... ━━━━━╸━━━━━━━━━━━━  34% 0:12:03", ""},
	{"   ━━━━━━━━━━━━━━━━━━━━╺━━━━━━━━━━━━━━━━━━━ 44/45 [numpy]", ""},
	{"Creating CSV from Arrow format: 100%|██████████| 50/50 [00:00<00:00, 89.99ba/s]", ""},
	{" 45%|████▌     | 45/100 [00:10<00:12,  4.4ba/s]", ""}, {"100%|██████████| 1/1 [00:00<00:00, 17.73it/s]", ""},
	{"train Epoch 0:  45%|████▌     | 45/100 [00:10<00:12,  4.4ba/s]", "epoch 0, batch 45/100, bar"},
	{"Dl Completed...: 100%|██████████| 1/1 [00:02<00:00,  2.91s/ url]", ""},
	{"Finding best initial lr: 100%|██████████| 100/100 [00:46<00:00,  2.17it/s]", ""},
	{"Validation ━━━━━━━━━━━━━━ 157/157 0:00:01 • 0:00:00 99.1it/s", ""}, {"  [####------]   34%", ""},
	{"   ━━━━━━━━━━━━━━━━━━━ 45/100 MB 5.4 MB/s eta 0:00:01", ""}, {"────────── 34% ──────────", ""},
	{"- INFO :: Progress on:train 1.61kit/10.0kit rate:1.7it/s remaining:1:37:26 elapsed:01:00 postfix:loss=7.01",
		"step 1610/10000, bar"},
	{"- INFO :: Progress on:eval 80.0it/200it rate:1.7it/s remaining:00:26 elapsed:01:00 postfix:-", ""},
	{"- INFO :: Progress on:train: tokenizing 80.0doc/200doc rate:1.7doc/s remaining:00:26 elapsed:01:00 postfix:-", ""},
	{"- INFO :: Progress on:train -/10000 rate:- remaining:? elapsed:00:00 postfix:-", ""},
	{"desc:  45%|████▌     | 450/1000 [01:23<01:40,  5.4it/s, loss=2.1]", "step 450/1000, bar"},
	{" 45%|####5     | 450/1000 [01:23<01:40,  1.4s/it]", "step 450/1000, bar"},
	{" 45%|####5     | 45/100 [01:23<01:40,  1.4s/epoch, loss=2.1]", "epoch 45/100 from 0 done, bar"},
	{"Training:  45%|####5     | 45/100 [01:23<01:40,  5.4epoch/s]", "epoch 45/100 from 0 done, bar"},
	{"  0%|          | 0/1000 [00:00<?, ?it/s]", "step 0/1000, bar"},
	{" 45%|####5     |450/1000[01:23<01:40, 5.40it/s]", "step 450/1000, bar"},
	{"Training:  45%|████▌     | 1.20k/2.67k [01:23<01:40, 5.4kit/s]", "step 1200/2670, bar"},
	{" 45%|████▌     | 45/100 [00:10<00:12,  4.4it/s]\x1b[A", "step 45/100, bar in another"},
	{"Training:  45% 450/1000 [01:23<01:40,  5.4it/s, loss=2.1]", "step 450/1000, bar"},
	{"Epoch 3:  45% 45/100 [00:10<00:12,  4.4it/s, v_num=0]", "epoch 3 from 0, batch 45/100, bar"},
	{"Validation DataLoader 0:  45% 45/100 [00:10<00:12,  4.4it/s]", ""}, {"accuracy 45% 45/100 [val]", ""},
	{"Epochs:  30%|███       | 3/10 [00:10<00:23,  3.3s/it]", "epoch 3/10 from 0 done, bar"},
	{" 20%|██        | 10/50 [00:01<00:04, 9.9it/s, epoch=2/10, avg_epoch_loss=5.1]", "epoch 2/10, batch 10/50, bar"},
	{" 20%|██        | 10/50 [00:01<00:04, 9.9it/s, epoch=2, avg_epoch_loss=5.1]", "step 10/50, bar"},
	{"Sanity Checking DataLoader 0:  50%|█████     | 1/2 [00:00<00:00,  4.4it/s]", ""},
	{"Validation DataLoader 0:  45%|████▌     | 45/100 [00:10<00:12,  4.4it/s]", ""},
	{"Best trial: 1. Best value: 0.912:   4%|▍         | 2/50 [02:00<48:06, 60.36s/it]", "step 2/50 of all, bar"},
	{"convert squad examples to features:  45%|████▌     | 450/1000 [00:01<00:01, 450.0it/s]", ""},
	{"Featurizing train:  45%|████▌     | 450/1000 [00:01<00:01, 450.0it/s]", ""},
	{"Load train images:  45%|████▌     | 450/1000 [00:01<00:01, 450.0it/s]", ""},
	{"Compute FID:  45%|████▌     | 450/1000 [00:01<00:01, 450.0it/s]", ""},
	{"dev:  45%|████▌     | 45/100 [00:01<00:01, 45.0it/s]", ""},
	{"PLMS Sampler:  45%|████▌     | 45/100 [00:01<00:01, 45.0it/s]", ""},
	{"Embedding training:  45%|████▌     | 45/100 [00:01<00:01, 45.0it/s]", "step 45/100, bar"},
	{"Clustering epoch 3:  45%|████▌     | 45/100 [00:01<00:01, 45.0it/s]", "epoch 3, batch 45/100, bar"},
	{"loss of embedding:  45%|████▌     | 45/100 [00:01<00:01, 45.0it/s]", "step 45/100, bar"},
	{"Matching:  45%|████▌     | 45/100 [00:01<00:01, 45.0it/s, loss=0.31]", "step 45/100, bar"},
	{"Align: loss 0.31:  45%|████▌     | 45/100 [00:01<00:01, 45.0it/s]", "step 45/100, bar"},
	{"Embedding step 4:  45%|████▌     | 45/100 [00:01<00:01, 45.0it/s]", "step 45/100, bar"},
	{"Searching ━━━━━╸━━━━━━━━━━━━ 45/100 • train_loss=0.31", "step 45/100, bar"},
	{"Clustering:  45%|████▌     | 45/100 [00:01<00:01, 45.0it/s, val_loss=0.31]", ""},
	{"Compute loss:  45%|████▌     | 45/100 [00:01<00:01, 45.0it/s]", ""},
	{"dev:  45%|████▌     | 45/100 [00:01<00:01, 45.0it/s, loss=0.31]", ""},
	{"Batches:  90%|█████████ | 9/10 [00:01<00:00,  9.0it/s]", ""},
	{"Evaluating:  90%|█████████ | 9/10 [00:01<00:00,  9.0it/s]", ""},
	{"epoch 001 | valid on 'valid' subset:  10%|█         | 1/10 [00:00<00:01,  9.0it/s]", ""},
	{"                 Class     Images  Instances      Box(P          R      mAP50  mAP50-95): 100%|██████████| 4/4 " +
		"[00:01<00:00,  3.1it/s]", ""},
	{"Map:  45%|████▌     | 450/1000 [00:01<00:01, 450.00 examples/s]", ""},
	{" 45%|████▌     | 450/1000 [00:01<00:01, 450.00 examples/s]", ""},
	{"Map (num_proc=4):  45%|████▌     | 450/1000 [00:01<00:01, 450.00it/s]", ""},
	{"Downloading:  45%|████▌     | 45.0M/100M [00:01<00:01, 45.0MB/s]", ""},
	{"100%|██████████| 9912422/9912422 [00:06<00:00, 1652070.33it/s]", ""},
	{"Epoch 3:  44%|████▌     | 200000/450000 [00:01<00:01, 450000.0it/s]", "epoch 3, batch 200000/450000, bar"},
	{"Processed prompts:  45%|████▌     | 45/100 [00:01<00:01, 45.0it/s, est. speed input: 123.45 toks/s]", ""},
	{"Capturing graphs:  45%|████▌     | 9/20 [00:01<00:01, 9.0it/s]", ""},
	{"model.safetensors:  45%|████▌     | 45.0M/100M [00:01<00:01, 45.0MB/s]", ""},
	{"Skipping the first batches:  45%|████▌     | 45/100 [00:01<00:01, 45.0it/s]", ""},
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

// anyEpoch is the one of these forms in which anybody names an epoch.
const anyEpoch = "epoch before a bar"

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
	{name: "minGPT", from: "epoch", is: `^epoch <epoch> iter [0-9]+: train loss`, mark: fromOne, examples: []example{
		{"epoch 3 iter 44: train loss 2.12345. lr 6.000000e-04:  45%|████▌     | 45/100 [00:10<00:12,  4.4it/s]",
			"epoch 3 from 1, batch 45/100, bar"},
	}},
	{name: "RecBole", from: "train ", is: `^train(?:ing)? <epoch> ?: $`, mark: fromZero, examples: []example{
		{"Train     3:  45%|####5     | 45/100 [00:10<00:12,  4.4it/s]", "epoch 3 from 0, batch 45/100, bar"},
		{"Train 3 models:  45%|####5     | 45/100 [00:10<00:12,  4.4it/s]", "step 45/100, bar"},
	}},
	{name: "SRGAN", is: `^\[<epoch>/<epochs> \]`, also: "loss", examples: []example{
		{"[3/30] Loss_D: 0.6 Loss_G: 0.01:  45%|████▌     | 45/100 [00:10<00:12,  4.4it/s]", "epoch 3/30, batch 45/100, bar"},
		{"[1/2] Fetching:  45%|████▌     | 45/100 [00:10<00:12,  4.4it/s]", ""},
	}},
	{name: anyEpoch, is: `^\[<epoch>/<epochs> \] :? $`, examples: []example{
		{"[3/10]:  45%|████▌     | 45/100 [00:10<00:12,  4.4it/s]", "epoch 3/10, batch 45/100, bar"},
	}},
	{name: anyEpoch, is: `^<epoch>/<epochs> : $`, examples: []example{
		{"3/10:  45%|████▌     | 45/100 [00:10<00:12,  4.4it/s]", "epoch 3/10, batch 45/100, bar"},
		{"file 3/10:  45%|████▌     | 45/100 [00:10<00:12,  4.4it/s]", "step 45/100, bar"},
	}},
	{name: anyEpoch, is: `^train <epoch>/<epochs> : $`, examples: []example{
		{"Train 3/10:  45%|████▌     | 45/100 [00:10<00:12,  4.4it/s]", "epoch 3/10, batch 45/100, bar"},
	}},
	{name: anyEpoch, is: `^training <epoch>/<epochs> : $`, examples: []example{
		{"Training 3/10:  45%|████▌     | 45/100 [00:10<00:12,  4.4it/s]", "epoch 3/10, batch 45/100, bar"},
	}},
	{name: anyEpoch, is: `^training \[<epoch>/<epochs> \] :? $`, examples: []example{
		{"Training [3/10]:  45%|████▌     | 45/100 [00:10<00:12,  4.4it/s]", "epoch 3/10, batch 45/100, bar"},
	}},
	{name: anyEpoch, is: `^train \[<epoch>/<epochs> \] :? $`, examples: []example{
		{"Train [3/10]:  45%|████▌     | 45/100 [00:10<00:12,  4.4it/s]", "epoch 3/10, batch 45/100, bar"},
		{"Val [3/10]:  45%|████▌     | 45/100 [00:10<00:12,  4.4it/s]", ""},
	}},
	{name: anyEpoch, is: `^\[train\] \[<epoch>/<epochs> \] :? $`, examples: []example{
		{"[Train][3/10]:  45%|████▌     | 45/100 [00:10<00:12,  4.4it/s]", "epoch 3/10, batch 45/100, bar"},
	}},
	{name: anyEpoch, is: `^ep <epoch>(?: / <epochs>)? [:|]`, examples: []example{
		{"Ep 3:  45%|████▌     | 45/100 [00:10<00:12,  4.4it/s]", "epoch 3, batch 45/100, bar"},
	}},
	{name: anyEpoch, is: `^ep\. <epoch>(?: / <epochs>)? [:|]`, examples: []example{
		{"Ep. 3/10 | loss 0.3:  45%|████▌     | 45/100 [00:10<00:12,  4.4it/s]", "epoch 3/10, batch 45/100, bar"},
	}},
	{name: anyEpoch, is: `^e <epoch>(?: / <epochs>)? : $`, examples: []example{
		{"E3:  45%|████▌     | 45/100 [00:10<00:12,  4.4it/s]", "epoch 3, batch 45/100, bar"},
	}},
	{name: anyEpoch, is: `^epoch_<epoch>(?:/<epochs>)?\b`, examples: []example{
		{"epoch_3:  45%|████▌     | 45/100 [00:10<00:12,  4.4it/s]", "epoch 3, batch 45/100, bar"},
	}},
	{name: anyEpoch, is: `^epoch-<epoch>(?:/<epochs>)?\b`, examples: []example{
		{"Epoch-3/10:  45%|████▌     | 45/100 [00:10<00:12,  4.4it/s]", "epoch 3/10, batch 45/100, bar"},
	}},
	{name: anyEpoch, from: "epoch", is: `^epochs?` + counter("epoch"),
		examples: []example{
			{"Epoch 3:  45%|████▌     | 45/100 [00:10<00:12,  4.4it/s]", "epoch 3, batch 45/100, bar"},
			{"Epoch 3/10:  45%|████▌     | 45/100 [00:10<00:12,  4.4it/s]", "epoch 3/10, batch 45/100, bar"},
			{"Epoch 3:  45%|████▌     | 45/100 [00:10<00:12,  4.4it/s, v_num=0]", "epoch 3 from 0, batch 45/100, bar"},
			{"Epoch 3:  45%|████▌     | 45/100 [00:10<00:12,  4.4it/s, loss=2.1, REAL it/s=4.4, Kt/s=12.3]",
				"epoch 3 from 0, batch 45/100, bar"},
			{"Train Epoch     #3:  45%|████▌     | 45/100 [00:10<00:12,  4.4it/s]", "epoch 3 from 1, batch 45/100, bar"},
			{"Epoch 2 of 3:  33%|███▎      | 1/3 [00:10<00:20, 10.0s/it]", "epoch 1/3 from 0 done, bar"},
			{"Train [epoch 3 of 10]:  45%|████▌     | 45/100 [00:10<00:12,  4.4it/s]", "epoch 3/10, batch 45/100, bar"},
		}},
})
