package printed

import "regexp"

// asides are words before a counter which say that it does not count the training.
var asides = wordList(`eval evaluation evaluating evaluate validation validating validate valid val test testing
	predict predicting prediction predictions inference download downloading upload uploading loading map tokenizing
	tokenizer tokenize processing preprocessing generating generate filter filtering fetching fetch extracting extraction
	evaluator validator tester
	warmup warming warm
	shards files sampling sanity checking datasets dataset compiling substep sub micro accumulation
	scanning caching cache casting grouping packing resolving reading building preparing converting indexing collecting
	computing calculating calibrating quantizing saving writing decoding encoding sample denoising denoise diffusion
	ddim ddpm beam linesearch means kmeans sinkhorn early
	overflow
	bad worse patience wait waiting stale stagnant scheduler profiler ema`)

// joinable are words that may be joined with one that counts.
var joinable = wordList("train_ training_ current_ cur_ optimizer_ optim_ learner_ mini")

// chores are more of them before a bar. Elsewhere such a word may be the name of a logger, as of one that trains how to
// count crowds.
var chores = wordList(`preprocess prompts requests capturing calibration profiling
	skipping verifying merging sorting splitting parsing counting unzipping hashing deduplicating augmenting normalizing
	resizing inferring benchmarking initializing averaging rendering translating scoring mining plotting visualizing
	exporting pushing finding creating flattening`)

// preparations are words that the label of a bar begins with where it is of something else than the training. Behind
// another word they may be a part of the name of what is trained.
var preparations = wordList(`add adding convert create write gather gathering compute precompute precomputing load
	preload preloading parse build read extract prepare import importing copy copying untar unpack unpacking sync syncing
	tokenise tokenising tokenized tokenization featurize featurizing featurise featurising vectorize vectorizing
	embed embedding collate collating chunk chunking crop cropping clean cleaning pad padding align aligning
	shuffle shuffling drop dropping transform transforming resample resampling segmenting voxelizing rasterizing
	standardizing binning augment labeling labelling clustering assigning matching projecting interpolating triangulating
	calibrate quantize autotune autotuning compile capture materializing prefetch prefetching prefill prefilling filling
	transcribe transcribing infer infering retrieve retrieving reranking searching render save merge push
	dev fid plms`)

// uses are those of them that stand before what uses the model that is trained, which may tell a loss as well.
var uses = wordList("dev fid plms infer infering transcribe transcribing")

// lossTold is a loss, with its value.
var lossTold = regexp.MustCompile(`(?:\b|_)loss(?:_[a-z]+)?\b["']?\s*[:=]?\s*(?:-?[0-9.]|nan)`)

// parts are those of them that count what is done within a step: other counters of the piece count the training.
var parts = wordList("substep sub micro accumulation")

// evaluations are words that a line about something else than the training begins with.
var evaluations = wordList("evaluating validating testing")

// titles are words in the title of an evaluation.
var titles = wordList("eval evaluate evaluating evaluation validate validating validation val test testing")

// evaluators are words before a setting that say of whom it is.
var evaluators = wordList("evaluator validator tester")

// asideUnits are units of a bar of something else, besides bytes.
var asideUnits = wordList("example examples ex file files row rows doc docs record records shard shards table tables " +
	"url urls")

// adjusts stands in a line of a schedule for the learning rate, which counts epochs by itself: it begins where it was
// made, and may be ahead or behind.
var adjusts = regexp.MustCompile(
	`\b(?:adjusting|reducing|decreasing|increasing|lowering|dropping|setting|changing|decaying) ` +
		`(?:the )?(?:learning rate|lr)\b`)

// amounts are words before a number without a total which say that it is itself an amount.
var amounts = wordList("total max num number per every save log logging accumulation optimization until next best " +
	"warmup resume from time elapsed final loading loaded load")

// results are words before a fraction which say that it is a result.
var results = wordList("loss acc accuracy error score time average avg mean over in this per")

// measures are ends of words that name a result.
var measures = []string{"loss", "acc", "accuracy", "mse", "mae", "auc", "ppl", "perplexity", "nll", "psnr", "dice",
	"miou", "cost", "f1", "iou", "bleu", "rouge", "wer", "cer", "fid", "ssim", "recall", "precision", "ndcg",
	"lddt"}

// references are words in the same clause, as in "best score 0.93 at epoch 3", which say that the number is not where
// the training is. What stands behind one of begins is where it goes on; but nobody knows whether such an epoch is over
// or begins.
var (
	references = wordList("best will next logical")
	begins     = wordList("resuming resumed resume restoring restored restore loaded")
)

// rated are words before a slash which say that what stands behind it is not counted, but that something is in each.
var rated = wordList("s ms sec seconds min time steps batches iterations iters it images img samples examples tokens")

// inner are words before an epoch which say that it is one of a part of the training, such as of what a client of it
// does.
var inner = wordList("local inner ppo client critic actor sgd")

// trainings are words before a bar that say that it counts the training; loops say that it counts epochs, unless one of
// trainingSteps says that it counts steps. oneStep and manySteps are some of these.
var (
	trainings     = wordList("train training step steps iteration iterations iter iters")
	loops         = wordList("epoch epochs")
	oneStep       = wordList("step")
	manyEpochs    = wordList("epochs")
	trainingSteps = wordList("step steps iteration iterations iter iters batch batches")
	manySteps     = wordList("steps iterations iters batches")
)
