package trace

import (
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
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
	kinds := kindsOf(t)
	choice := ""
	if len(kinds) > 1 {
		choice = " --gpu-type " + kinds[0]
	}
	text = show.Wrapped(text, "", show.LineWidth) + fmt.Sprintf("\n\ntakt sim --trace %s --throughputs %s --gpus "+
		"64,96,128%s\n\nreplays them on clusters of these sizes.\n",
		filepath.Join(folder, jobsFile), filepath.Join(folder, speedsFolder), choice)
	if len(kinds) > 1 {
		text += show.Wrapped(fmt.Sprintf("They ran on several kinds of GPUs (%s), of which such a cluster has one: "+
			"--gpu-type chooses it.", strings.Join(kinds, ", ")), "", show.LineWidth) + "\n"
	}
	if len(queues) > 0 {
		text += show.Wrapped(fmt.Sprintf("With --queues %s the queues share these clusters: as they are now, or as you "+
			"change them in that file.", filepath.Join(folder, queuesFile)), "", show.LineWidth) + "\n"
	}
	return text
}

// kindsOf are the kinds of GPUs that the jobs of a trace ran on.
func kindsOf(t replay.Trace) []string {
	at := slices.Index(t.Jobs[0], "gpu_type")
	found := map[string]bool{}
	for _, job := range t.Jobs[1:] {
		found[job[at]] = true
	}
	delete(found, "")
	return slices.Sorted(maps.Keys(found))
}

func were(n int) string {
	if n == 1 {
		return "1 was"
	}
	return fmt.Sprintf("%d were", n)
}

func day(t time.Time) string { return t.UTC().Format("2006-01-02 15:04 MST") }
