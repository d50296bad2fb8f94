package resize_test

import (
	"errors"
	"testing"
	"time"

	"github.com/takt-dev/takt/elastic/resize"
)

func TestLimitsValidate(t *testing.T) {
	tests := map[string]struct {
		change   func(*resize.Limits)
		wantName string
	}{
		"defaults":                    {func(*resize.Limits) {}, ""},
		"zero":                        {func(l *resize.Limits) { l.DrainWithin = 0 }, "DrainWithin"},
		"negative":                    {func(l *resize.Limits) { l.StartWithin = -time.Second }, "StartWithin"},
		"settles after giving up":     {func(l *resize.Limits) { l.SettleAfter = l.PlaceWithin }, "SettleAfter"},
		"answer after the checkpoint": {func(l *resize.Limits) { l.AcknowledgeWithin = time.Hour }, "AcknowledgeWithin"},
		"steady after giving up":      {func(l *resize.Limits) { l.VerifyWithin = time.Second }, "SteadyFor"},
		"steady after a start failed": {func(l *resize.Limits) { l.StartWithin = time.Second }, "SteadyFor"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			limits := resize.DefaultLimits()
			tt.change(&limits)
			err := limits.Validate()
			if tt.wantName == "" {
				if err != nil {
					t.Errorf("Validate() = %v, want nil", err)
				}
				return
			}
			if wrong, is := errors.AsType[*resize.LimitError](err); !is || wrong.Name != tt.wantName {
				t.Errorf("Validate() = %v, want an error on %s", err, tt.wantName)
			}
		})
	}
}
