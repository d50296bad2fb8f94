package printed

// The names of counts in JSON, in lower case.
var (
	jsonSteps = []string{"step", "global_step", "_step", "current_steps", "steps", "iteration", "iter",
		"train/global_step",
		"trainer/global_step", "num_updates", "train_step", "training_step", "iter_num", "update"}
	jsonTotalSteps = []string{"total_steps", "max_steps", "total_iterations", "max_iters", "num_steps", "total",
		"max_step", "total_step", "max_iter", "total_iters", "num_iterations", "num_training_steps",
		"total_training_steps", "max_iterations", "max_updates", "total_updates", "totalsteps", "maxsteps"}
	jsonEpochs      = []string{"epoch", "train/epoch"}
	jsonTotalEpochs = []string{"total_epochs", "num_epochs", "max_epochs", "num_train_epochs", "epochs", "total_epoch",
		"max_epoch", "num_epoch", "n_epochs"}
	jsonBatches    = []string{"batch", "batch_idx", "batch_index"}
	jsonAllBatches = []string{"num_batches", "total_batches", "batches", "batches_per_epoch",
		"total_batch"}
	jsonStepsOfEpoch = []string{"steps_per_epoch", "batches_per_epoch", "iters_per_epoch"}
	jsonPhases       = []string{"mode", "phase", "stage", "split", "type", "event", "kind", "subset", "msg", "message"}
)

// objects are examples of lines in JSON.
var objects = []example{
	{`DLLL {"type": "LOG", "step": [4, 99], "data": {"loss": 0.3}}`, "epoch 4 from 0, batch 99"},
	{`DLLL {"type": "LOG", "step": [4], "data": {"val.loss": 0.3}}`, ""},
	{`DLLL {"type": "LOG", "step": [], "data": {}}`, ""},
	{`METRICS {"step": 420, "total_steps": 1000}`, "step 420/1000 of all"}, {`best {"step": 420}`, ""},
	{`{"step": 420, "total_steps": 1000, "loss": 0.3}`, "step 420/1000 of all"},
	{`{"global_step":"420","max_steps":"1000"}`, "step 420/1000 of all"},
	{`{"training_step": 420, "total_training_steps": 1000}`, "step 420/1000 of all"},
	{`{"step": 420, "totalSteps": 1000}`, "step 420/1000 of all"},
	{`{"update": 420, "total_updates": 1000}`, "step 420/1000 of all"},
	{`{"update": "available", "total_updates": 1000}`, ""}, {`{"step": 420, "max": 0.9}`, "step 420"},
	{`{"epoch": 3, "epochs": 10, "step": 45, "steps_per_epoch": 100}`,
		"epoch 3/10, batch 45/100, 100 steps an epoch planned"},
	{`{"epoch": 2.42, "num_epochs": 10}`, "epoch 2.42/10 done"},
	{`{"epoch": 3, "num_epochs": 10, "loss": 0.1}`, "epoch 3/10 over"},
	{`{"epoch": 3, "epochs": 10, "batch": 45, "num_batches": 100, "loss": 0.1}`, "epoch 3/10 maybe over, batch 45/100"},
	{`{"epoch": 3, "batch": 45, "loss": 0.1}`, "epoch 3 maybe over, batch 45"}, {`{"batch": 45, "loss": 0.1}`, ""},
	{`{"_step": 420, "_runtime": 12.3, "train/epoch": 1.5, "_timestamp": 1.7}`, "epoch 1.5 done, step 420"},
	{`{"level":"info","msg":"step 420/1000"}`, "step 420/1000"},
	{`{"type": "train", "epoch": 3, "total_epoch": 10, "batch": 45, "total_batch": 100}`, "epoch 3/10, batch 45/100"},
	{`{"type": "valid", "epoch": 3, "total_epoch": 10, "batch": 4, "total_batch": 10}`, ""},
	{`{"mode": "val", "epoch": 3, "iter": 10}`, ""}, {`{"event": "eval", "step": 20, "total_steps": 20}`, ""},
	{`{"epoch": 3, "total_epochs": 10, "step": 45, "total_steps": 100}`, "epoch 3/10, step 45/100"},
	{`{"epoch": 0.3, "num_train_epochs": 10, "step": 45, "total_steps": 1000}`, "step 45/1000 of all"},
	{`{"step": {"a": 1}}`, ""}, {`{"step": null}`, ""},
}
