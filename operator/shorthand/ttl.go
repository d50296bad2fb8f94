package shorthand

import (
	"errors"
	"fmt"
	"time"
)

// readTTL reads 24h or 7d. An error says what to write instead.
func readTTL(text string) (time.Duration, error) {
	text = bare(text)
	switch {
	case number.MatchString(text):
		return 0, fmt.Errorf("a number has no unit: write %sh for hours, or %sm for minutes", text, text)
	case !spanForm.MatchString(text):
		return 0, errors.New("write how long the ElasticJob is to stay once the job has ended, such as 24h or 7d")
	}
	return readSpan(text)
}
