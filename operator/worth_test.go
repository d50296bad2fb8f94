package operator

import (
	"math"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/takt-dev/takt/elastic"
)

func TestSentencesFitIntoAStatus(t *testing.T) {
	long := strings.Repeat("ä", longestMessage)
	for name, test := range map[string]struct {
		all  []string
		want string
	}{
		"none":                  {nil, ""},
		"one":                   {[]string{"", "It runs.", ""}, "It runs."},
		"two":                   {[]string{"It runs.", "", "It is late."}, "It runs. It is late."},
		"one for which no room": {[]string{"It runs.", long, "It is late."}, "It runs. It is late."},
	} {
		t.Run(name, func(t *testing.T) {
			if got := sentences(test.all...); got != test.want {
				t.Errorf("%q, want %q", got, test.want)
			}
		})
	}
	if got := sentences(long); len(got) > longestMessage || !utf8.ValidString(got) || !strings.HasSuffix(got, "ä...") {
		t.Errorf("%d bytes that end with %q", len(got), got[len(got)-10:])
	}
}

func TestSpansAreWrittenAsPeopleDo(t *testing.T) {
	for d, want := range map[time.Duration]string{
		39 * time.Minute: "39m", -65 * time.Minute: "-1h5m", 0: "0s", -time.Second: "-1s",
		math.MaxInt64: "106751d23h", math.MinInt64: "-106751d23h",
	} {
		if got := span(d); got != want || len(got) > 16 {
			t.Errorf("span(%d) is %s, want %s", d, got, want)
		}
	}
}

// A speed near zero makes an end that no calendar has.
func TestMomentsThatNoCalendarHas(t *testing.T) {
	for _, s := range []elastic.Seconds{1e300, -1e300, elastic.Seconds(math.Inf(1))} {
		if far := moment(s).Sub(start).Abs(); far < 200*365*24*time.Hour {
			t.Errorf("moment(%g) is %v", s, moment(s))
		}
	}
	if got := moment(seconds(start)); !got.Equal(start) {
		t.Errorf("%v comes back as %v", start, got)
	}
}
