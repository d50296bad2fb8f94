package v1alpha1

import (
	"strconv"
	"strings"
	"time"
)

// The values below are strings that are read when they are needed. So an
// object always can be decoded, whatever was stored, and it stays as it was
// written: a client that reads it and writes it back changes nothing, and
// takes nothing over from whoever applied it.

// Time is a moment, as an RFC 3339 time with a zone.
//
// +kubebuilder:validation:MaxLength=40
// +kubebuilder:validation:XValidation:rule="self.matches('^(19|2[0-9])[0-9]{2}-[0-9]{2}-[0-9]{2}T([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]([.][0-9]{1,9})?(Z|[+-]([01][0-9]|2[0-3]):[0-5][0-9])$') && !format.datetime().validate(self).hasValue()",message="must be an RFC 3339 time with a zone, such as 2026-11-21T18:00:00Z"
type Time string

// NewTime is a moment to the second; absent if the API server would refuse it,
// as it does outside of the years 1900 to 2999.
func NewTime(t time.Time) Time {
	if t = t.UTC(); t.Year() < 1900 || t.Year() > 2999 {
		return ""
	}
	return Time(t.Format(time.RFC3339))
}

// Time reads the moment; it fails for one that the API server would refuse.
func (t Time) Time() (time.Time, error) { return time.Parse(time.RFC3339Nano, string(t)) }

// Duration is a time span in hours, minutes, seconds and milliseconds, such
// as 6h or 1h30m.
//
// +kubebuilder:validation:MaxLength=40
// +kubebuilder:validation:XValidation:rule="self.matches('^([0-9]{1,6}([.][0-9]{1,6})?h)?([0-9]{1,6}([.][0-9]{1,6})?m)?([0-9]{1,6}([.][0-9]{1,9})?s)?([0-9]{1,6}([.][0-9]{1,6})?ms)?$') && size(self) > 0",message="must be a duration in hours, minutes and seconds, such as 6h or 1h30m"
type Duration string

// NewDuration is a time span to the millisecond, and not below zero.
func NewDuration(d time.Duration) Duration {
	return Duration(max(d, 0).Round(time.Millisecond).String())
}

// Duration reads the span; it fails for one that the API server would
// refuse.
func (d Duration) Duration() (time.Duration, error) { return time.ParseDuration(string(d)) }

// Decimal is a number that is not below zero, such as 12.5.
//
// +kubebuilder:validation:MaxLength=32
// +kubebuilder:validation:XValidation:rule="self.matches('^[0-9]{1,15}([.][0-9]{1,12})?$')",message="must be a decimal number such as 12.5"
type Decimal string

// NewDecimal is a finite number to twelve places, and not below zero.
func NewDecimal(f float64) Decimal {
	text := strconv.FormatFloat(max(f, 0), 'f', 12, 64)
	return Decimal(strings.TrimSuffix(strings.TrimRight(text, "0"), "."))
}

// Float reads the number; it fails for one that the API server would refuse.
func (d Decimal) Float() (float64, error) { return strconv.ParseFloat(string(d), 64) }
