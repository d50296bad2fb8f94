package v1alpha1

import (
	"testing"
	"time"
)

func TestValuesAreReadAsTheyWereMade(t *testing.T) {
	moment := time.Date(2026, 11, 21, 18, 0, 0, 0, time.FixedZone("", 5*3600+1800))
	if got, err := NewTime(moment).Time(); err != nil || !got.Equal(moment) {
		t.Errorf("Time: %v %v, want %v", got, err, moment)
	}
	for _, refused := range []time.Time{{}, time.Date(3000, 1, 1, 0, 0, 0, 0, time.UTC),
		time.Date(292277026596, 1, 1, 0, 0, 0, 0, time.UTC)} {
		if got := NewTime(refused); got != "" {
			t.Errorf("NewTime of the year %d is %s, which the API server refuses", refused.Year(), got)
		}
	}
	for made, want := range map[time.Duration]Duration{
		6 * time.Hour:           "6h0m0s",
		9 * time.Second:         "9s",
		1500 * time.Millisecond: "1.5s",
		800 * time.Microsecond:  "1ms",
		time.Nanosecond:         "0s",
		-time.Second:            "0s",
	} {
		got := NewDuration(made)
		if got != want {
			t.Errorf("NewDuration(%v) is %s, want %s", made, got, want)
		}
		if _, err := got.Duration(); err != nil {
			t.Error(err)
		}
	}
	for made, want := range map[float64]Decimal{
		12.5: "12.5", 0.034: "0.034", 100: "100", 1e12: "1000000000000", 0: "0", -1: "0", 1e-12: "0.000000000001", 1e-20: "0",
	} {
		got := NewDecimal(made)
		if got != want {
			t.Errorf("NewDecimal(%v) is %s, want %s", made, got, want)
		}
		if _, err := got.Float(); err != nil {
			t.Error(err)
		}
	}
}
