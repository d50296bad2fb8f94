package printed

import (
	"encoding/json"
	"math"
	"strings"
)

// readJSON says whether the piece is a JSON object that counts.
func (s *seen) readJSON(text string) bool {
	text = strings.TrimSpace(text)
	if at := strings.Index(text, "{"); at > 0 && strings.HasPrefix(text[at:], `{"`) && endsPrefix(text[:at]) {
		if anyOf(text[:at], asides) {
			*s = seen{form: "JSON", mark: aside, saved: s.saved, process: s.process}
			return true
		}
		text = text[at:]
	}
	if !strings.HasPrefix(text, "{") || !strings.HasSuffix(text, "}") || !strings.Contains(text, `"`) {
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
	for _, name := range jsonPhases {
		if phase := strings.Trim(string(object[name]), `"`); asides[phase] {
			*s = seen{form: "JSON", mark: aside, saved: s.saved, process: s.process}
			return true
		}
	}
	if list, ok := object["step"]; ok && list[0] == '[' {
		s.readPlace(list)
		return true
	}
	step, hasStep := counted(find(jsonSteps), find(jsonTotalSteps))
	epoch, hasEpoch := counted(find(jsonEpochs), find(jsonTotalEpochs))
	if !hasStep && !hasEpoch {
		return false
	}
	batch, hasBatch := counted(find(jsonBatches), find(jsonAllBatches))
	within := hasStep || hasBatch
	if steps, ok := counted(find(jsonStepsOfEpoch), ""); ok {
		s.planned.ofEpoch = steps.Done
		if hasEpoch && hasStep && step.Total == 0 {
			batch, hasBatch = inEpoch(step.Done, steps.Done)
			hasStep = false
		}
	}
	s.form = "JSON"
	if hasStep {
		s.step = &step
		if step.Total > 0 && epoch.Total > 1 && epoch.Done == math.Trunc(epoch.Done) {
			s.epoch = &epoch
			return true // of it, or of the whole
		}
		if step.Total > 0 {
			s.step, s.whole = nil, &step
			return true // steps are finer, and here count the whole
		}
	}
	if hasEpoch {
		s.epoch = &epoch
		if hasBatch && !hasStep {
			s.batch = &batch
		}
		// A part of an epoch can only be one that is done.
		switch {
		case epoch.Done != math.Trunc(epoch.Done):
			s.mark |= partly
		case measured(text) && within:
			s.mark, s.closes = s.mark|mayEnd, lettersOf(text)
		case measured(text):
			s.mark, s.closes = s.mark|ended, lettersOf(text)
		}
	}
	return true
}

// inEpoch is a step of an epoch of so many, whether it is counted from the beginning of that or of the training: not
// where it may be the last of one epoch or the first of the next.
func inEpoch(step, steps float64) (Count, bool) {
	batch := Count{math.Mod(step, steps), steps}
	return batch, batch.Done > 0
}

// readPlace reads where a training is that logs it as a list: the epoch, from 0, and the batch in it. One number alone
// may be either of them.
func (s *seen) readPlace(list json.RawMessage) {
	first, second, two := strings.Cut(strings.Trim(string(list), "[]"), ",")
	epoch, ok := counted(strings.TrimSpace(first), "")
	batch, fine := counted(strings.TrimSpace(second), "")
	if s.form = "JSON"; two && ok && fine {
		s.epoch, s.batch, s.mark = &epoch, &batch, fromZero
	}
}

// endsPrefix says that what a logger puts before a line may end here: with a sign, or behind its first word.
func endsPrefix(text string) bool {
	text = strings.TrimRight(text, " ")
	if word := lastWord(text); word == text {
		return !references[word]
	}
	return text != "" && strings.IndexByte("-:]|>", text[len(text)-1]) >= 0
}
