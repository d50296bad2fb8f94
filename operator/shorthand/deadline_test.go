package shorthand

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// What people write as a deadline at noon of a Saturday in November, UTC, which is 13:00 in Berlin: what it
// means, or what they are told to write instead.
func TestWhatPeopleWriteAsADeadline(t *testing.T) {
	berlin, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		t.Fatal(err)
	}
	const (
		span   = "write a time span such as 6h, or a moment such as 2026-11-21T18:00:00Z"
		units  = "is no unit: write weeks, days, hours and minutes, such as 6h, 2d12h or 90m"
		noZone = "a time needs a zone: write "
		either = "that may be hours and minutes, or a time of day: write "
	)
	written := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	// berlin is what differs where that is the zone of the settings
	for text, test := range map[string]struct{ alone, berlin string }{
		// Spans of time.
		"6h":                       {"2026-11-21T18:00:00Z", ""},
		" 6h ":                     {"2026-11-21T18:00:00Z", ""},
		"6H":                       {"2026-11-21T18:00:00Z", ""},
		"6 hours":                  {"2026-11-21T18:00:00Z", ""},
		"90m":                      {"2026-11-21T13:30:00Z", ""},
		"90 min":                   {"2026-11-21T13:30:00Z", ""},
		"1h30m":                    {"2026-11-21T13:30:00Z", ""},
		"1.5h":                     {"2026-11-21T13:30:00Z", ""},
		"1d":                       {"2026-11-22T12:00:00Z", ""},
		"1 day":                    {"2026-11-22T12:00:00Z", ""},
		"2d12h":                    {"2026-11-24T00:00:00Z", ""},
		"2 days, 12 hours":         {"2026-11-24T00:00:00Z", ""},
		"1w":                       {"2026-11-28T12:00:00Z", ""},
		"45s":                      {"2026-11-21T12:00:45Z", ""},
		"in 6h":                    {"2026-11-21T18:00:00Z", ""},
		"within 6 hours":           {"2026-11-21T18:00:00Z", ""},
		"+6h":                      {"2026-11-21T18:00:00Z", ""},
		"6h from now":              {"2026-11-21T18:00:00Z", ""},
		"6\u00a0h":                 {"2026-11-21T18:00:00Z", ""},
		"90 Min.":                  {"2026-11-21T13:30:00Z", ""},
		"max 6h":                   {"2026-11-21T18:00:00Z", ""},
		"6h at most":               {"2026-11-21T18:00:00Z", ""},
		"by 18:00 UTC":             {"2026-11-21T18:00:00Z", ""},
		"before 2026-11-21 18:00Z": {"2026-11-21T18:00:00Z", ""},
		"by 1:30":                  {either, either},
		"by 6h":                    {span, ""},
		"1 day and 12 hours":       {"2026-11-23T00:00:00Z", ""},
		`"6h"`:                     {"2026-11-21T18:00:00Z", ""},
		"'18:00Z'":                 {"2026-11-21T18:00:00Z", ""},
		"PT6H30M":                  {"2026-11-21T18:30:00Z", ""},
		"P1DT12H":                  {"2026-11-23T00:00:00Z", ""},
		"P1M":                      {span, ""}, // a month has no length
		"P":                        {span, ""},
		"in 18:00":                 {span, ""},
		"in":                       {span, ""},
		"1796000000":               {span, ""},
		"1h30":                     {span, ""},
		"6":                        {"a number has no unit: write 6h for hours, or 6m for minutes", ""},
		"0":                        {"that is no time at all: write a longer time span, such as 6h", ""},
		"20261121T180000Z":         {"2026-11-21T18:00:00Z", ""},
		"20261121T1800Z":           {"2026-11-21T18:00:00Z", ""},
		"-6h":                      {"that is in the past: write the time that the job may take, such as 6h", ""},
		"0s":                       {"that is no time at all: write a longer time span, such as 6h", ""},
		"1M":                       {"M may be minutes or months: write m for minutes, or days, such as 90m or 30d", ""},
		"1mo":                      {`"mo" ` + units, ""},
		"1 year":                   {`"year" ` + units, ""},
		"1e3h":                     {`"e" ` + units, ""},
		"99999999h": {
			"that is more than a hundred years: write a shorter time span, such as 6h or 2w", "",
		},
		strings.Repeat("9", 400) + "h": {span, ""},

		// Moments.
		"2026-11-21T18:00:00Z":           {"2026-11-21T18:00:00Z", ""},
		"2026-11-21t18:00:00z":           {"2026-11-21T18:00:00Z", ""},
		"2026-11-21T18:00:00.5Z":         {"2026-11-21T18:00:00Z", ""},
		"2026-11-21T18:00:00+05:30":      {"2026-11-21T12:30:00Z", ""},
		"2026-11-21T18:00:00-0800":       {"2026-11-22T02:00:00Z", ""},
		"2026-11-21T18:00Z":              {"2026-11-21T18:00:00Z", ""},
		"2026-11-21 18:00 UTC":           {"2026-11-21T18:00:00Z", ""},
		"2026-11-21 18:00+01":            {"2026-11-21T17:00:00Z", ""},
		"2026-11-21 18:00 Europe/Berlin": {"2026-11-21T17:00:00Z", ""},
		"2001-01-01T00:00:00Z":           {"2001-01-01T00:00:00Z", ""}, // accepted, and judged Missed
		"2026-11-21T18:00:00": {noZone +
			"2026-11-21T18:00:00Z if it is in UTC, or its offset, as in 2026-11-21T18:00:00+01:00, or the place, as in " +
			"2026-11-21 18:00 Europe/Berlin", "2026-11-21T17:00:00Z"},
		"2026-11-21 18:00": {noZone +
			"2026-11-21T18:00:00Z if it is in UTC, or its offset, as in 2026-11-21T18:00:00+01:00, or the place, as in " +
			"2026-11-21 18:00 Europe/Berlin", "2026-11-21T17:00:00Z"},
		"2026-11-21 6:05": {noZone +
			"2026-11-21T06:05:00Z if it is in UTC, or its offset, as in 2026-11-21T06:05:00+01:00, or the place, as in " +
			"2026-11-21 6:05 Europe/Berlin", "2026-11-21T05:05:00Z"},
		"2026-10-25 02:30": {noZone,
			"clocks in Europe/Berlin are put forward or back at that time: write the offset, as in 2026-10-25T02:30:00+01:00"},
		"2027-03-28 02:30": {noZone,
			"clocks in Europe/Berlin are put forward or back at that time: write the offset, as in 2027-03-28T02:30:00+01:00"},
		"2027-03-28 03:30":              {noZone, "2027-03-28T01:30:00Z"},
		"2026-11-21 18:00 CET":          {`"CET" is no zone that is the same everywhere: write the offset, as in 2026-11-21T18:00:00+01:00, or the place, as in 2026-11-21 18:00 Europe/Berlin`, ""},
		"2026-11-21 18:00 Europe/Berln": {`"Europe/Berln" is no zone`, ""},
		"2026-11-21 18:00+99:00":        {`"+99:00" is no zone`, ""},
		"2026-11-21T25:00:00Z":          {"no clock shows that: write a time from 00:00 to 23:59", ""},
		"2026-02-30T18:00:00Z":          {"there is no day 2026-02-30", ""},
		"2026-11-21":                    {"a day has no time: write one, such as 2026-11-21T18:00:00Z", ""},
		"0001-01-01T00:00:00Z":          {"write a moment in the years 1900 to 2999", ""},
		"21.11.2026 18:00":              {span, ""},
		"11/21/2026 18:00":              {span, ""},

		// Times of a day: the next.
		"18:00": {noZone + "18:00Z if it is in UTC, or its offset, as in 18:00+01:00, or the place, as in " +
			"18:00 Europe/Berlin", "2026-11-21T17:00:00Z"},
		"1:30": {either + "1h30m if the job may take so long, or 01:30Z if it is due then",
			either + "1h30m if the job may take so long, or 01:30 if it is due then"},
		"0:45": {either + "45m if the job may take so long, or 00:45Z if it is due then",
			either + "45m if the job may take so long, or 00:45 if"},
		"6:00": {either + "6h if the job may take so long, or 06:00Z if it is due then",
			either + "6h if the job may take so long, or 06:00 if"},
		"0:00": {either + "24h if", either + "24h if the job may take so long, or 00:00 if"},
		"10:00:00": {either + "10h if the job may take so long, or 10:00Z if it is due then",
			either + "10h if the job may take so long, or 10:00 if"},
		"01:30:15": {either + "1h30m15s if the job may take so long, or 01:30:15Z if it is due then",
			either + "1h30m15s if the job may take so long, or 01:30:15Z"},
		"06:30": {noZone + "06:30Z if it is in UTC, or its offset, as in 06:30+01:00, or the place, as in " +
			"06:30 Europe/Berlin", "2026-11-22T05:30:00Z"},
		"6:30Z":              {"2026-11-22T06:30:00Z", ""},
		"6:30 Europe/Berlin": {"2026-11-22T05:30:00Z", ""},
		"13:00":              {noZone, "2026-11-22T12:00:00Z"}, // it is that now
		"18:00Z":             {"2026-11-21T18:00:00Z", ""},
		"18:00 utc":          {"2026-11-21T18:00:00Z", ""},
		"18:00+01:00":        {"2026-11-21T17:00:00Z", ""},
		"08:00 Asia/Tokyo":   {"2026-11-21T23:00:00Z", ""},
		"18:00 EST":          {`"EST" is no zone that is the same everywhere: write the offset, as in 18:00+01:00, or the place, as in 18:00 Europe/Berlin`, ""},
		"24:00":              {"no clock shows that", ""},
		"36:30": {
			"no clock shows that: write 36h30m if the job may take so long, or a time from 00:00 to 23:59", "",
		},
		"tomorrow":           {span, ""},
		"Friday 18:00":       {span, ""},
		"6pm":                {"write the hours from 0 to 23, as in 18:00Z", ""},
		"at 6:30 p.m. UTC":   {"write the hours from 0 to 23, as in 18:00Z", ""},
		"tomorrow 6pm":       {"write the day and the hours from 0 to 23, as in 2026-11-21T18:00:00Z", ""},
		"6pm tomorrow":       {"write the day and the hours from 0 to 23, as in 2026-11-21T18:00:00Z", ""},
		"Friday, 6 pm":       {"write the day and the hours from 0 to 23, as in 2026-11-21T18:00:00Z", ""},
		"21/11/2026 6pm":     {"write the day and the hours from 0 to 23, as in 2026-11-21T18:00:00Z", ""},
		"6pm Europe/Berlin":  {"write the hours from 0 to 23, as in 18:00Z", ""},
		"2026-11-21 6:30 PM": {"write the day and the hours from 0 to 23, as in 2026-11-21T18:00:00Z", ""},
		"none":               {span, ""},
		"":                   {span, ""},
	} {
		t.Run(text, func(t *testing.T) {
			for zone, want := range map[*time.Location]string{nil: test.alone, berlin: test.berlin} {
				if zone != nil && want == "" {
					want = test.alone
				}
				due, err := ReadDeadline(text, zone)
				got := fmt.Sprint(err)
				if err == nil {
					got = due.From(written).UTC().Truncate(time.Second).Format(time.RFC3339)
				}
				if !strings.Contains(got, want) {
					t.Errorf("in zone %v: %s, want %s", zone, got, want)
				}
			}
		})
	}
}

// The clocks of Berlin are put back in the night to 2026-10-25, and forward in that to 2027-03-28.
func TestTheNextTimeOfAClockThatIsPutForwardOrBack(t *testing.T) {
	berlin, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		t.Fatal(err)
	}
	for name, test := range map[string]struct{ written, text, want string }{
		"twice that night: the first":            {"2026-10-24T20:00:00Z", "02:30", "2026-10-25T00:30:00Z"},
		"an hour later":                          {"2026-10-24T20:00:00Z", "03:30", "2026-10-25T02:30:00Z"},
		"over the night":                         {"2026-10-24T20:00:00Z", "18:00", "2026-10-25T17:00:00Z"},
		"the day before":                         {"2026-10-24T10:00:00Z", "18:00", "2026-10-24T16:00:00Z"},
		"it is not shown that night: an hour on": {"2027-03-27T20:00:00Z", "02:30", "2027-03-28T01:30:00Z"},
		"from one month to the next":             {"2026-11-30T20:00:00Z", "18:00", "2026-12-01T17:00:00Z"},
	} {
		t.Run(name, func(t *testing.T) {
			written, err := time.Parse(time.RFC3339, test.written)
			if err != nil {
				t.Fatal(err)
			}
			due, err := ReadDeadline(test.text, berlin)
			if err != nil {
				t.Fatal(err)
			}
			if got := due.From(written).UTC().Format(time.RFC3339); got != test.want {
				t.Errorf("%s, want %s", got, test.want)
			}
		})
	}
}

func TestWhichDeadlinesMeanTheSameWheneverTheyWereWritten(t *testing.T) {
	for text, want := range map[string]bool{
		"2026-11-21T18:00:00Z": true, "2026-11-21 18:00 Europe/Berlin": true,
		"2026-11-21 18:00": false, "18:00": false, "18:00Z": false, "6h": false,
	} {
		due, err := ReadDeadline(text, time.UTC)
		if err != nil {
			t.Fatal(err)
		}
		if _, fixed := due.Fixed(); fixed != want {
			t.Errorf("%s: %t", text, fixed)
		}
	}
}

// Clocks are put back, and show an hour twice: what was written while they showed it first is due the second time.
func TestADeadlineInTheHourThatComesTwice(t *testing.T) {
	for text, test := range map[string]struct{ written, due string }{
		"02:30 Europe/Berlin":       {"2026-10-25T00:43:00Z", "2026-10-25T01:30:00Z"}, // at 02:43 for the first time
		"02:50 Europe/Berlin":       {"2026-10-25T00:43:00Z", "2026-10-25T00:50:00Z"},
		"02:40 Europe/Berlin":       {"2026-10-25T01:43:00Z", "2026-10-26T01:40:00Z"}, // at 02:43 once more
		"01:40 Australia/Lord_Howe": {"2026-04-04T14:45:00Z", "2026-04-04T15:10:00Z"},
		"02:30 Antarctica/Troll":    {"2026-10-24T12:00:00Z", "2026-10-25T00:30:00Z"},
	} {
		due, err := ReadDeadline(text, nil)
		written, wrong := time.Parse(time.RFC3339, test.written)
		if got := due.From(written).UTC().Format(time.RFC3339); err != nil || wrong != nil || got != test.due {
			t.Errorf("%s, written at %s, is due at %s, want %s, %v, %v", text, test.written, got, test.due, err, wrong)
		}
	}
}
