package written

import (
	"encoding/json"
	"fmt"
	"strconv"
	"time"

	"k8s.io/apimachinery/pkg/types"

	"github.com/takt-dev/takt/elastic/resize"
)

// kept is a resize.Ask as it stands in AskAnnotation. The names are read by other releases of
// Takt, so they must not change.
type kept struct {
	// Job is the UID of the job that was asked. An annotation that came along with a copied manifest
	// carries another, and says nothing.
	Job       types.UID      `json:"job"`
	Epoch     resize.Epoch   `json:"epoch"`
	Stage     resize.Stage   `json:"stage"`
	Workers   resize.Workers `json:"workers"`
	Suspended bool           `json:"suspended,omitempty"`
	At        time.Time      `json:"at,omitzero"`
	Before
}

// Before is how a job was before it was asked for anything.
type Before struct {
	// Size is the one that it had, or that somebody has given it since.
	Size resize.Workers `json:"written,omitempty"`
	// Suspended says that whoever submitted it has suspended it, for Takt to start it.
	Suspended bool `json:"submittedSuspended,omitempty"`
}

// EncodeAsk writes down what was asked of a job, and how it was before that, for AskAnnotation.
func EncodeAsk(job types.UID, ask resize.Ask, before Before) (string, error) {
	text, err := json.Marshal(kept{
		Job: job, Epoch: ask.Epoch, Stage: ask.Stage,
		Workers: ask.Workers, Suspended: ask.Suspended, At: ask.At.UTC(), Before: before,
	})
	if err != nil {
		return "", fmt.Errorf("write down what is asked of the job: %w", err)
	}
	return string(text), nil
}

// DecodeAsk reads what EncodeAsk wrote for this job. Anything else is no ask: the annotation can be
// edited by people, and half an ask would pass for Takt's own hand.
func DecodeAsk(job types.UID, text string) resize.Ask {
	w, ok := decode(job, text)
	if !ok {
		return resize.Ask{}
	}
	return resize.Ask{Epoch: w.Epoch, Stage: w.Stage, Workers: w.Workers, Suspended: w.Suspended, At: w.At.UTC()}
}

func decode(job types.UID, text string) (kept, bool) {
	var w kept
	if text == "" || json.Unmarshal([]byte(text), &w) != nil {
		return w, false
	}
	// The next Resize has the next epoch: one that leaves none was written by somebody else. So was a date that cannot be
	// written again.
	year := w.At.UTC().Year()
	dated := year >= 0 && year <= 9999
	return w, w.Job == job && dated && w.Epoch >= 1 && w.Epoch < lastEpoch && w.Workers >= 0 && known(w.Stage)
}

// lastEpoch is the greatest that a Resize may have.
const lastEpoch = 999_999_999

// Since is how a job was before it was asked for anything, which is so now. Where it has another size than was asked of
// it, somebody has written that.
func (b Before) Since(job types.UID, text string) Before {
	w, ok := decode(job, text)
	if !ok {
		return b
	}
	if b.Suspended = w.Before.Suspended; w.Size > 0 && w.Workers == b.Size {
		b.Size = w.Size
	}
	return b
}

// Returns reads ReturnsAnnotation of a job that Takt has suspended.
func Returns(asked resize.Ask, text string) resize.Workers {
	size, err := strconv.Atoi(text)
	if err != nil || size < 1 || !asked.Suspended {
		return 0
	}
	return resize.Workers(size)
}

func known(s resize.Stage) bool {
	switch s {
	case resize.Forward, resize.Back, resize.Restart, resize.Halt:
		return true
	default:
		return false
	}
}
