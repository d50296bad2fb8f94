package printed

import "regexp"

// timesLeft is how long a training has taken and will still take, as it has reckoned itself from the steps that are
// done and those that are left.
var timesLeft = regexp.MustCompile(`\btotal:\s+((?:[0-9.]+[dhmsun]+ ?)+)\s+remaining:\s+((?:[0-9.]+[dhmsun]+ ?)+)$`)

// numbered are lines that begin with what they count, where srun puts the number of a process before others.
var numbered = made([]form{
	{name: "CatBoost", is: `^<whole>:\s+(?:learn|test): \S+`, also: "total: ", examples: []example{
		{"0:\tlearn: 0.6841\ttest: 0.6853\tbest: 0.6853 (0)\ttotal: 250ms\tremaining: 750ms",
			"step 0 of all, percent 25/100"},
		{"999:\tlearn: 0.1\ttotal: 1m 2s\tremaining: 0us", "step 999 of all, percent 100/100"},
		{"1: learn: to count", ""},
	}},
	{name: "darknet", is: `^<whole>: \S+, \S+ avg(?: loss)?, [0-9.]+ rate`, examples: []example{
		{" 420: 1.234567, 2.123456 avg loss, 0.001000 rate, 5.123456 seconds, 26880 images, 12.1 hours left",
			"step 420 of all"},
		{"420: 1.234567, 2.123456 avg, 0.001000 rate, 5.123456 seconds, 26880 images", "step 420 of all"},
		{"3: 1.2, 2.1 avg", ""},
	}},
	{name: "tf_cnn_benchmarks", is: `^<whole>\s+images/sec: [0-9.]+ \+/- `, mark: ofBatches, examples: []example{
		{"40\timages/sec: 234.5 +/- 0.3 (jitter = 1.1)\t7.977", "step 40 of all"},
		{"[1,0]<stdout>:40\timages/sec: 234.5 +/- 0.3 (jitter = 1.1)\t7.977", "step 40 of all, by 0"},
		{"40\timages/sec", ""}, {"total images/sec: 468.12", ""}, {"40\t234.5 examples/sec", ""},
	}},
})
