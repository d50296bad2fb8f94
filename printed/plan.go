package printed

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
	"unicode"
)

// showsSettings says that a text shows the settings of a program as Python prints an object that holds them, such as
// Namespace(epoch=100, …) for those of its command line.
func showsSettings(text string) bool {
	for rest := text; ; {
		before, behind, ok := strings.Cut(rest, "(")
		if !ok {
			return false
		}
		name, setting := lastWord(before), firstWord(behind)
		follows := behind[len(setting):]
		if setting != "" && (strings.HasPrefix(follows, "=") || strings.HasPrefix(follows, "_")) &&
			slices.ContainsFunc(holders, func(end string) bool { return strings.HasSuffix(name, end) }) {
			return true
		}
		rest = behind
	}
}

// readSettings reads such settings: they count nothing. Those of a command line may say how much there is to do in the
// words of its options.
func (s *seen) readSettings(text string) {
	s.settings = strings.Contains(text, "namespace(")
	s.readPlan(text)
	if s.planned = s.planned.or(s.optional); s.planned.Steps > 0 {
		s.words = wordsOf(text)
	}
}

// isPath says that a word is the path of a setting, as in "solver.max_iter 1000".
func isPath(word string) bool {
	dot := strings.LastIndexByte(word, '.')
	return dot > 0 && settings[word[dot+1:]] != noPlan
}

// readPlan reads settings that say how much there is to do, such as epochs=90 or max_steps: 1000.
func (s *seen) readPlan(text string) {
	if strings.Contains(text, "stopped: `max_steps") {
		return // that may have been a search for the learning rate
	}
	if strings.Contains(text, "total ") && !plays(text) {
		s.planned.Steps = amountBehind(text, totalOf)
	}
	if saysTraining(text) {
		if match := trainingFor.FindStringSubmatch(text); match != nil && match[4] == "" {
			value, _ := amount(match[1] + match[3])
			s.inSentence = true
			s.planned.set(settingsInWords[cmp.Or(strings.ReplaceAll(match[2], "(s)", "s"), "epochs")], value)
		}
	}
	if strings.HasPrefix(text, "# epoch") {
		if match := ofChainer.FindStringSubmatch(text); match != nil {
			s.planned.Epochs, _ = amount(match[1])
			s.epoch = nil // which it is not in
		}
	}
	if strings.Contains(text, "max_duration") {
		if match := maxDuration.FindStringSubmatch(text); match != nil {
			value, _ := amount(match[1])
			s.planned.set(map[string]plan{"ep": planEpochs, "ba": planSteps}[match[2]], value)
		}
	}
	if strings.Contains(text, "iter") || strings.Contains(text, "main loop") || strings.Contains(text, ": total_step ") {
		if match := inWords.FindStringSubmatch(text); match != nil {
			s.planned.Steps, _ = amount(strings.Join(match[1:], ""))
		}
	}
	if strings.Contains(text, "totalling ") {
		if match := fits.FindStringSubmatch(text); match != nil {
			value, _ := amount(match[1])
			s.planned.set(planRuns, value)
		}
	}
	s.readExamples(text)
	s.readStepsOfEpoch(text)
	if strings.Contains(text, "/micro_step=") {
		if match := microSteps.FindStringSubmatch(text); match != nil {
			s.micro.Done, _ = number(match[1])
			s.micro.Total, _ = number(match[2])
		}
	}
	for from := 0; from < len(text); {
		i := strings.IndexAny(text[from:], "=:.|,")
		if i < 0 {
			return
		}
		sign := from + i
		from = sign + 1
		// Megatron puts a row of dots behind a name.
		if text[sign] == '.' {
			if !strings.HasPrefix(text[sign:], "...") {
				continue
			}
			for from < len(text) && text[from] == '.' {
				from++
			}
		}
		if !assigns(text, sign) {
			continue
		}
		of, option := s.planOf(text[:sign])
		if of == noPlan || isOff(text[:sign]) {
			continue
		}
		if of == planOnePass {
			one := (s.command || strings.ContainsAny(text[:sign], "({")) && digits(strings.TrimLeft(text[from:], " \"'"), 0) > 0
			s.planned.single = s.planned.single || one
			continue
		}
		if value, ok := amount(text[from:]); ok {
			in := &s.planned
			if option {
				in = &s.optional
			}
			before := *in
			in.set(of, value)
			s.unclear = s.unclear || s.command && (before.Steps > 0 && before.Steps != in.Steps ||
				before.Epochs > 0 && before.Epochs != in.Epochs && before.ends == in.ends)
		}
	}
}

// saysTraining says that a text may say in a sentence how much is trained.
func saysTraining(text string) bool {
	return strings.Contains(text, "train ") ||
		strings.Contains(text, "ing ") && (strings.Contains(text, "training ") || strings.Contains(text, "tuning "))
}

// assigns says whether a sign stands between a setting and its value: a bar in a row of a table, where the name is none
// that a count may have, and a comma in a pair as Python prints it.
func assigns(text string, sign int) bool {
	switch before := strings.TrimRight(text[:sign], " "); text[sign] {
	case '|':
		begin := strings.LastIndexByte(before, '|')
		return begin >= 0 && (strings.Contains(before[begin:], "max_") || strings.Contains(before[begin:], "num_train_"))
	case ',':
		return strings.HasSuffix(before, "'") && strings.Contains(before, "('")
	}
	return true
}

// readExamples reads how many examples there are, and how many of them go through at each step.
func (s *seen) readExamples(text string) {
	if strings.Contains(text, "num examples = ") {
		s.planned.examples = amountBehind(text, examplesInAll)
	}
	if strings.Contains(text, endless) {
		s.planned.Epochs = 1 // it ends by its steps, and takes all of them for one epoch
	}
	if strings.Contains(text, "batch size") {
		s.planned.batch = amountBehind(text, examplesOfStep)
	}
}

// readStepsOfEpoch reads how many steps an epoch has.
func (s *seen) readStepsOfEpoch(text string) {
	said := func(words string) bool { return strings.Contains(text, words) }
	if !slices.ContainsFunc(ofEpoch, said) {
		return
	}
	if at := stepsOfEpoch.FindStringIndex(text); at != nil && !besides(text[:at[0]], asides) &&
		!notOfAll[lastWord(strings.TrimRight(text[:at[0]], " "))] {
		s.planned.ofEpoch, _ = amount(text[at[1]:])
		return
	}
	if at := stepsOfOne.FindStringSubmatchIndex(text); at != nil && !besides(text[:at[0]], asides) {
		s.planned.ofEpoch, _ = amount(text[at[2]:at[3]])
		return
	}
	if at := stepsBefore.FindStringSubmatchIndex(text); at != nil && !anyOf(text[:at[2]], asides) &&
		!besides(text[:at[2]], notPlanned) {
		s.planned.ofEpoch, _ = amount(text[at[2]:at[3]])
	}
}

// amountBehind reads the number behind what a pattern finds; 0 if there is none.
func amountBehind(text string, pattern *regexp.Regexp) float64 {
	at := pattern.FindStringIndex(text)
	if at == nil {
		return 0
	}
	value, _ := amount(text[at[1]:])
	return value
}

// isOff says that a setting is one of several of something that is off, as {'enabled': false, 'num_epochs': 1000}.
func isOff(before string) bool {
	const most = 256
	before = before[max(0, len(before)-most):]
	within := before[strings.LastIndexByte(before, '{')+1:]
	_, value, found := strings.Cut(within, "enabled")
	return found && strings.HasPrefix(strings.TrimLeft(value, `"' :=`), "false")
}

// planOf says what a setting is that a text ends with, and whether that is so among options alone.
func (s *seen) planOf(text string) (of plan, option bool) {
	text = strings.TrimRight(inOneLanguage(text), ` "'`)
	begin := len(text)
	for begin > 0 && len(text)-begin < labelBytes && (inWord(text[begin-1]) || text[begin-1] == '-') {
		begin--
	}
	name := strings.TrimLeft(strings.ReplaceAll(text[begin:], "-", "_"), "_")
	of = settings[name]
	for _, more := range []map[string]plan{passSettings, roundSettings} {
		if of == noPlan {
			of = more[name]
		}
	}
	if of == noPlan && !s.command {
		of = printedRounds[name]
	}
	if of == noPlan && (s.command || s.settings && options[name] == planEpochs) {
		of, option = options[name], true
	}
	if of == noPlan && name == "steps" && ofOwner(text[:begin]) {
		of = planSteps
	}
	if of != noPlan {
		if besides(text[:begin], notPlanned) || anyOf(text[:begin], evaluators) {
			return noPlan, false
		}
		if of == planEpochs && besides(text[:begin], schedules) {
			return planScheduled, false
		}
		return of, option
	}
	// Total optimization steps = 1,000
	of = settingsInWords[name]
	if of == noPlan || !besides(text[:begin], plans) {
		return noPlan, false
	}
	return of, false
}

// ofOwner says that what stands before the name of a setting says whose it is, as in cfg.steps=1000.
func ofOwner(before string) bool {
	before, owned := strings.CutSuffix(before, ".")
	name := lastWord(before)
	of := strings.TrimSuffix(before, name)
	return owned && owners[name] && (of == "" || of[len(of)-1] != '.' && !inWord(of[len(of)-1]))
}

// inOneLanguage cuts off what a setting is called in another language, as in "total steps / ステップ数".
func inOneLanguage(text string) string {
	text = text[max(0, len(text)-2*labelBytes):]
	before, behind, found := strings.Cut(text, " / ")
	if found && strings.ContainsFunc(behind, func(r rune) bool { return r > unicode.MaxASCII }) {
		return before
	}
	return text
}

// amount reads a whole number at the beginning of a text, also with commas or with nothing behind its point.
func amount(text string) (float64, bool) {
	text = strings.TrimLeft(text, " \t\"'")
	end := 0
	for end < len(text) && (text[end] >= '0' && text[end] <= '9' || text[end] == ',' && threeDigits(text[end+1:])) {
		end++
	}
	value, ok := number(strings.ReplaceAll(text[:end], ",", ""))
	if strings.HasPrefix(text[end:], ".0") {
		end += 2
	}
	return value, ok && value > 0 && value <= maxCount && endsWell(text, end)
}

func threeDigits(text string) bool {
	for i := range 3 {
		if i >= len(text) || text[i] < '0' || text[i] > '9' {
			return false
		}
	}
	return len(text) == 3 || text[3] < '0' || text[3] > '9'
}
