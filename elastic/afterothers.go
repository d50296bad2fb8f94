package elastic

import (
	"fmt"
	"strings"
)

// awaitsOthers says what a job waits for that starts after others.
func (p *pool) awaitsOthers(j *trainee) string {
	switch {
	case j.circle != nil:
		return j.inCircle()
	case j.unseen != "":
		return fmt.Sprintf("It waits for %s to succeed, and nobody can tell when that will be.", j.nameOf(j.unseen))
	}
	has := fmt.Sprintf("It waits for %s to succeed", j.waitsFor())
	if at := p.starts(j); at != nil {
		return fmt.Sprintf("%s, and is expected to start in %s.", has, Shorten(*at-p.now))
	}
	return has + ". Nobody can tell yet when that will be."
}

// inCircle says who waits for whom.
func (j *trainee) inCircle() string {
	const most = 5
	const mend = " Let one of them wait for fewer (after)."
	name := func(place int) string { return j.nameOf(j.circle[place%len(j.circle)].Name) }
	if j.place == 0 {
		var names []string
		for i := range min(len(j.circle), most) {
			names = append(names, name(i))
		}
		if more := len(j.circle) - len(names); more > 0 {
			names[most-1] = CountOf(more+1, "other")
		}
		return fmt.Sprintf("It waits for %s, and will never start: %s wait for each other.", j.waitsFor(),
			joined(names)) + mend
	}
	var names []string
	for i := range min(len(j.circle)-1, most) {
		names = append(names, name(j.place+i))
	}
	if len(j.circle)-1 > most {
		names[most-2], names[most-1] = "others", name(j.place+len(j.circle)-2)
	}
	return fmt.Sprintf("It waits for %s, which waits for it: none of them will ever start.",
		strings.Join(names, ", which waits for ")) + mend
}

// waitsFor names those that a job waits for.
func (j *trainee) waitsFor() string {
	var names []string
	for _, other := range j.before {
		names = append(names, j.nameOf(other.Name))
	}
	return listed(names)
}

// listed are names as a sentence has them: a, b and 3 others.
func listed(names []string) string {
	const most = 4
	if len(names) > most {
		names = append(names[:most-1:most-1], CountOf(len(names)-most+1, "other"))
	}
	return joined(names)
}

// joined are all of them.
func joined(names []string) string {
	if last := len(names) - 1; last > 0 {
		return strings.Join(names[:last], ", ") + " and " + names[last]
	}
	return strings.Join(names, "")
}

// nameOf is the name of another job as one speaks of it: without the namespace, which is that of the job itself.
func (j *trainee) nameOf(other string) string {
	if namespace, _, ok := strings.Cut(j.Name, "/"); ok {
		return strings.TrimPrefix(other, namespace+"/")
	}
	return other
}

// afterOthers is the verdict on a job that waits for others, where that is another than on those that do not.
func (p *pool) afterOthers(j *trainee, o Outcome) string {
	if !j.waits() {
		return ""
	}
	until := Seconds(0)
	if j.Deadline != nil {
		until = *j.Deadline - p.now
	}
	switch {
	case o.Verdict == BestEffort && j.Deadline == nil:
		return "It has no deadline: it starts on what others leave, once those have succeeded that it waits for."
	case o.Verdict == Infeasible && until > 0:
		return p.tooLateAfterOthers(j, until)
	case o.Verdict == AtRisk && j.inVain():
		return fmt.Sprintf("It does not start by itself, and its deadline is in %s.", Shorten(until))
	case o.Verdict == Estimating && j.known():
		return "Nobody can tell yet when it may start: the verdict follows once that is known of those that it waits for."
	case o.Verdict == OnTrack:
		is := "planned for, and nothing is promised before those have succeeded that it waits for"
		if j.Promised {
			is = "promised, as it was before the job was to wait for others"
		}
		return fmt.Sprintf("The deadline is %s. %s", is, j.onTrack(o))
	case o.Verdict == AtRisk && !j.planned && !j.homeless():
		if o.ExpectedEnd != nil && !j.inTime(o) {
			return fmt.Sprintf("It is expected to miss its deadline by %s: there is no room for more workers between the "+
				"end of those that it waits for and its deadline.", Away(*o.ExpectedEnd-*j.Deadline))
		}
		return fmt.Sprintf("Its deadline is in %s, and there is no room that is sure between that and the end of those "+
			"that it waits for.", Shorten(until))
	}
	return ""
}

// tooLateAfterOthers says what would do.
func (p *pool) tooLateAfterOthers(j *trainee, until Seconds) string {
	j.releaseSoonest(p.now)
	least := forever
	for _, s := range j.counted {
		least = min(least, j.notBefore(p.now)+j.Pause+j.lasts(s, j.todo)-p.now)
	}
	least = roundUp(max(least, until+1))
	goesOn := " It starts as best-effort once they have succeeded."
	if j.mustBePromised {
		goesOn = " It does not start, since it is to start only with a promise."
	}
	return fmt.Sprintf("Even if those that it waits for end as soon as they can, it takes %s until it has ended, and its "+
		"deadline is in %s: give it %s more time.", Shorten(least), Shorten(roundDown(until)),
		Shorten(roundUp(least-roundDown(until)))) + goesOn
}

// servesSo goes with the verdict on a job that others wait for, and that is planned to end sooner for their sake.
func (p *pool) servesSo(j *trainee) string {
	by := *j.aim
	if by <= p.now {
		return ""
	}
	is := "is"
	if j.planned {
		is = "is planned"
	}
	return fmt.Sprintf(" It %s to end within %s, so that %s can meet its deadline.", is, Shorten(by-p.now),
		j.nameOf(j.serves.Name))
}
