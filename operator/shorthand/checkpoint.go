package shorthand

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Checkpoint is when a job has last saved its state, as it is written on it: a moment of RFC 3339, with a space in its
// middle as well, or seconds since 1970, as time.time() of Python gives them.
func Checkpoint(text string) (time.Time, error) {
	text = strings.TrimSpace(text)
	for _, form := range []string{time.RFC3339, "2006-01-02 15:04:05Z07:00"} {
		if at, err := time.Parse(form, text); err == nil {
			return at, nil
		}
	}
	if seconds, err := strconv.ParseFloat(text, 64); err == nil && seconds >= firstSecond && seconds < lastSecond {
		whole, rest := math.Modf(seconds)
		return time.Unix(int64(whole), int64(rest*float64(time.Second))), nil
	}
	return time.Time{}, errors.New("write the moment of the last checkpoint such as 2026-11-21T18:00:00Z")
}

// Numbers outside of these, of the years 2001 and 2286, are not meant as seconds: they have ten digits.
const firstSecond, lastSecond = 1e9, 1e10

// MostAhead is how far the clock of a job may be ahead of ours.
const MostAhead = time.Minute

// SavedAt is when a job has last saved its state, as it is written on it; false if it says nothing that can be used: a
// moment that is yet to come is most often one without its offset.
func SavedAt(annotated map[string]string, now time.Time) (time.Time, bool) {
	at, err := Checkpoint(annotated[CheckpointAnnotation])
	return at, err == nil && at.Sub(now) <= MostAhead
}

// AsOf adds what is wrong with what is written on a job at a moment. It does not repeat the date of a checkpoint: the
// next one has another.
func (s Said) AsOf(now time.Time) Said {
	if at, usable := SavedAt(s.written, now); usable || at.IsZero() { // the zero moment is one that nobody can read
		return s
	}
	s.Faults = append(slices.Clone(s.Faults), Fault{Key: CheckpointAnnotation, Meant: CheckpointAnnotation, Reported: true,
		Sentence: fmt.Sprintf("%s is yet to come, so it does not count: write it in UTC, which Z means, or with its offset, "+
			"such as 2026-11-21T20:00:00+02:00.", CheckpointAnnotation)})
	return s
}

// unread is what is said of a checkpoint that nobody can read the date of. It does not repeat that: the next one has
// another.
func unread(annotated map[string]string) (found []Fault) {
	text, written := annotated[CheckpointAnnotation]
	if _, err := Checkpoint(text); written && err != nil {
		found = append(found, Fault{Key: CheckpointAnnotation, Meant: CheckpointAnnotation, Reported: true,
			Sentence: fmt.Sprintf("%s cannot be read: %s.", CheckpointAnnotation, err)})
	}
	return found
}
