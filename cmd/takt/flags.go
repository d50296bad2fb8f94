package main

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
)

// checked is the value of a flag that knows what it may be, so that a wrong one is refused while
// the flags are read, in a sentence that begins with "it must be".
type checked[T any] struct {
	value *T
	kind  string // as the help shows it
	parse func(string) (T, error)
}

// Set is called with what the user gave.
func (c checked[T]) Set(text string) error {
	value, err := c.parse(text)
	if err == nil {
		*c.value = value
	}
	return err
}

func (c checked[T]) String() string { return fmt.Sprint(*c.value) }

// Type is what the help shows after the name of the flag.
func (c checked[T]) Type() string { return c.kind }

// many is more of anything than makes sense, and few enough to reckon with.
const many = 1 << 20

func positive(value *int) checked[int] {
	return checked[int]{value, "number", func(text string) (int, error) {
		n, err := strconv.Atoi(text)
		if err != nil || n < 1 || n > many {
			return 0, fmt.Errorf("it must be a whole number from 1 to %d", many)
		}
		return n, nil
	}}
}

func real(value *float64, least, most float64) checked[float64] {
	return checked[float64]{value, "number", func(text string) (float64, error) {
		x, err := strconv.ParseFloat(text, 64)
		if err != nil || !(x >= least && x <= most) {
			return 0, fmt.Errorf("it must be a number from %g to %g", least, most)
		}
		return x, nil
	}}
}

func seed(value *uint64) checked[uint64] {
	return checked[uint64]{value, "number", func(text string) (uint64, error) {
		n, err := strconv.ParseUint(text, 10, 64)
		if err != nil {
			return 0, errors.New("it must be a whole number, 0 or more")
		}
		return n, nil
	}}
}

func duration(value *time.Duration) checked[time.Duration] {
	return checked[time.Duration]{value, "duration", func(text string) (time.Duration, error) {
		d, err := time.ParseDuration(text)
		if err != nil || d < 0 {
			return 0, errors.New("it must be a duration such as 30s, 5m or 48h, and not negative")
		}
		return d, nil
	}}
}

func choice(value *string, options ...string) checked[string] {
	return checked[string]{value, strings.Join(options, "|"), func(text string) (string, error) {
		if !slices.Contains(options, text) {
			return "", fmt.Errorf("it must be %s", strings.Join(options, " or "))
		}
		return text, nil
	}}
}

// How results are printed.
const (
	asTable = "table"
	asJSON  = "json"
)
