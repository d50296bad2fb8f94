package habit

import (
	"fmt"
	"math"
	"time"
)

// tell is what a training says of how far it is, if it is time to.
func (l *Life) tell() (lines []string) {
	l.told += time.Second
	epoch := int(l.Steps / l.Total * float64(max(l.Epochs, 1)))
	tells := l.Tells
	if l.Seldom > 0 && l.ran > 10*time.Minute {
		tells = l.Seldom
	}
	due := l.Tells > 0 && l.told >= tells && !l.resting && l.saving <= 0
	due = due || l.Each && epoch > l.epoch && l.epoch >= 0
	if l.Each {
		l.epoch = epoch
	}
	if !due {
		return nil
	}
	l.told = 0
	said := l.says(epoch)
	if n := l.Folds; n > 0 {
		if at := min(n, 1+int(l.Steps/l.Total*float64(n))); at != l.fold {
			l.fold = at
			lines = append(lines, fmt.Sprintf("===== Fold %d/%d =====", at, n))
		}
	}
	if l.Says == "keras" {
		if epoch != l.fold {
			l.fold = epoch
			lines = append(lines, fmt.Sprintf("Epoch %d/%d", epoch+1, l.Epochs))
		}
	}
	for range max(l.Burst, 1) {
		lines = append(lines, said)
	}
	if l.Twice {
		lines = append(lines, said)
	}
	if l.Late && l.kept != "" {
		lines = append(lines, l.kept)
	}
	l.kept = said
	return lines
}

// says is how far a training is, in its own words.
func (l *Life) says(epoch int) string {
	total, done := l.Total, l.Steps
	if l.Revised > 0 && l.Steps < l.Total/2 {
		total = l.Total / l.Revised
	}
	if l.Anew {
		done, total = done-l.began, total-l.began
	}
	if l.Divides {
		done, total = done/float64(max(l.Among, 1)), total/float64(max(l.Among, 1))
	}
	if l.Stops > 0 {
		total /= l.Stops
	}
	if l.Folds > 0 {
		total /= float64(l.Folds)
		done = math.Mod(done, total)
	}
	if l.CountsOn {
		done, total = done/float64(max(l.Among, 1)), total/float64(max(l.Among, 1))
	}
	if said := l.saysOdd(done, total); said != "" {
		return said
	}
	if l.KnowsLate && l.Steps < l.Total/float64(l.Epochs) {
		return fmt.Sprintf("step %d loss=0.42 lr=0.001", int(done))
	}
	each := total / float64(max(l.Epochs, 1))
	switch l.As {
	case Percents:
		return fmt.Sprintf("%d%%", int(100*done/total))
	case PerEpoch:
		return fmt.Sprintf("Epoch [%d/%d], Step [%d/%d], Loss: 0.42", epoch+1, l.Epochs,
			int(done-float64(epoch)*each), int(each))
	case EpochsAlone:
		return fmt.Sprintf("Epoch %d/%d loss=0.42", epoch, l.Epochs)
	case StepsAlone, WithoutTotal:
		return fmt.Sprintf("step %d loss=0.42 lr=0.001", int(done))
	default:
		return fmt.Sprintf("step %d/%d loss=0.42 lr=0.001", int(done), int(total))
	}
}

// Note is what a line says, in the words of the annotation takt.dev/progress.
func Note(line string) string {
	var done, total int
	if n, _ := fmt.Sscanf(line, "step %d/%d", &done, &total); n == 2 {
		return fmt.Sprintf("%d/%d steps", done, total)
	}
	return line
}
