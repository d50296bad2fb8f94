package printed

import "regexp"

// unitBehind is a count with a total and its unit, and done are words before it which say that so many are done.
var (
	unitBehind = regexp.MustCompile(`(?:^|[\s\[(:|>"])([0-9]+(?:,[0-9]{3})*) ?(?:/|(?:out )?of) *([0-9]+(?:,[0-9]{3})*) ` +
		`(steps|timesteps|iterations|updates|epochs)\b`)
	done = wordList("completed complete finished done processed progress train training trained at")
)

// units are examples of it.
var units = []example{
	{"[train] completed 580 of 9000 updates (loss=0.3)", "step 580/9000"},
	{"12,000/100,000 steps, loss 0.3", "step 12000/100000"},
	{"|      450/    1000 steps| 12345.12 tokens/s| loss    5.12| acc: 0.123", "step 450/1000"},
	{`{"level": "info", "message": "[train] completed 580 of 9000 updates"}`, "step 580/9000"},
	{"INFO trainer: 45/100 iterations", "step 45/100"}, {"finished 3 of 10 epochs", "epoch 3/10 done"},
	{"lr decays after 30 of 90 epochs", ""}, {"evaluated 3/10 steps", ""}, {"warmup: 3/10 steps", ""},
	{"resuming: 3/10 steps", ""}, {"3/10 GPUs", ""}, {"11/24/2026 steps", ""},
}

// shortened is a count behind a word, with numbers in thousands or more; what amountsOnly name is counted for each text
// as well.
var (
	shortened = regexp.MustCompile(`\b(steps?|iters?|iterations?|timesteps|frames|tokens|samples)\b["']?\s*[:=]?\s*\[?` +
		`([0-9]+(?:\.[0-9]+)?)([kmbt]?)\s*/\s*([0-9]+(?:\.[0-9]+)?)([kmbt])\b`)
	amountsOnly = wordList("tokens samples")
)

// shortenedCounts are examples of it.
var shortenedCounts = []example{
	{"Step 12.5k/100k | Loss 2.1 | Reward 8.1", "step 12500/100000"}, {"timesteps: 1.2M / 10M", "step 1.2e+06/1e+07"},
	{"step=2900 tokens: 12.5B/300B loss=2.1 tok/s=1.21M", "step 1.25e+10/3e+11"}, {"tokens: 1.2k/2k", ""},
	{"eval samples: 1.2M/10M", ""}, {"mem 31.2G/80G", ""}, {"step 420/1000 tokens 1M/2M", "step 420/1000"},
}
