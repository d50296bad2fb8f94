package predictor

import (
	"errors"
	"fmt"
	"math"
)

// What can be wrong with an input. Errors of this package wrap one of these.
var (
	ErrNotFinite  = errors.New("the value is no finite number")
	ErrNotGreater = errors.New("the value must be greater than zero")
	ErrOutOfRange = errors.New("the value is out of range")
	ErrUnknown    = errors.New("nothing was measured yet")
	ErrNoFit      = errors.New("no form fits what was measured")
)

// ShapeError says why a shape makes no sense.
type ShapeError struct {
	Shape  Shape
	Reason string
}

func (e *ShapeError) Error() string {
	return fmt.Sprintf("%d workers on %d nodes with batch %g: %s", e.Shape.Workers, e.Shape.Nodes, e.Shape.Batch, e.Reason)
}

// ValueError is a value that cannot be.
type ValueError struct {
	Name   string
	Value  float64
	Reason error
}

func (e *ValueError) Error() string { return fmt.Sprintf("%s is %g: %v", e.Name, e.Value, e.Reason) }

// Unwrap is the reason.
func (e *ValueError) Unwrap() error { return e.Reason }

// positive complains of a value that is not finite, or not between least and most, which are
// greater than zero.
func positive(name string, value, least, most float64) error {
	switch {
	case math.IsNaN(value) || math.IsInf(value, 0):
		return &ValueError{name, value, ErrNotFinite}
	case value <= 0:
		return &ValueError{name, value, ErrNotGreater}
	case value < least || value > most:
		return &ValueError{name, value, fmt.Errorf("%w: it must be between %g and %g", ErrOutOfRange, least, most)}
	}
	return nil
}
