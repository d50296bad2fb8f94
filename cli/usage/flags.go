package usage

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Checked is the value of a flag that knows what it may be, so that a wrong one is refused while
// the flags are read, in a sentence that begins with "it must be".
type Checked[T any] struct {
	value *T
	kind  string // as the help shows it
	parse func(string) (T, error)
}

// Set is called with what the user gave.
func (c Checked[T]) Set(text string) error {
	value, err := c.parse(text)
	if err == nil {
		*c.value = value
	}
	return err
}

// String is empty for no time at all: help shows that as no default.
func (c Checked[T]) String() string {
	if any(*c.value) == time.Duration(0) {
		return ""
	}
	return fmt.Sprint(*c.value)
}

// Type is what the help shows after the name of the flag.
func (c Checked[T]) Type() string { return c.kind }

// many is more of anything than makes sense, and few enough to reckon with.
const many = 1 << 20

// Positive is a flag for a whole number, 1 or more.
func Positive(value *int) Checked[int] {
	return Checked[int]{value, "number", func(text string) (int, error) {
		n, err := strconv.Atoi(text)
		if err != nil || n < 1 || n > many {
			return 0, fmt.Errorf("it must be a whole number from 1 to %d", many)
		}
		return n, nil
	}}
}

// Real is a flag for a number between two others.
func Real(value *float64, least, most float64) Checked[float64] {
	return Checked[float64]{value, "number", func(text string) (float64, error) {
		x, err := strconv.ParseFloat(text, 64)
		if err != nil || !(x >= least && x <= most) {
			return 0, fmt.Errorf("it must be a number from %g to %g", least, most)
		}
		return x, nil
	}}
}

// Seed is a flag for what random numbers are drawn by.
func Seed(value *uint64) Checked[uint64] {
	return Checked[uint64]{value, "number", func(text string) (uint64, error) {
		n, err := strconv.ParseUint(text, 10, 64)
		if err != nil {
			return 0, errors.New("it must be a whole number, 0 or more")
		}
		return n, nil
	}}
}

// Duration is a flag for a span of time.
func Duration(value *time.Duration) Checked[time.Duration] {
	return Checked[time.Duration]{value, "duration", func(text string) (time.Duration, error) {
		d, err := time.ParseDuration(text)
		if err != nil || d < 0 {
			return 0, errors.New("it must be a duration such as 30s, 5m or 48h, and not negative")
		}
		return d, nil
	}}
}

// choice is a flag for one of some words.
func choice(value *string, options ...string) Checked[string] {
	return Checked[string]{value, strings.Join(options, "|"), func(text string) (string, error) {
		if !slices.Contains(options, text) {
			return "", fmt.Errorf("it must be %s", strings.Join(options, " or "))
		}
		return text, nil
	}}
}

// How results are printed.
const (
	AsTable = "table"
	AsJSON  = "json"
	AsYAML  = "yaml"
)
