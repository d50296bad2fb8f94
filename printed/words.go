package printed

import (
	"math"
	"strconv"
	"strings"
)

// readWords reads numbers that follow a word that says what they count.
func (s *seen) readWords(text string) {
	const most = 32
	ofPart := false
	var iters *Count
	defer func() {
		if iters != nil && s.epoch != nil && s.batch == nil && s.step == nil && s.whole == nil && s.form != "epochs" {
			s.step = iters // of the epoch that is named beside it; alone it may be an amount
		}
		if s.dropBatch(); ofPart && !s.counts() {
			s.mark |= aside
		}
	}()
	if evaluations[firstWord(text)] {
		s.mark |= aside
		return
	}
	from := 0
	for range most {
		at, word := nextWord(text, from)
		if word == nil {
			return
		}
		from = at + len(word.from)
		numbers, end, ok := word.at(text, at)
		if !ok {
			continue
		}
		end, rounded := inThousands(&numbers, text, end)
		from = end
		if strings.IndexByte(ends, text[end-1]) >= 0 {
			from-- // what ends one counter may begin the next
		}
		var one seen
		if !endsWell(text, end) || !one.take(word, numbers) {
			continue
		}
		if word.mark&atFirst != 0 && s.counts() {
			continue
		}
		label, bare := text[:at], numbers[slotEpochs]+numbers[slotBatches]+numbers[slotSteps]+numbers[slotWholes] == ""
		switch {
		case bare && word.name == "ep" && (plays(text) || strings.Contains(text, "epch")): // an episode
		case bare && one.step != nil && beginsList(text[at:end], text[end:]):
		case bare && one.epoch != nil && (isAmount(text[end:]) || isLength(label, text[at:end], text[end:])):
		case word.name == "epochs" && isUnit(label):
		case one.epoch != nil && besides(label, inner):
		case strings.HasSuffix(label, "/") && rated[lastWord(label[:at-1])]:
		case bare && one.batch != nil && besides(label, asides): // the batches of something else, which are not counted
		case besides(label, parts) && one.epoch == nil: // of a step, or how many parts it has
			ofPart = ofPart || !bare || word.mark&aside == 0
		case besides(label, asides):
			s.mark |= aside
		case refers(label, bare):
		case bare && word.name == "iters" && !besides(clauseOf(label), amounts):
			iters = one.step
		case bare && word.name == "epochs" && s.epoch != nil && s.epoch.Total == 0 && s.epoch.Done <= one.epoch.Done:
			s.epoch.Total = one.epoch.Done // as in epoch=3 epochs=10
		case bare && s.batch != nil && s.batch.Total == 0 && one.batch != nil && s.batch.Done <= one.batch.Done &&
			strings.HasPrefix(text[at:], "batches"):
			s.batch.Total = one.batch.Done // as in batch=45 batches=100
		case bare && roundPlans[word.name] != noPlan && !besides(clauseOf(label), amounts) && text[at+len(word.name)] != 's':
			s.round, s.rounds, s.form = one.step, roundPlans[word.name], word.name
		case bare && (word.mark&aside != 0 && (!mayCount(&one, word, label) || !result.MatchString(text[end:])) ||
			besides(clauseOf(label), amounts) || one.epoch != nil && anyOf(label, begins)):
		case !one.wholeNumbers() && (one.epoch == nil || bare && (besides(label, results) || isTime(label, text[end:]))):
		default:
			if one.epoch != nil {
				s.named, s.way = [2]int{at, end}, wayOf("epoch", label)
				s.mark &^= partly
				if strings.Contains(numbers[slotEpoch], ".") {
					s.mark |= partly
				}
			}
			if one.step != nil {
				s.begins, s.rounded = at, rounded
				if bare && from < len(text) {
					one.step.Total = totalBehind(text[from:], one.step.Done)
				}
			}
			s.merge(one, word.name)
		}
	}
}

// inThousands reads a count of steps that is written as thousands or millions, such as step:45K, as what it was when it
// turned to that: half of the last place before. It may be by as much as rounded more by now, and to is where it ends.
func inThousands(numbers *[slots]string, text string, end int) (to int, rounded float64) {
	count := numbers[slotStep]
	value, ok := number(count)
	if !ok || numbers[slotSteps] != "" || end == len(text) || !endsWell(text, end+1) ||
		!strings.HasSuffix(text[:end], count) {
		return end, 0
	}
	unit := map[byte]float64{'k': 1e3, 'm': 1e6}[text[end]]
	if unit == 0 {
		return end, 0
	}
	before := strings.TrimRight(text[:end-len(count)], " ")
	if !strings.HasSuffix(before, ":") && !strings.HasSuffix(before, "=") {
		return end, 0
	}
	_, places, _ := strings.Cut(count, ".")
	rounded = unit / math.Pow10(len(places))
	least := math.Floor(unit*value - rounded/2)
	if value >= 1 { // else what is less than a thousand is written like that, too
		least = max(unit, least)
	}
	numbers[slotStep] = strconv.FormatFloat(max(0, least), 'f', -1, 64)
	return end + 1, rounded
}

// mayCount says of a number without a total behind a word that may as well name an amount that it may count: an epoch,
// or an iteration at the beginning of a line.
func mayCount(one *seen, word *form, label string) bool {
	return one.epoch != nil || word.name == "it" && wordless(label) == ""
}

// plays says that a piece tells how a game was played.
func plays(text string) bool {
	return strings.Contains(text, "score") || strings.Contains(text, "reward") || strings.Contains(text, "return")
}

// dropBatch drops a batch that stands without an epoch and without how many there are: it may be a setting.
func (s *seen) dropBatch() {
	if s.batch != nil && s.batch.Total == 0 && s.epoch == nil {
		s.batch = nil
		if !s.counts() {
			s.form = ""
		}
	}
}

func lastWord(text string) string {
	begin := len(text)
	for begin > 0 && isLetter(text[begin-1]) {
		begin--
	}
	return text[begin:]
}

func firstWord(text string) string {
	end := 0
	for end < len(text) && isLetter(text[end]) {
		end++
	}
	return text[:end]
}

// wholeNumbers says whether all that is counted is whole: a share of an epoch may be one, and that of a step is a
// result.
func (s *seen) wholeNumbers() bool {
	for _, c := range []*Count{s.epoch, s.batch, s.step, s.whole} {
		if c != nil && c.Done != math.Trunc(c.Done) {
			return false
		}
	}
	return true
}

// namesCounts says whether a text names anything that is counted.
func namesCounts(text string) bool {
	for _, word := range []string{"epoch", "step", "iter", "batch", "round", "episode", "generation"} {
		if strings.Contains(text, word) {
			return true
		}
	}
	return false
}

// refers says whether what stands before a number says that the training is somewhere else: right before it, a word
// before that if nothing says of how many, or in the same clause, where the number stands behind "at" or in
// parentheses.
func refers(label string, bare bool) bool {
	clause := clauseOf(label)
	before := strings.TrimRight(clause, " ")
	from := lastWord(before) == "to" && strings.Contains(clause, "from ") // step 45 to step 1000
	return bare && (besides(clause, references) || ofBest(clause) || from) || references[lastWord(before)] ||
		(strings.HasSuffix(before, "(") || strings.HasSuffix(before, " at")) && anyOf(clause, references)
}

// ofBest says that a clause tells of what was best, as in "best model so far: epoch 2".
func ofBest(clause string) bool {
	clause = clause[strings.LastIndexByte(clause, ']')+1:]
	for word := range wordsBackwards(clause) {
		if word == "" || word == "best" {
			return word != ""
		}
	}
	return false
}

// totalBehind is up to what a step counts, where a total stands behind it, as in step=420 total=1000.
func totalBehind(text string, done float64) float64 {
	behind, ok := strings.CutPrefix(strings.TrimLeft(text, ` ,;|"'`), "total")
	if !ok {
		return 0
	}
	for _, unit := range []string{"_steps", "_step", "_iters", "_iterations"} {
		behind = strings.TrimPrefix(behind, unit)
	}
	behind = strings.TrimLeft(behind, `"' `)
	if behind == "" || behind[0] != '=' && behind[0] != ':' {
		return 0
	}
	behind = strings.TrimLeft(behind[1:], ` "'`)
	end := digits(behind, 0)
	total, ok := number(behind[:end])
	if !ok || total < done || !endsWell(behind, end) {
		return 0
	}
	return total
}

// clauseOf is the part of a text behind the last sign that parts clauses.
func clauseOf(text string) string { return text[strings.LastIndexAny(text, "|,;")+1:] }

// isTime says whether a number is how long something took, by its unit or by the clause before it, as in "time elapsed
// for the current epoch: 12.1".
func isTime(label, behind string) bool {
	switch firstWord(strings.TrimLeft(behind, " ")) {
	case "s", "ms", "sec", "secs", "seconds", "min", "mins", "minutes", "h", "hour", "hours", "days":
		return true
	}
	for word := range wordsBackwards(clauseOf(label)) {
		if word == "" || word == "time" {
			return word != ""
		}
	}
	return false
}

// isUnit says that a word is the unit of a number in a sentence before it, as in "training for 4 epochs (0/3)".
func isUnit(label string) bool {
	before := strings.TrimRight(label, " ")
	sentence := strings.TrimRight(before, "0123456789")
	return len(sentence) < len(before) && strings.HasSuffix(sentence, " ") &&
		lastWord(strings.TrimRight(sentence, " ")) != ""
}

// isAmount says by what stands behind the number of an epoch that it is how many there are of something, as in
// "remaining: 3 slices, epoch: 4 epochs".
func isAmount(behind string) bool {
	behind, ok := strings.CutPrefix(strings.TrimLeft(behind, " "), "epochs")
	return ok && (behind == "" || strings.IndexByte(" ,.;|)", behind[0]) >= 0)
}

// isLength says that an epoch is told to have as many steps as stands behind it, as in "1 epoch = 5000 iters". Without
// their unit it may as well be the epoch of the first of something, as in "rank 1 epoch=3".
func isLength(label, counter, behind string) bool {
	label = strings.TrimRight(label, " ")
	before, one := strings.CutSuffix(label, "1")
	return one && (before == "" || before[len(before)-1] == ' ') && strings.Contains(counter, "=") &&
		manySteps[firstWord(strings.TrimLeft(behind, " "))]
}

// nextWord finds the next word of a text that may be followed by a count.
func nextWord(text string, from int) (int, *form) {
	for i := from; i < len(text); i++ {
		if !first[text[i]] {
			continue
		}
		begins := i == 0 || !inWord(text[i-1])
		if begins || text[i-1] == '_' || text[i-1] == 'i' {
			for w := range words {
				if strings.HasPrefix(text[i:], words[w].from) && (begins || words[w].mark&aside == 0 && joins(text[:i])) {
					return i, &words[w]
				}
			}
		}
	}
	return 0, nil
}

// joins says whether a text ends with what may be joined with a word that counts, as in train_step.
func joins(text string) bool {
	begin := len(text)
	for begin > 0 && inWord(text[begin-1]) {
		begin--
	}
	return begin < len(text) && joinable[text[begin:]]
}

// ends are what may stand behind a number.
const ends = ")]}|\"'` \t"

// first are the bytes that one of the words begins with.
var first = func() (is [256]bool) {
	for _, word := range words {
		is[word.from[0]] = true
	}
	return is
}()

// leastRow is how long a row of signs is at least that stands around a title.
const leastRow = 3

// endsWell says whether a number ends where a pattern has ended, and is not part of a date, version or path.
func endsWell(text string, end int) bool {
	if end == len(text) {
		return true
	}
	switch b := text[end]; b {
	case '.', ',', ':', ';':
		return end+1 == len(text) || text[end+1] < '0' || text[end+1] > '9'
	case '-', '=', '*', '#': // a row of them
		return strings.HasPrefix(text[end:], strings.Repeat(string(b), leastRow))
	default:
		return strings.IndexByte(ends, b) >= 0
	}
}

// beginsList says that a number is the first of several in brackets, such as of the epoch and the batch.
func beginsList(number, behind string) bool {
	behind, more := strings.CutPrefix(behind, ",")
	behind = strings.TrimLeft(behind, " ")
	return more && strings.ContainsAny(number, "[(") && digits(behind, 0) > 0
}
