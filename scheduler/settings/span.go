package settings

import (
	"encoding/json"
	"strings"
	"time"
)

// Span is a time span such as 30s. One that cannot be read keeps what was written, so that it can be
// refused with its name.
type Span struct {
	time.Duration
	wrong string
}

// UnmarshalJSON reads it.
func (s *Span) UnmarshalJSON(text []byte) error {
	var written string
	if err := json.Unmarshal(text, &written); err != nil {
		*s = Span{wrong: strings.TrimSpace(string(text))}
		return nil //nolint:nilerr // Validate says so
	}
	span, err := time.ParseDuration(written)
	if *s = (Span{Duration: span}); err != nil {
		s.wrong = written
	}
	return nil
}
