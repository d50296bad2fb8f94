package page

// overview is the charts of the whole time: the GPUs in use, and the deadlines that fall due.
type overview struct {
	Training, Held string // outlines; what lies between them is paused
	PausesKnown    bool
	Percent        float64 // of all GPU time that was held
	Met, Missed    string
	Peak           int    // the most deadlines that fall due in one step
	Step           string // by which they are counted
	Beyond         int
	Left, Width    float64 // of the window in which single jobs are drawn
	Ticks          []tick
}

func newOverview(p Page, run Run, whole, window span, all []spell) overview {
	gpus := float64(max(p.GPUs, 1))
	u := newUsage(whole, usageParts, all, p.ResizeCost, run.Result.GPUHoursLost)
	training := newBuckets(whole, usageParts)
	sum := 0.0
	for i := range u.held.sums {
		sum += u.held.sums[i]
		training.sums[i] = u.held.sums[i]
		if u.known {
			training.sums[i] -= u.paused.sums[i]
		}
	}
	d := newDue(whole, run.History.Jobs, dueParts)
	peak := d.peak()
	scale := (dueHeight - 2) / float64(peak)
	return overview{
		Training:    training.outline(gpus, chartWidth, usageHeight),
		Held:        u.held.outline(gpus, chartWidth, usageHeight),
		PausesKnown: u.known,
		Percent:     sum / (gpus * float64(whole.length())) * 100,
		Met:         d.bars(whole, d.met, dueHeight, scale, chartWidth),
		Missed:      d.bars(whole, d.missed, dueHeight, -scale, chartWidth),
		Peak:        peak,
		Step:        elapsed(d.step),
		Beyond:      d.beyond,
		Left:        round(whole.x(window.from, 100)),
		Width:       round(float64(window.length()/whole.length()) * 100),
		Ticks:       whole.ticks(),
	}
}
