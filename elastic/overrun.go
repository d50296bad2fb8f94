package elastic

import (
	"fmt"
	"strings"
)

// OverrunsBy is how many times as long as it overruns by now a job may well go on that has done all of its work: of
// those of which nobody knows more than that they have not ended, one in ten does.
const OverrunsBy = 9

// overruns says that a job runs, though it has done all of its work for longer than its end takes.
func (j *trainee) overruns() bool { return j.Overruns > 0 && j.gets > 0 }

// behind are the jobs that overrun, and hold GPUs for which a job waits that could start but for them. There are none
// where it has to wait for others in any case.
func (p *pool) behind(j *trainee) (before []*trainee) {
	if len(p.overrunning) == 0 || j.gets > 0 || j.waits() || len(j.counted) == 0 {
		return nil
	}
	need := j.need(j.counted[0].Workers)
	switch {
	case j.planned && j.spans[0].From > p.timeline.roundUp(p.now+2*glance):
		return nil // it is planned for later
	case j.planned:
		need = j.need(j.spans[0].Workers)
	case !p.waitsForRoom(j):
		return nil
	}
	lacks := need - p.free
	if lacks <= 0 {
		return nil
	}
	for _, other := range p.overrunning {
		if other.overruns() {
			before, lacks = append(before, other), lacks-other.need(other.gets)
		}
	}
	if lacks > 0 {
		return nil
	}
	return before
}

// startsBy is when a planned job has to start at the latest to be in time.
func (j *trainee) startsBy() Seconds {
	return *j.aim - (j.endOfPlan() - j.spans[0].From)
}

// mayStartLate says that a job which is planned to start may have to wait for longer than it has the time to: for jobs
// that overrun.
func (p *pool) mayStartLate(j *trainee) bool {
	return j.planned && j.startsBy()-p.now < OverrunsBy*longestOverrun(p.behind(j))
}

// begins is when it is to be planned again for the sake of what is planned for a job: when that begins; or, where it
// has to wait for jobs that overrun, when it is not sure any more to be in time, and then when it is late.
func (p *pool) begins(j *trainee, next Span) Seconds {
	longest := longestOverrun(p.behind(j))
	if longest == 0 {
		return next.From
	}
	slack := j.startsBy() - p.now
	if sure := (slack - OverrunsBy*longest) / (OverrunsBy + 1); sure > 0 {
		return p.now + max(sure, glance)
	}
	return p.now + max(slack, glance)
}

func longestOverrun(jobs []*trainee) (longest Seconds) {
	for _, j := range jobs {
		longest = max(longest, j.Overruns)
	}
	return longest
}

// awaitsOverrun says what a job waits for that is behind others which overrun; empty if it is not.
func (p *pool) awaitsOverrun(j *trainee) string {
	before := p.behind(j)
	if len(before) == 0 {
		return ""
	}
	const most = 3
	var names []string
	for _, other := range before[:min(len(before), most)] {
		name := j.nameOf(other.Name)
		if strings.Contains(name, "/") {
			name = fmt.Sprintf("a job of queue %q", other.Queue)
		}
		names = append(names, name)
	}
	if more := len(before) - most; more > 0 {
		names = append(names, CountOf(more, "other"))
	}
	if len(before) == 1 {
		return fmt.Sprintf("It starts once %s has ended, which has done all of its work and still runs: nobody can tell "+
			"when it ends.", names[0])
	}
	return fmt.Sprintf("It starts once it has the GPUs of %s, which have done all of their work and still run: nobody "+
		"can tell when they end.", joined(names))
}
