package printed

import "regexp"

// saved tells of a checkpoint, unless notSaved stands before it or failed anywhere.
var (
	saved = regexp.MustCompile(`\b(?:saved|saving|wrote|writing)\b.{0,60}\b(?:checkpoint|snapshot)|` +
		`\bsaving model to\b.{0,200}\.ckpt|` +
		`\bsave (?:model )?checkpoint(?:: | to | at )\S*/|` +
		`\b(?:checkpoint|snapshot)\b.{0,200}\b(?:saved|written)\b`)
	notSaved = regexp.MustCompile(`\b(?:not|no|never|cannot|could|skip\w*|unable|will|would|without|if|before|restor\w*|load\w*|resum\w*|every)\b|n't\b`)
	failed   = regexp.MustCompile(`\b(?:fail\w*|error\w*|exception)\b`)
)

// saves are examples of these.
var saves = []example{
	{"Saved checkpoint", "saved"}, {"Saving model checkpoint to /out/checkpoint-50", "saved"},
	{"checkpoint /out/3.pt saved in 2.1 s", "saved"},
	{"Wrote checkpoint for step 420", "step 420, saved"}, {"INFO:tensorflow:Saving checkpoints for 400 into " +
		"/tmp/model.ckpt.", "saved"},
	{"snapshot saved", "saved"}, {"[12/01 10:00:00] ppdet INFO: Save checkpoint: output/ppyolo", "saved"},
	{"save checkpoint: true", ""}, {"save checkpoint every 100 steps", ""},
	{"  successfully saved checkpoint from iteration     100 to /out", "saved"},
	{"Model weights saved in /out/checkpoint-500/model.safetensors", "saved"},
	{"Checkpoint could not be saved", ""}, {"Saving checkpoint failed: disk full", ""}, {"Skipped saving checkpoint", ""},
	{"will be saved as checkpoint at the end", ""}, {"Restored the saved checkpoint", ""},
	{"Loading saved checkpoint from /out", ""},
	{"checkpoints are saved every 100 steps", ""}, {"activation checkpointing is on", ""},
	{"we don't think it saved a checkpoint", ""},
}
