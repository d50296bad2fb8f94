package begin_test

import (
	"testing"

	"github.com/takt-dev/takt/elastic/begin"
	"github.com/takt-dev/takt/elastic/resize"
)

func TestWhatTheEndOfAResizeSaysOfThoseToCome(t *testing.T) {
	for name, test := range map[string]struct {
		condition resize.ConditionType
		reason    resize.Reason
		shrinks   bool
		want      begin.End
	}{
		"it has grown":                 {resize.Succeeded, resize.ProgressSeen, false, begin.Done},
		"nothing fitted":               {resize.RolledBack, resize.NothingFits, false, begin.Failed},
		"nobody has answered":          {resize.RolledBack, resize.NobodyAnswered, false, begin.Unanswered},
		"its pods were evicted":        {resize.RolledBack, resize.PodsMissing, false, begin.Failed},
		"it did not shrink":            {resize.Failed, resize.PodsNotGone, true, begin.Done},
		"it does not train with fewer": {resize.RolledBack, resize.NoProgress, true, begin.Refused},
		"nobody may shrink it":         {resize.Failed, resize.Refused, true, begin.Refused},
		"it was taken back":            {resize.RolledBack, resize.Withdrawn, false, begin.Withdrawn},
		"to shrink it was taken back":  {resize.RolledBack, resize.Withdrawn, true, begin.Withdrawn},
		"it was of another size":       {resize.Failed, resize.SizeNotAsDecided, false, begin.Untried},
		"another decision was faster":  {resize.RolledBack, resize.Superseded, false, begin.Untried},
		"the job was at its end":       {resize.RolledBack, resize.JobAtItsEnd, false, begin.Untried},
		"somebody else has resized it": {resize.Failed, resize.ChangedByHand, false, begin.Failed},
	} {
		if got := begin.EndOf(test.condition, test.reason, test.shrinks); got != test.want {
			t.Errorf("%s: %s, want %s", name, got, test.want)
		}
	}
}
