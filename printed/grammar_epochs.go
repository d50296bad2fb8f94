package printed

import "regexp"

// besideEpoch is a counter in brackets right behind that of the epoch, which counts the steps of it.
var besideEpoch = regexp.MustCompile(
	`^(?:\s*:?\s*\|[^|]*\|\s*[0-9.]+%|[\])\s:,|-]*(?:[0-9.]+%|[\[(]train(?:ing)?\b))?[\])\s:,|-]*[\[(]\s*([0-9]+)\s*/` +
		`\s*([0-9]+)\b`)

// plainBeside is the same without brackets: between signs that part it from what stands around it.
var plainBeside = regexp.MustCompile(
	`^\s*[,|:-]\s*([0-9]+)\s*/\s*([0-9]+)\s*(?:(?:samples|examples|images)\s*[;,|]|(?:batches|steps)\b|[;|\[]|- )`)

// wordBeside is the same behind a word that says of what they are.
var wordBeside = regexp.MustCompile(
	`^[\])\s:,|-]*(?:(?:samples?|examples?|images?|mb|mini-batch)\b|\[train(?:ing)?\])` +
		`[\s:=]*\[?\s*([0-9]+)\s*/\s*([0-9]+)\b`)

// shareBeside is how many percent of the epoch are done, right behind it.
var shareBeside = regexp.MustCompile(`^\s*\[\s*([0-9]+(?:\.[0-9]+)?)%\s*\]`)

// sharePlain is the same without brackets: it may as well be a result.
var sharePlain = regexp.MustCompile(`^[\])\s:,|(-]*(?:\[[=#>.\s-]*\]\s*)?[0-9]+(?:\.[0-9]+)?%`)

// overBehind stands behind an epoch that is over, and overBefore before it: a word that says so, or how long it took.
var (
	overBehind = regexp.MustCompile(`^[\])\s:,|=*.-]*(?:is )?(?:done|finished|completed?|ended|end|over|summary|` +
		`took|takes|in [0-9.]+ ?(?:s|secs?|seconds|m|min|minutes)|cost time|` +
		`(?:epoch )?(?:time|duration)[ :=]+[0-9]+m|epoch time)\b`)
	overBefore = regexp.MustCompile(`\b(?:finished|completed|end of)(?: training)?(?: for)? *$`)
)

// within are words before a number which say that an epoch goes on.
var within = wordList("batch batches step steps iter iters iteration iterations it idx minibatch update updates up")

// counting are names of columns of a table that count something within an epoch.
var counting = wordList("step steps iter iteration iterations batch batches global_step updates")

// engineRun stands before how many epochs an engine of Ignite has that begins.
var engineRun = regexp.MustCompile(`\bengine run starting with max_epochs=`)

// passes are parts of words for what all epochs are gone through for.
var passes = []string{"fold", "run", "trial", "seed", "repe", "cycle", "stage", "phase", "episode", "task", "subject",
	"experiment", "split"}

// passesOf are more of them, which are so where it says of how many.
var passesOf = []string{"config", "model", "combination", "candidate", "member", "setting"}

// outer counts what all epochs are gone through for again. Stages and the like are so only where an epoch, or a step,
// stands behind them: alone they may as well be those of a script, of which the training is one.
var outer = regexp.MustCompile(`\b(fold|run|trial|seed|repeat|repetition|cycle|stage|phase|episode|task|subject|` +
	`experiment|split|config|configuration|combination|candidate|member|setting|train(?:ing)? model)s?\b` +
	`\s*[:=#]?\s*[\[(]?\s*([0-9]+)\s*(?:/|of)\s*([0-9]+)\b`)

// epochOfCheckpoint is the epoch that a checkpoint is of.
var epochOfCheckpoint = regexp.MustCompile(`\bepoch\s*[:=#]?\s*([0-9]+)\b`)

// sweeps are parts of what tells of a sweep.
var sweeps = []string{"trial", "[hydra]", "new study"}

// sweep is where a sweep begins, or its next job, or where a job ends: each of them goes through all epochs.
var sweep = regexp.MustCompile(`\btrial ([0-9]+) (?:finished with|pruned|failed with)\b|` + // Optuna
	`\brunning trial #([0-9]+)|` + // Keras Tuner
	`\bnumber of trials: (?:[0-9]+/)?(?:[2-9]|[1-9][0-9]+) \(|` + // Ray Tune, of several
	`\btrial status: (?:[0-9]+ [a-z]+ \||(?:[2-9]|[1-9][0-9]+) [a-z])|` +
	`\[hydra\]\s+#([0-9]+) :|\[hydra\] launching ([0-9]+) jobs\b|\bnew study created\b`)

var mayBeOfScript = wordList("stage phase episode task split")

// pass is one of these of which nothing says how many there are.
var pass = regexp.MustCompile(`(?:^|[^a-z0-9_./-])(?:fold|run|trial|repeat|repetition)\s*[:=#]?\s*([0-9]{1,3})` +
	`(?:\s*[:,|)\]=-]|\s*$|\s+[a-z.=*#-])`)

// roundWords are forms that count what all epochs are gone through in, if there are epochs.
var roundWords = wordList("round update episode generation")

// roundBegins is the title of a round as Flower prints it, which stands alone as the round begins.
var roundBegins = regexp.MustCompile(`\[round [0-9]+\]$`)

// passOver stands behind one that is over.
var passOver = regexp.MustCompile(`\b(?:results?|finish\w*|scores?|done|complete\w*|end\w*|best|highest)\b`)

// result is a measured result.
var result = regexp.MustCompile(`(?:\b|_)(?:loss|acc|accuracy|cost)\b["']?\s*[:=]?\s*[0-9]*\.[0-9]`)
