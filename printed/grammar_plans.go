package printed

import "regexp"

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
	planEpisodes    // and these are named one by one
	planGenerations
	planRounds
	planBatches   // steps, or what else a script calls batches: it counts where such a form counts them
	planScheduled // epochs, with those that a framework adds to what it was told
	planEndEpoch  // the last one, of all or of a part, such as of the warm-up
)

// settings say how much there is to do; settingsInWords do so behind one of the words in plans.
var (
	settings = map[string]plan{
		"epochs": planEpochs, "num_epochs": planEpochs, "n_epochs": planEpochs, "nb_epochs": planEpochs,
		"nepochs": planEpochs, "epoches": planEpochs, "end_epoch": planEndEpoch, "num_epoch": planEpochs,
		"max_epochs": planEpochs, "max_epoch": planEpochs, "total_epochs": planEpochs, "total_epoch": planEpochs,
		"num_train_epochs": planEpochsOfBar, "train_epochs": planEpochs, "training_epochs": planEpochs,
		"max_steps": planSteps, "total_steps": planSteps, "max_iters": planSteps, "max_iter": planSteps,
		"train_iters": planSteps, "total_train_steps": planSteps, "total_training_steps": planSteps,
		"num_train_steps": planSteps, "max_train_steps": planSteps, "max_update": planSteps, "total_iterations": planSteps,
		"total_kimg": planSteps, "total_iter": planSteps, "niter": planEpochs, "num_training_epochs": planEpochs,
		"n_epochs_decay": planMoreEpochs, "niter_decay": planMoreEpochs,
		"max_updates": planSteps, "numb_steps": planSteps,
		"max_step": planSteps, "max_num_steps": planSteps, "max_iterations": planSteps,
		"max_iteration": planSteps, "n_iterations": planSteps,
		"n_timesteps":     planSteps,
		"num_batches":     planBatches,
		"num_boost_round": planSteps, "num_boost_rounds": planSteps,
		"num_iterations": planSteps, "training_steps": planSteps, "train_steps": planSteps, "num_training_steps": planSteps,
	}
	passSettings = map[string]plan{
		"n_fold": planPasses, "n_folds": planPasses, "num_folds": planPasses, "nfolds": planPasses, "k_folds": planPasses,
		"kfold": planPasses, "k_fold": planPasses, "n_splits": planPasses, "num_fold": planPasses, "folds": planPasses,
		"n_trials": planPasses, "num_trials": planPasses, "max_trials": planPasses,
		"runs": planRuns, "n_runs": planRuns, "num_runs": planRuns, "itr": planRuns, "fold": planOnePass,
	}
	// roundSettings say how many episodes and the like there are.
	roundSettings = map[string]plan{
		"episodes": planEpisodes, "num_episodes": planEpisodes, "n_episodes": planEpisodes, "max_episodes": planEpisodes,
		"total_episodes": planEpisodes, "nb_episodes": planEpisodes, "num_train_episodes": planEpisodes,
		"generations": planGenerations, "num_generations": planGenerations, "n_generations": planGenerations,
		"max_generations": planGenerations, "ngen": planGenerations,
		"comm_round": planRounds, "comm_rounds": planRounds, "global_rounds": planRounds, "num_global_rounds": planRounds,
		"total_rounds": planRounds, "max_rounds": planRounds,
	}
	// printedRounds are settings that say so in what is printed. On a command line, they are of trees.
	printedRounds = map[string]plan{"num_rounds": planRounds, "n_rounds": planRounds}
	// roundPlans are these by the words that name each of them.
	roundPlans = map[string]plan{"episode": planEpisodes, "generation": planGenerations, "round": planRounds}
	roundNames = map[plan]string{planEpisodes: "episodes", planGenerations: "generations", planRounds: "rounds"}
	// options say so on a command line, where nothing is counted.
	options = map[string]plan{
		"epoch": planEpochs, "number_of_epochs": planEpochs, "max_train_epochs": planEpochs, "iters": planSteps,
		"iterations": planSteps, "num_iters": planSteps, "total_iters": planSteps, "total_timesteps": planSteps,
		"kimg": planSteps, "n_epoch": planEpochs, "max_num_epochs": planEpochs,
		"epoch_num": planEpochs, "epoch_count": planEpochs, "nb_epoch": planEpochs,
		"nepoch": planEpochs, "num_epoches": planEpochs, "train_epoch": planEpochs,
		"numepochs": planEpochs,
		"numiters":  planSteps, "n_updates": planSteps, "maxiters": planSteps, "maxiter": planSteps, "maxepochs": planEpochs,
		"maxepoch": planEpochs, "train_for_env_steps": planSteps,
		"steps": planSteps, "n_iter": planSteps, "num_iter": planSteps,
		"niters": planSteps, "n_iters": planSteps, "num_updates": planSteps,
		"max_timesteps": planSteps, "num_env_steps": planSteps, "iter": planSteps,
		"after_epochs": planEpochs, "after_batches": planSteps, "max_batches": planSteps,
		"num_timesteps": planSteps, "total_env_steps": planSteps, "num_trees": planSteps, "num_round": planSteps,
		"num_rounds": planSteps, "n_estimators": planSteps, "num_train_iters": planSteps, "num_training_iters": planSteps,
		"total_itrs": planSteps, "max_number_of_steps": planSteps, "number_of_steps": planSteps,
	}
	settingsInWords = map[string]plan{"epochs": planEpochs, "steps": planSteps, "iterations": planSteps, "kimg": planSteps,
		"batches": planBatches}
	plans      = wordList("num number total scheduled of training train optimization param max maximum")
	schedules  = wordList("scheduled")
	notPlanned = wordList("warmup warm patience every per save eval cooldown decay first last after remaining")
)

// notOfAll are words before the steps of an epoch which say that these are some of them.
var notOfAll = wordList("log logging save saving report reporting")

// holders are how the names of objects end that hold settings.
var holders = []string{"namespace", "args", "arguments", "config", "configuration", "settings", "options", "params"}

// owners are names of such objects before a point, as in cfg.steps=1000.
var owners = wordList("cfg config")

// endless stands where nobody knows how many epochs there are, as the examples come in a stream.
const endless = "num epochs = 9,223,372,036,854,775,807"

// examplesInAll and examplesOfStep stand before how many examples there are, and how many go through at each step.
var (
	examplesInAll  = regexp.MustCompile(`\bnum examples = `)
	examplesOfStep = regexp.MustCompile(`\btotal (?:train )?batch size(?: \([^)]*\))? = `)
)

// stepsOfEpoch stands before how many steps an epoch has.
var stepsOfEpoch = regexp.MustCompile(`(?:^|[^a-z_-])-*(?:(?:num|train)[_-])*(?:steps|batches|iterations|iters)` +
	`(?:[ _-](?:per|each)[ _-]|/)epoch["']?\s*[:=]\s*|\btrain(?:ing)? batches["']?\s*[:=]\s*|\btrain dataloader has |\btotal (?:micro|generation) batches |` +
	`\blen\(train_?(?:data)?_?loader\)\s*[:=]\s*`)

// stepsOfOne are how many steps one epoch has, before their unit.
var stepsOfOne = regexp.MustCompile(`(?:^| )1 epoch = ([0-9][0-9,]*) (?:iters|iterations|steps|batches)\b`)

// stepsBefore are how many steps an epoch has, in a sentence.
var stepsBefore = regexp.MustCompile(`(?:^|[^0-9,.])([0-9][0-9,]*) (?:training |train |optimizer |optimization )?` +
	`(?:steps|batches|iterations|iters) ?(?:per|each|in each|/) ?epoch\b`)

// microSteps are how many batches were gone through in how many steps.
var microSteps = regexp.MustCompile(`/micro_step=([0-9]+)/global_step=([0-9]+)\b`)

// ofEpoch are parts of what stands there.
var ofEpoch = []string{"per_epoch", "per epoch", "per-epoch", "each epoch", "dataloader has ", "/epoch",
	"micro batches ", "generation batches ", "1 epoch = ", "len(train", "train batches", "training batches"}

// totalOf stands before how many steps there are in all, where there is no sign.
var totalOf = regexp.MustCompile(`\btotal (?:optimization |training |train )?(?:steps|iterations) `)

// inWords are how many steps there are, in other sentences.
var inWords = regexp.MustCompile(
	`\b(?:training\.*, |total epochs: [0-9,]+; )iters: ([0-9,]+)|\b([0-9,]+) max iterations\b|` +
		`\bstarting main loop over steps [0-9]+-([0-9]+)|: total_step {2,}([0-9]+)$`)

// fits are how many trainings a search of scikit-learn has, each with all epochs.
var fits = regexp.MustCompile(`\btotalling ([0-9]+) fits\b`)

// maxDuration stands before how much there is to do, in epochs or batches, as Composer has it.
var maxDuration = regexp.MustCompile(`\bmax_duration["']?\s*[:=]\s*["']?([0-9]+)(ep|ba)\b`)

// ofChainer is how many epochs there are, as the examples of Chainer show their settings.
var ofChainer = regexp.MustCompile(`^# epochs?: ([0-9]+)$`)

// trainingFor is how much there is to do, in a sentence.
var trainingFor = regexp.MustCompile(`\b(?:train|training|fine-?tuning) (?:(?:the )?model )?(?:for (?:a total of )?` +
	`([0-9,]+) (epochs\b|steps\b|iterations\b|kimg\b|(?:epoch|step|iteration)\(s\))|([0-9,]+) epochs\b)( (?:per|each|every|before|after|between|done|took)\b)?`)

// planned are examples of all of these.
var planned = []example{
	{"Training for 25000 kimg...", "25000 steps planned"},
	{"Training: 2026-11-24 12:00:00,123-: total_step               113660", "113660 steps planned"},
	{"{'epoches': 72, 'end_epoch': 72}", "72 epochs planned"}, {"  END_EPOCH: 90", "90 epochs planned"},
	{"{'epochs': 300, 'scheduler': {'end_epoch': 10}}", "300 epochs planned"},
	{"{'warmup': {'end_epoch': 10}, 'epochs': 300}", "300 epochs planned"},
	{"{'total_train_steps': 200}", "200 steps planned"},
	{"1 Epoch = 5000 iters", "5000 steps an epoch planned"}, {"rank 1 epoch=3 loss=0.3", "epoch 3 over"},
	{"Stage 1 epoch = 3, loss = 0.3", "epoch 3 over"},
	{"GPU 1 epoch = 3 step = 3 loss = 0.3", "epoch 3 maybe over, step 3"},
	{"val 1 epoch = 50 iters", ""},
	{"# epoch: 20", "20 epochs planned"}, {"# epoch: 3 begins", "epoch 3"},
	{"max_duration: 4800ba", "4800 steps planned"}, {"Config(max_duration='5ep')", "5 epochs planned"},
	{"max_duration: 100000tok", ""}, {"max_num_steps: 1000", "1000 steps planned"},
	{"Training for 10 epochs...", "10 epochs planned"}, {"Will train for 1,000 steps", "1000 steps planned"},
	{"Training the model for a total of 10 epochs", "10 epochs planned"}, {"Trained for 10 epochs", ""},
	{"Training for 6300 step(s), approximately 100 epoch(s).", "6300 steps planned"},
	{"Training 5 epochs, 100 batches each", "5 epochs planned"}, {"Fine-tuning for 5 epochs", "5 epochs planned"},
	{"train 5 epochs per round", ""}, {"Training 100 steps took 1.2 s", ""},
	{"max steps: 1000", "1000 steps planned"}, {"max eval steps: 1000", ""},
	{"Training batches: 100", "100 steps an epoch planned"},
	{"Val batches: 100", ""}, {"steps/epoch: 100", "100 steps an epoch planned"}, {"val steps/epoch: 100", ""},
	{"Start training for 1,000 steps: good luck",
		"1000 steps planned"},
	{"  total optimization steps / 学習ステップ数: 1600", "1600 steps planned"},
	{"  num epochs / epoch数: 10", "10 epochs planned"}, {"  num batches per epoch / 1epochのバッチ数: 160", ""},
	{"             ('n_timesteps', 1000000.0),", "1e+06 steps planned"},
	{"Config param steps: 10000", "10000 steps planned"},
	{"INFO 2025-05-28 12:12:38 ts/train.py:195 cfg.steps=100000 (100K)", "100000 steps planned"},
	{"cfg.log.steps=100", ""}, {"cfg.warmup_steps=100", ""}, {"sampler_cfg.steps=50", ""}, {"args.iters=500", ""},
	{"time=09:12:01 level=info msg=\"train step\" step=20 max_step=20000", "step 20, 20000 steps planned"},
	{"| max_steps             | 20000      |", "20000 steps planned"}, {"| max_steps | -1 |", ""},
	{"('n_steps', 2048),", ""}, {"| epochs | 3 |", ""}, {"found max_steps, 3 of them", ""},
	{"max_steps:\t500000", "500000 steps planned"}, {"Starting training..., iters: 400", "400 steps planned"},
	{"train.py:607] Starting main loop over steps 0-1000", "1000 steps planned"},
	{"92 iterations per epoch. 13800 max iterations ", "13800 steps planned, 92 steps an epoch planned"},
	{"Training on 8 GPUs with 1,250 steps/epoch", "1250 steps an epoch planned"},
	{"logging steps per epoch: 10", ""}, {"Episode 2 | reward 12.1 | total steps 400", ""},
	{"evaluating every 50 steps per epoch", ""}, {"validation: 50 batches per epoch", ""},
	{"Beginning of Epoch 1/2, Total Micro Batches 500", "epoch 1/2, 500 steps an epoch planned"},
	{"len(train_loader) = 500", "500 steps an epoch planned"}, {"len(val_loader) = 500", ""},
	{"Training starts at step 1: sequence length 2048, total steps 1000 (warmup 200)", "step 1, 1000 steps planned"},
	{"Trainer made with batch size 8, gradient accumulation steps 2, total steps 1000 (warmup 200)", "1000 steps planned"},

	{"Namespace(batch_size=64, epochs=14, lr=1.0, warmup_epochs=5)", "14 epochs planned"},
	{"Namespace(batch_size=32, epoch=100, lr=0.1, step=30)", "100 epochs planned"},
	{"INFO:root:Namespace(epoch=50, loss='mse', n_epochs=200)", "200 epochs planned"},
	{"[INFO] SaveConfig(path='/out', epoch=5, step=30)", ""},
	{"trainer(step=30, loss=0.3)", "step 30"},
	{"TrainingArguments(max_steps=-1, num_train_epochs=3.0, save_steps=500)", "3 epochs planned"},
	{"epochs: 90", "90 epochs planned"}, {"  'max_epochs': 12,", "12 epochs planned"},
	{"Running with --epochs=90 --lr=0.1", "90 epochs planned"},
	{"  Num Epochs = 3", "3 epochs planned"}, {"  Total optimization steps = 1,500", "1500 steps planned"},
	{"  train_iters ..................................... 500000", "500000 steps planned"},
	{"Overriding: max_iters = 2000", "2000 steps planned"}, {"Number of epochs: 90", "90 epochs planned"},
	{"Scheduled epochs: 310. LR stepped per epoch.", "310 epochs planned"}, {"Total steps: 1000", "1000 steps planned"},
	{"`Trainer.fit` stopped: `max_epochs=3` reached.", "3 epochs planned"},
	{"`Trainer.fit` stopped: `max_steps=100` reached.", ""},
	{"  Num examples = 50,000", ""}, {"steps: 1000", ""}, {"steps per epoch: 100", "100 steps an epoch planned"},
	{"{'num_batches_per_epoch': 100}", "100 steps an epoch planned"},
	{"validation steps per epoch: 10", ""},
	{"INFO: train dataloader has 95 iters", "95 steps an epoch planned"}, {"val_steps_per_epoch=10", ""},
	{"warmup epochs: 5", ""},
	{"save_steps=500", ""},
	{"{'data_sampling': {'enabled': False, 'num_epochs': 1000}}", ""},
	{"2026-11-24 12:00:00 evaluator INFO: Engine run starting with max_epochs=1.", ""}, {"epochs: many", ""},
	{"max_steps=-1", ""}, {"num_train_epochs=0.5", ""},
}
