package shorthand

import (
	"errors"
	"fmt"
	"math"
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
