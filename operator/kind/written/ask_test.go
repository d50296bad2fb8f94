package written

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/takt-dev/takt/elastic/resize"
)

var asked = time.Date(2026, 11, 21, 10, 0, 0, 123456789, time.UTC)

func TestAskComesBackAsWritten(t *testing.T) {
	for name, ask := range map[string]resize.Ask{
		"all of it":          {Epoch: 12, Stage: resize.Back, Workers: 4, Suspended: true, At: asked},
		"no suspension":      {Epoch: 1, Stage: resize.Forward, Workers: 1, At: asked},
		"another time zone":  {Epoch: 1, Stage: resize.Halt, Workers: 1, At: asked.In(time.FixedZone("", 5400))},
		"the time unknown":   {Epoch: 1, Stage: resize.Restart, Workers: 1},
		"nobody to be asked": {Epoch: 1, Stage: resize.Forward},
	} {
		t.Run(name, func(t *testing.T) {
			text, err := EncodeAsk("u-1", ask, Before{Size: 3})
			if err != nil {
				t.Fatal(err)
			}
			same(t, ask, DecodeAsk("u-1", text))
		})
	}
}

// The text is read by other releases of Takt.
func TestAskIsWrittenTheSameForEver(t *testing.T) {
	const want = `{"job":"u-1","epoch":12,"stage":"Back","workers":4,"suspended":true,"at":"2026-11-21T10:00:00.123456789Z","written":3,"submittedSuspended":true}`
	got, err := EncodeAsk("u-1", resize.Ask{Epoch: 12, Stage: resize.Back, Workers: 4, Suspended: true, At: asked},
		Before{Size: 3, Suspended: true})
	if err != nil || got != want {
		t.Errorf("%s, %v; want %s", got, err, want)
	}
}

func TestAskThatIsNotOursIsNone(t *testing.T) {
	for name, text := range map[string]string{
		"nothing":           ``,
		"no JSON":           `epoch 3`,
		"cut off":           `{"job":"u-1","epoch":3,"stage":"Forward","workers":2`,
		"another shape":     `[3]`,
		"null":              `null`,
		"a text for number": `{"job":"u-1","epoch":"3","stage":"Forward","workers":2}`,
		"too great":         `{"job":"u-1","epoch":99999999999999999999,"stage":"Forward","workers":2}`,
		"the last epoch":    `{"job":"u-1","epoch":999999999,"stage":"Forward","workers":2}`,
		"no epoch":          `{"job":"u-1","stage":"Forward","workers":2}`,
		"negative workers":  `{"job":"u-1","epoch":3,"stage":"Forward","workers":-2}`,
		"unknown stage":     `{"job":"u-1","epoch":3,"stage":"Sideways","workers":2}`,
		"no time":           `{"job":"u-1","epoch":3,"stage":"Forward","workers":2,"at":"noon"}`,
		"a year too far":    `{"job":"u-1","epoch":3,"stage":"Forward","workers":2,"at":"9999-12-31T23:59:59-01:00"}`,
		"a year before all": `{"job":"u-1","epoch":3,"stage":"Forward","workers":2,"at":"0000-01-01T00:00:00+01:00"}`,
		"copied manifest":   `{"job":"u-2","epoch":3,"stage":"Forward","workers":2}`,
	} {
		t.Run(name, func(t *testing.T) {
			same(t, resize.Ask{}, DecodeAsk("u-1", text))
		})
	}
}

func TestAskOutOfTimeIsRefused(t *testing.T) {
	late := resize.Ask{At: time.Date(10000, 1, 1, 0, 0, 0, 0, time.UTC)}
	if text, err := EncodeAsk("u-1", late, Before{Size: 3}); err == nil {
		t.Errorf("It was written as %s.", text)
	}
}

func same(t *testing.T, want, got any) {
	t.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}
