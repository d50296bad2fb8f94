package printed

import "regexp"

// shareOf is a count with its share as the program has reckoned it, which knows how many processes go through it
// together.
var shareOf = regexp.MustCompile(`([0-9]+)\s*/\s*([0-9]+)\s*\(\s*([0-9]+(?:\.[0-9]+)?)%\s*\)`)

// percentDone is how many percent are done.
var percentDone = regexp.MustCompile(
	`\b(?:progress|percent complete|completed?|finished|done)\b["']?\s*[:=]?\s*[\[(]?([0-9]+(?:\.[0-9]+)?)\s*%` +
		`|\b([0-9]+(?:\.[0-9]+)?)\s*% (?:completed?|done|finished)\b` +
		`|\b(?:[0-9]+h )?[0-9]+m [0-9]+s\)? \([0-9]+ ([0-9]+(?:\.[0-9]+)?)%\)` +
		`|^[0-9]+ ([0-9]+)% \([0-9]+m [0-9]+s\)|^[0-9]+ \(([0-9]+)%\):\s+average` +
		`|^[0-9]+ \(([0-9]+\.[0-9]+)%\) {2,}[0-9.]+ m?s\b` +
		`|^step [0-9]+ \(([0-9]+\.[0-9]+)%\) \| loss` +
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
