package metrics

import (
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/takt-dev/takt/agent/contract"
	"github.com/takt-dev/takt/agent/known"
)

// Write writes all metrics of which something is known.
func Write(to io.Writer, v known.View) error {
	var e exposition
	if v.Pod != "" {
		e.labelled(contract.MetricPod, "The pod that it is in.", contract.PodLabel, v.Pod, "1")
	}
	if v.Source != "" {
		e.labelled(contract.MetricDone, "What is done, in the unit that is named.", contract.UnitLabel, v.Progress.Unit,
			number(v.Progress.Done))
		e.count(contract.MetricTotal, "What there is to do in all.", v.Progress.Total)
		e.moment(contract.MetricDoneAt, "When the progress was last told.", v.Progress.At)
		e.labelled(contract.MetricSource, "Who tells the progress.", contract.SourceLabel, string(v.Source), "1")
	}
	e.moment(contract.MetricSavedAt, "When the training last saved its state.", v.SavedAt)
	e.flag(contract.MetricWaiting, "Whether the start barrier is waited for.", v.Waiting)
	e.moment(contract.MetricStartedAt, "When the training was started.", v.StartedAt)
	e.flag(contract.MetricDraining, "Whether the training is known to leave, so that an exit with 0 is one with 143.",
		v.Draining)
	e.flag(contract.MetricSavePossible, "Whether somebody can be asked for a checkpoint.", v.SavePossible)
	e.count(contract.MetricSaveRead, "The newest request for a checkpoint that was read.", float64(v.SaveRead))
	e.count(contract.MetricSaveAnswered, "The newest request that was handed to the training.", float64(v.SaveAnswered))
	e.moment(contract.MetricSaveAnsweredAt, "When it was handed to the training.", v.AnsweredAt)
	e.count(contract.MetricSaveDeclined, "The newest request that could not be handed to anybody.",
		float64(v.SaveDeclined))
	e.count(contract.MetricAsideRead, "The newest request to step aside that was read.", float64(v.AsideRead))
	e.count(contract.MetricAsideOver, "The newest request to step aside that is over.", float64(v.AsideOver))
	e.count(contract.MetricAsideTook, "How long it took until the others had forgotten it.", v.AsideTook.Seconds())
	e.counter(contract.MetricLines, "Lines of output.", v.Lines)
	e.counter(contract.MetricLinesSkipped, "Lines of output that nobody looked at, as there were too many.",
		v.LinesSkipped)
	_, err := io.WriteString(to, e.text.String())
	return err
}

type exposition struct{ text strings.Builder }

func (e *exposition) sample(name, kind, help, labels, value string) {
	fmt.Fprintf(&e.text, "# HELP %s %s\n# TYPE %s %s\n%s%s %s\n", name, help, name, kind, name, labels, value)
}

// labelled writes a sample with a label. Its value has nothing in it that would have to be escaped.
func (e *exposition) labelled(name, help, label, of, value string) {
	e.sample(name, "gauge", help, fmt.Sprintf("{%s=%q}", label, of), value)
}

func (e *exposition) counter(name, help string, value uint64) {
	e.sample(name, "counter", help, "", strconv.FormatUint(value, 10))
}

// count leaves out what is not known.
func (e *exposition) count(name, help string, value float64) {
	if value != 0 {
		e.sample(name, "gauge", help, "", number(value))
	}
}

// moment leaves out what has never been.
func (e *exposition) moment(name, help string, at time.Time) {
	if !at.IsZero() {
		e.sample(name, "gauge", help, "", strconv.FormatFloat(float64(at.UnixMicro())/1e6, 'f', 6, 64))
	}
}

func (e *exposition) flag(name, help string, set bool) {
	value := "0"
	if set {
		value = "1"
	}
	e.sample(name, "gauge", help, "", value)
}

// number writes whole numbers as such: 1795543200123, and not 1.795543200123e+12.
func number(value float64) string { return strconv.FormatFloat(value, 'f', -1, 64) }
