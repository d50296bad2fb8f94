package progress

import (
	"encoding/json"
	"math"
	"regexp"
	"strconv"
	"strings"
)

// A line of a training's output may count in these forms, anywhere in the line:
//
//	42%|████▏     | 420/1000 [00:10<00:15, 38.1it/s]    a bar of tqdm; before it, what it counts
//	128/1563 [==>...........] - ETA: 9s                 Keras, at the beginning of the line
//	step 420/1000   Step: 420 of 1000   [iter 420/1000] a word and a number, and what it counts up to
//	epoch 3/10   Epoch [3/10], Step [420/1000]          likewise, for epochs
//	Epoch: [3][420/1000]                                epochs from 0, and batches
//	step 420   epoch 3                                  where spec.progress.total says the rest
//	{"step": 420, "total_steps": 1000}                  JSON, with the names below
//
// What counts something else, such as a bar of a validation or a download, is passed over.
var (
	number  = `([0-9]{1,15}(?:[.][0-9]{1,12})?)`
	counter = regexp.MustCompile(`(?i)\b(?:global[ _])?(step|iteration|iter|epoch)(s?)\b["'\]]?\s{0,3}[:=#]?\s{0,3}[\[(]?\s{0,8}` + number +
		`(?:\s{0,3}(?:/|\bof\b)\s{0,8}` + number + `)?(?:[.,:;](?:[^0-9]|$)|[)\]}|"'\s]|$)`)
	bar = regexp.MustCompile(`([0-9]{1,3})%\|[^|]{0,400}\|\s{0,8}([0-9]{1,15}(?:[.][0-9]{1,12})?)([kMGT]?)[A-Za-z]{0,16}/` +
		`([0-9]{1,15}(?:[.][0-9]{1,12})?)([kMGT]?)[A-Za-z]{0,16}\s\[([^\]]{0,400})`)
	keras       = regexp.MustCompile(`^\s{0,8}` + number + `/` + number + `\s{1,3}(?:\[[=>.]{1,200}\]|[━╸╺]{1,200})`)
	fromZero    = regexp.MustCompile(`(?i)\bepoch:?\s{0,3}\[\s{0,8}([0-9]{1,15})\]\s{0,3}\[\s{0,8}` + number + `/` + number + `\]`)
	lastWord    = regexp.MustCompile(`([\pL]+)[^\pL]{0,3}$`)
	control     = regexp.MustCompile("\x1b\\[[0-9;?]{0,16}[A-Za-z]")
	measured    = regexp.MustCompile(`(?i)\b\w{0,32}(?:loss|acc|accuracy)\b`)
	saved       = regexp.MustCompile(`(?i)\b(?:saved|saving|wrote|writing)\b.{0,60}\bcheckpoint|\bcheckpoint\b.{0,200}\b(?:saved|written)\b`)
	notSaved    = regexp.MustCompile(`(?i)\b(?:not|no|never|cannot|could|skip\w*|unable|will|would|without|if|before|restor\w*|load\w*|resum\w*|every)\b|n't\b`)
	failed      = regexp.MustCompile(`(?i)\b(?:fail\w*|error\w*|exception)\b`)
	bytesASpeed = regexp.MustCompile(`[0-9?][kMGT]?i?B/s`)
)

// aside are words before a counter which say that it does not count the training.
var aside = map[string]bool{
	"eval": true, "evaluation": true, "evaluating": true, "evaluate": true, "validation": true, "validating": true,
	"validate": true, "valid": true, "val": true, "test": true, "testing": true, "predict": true, "predicting": true,
	"prediction": true, "download": true, "downloading": true, "loading": true, "map": true, "tokenizing": true,
	"processing": true, "preprocessing": true, "generating": true, "filter": true, "fetching": true, "extracting": true,
	"extraction": true, "warmup": true, "warming": true, "shards": true, "files": true, "sampling": true, "sanity": true,
	"checking": true, "datasets": true, "dataset": true, "compiling": true, "substep": true, "sub": true, "micro": true,
}

// amounts are words before a number without a total which say that it is itself an amount.
var amounts = map[string]bool{
	"total": true, "max": true, "num": true, "number": true, "per": true, "every": true, "save": true, "log": true,
	"logging": true, "accumulation": true, "optimization": true, "until": true, "next": true, "best": true,
}

const (
	// A longer piece of a line is not looked at.
	maxPiece = 8 << 10
	// maxCount is the most that is counted: above it, floats skip numbers.
	maxCount = 1 << 53
)

// count is how far something is. Total is 0 where it is not said.
type count struct{ done, total float64 }

// counts are what one piece of a line says.
type counts struct {
	epoch, step count
	hasEpoch    bool
	hasStep     bool
	batches     bool // step counts within an epoch
	zeroBased   bool // the first epoch is 0
	over        bool // the epoch is over, as its results tell
	saved       bool // the state was saved
}

// readPiece reads a piece of a line, up to a carriage return. There are many: an expression is only asked where a part of it
// is found that it cannot do without.
func readPiece(text string) counts {
	if len(text) > maxPiece {
		return counts{}
	}
	if strings.Contains(text, "\x1b") {
		text = control.ReplaceAllString(text, "")
	}
	lower := strings.ToLower(text)
	c := counts{saved: strings.Contains(lower, "checkpoint") && tellsSaved(text)}
	if c.readJSON(text) {
		return c
	}
	epochs := strings.Contains(lower, "epoch")
	if epochs {
		if match := fromZero.FindStringSubmatch(text); match != nil {
			c.epoch, c.hasEpoch = counted(match[1], "")
			c.step, c.hasStep = counted(match[2], match[3])
			c.zeroBased, c.batches = true, true
			return c
		}
	}
	if strings.ContainsAny(text, "[━╸╺") {
		if match := keras.FindStringSubmatch(text); match != nil {
			c.step, c.hasStep = counted(match[1], match[2])
			c.batches = true
			return c
		}
	}
	if strings.Contains(text, "%|") {
		if at := bar.FindStringIndex(text); at != nil {
			c.readBar(text[:at[0]], bar.FindStringSubmatch(text))
			return c
		}
	}
	if epochs || strings.Contains(lower, "step") || strings.Contains(lower, "iter") {
		c.readWords(text)
	}
	c.over = c.hasEpoch && measured.MatchString(text)
	return c
}

// tellsSaved says whether a piece tells that the state was saved.
func tellsSaved(text string) bool {
	at := saved.FindStringIndex(text)
	// Behind it may be the path of the checkpoint, with any word in it.
	return at != nil && !notSaved.MatchString(text[:at[1]]) && !failed.MatchString(text)
}

// readBar reads a bar of tqdm and what is written before it.
func (c *counts) readBar(label string, match []string) {
	if besides(label, aside) || bytesASpeed.MatchString(match[6]) {
		return
	}
	done, ok := scaled(match[2], match[3])
	total, fine := scaled(match[4], match[5])
	percent, err := strconv.ParseFloat(match[1], 64)
	// What the bar says twice must agree, up to the rounding of large numbers.
	if !ok || !fine || err != nil || total == 0 || done > total || math.Abs(100*done/total-percent) > 1.5 {
		return
	}
	c.readWords(label)
	// With an epoch before it the bar is of that epoch; Lightning counts these from 0.
	c.batches, c.zeroBased = c.hasEpoch, c.hasEpoch && c.epoch.total == 0
	c.step, c.hasStep = count{done, total}, true
}

// readWords reads numbers that follow a word that says what they count.
func (c *counts) readWords(text string) {
	for from := 0; from < len(text); {
		at := counter.FindStringSubmatchIndex(text[from:])
		if at == nil {
			return
		}
		part := func(i int) string { return text[from+at[2*i] : from+at[2*i+1]] }
		word, plural, done, total, end := strings.ToLower(part(1)), part(2) != "", part(3), "", at[7]
		if at[8] >= 0 {
			total, end = part(4), at[9]
		}
		label := text[:from+at[0]]
		from += end // what ends one counter may begin the next
		found, ok := counted(done, total)
		if !ok || besides(label, aside) || total == "" && (plural || besides(label, amounts)) {
			continue
		}
		if word == "epoch" {
			c.epoch, c.hasEpoch = found, true
		} else {
			c.step, c.hasStep = found, true
		}
	}
}

// The names of counts in JSON.
var (
	jsonSteps       = []string{"step", "global_step", "steps", "iteration", "iter"}
	jsonTotalSteps  = []string{"total_steps", "max_steps", "total_iterations", "max_iters", "total"}
	jsonEpochs      = []string{"epoch"}
	jsonTotalEpochs = []string{"total_epochs", "num_epochs", "max_epochs"}
)

// readJSON says whether the piece is a JSON object that counts.
func (c *counts) readJSON(text string) bool {
	text = strings.TrimSpace(text)
	if !strings.HasPrefix(text, "{") {
		return false
	}
	var object map[string]json.RawMessage
	if json.Unmarshal([]byte(text), &object) != nil {
		return false
	}
	find := func(names []string) string {
		for _, name := range names {
			if value, ok := object[name]; ok {
				return strings.Trim(string(value), `"`)
			}
		}
		return ""
	}
	c.step, c.hasStep = counted(find(jsonSteps), find(jsonTotalSteps))
	c.epoch, c.hasEpoch = counted(find(jsonEpochs), find(jsonTotalEpochs))
	// A part of an epoch can only be one that is done.
	c.zeroBased = c.epoch.done != math.Trunc(c.epoch.done)
	c.over = c.hasEpoch && !c.zeroBased && measured.MatchString(text)
	if c.hasStep && c.step.total > 0 {
		c.hasEpoch = false // steps are finer, and here count the whole
	}
	return c.hasStep || c.hasEpoch
}

// counted reads a count, with what it counts up to or without.
func counted(done, total string) (count, bool) {
	if !annotationNumber.MatchString(done) {
		return count{}, false
	}
	d, err := strconv.ParseFloat(done, 64)
	if err != nil || d > maxCount {
		return count{}, false
	}
	if !annotationNumber.MatchString(total) {
		return count{done: d}, total == "" || total == "null"
	}
	t, err := strconv.ParseFloat(total, 64)
	return count{d, t}, err == nil && t > 0 && t <= maxCount && d <= t
}

// scaled reads a number as tqdm shortens it.
func scaled(text, suffix string) (float64, bool) {
	value, err := strconv.ParseFloat(text, 64)
	for _, unit := range []string{"", "k", "M", "G", "T"} {
		if unit == suffix {
			break
		}
		value *= 1000
	}
	return value, err == nil && value <= maxCount
}

// besides says whether the last word before a counter is one of these.
func besides(label string, words map[string]bool) bool {
	if len(label) > 64 {
		label = label[len(label)-64:]
	}
	match := lastWord.FindStringSubmatch(label)
	return match != nil && words[strings.ToLower(match[1])]
}
