package main

import (
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/cli/show"
)

// canvas is what is drawn on.
type canvas struct {
	width  int
	colour bool
}

// plainWidth is the width of lines where there is no terminal to be filled.
const plainWidth = 1 << 20

func canvasOf(screen *show.Screen) canvas {
	width, live := screen.Width()
	if !live {
		return canvas{width: plainWidth}
	}
	return canvas{width: width, colour: screen.Colour()}
}

// table draws a scene: who has the GPUs, and how the jobs are doing. No line is longer than the
// canvas is wide.
func (c canvas) table(s scene) []string {
	lines := []string{"", c.clip(fmt.Sprintf("%5s  A letter is a GPU of that job, a small one where a worker "+
		"comes or goes", brief(s.at.Sub(s.begun))))}
	lines = append(lines, c.gpus(s.nodes)...)
	bar := 6
	if c.width >= 100 {
		bar = 26
	}
	lines = append(lines, c.clip(fmt.Sprintf("%-11s %-8s %-*s %-9s %-9s %-10s %s",
		"JOB", "WORKERS", bar+5, "PROGRESS", "DEADLINE", "EXPECTED", "VERDICT", "RESIZES, PAUSES")))
	for i, j := range s.jobs {
		lines = append(lines, c.row(s, i, j, bar))
	}
	return lines
}

// gpus is the map of the GPUs, with as many nodes in a line as there is room for.
func (c canvas) gpus(nodes []node) []string {
	var lines []string
	line := ""
	for _, n := range nodes {
		if line != "" && utf8.RuneCountInString(line)+1+len(n.gpus) > c.width {
			lines, line = append(lines, line), ""
		}
		line = strings.TrimPrefix(line+" "+string(n.gpus), " ")
	}
	return append(lines, line, "")
}

func (c canvas) row(s scene, index int, j job, bar int) string {
	size, deadline, expected, resizes := "-", "-", "-", "-"
	if j.elastic != nil && !j.finished() {
		size = sizeOf(j)
		if left, ok := s.until(j.elastic.Status.Deadline); ok {
			deadline = from(left)
		}
		if left, ok := s.until(j.elastic.Status.Prediction.ETA); ok {
			expected = from(left)
		}
	}
	if n := len(j.resizes); n > 0 {
		resizes = fmt.Sprint(n)
		if pauses := j.pauses(); pauses > 0 {
			resizes += fmt.Sprintf(", %.1fs", pauses.Seconds())
		}
	}
	verdict := fmt.Sprintf("%-10s", j.verdict())
	filled := int(j.done*float64(bar) + 0.5)
	progress := strings.Repeat("#", filled) + strings.Repeat("-", bar-filled) + fmt.Sprintf(" %3.0f%%", 100*j.done)
	line := fmt.Sprintf("%c %-9s %-8s %s %-9s %-9s %s %s", letter(index, true), j.name, size, progress, deadline, expected,
		verdict, resizes)
	return strings.Replace(c.clip(line), verdict, c.paint(j.verdict(), verdict), 1)
}

// sizeOf is how many workers run, of how many there may be; while that changes, also how many there
// will be.
func sizeOf(j job) string {
	w := j.elastic.Status.Workers
	if n := len(j.resizes); n > 0 && !j.resizes[n-1].Over() {
		r := j.resizes[n-1].Spec
		return fmt.Sprintf("%d>%d/%d", r.From, r.To, w.Max)
	}
	return fmt.Sprintf("%d/%d", w.Running, w.Max)
}

// from is a moment as it is reckoned from now.
func from(left time.Duration) string {
	if left < 0 {
		return brief(-left) + " ago"
	}
	return "in " + brief(left)
}

// clip cuts what does not fit.
func (c canvas) clip(line string) string {
	line = strings.TrimRight(line, " ")
	if utf8.RuneCountInString(line) <= c.width {
		return line
	}
	return string([]rune(line)[:c.width])
}

// told is a piece of news, in as many lines as it takes.
func (c canvas) told(n item) []string {
	const indent = 16
	says := n.says
	if n.mark != "" {
		says = string(n.mark) + ". " + says
	}
	var lines []string
	line := fmt.Sprintf("%5s  %-8s", brief(n.at), n.job)
	for word := range strings.FieldsSeq(says) {
		if utf8.RuneCountInString(line)+1+utf8.RuneCountInString(word) > c.width {
			lines = append(lines, line)
			line = strings.Repeat(" ", indent-1)
		}
		line += " " + word
	}
	lines = append(lines, line)
	if n.mark != "" {
		lines[0] = strings.Replace(lines[0], " "+string(n.mark)+".", " "+c.paint(n.mark, string(n.mark))+".", 1)
	}
	return lines
}

// paint gives a text the colour of a verdict.
func (c canvas) paint(v v1alpha1.Verdict, text string) string {
	colour := map[v1alpha1.Verdict]string{
		v1alpha1.VerdictOnTrack: "32", v1alpha1.VerdictMet: "32;1", v1alpha1.VerdictAtRisk: "33",
		v1alpha1.VerdictInfeasible: "31", v1alpha1.VerdictMissed: "31;1",
	}[v]
	if !c.colour || colour == "" {
		return text
	}
	return "\x1b[" + colour + "m" + text + "\x1b[0m"
}
