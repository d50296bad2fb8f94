package shorthand

import (
	"cmp"
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"
	_ "time/tzdata" // images without a database of time zones are common

	"github.com/takt-dev/takt/api/v1alpha1"
)

// Due is what a deadline says. What it means may depend on when it was written.
type Due struct {
	at    time.Time      // a moment by itself
	after time.Duration  // else: so long after it was written
	clock time.Duration  // else: the next time that a clock in zone shows this
	zone  *time.Location // of clock, or of at where the text names none
	given bool           // the text names the zone
}

// Fixed is the moment of a deadline that means the same whenever it was written, and under all settings.
func (d Due) Fixed() (time.Time, bool) { return d.at, !d.at.IsZero() && d.given }

// From is the moment of a deadline that was written at some time.
func (d Due) From(written time.Time) time.Time {
	switch {
	case !d.at.IsZero():
		return d.at
	case d.after > 0:
		return written.Add(d.after)
	}
	day := written.In(d.zone)
	for ahead := 0; ; ahead++ {
		at, once := onDay(day.Year(), day.Month(), day.Day()+ahead, d.clock, d.zone)
		if at.After(written) {
			return at
		}
		for _, shift := range shifts {
			if again := at.Add(shift); !once && again.After(written) && shows(again.In(d.zone), d.clock) {
				return again
			}
		}
	}
}

// longest is the span that nobody means who writes a longer one.
const longest = 100 * 365 * 24 * time.Hour

var errNoTime = errors.New("that is no time at all: write a longer time span, such as 6h")

const eitherForm = "write a time span such as 6h, or a moment such as 2026-11-21T18:00:00Z"

var (
	spanForm = regexp.MustCompile(`^(?:[0-9]+(?:[.][0-9]+)?\s*[A-Za-z]+(?:[,\s]|\band\b)*)+$`)
	// around is what people write around a span: it counts from when it is written anyway.
	around = regexp.MustCompile(
		`(?i)^(?:in|within|max|at\s+most|[+])\s*([0-9].*)$|^(.*[a-z])\s+(?:from\s+now|at\s+most|max)$`)
	// before is what people write before a moment.
	before = regexp.MustCompile(`(?i)^(?:by|at|before|until|till)\s+([0-9].*)$`)
	// isoForm is a span as ISO 8601 has it, of whole days, hours, minutes and seconds.
	isoForm = regexp.MustCompile(`^P(?:[0-9]+D)?(?:T(?:[0-9]+H)?(?:[0-9]+M)?(?:[0-9]+S)?)?$`)
	// basicForm is a moment as ISO 8601 has it without signs between its parts.
	basicForm = regexp.MustCompile(`^([0-9]{4})([0-9]{2})([0-9]{2})[Tt]([0-9]{2})([0-9]{2})([0-9]{2})?([Zz+-].*)?$`)
	spanPart  = regexp.MustCompile(`([0-9]+(?:[.][0-9]+)?)\s*([A-Za-z]+)`)
	number    = regexp.MustCompile(`^[0-9]+(?:[.][0-9]+)?$`)
	clockForm = regexp.MustCompile(`^(?:([0-9]{4}-[0-9]{2}-[0-9]{2})(?:[Tt]|\s+))?([0-9]{1,2}):([0-9]{2})(?::([0-9]{2})(?:[.][0-9]{1,9})?)?\s*(\S.*)?$`)
	halfDay   = regexp.MustCompile(`(?i)[0-9]\s*[ap][.]?m\b`)
	// halfClock is a time of day, with its zone, and of no day.
	halfClock = regexp.MustCompile(`(?i)^(?:(?:by|at|before|until|till)\s+)?[0-9][0-9:.]*\s*[ap][.]?m[.]?` +
		`(?:\s*(?:utc|gmt|z|[+-][0-9:]+|[a-z_]+/\S+))?$`)
	dayForm = regexp.MustCompile(`^[0-9]{4}-[0-9]{2}-[0-9]{2}$`)
	offset  = regexp.MustCompile(`^([+-])([0-9]{2})(?::?([0-9]{2}))?$`)
)

// units are how people call spans of time. A month and a year have no length of their own.
var units = map[string]time.Duration{}

func init() {
	for span, names := range map[time.Duration][]string{
		time.Millisecond:   {"ms"},
		time.Second:        {"s", "sec", "secs", "second", "seconds"},
		time.Minute:        {"m", "min", "mins", "minute", "minutes"},
		time.Hour:          {"h", "hr", "hrs", "hour", "hours"},
		24 * time.Hour:     {"d", "day", "days"},
		7 * 24 * time.Hour: {"w", "week", "weeks"},
	} {
		for _, name := range names {
			units[name] = span
		}
	}
}

// ReadDeadline reads a deadline as people write it. The zone is that of times without one; nil if such
// times are to be refused. An error says what to write instead.
func ReadDeadline(text string, zone *time.Location) (Due, error) {
	text = bare(text)
	switch {
	case halfClock.MatchString(text):
		return Due{}, errors.New("write the hours from 0 to 23, as in 18:00Z")
	case halfDay.MatchString(text): // of some day, which a time by itself would leave out
		return Due{}, errors.New("write the day and the hours from 0 to 23, as in 2026-11-21T18:00:00Z")
	case number.MatchString(text) && len(text) > 4: // a moment, as machines count them
		return Due{}, errors.New(eitherForm)
	case number.MatchString(text) && strings.Trim(text, "0.") == "":
		return Due{}, errNoTime
	case number.MatchString(text):
		return Due{}, fmt.Errorf("a number has no unit: write %sh for hours, or %sm for minutes", text, text)
	case spanForm.MatchString(text):
		after, err := readSpan(text)
		return Due{after: after}, err
	case strings.HasPrefix(text, "-") && spanForm.MatchString(text[1:]):
		return Due{}, fmt.Errorf("that is in the past: write the time that the job may take, such as %s", text[1:])
	case dayForm.MatchString(text):
		return Due{}, fmt.Errorf("a day has no time: write one, such as %sT18:00:00Z", text)
	}
	if parts := clockForm.FindStringSubmatch(text); parts != nil {
		return readMoment(parts[1], parts[2], parts[3], parts[4], parts[5], zone)
	}
	return Due{}, errors.New(eitherForm)
}

// bare is what somebody wrote without what means nothing: quotes within quotes, and words around a span. A span and a
// moment of ISO 8601 are written as any other.
func bare(text string) string {
	text = strings.TrimRight(strings.TrimSpace(strings.ReplaceAll(text, "\u00a0", " ")), ".")
	for _, quote := range []string{`"`, "'"} {
		if inner, ok := strings.CutPrefix(text, quote); ok && strings.HasSuffix(inner, quote) {
			text = strings.TrimSpace(strings.TrimSuffix(inner, quote))
		}
	}
	if isoForm.MatchString(text) && strings.ContainsAny(text, "0123456789") {
		return strings.ToLower(strings.NewReplacer("P", "", "T", "").Replace(text))
	}
	if parts := basicForm.FindStringSubmatch(text); parts != nil {
		return fmt.Sprintf("%s-%s-%sT%s:%s:%s%s", parts[1], parts[2], parts[3], parts[4], parts[5], cmp.Or(parts[6], "00"),
			parts[7])
	}
	if parts := around.FindStringSubmatch(text); parts != nil && spanForm.MatchString(parts[1]+parts[2]) {
		return parts[1] + parts[2]
	}
	if parts := before.FindStringSubmatch(text); parts != nil && clockForm.MatchString(parts[1]) {
		return parts[1]
	}
	return text
}

func readSpan(text string) (time.Duration, error) {
	sum := 0.0
	for _, part := range spanPart.FindAllStringSubmatch(text, -1) {
		unit, known := units[strings.ToLower(part[2])]
		switch {
		case part[2] == "M":
			return 0, fmt.Errorf("%s may be minutes or months: write m for minutes, or days, such as 90m or 30d", part[2])
		case !known:
			return 0, fmt.Errorf("%s is no unit: write weeks, days, hours and minutes, such as 6h, 2d12h or 90m", shown(part[2]))
		}
		count, err := strconv.ParseFloat(part[1], 64)
		if err != nil {
			return 0, errors.New(eitherForm)
		}
		sum += count * float64(unit)
	}
	switch {
	case sum > float64(longest):
		return 0, errors.New("that is more than a hundred years: write a shorter time span, such as 6h or 2w")
	case sum < float64(time.Millisecond):
		return 0, errNoTime
	}
	return time.Duration(sum), nil
}

func readMoment(day, hour, minute, second, named string, zone *time.Location) (Due, error) {
	short := hour + ":" + minute
	h, _ := strconv.Atoi(hour)
	m, _ := strconv.Atoi(minute)
	s, _ := strconv.Atoi(second) // none is 0
	if h > 23 && m <= 59 && day+named+second == "" {
		return Due{}, fmt.Errorf("no clock shows that: write %dh%dm if the job may take so long, or a time from 00:00 to "+
			"23:59, as in 2026-11-21T18:00:00Z", h, m)
	}
	if h > 23 || m > 59 || s > 59 {
		return Due{}, fmt.Errorf("no clock shows that: write a time from 00:00 to 23:59, as in 2026-11-21T18:00:00Z")
	}
	if named == "" && day == "" && (len(hour) == 1 || second != "") {
		return Due{}, eitherClockOrSpan(h, m, s, zone)
	}
	// What to write where the zone is missing, and in which form a place goes with it.
	utc, there := short+"Z", short+"+01:00"
	if day != "" {
		utc, there = fmt.Sprintf("%sT%02d:%02d:%02dZ", day, h, m, s), fmt.Sprintf("%sT%02d:%02d:%02d+01:00", day, h, m, s)
	}
	given := named != ""
	if given {
		var ok bool
		if zone, ok = readZone(named); !ok {
			return Due{}, fmt.Errorf("%s is no zone that is the same everywhere: write the offset, as in %s, or the place, "+
				"as in %s Europe/Berlin",
				shown(named), there, strings.TrimSpace(day+" "+short))
		}
	}
	if zone == nil {
		return Due{}, fmt.Errorf("a time needs a zone: write %s if it is in UTC, or its offset, as in %s, or the place, "+
			"as in %s Europe/Berlin",
			utc, there, strings.TrimSpace(day+" "+short))
	}
	clock := time.Duration(h)*time.Hour + time.Duration(m)*time.Minute + time.Duration(s)*time.Second
	if day == "" {
		return Due{clock: clock, zone: zone, given: given}, nil
	}
	date, err := time.Parse(time.DateOnly, day)
	if err != nil {
		return Due{}, fmt.Errorf("there is no day %s: write one of the calendar, as in 2026-11-21T18:00:00Z", day)
	}
	at, sure := onDay(date.Year(), date.Month(), date.Day(), clock, zone)
	switch {
	case !sure:
		return Due{}, fmt.Errorf("on that day clocks in %s are put forward or back at that time: write the offset, as in %s",
			zone, there)
	case v1alpha1.NewTime(at) == "":
		return Due{}, errors.New("write a moment in the years 1900 to 2999, such as 2026-11-21T18:00:00Z")
	}
	return Due{at: at, zone: zone, given: given}, nil
}

// eitherClockOrSpan refuses 1:30 and 01:30:00, which may be hours and minutes, as batch systems write them, or a time
// of day.
func eitherClockOrSpan(h, m, s int, zone *time.Location) error {
	span := time.Duration(h)*time.Hour + time.Duration(m)*time.Minute + time.Duration(s)*time.Second
	takes := "24h"
	if span > 0 {
		takes = strings.NewReplacer("m0s", "m", "h0m0s", "h").Replace(span.String())
	}
	clock := fmt.Sprintf("%02d:%02d", h, m)
	switch {
	case s > 0:
		clock += fmt.Sprintf(":%02dZ", s)
	case zone == nil:
		clock += "Z"
	}
	return fmt.Errorf("that may be hours and minutes, or a time of day: write %s if the job may take so long, or %s if "+
		"it is due then", takes, clock)
}

// readZone reads a zone that means the same to everybody: UTC, an offset, or a place. Abbreviations do
// not: CST is three zones.
func readZone(name string) (*time.Location, bool) {
	if strings.EqualFold(name, "z") || strings.EqualFold(name, "utc") || strings.EqualFold(name, "gmt") {
		return time.UTC, true
	}
	if parts := offset.FindStringSubmatch(name); parts != nil {
		hours, _ := strconv.Atoi(parts[2])
		minutes, _ := strconv.Atoi(parts[3]) // none is 0
		seconds := hours*3600 + minutes*60
		if parts[1] == "-" {
			seconds = -seconds
		}
		return time.FixedZone(name, seconds), hours <= 23 && minutes <= 59
	}
	if !strings.Contains(name, "/") {
		return nil, false
	}
	zone, err := time.LoadLocation(name)
	return zone, err == nil
}

// onDay is when the clocks of a zone show a time on a day, and whether they do so once. Where they do so
// twice it is the first time, and where they do not, an hour from it.
func onDay(year int, month time.Month, day int, clock time.Duration, zone *time.Location) (at time.Time, once bool) {
	shows := func(t time.Time) bool {
		t = t.In(zone)
		date := time.Date(year, month, day, 0, 0, 0, 0, time.UTC) // its days are as they should be
		return t.Day() == date.Day() && shows(t, clock)
	}
	at = time.Date(year, month, day, 0, 0, int(clock/time.Second), 0, zone)
	once = shows(at)
	for _, shift := range shifts {
		if earlier := at.Add(-shift); shows(earlier) {
			return earlier, false
		}
		once = once && !shows(at.Add(shift))
	}
	return at, once
}

// shifts are by how much clocks are put forward or back: by two hours in Antarctica alone.
var shifts = []time.Duration{2 * time.Hour, time.Hour, time.Hour / 2}

// shows says that a clock which shows a moment in its zone shows a time of day then.
func shows(t time.Time, clock time.Duration) bool {
	return time.Duration(t.Hour())*time.Hour+time.Duration(t.Minute())*time.Minute+
		time.Duration(t.Second())*time.Second == clock
}
