package trace

import (
	"fmt"
	"path/filepath"
	"time"

	"github.com/takt-dev/takt/cli/queuefile"
	"github.com/takt-dev/takt/cli/show"
	"github.com/takt-dev/takt/elastic"
	"github.com/takt-dev/takt/records"
	"github.com/takt-dev/takt/records/replay"
)

// Jobs are those of a queue and a namespace, if these are named, that have ended since a moment.
type Jobs struct {
	Namespace, Queue string
	Since            time.Time
}

// Has says whether the job of a record is one of them.
func (j Jobs) Has(r records.Record) bool {
	return (j.Namespace == "" || r.Namespace == j.Namespace) && (j.Queue == "" || r.Queue == j.Queue) &&
		!r.Ended.Before(j.Since)
}

// Summary says what a folder has, and what to do with it.
func Summary(folder string, of []records.Record, t replay.Trace, queues queuefile.Queues) string {
	namespaces, first, last := map[string]bool{}, of[0].Ended, of[0].Ended
	for _, r := range of {
		namespaces[r.Namespace] = true
		if r.Ended.Before(first) {
			first = r.Ended
		}
		if r.Ended.After(last) {
			last = r.Ended
		}
	}
	text := fmt.Sprintf("%s of %s, ended from %s to %s.", elastic.CountOf(len(t.Jobs)-1, "job"),
		elastic.CountOf(len(namespaces), "namespace"), day(first), day(last))
	if t.Guesses > 0 {
		text += fmt.Sprintf(" %s never measured, and marked as guesses: they are taken to need as long as they took, at "+
			"the size that they "+
			"had for longest.", were(t.Guesses))
	}
	if t.LeftOut > 0 {
		text += fmt.Sprintf(" %s not seen to run, and left out.", were(t.LeftOut))
	}
	text = show.Wrapped(text, "", show.LineWidth) + fmt.Sprintf("\n\ntakt sim --trace %s --throughputs %s --gpus "+
		"64,96,128\n\nreplays them on clusters of these sizes.\n",
		filepath.Join(folder, jobsFile), filepath.Join(folder, speedsFolder))
	if len(queues) > 0 {
		text += show.Wrapped(fmt.Sprintf("With --queues %s the queues share these clusters: as they are now, or as you "+
			"change them in that file.", filepath.Join(folder, queuesFile)), "", show.LineWidth) + "\n"
	}
	return text
}

func were(n int) string {
	if n == 1 {
		return "1 was"
	}
	return fmt.Sprintf("%d were", n)
}

func day(t time.Time) string { return t.UTC().Format("2006-01-02 15:04 MST") }
