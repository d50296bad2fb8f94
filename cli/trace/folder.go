package trace

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/takt-dev/takt/cli/queuefile"
	"github.com/takt-dev/takt/records/replay"
)

// The files in the folder.
const (
	jobsFile     = "jobs.csv"
	speedsFolder = "speeds"
	queuesFile   = "queues.yaml"
)

// Write makes a folder of a trace. One that has anything in it is left alone: what is there may be wanted, and speeds
// that are of other jobs would be taken for theirs. The queues of the cluster are written beside it, if they are known.
func Write(folder string, t replay.Trace, queues queuefile.Queues) error {
	entries, err := os.ReadDir(folder)
	switch {
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("%w: name another folder with --to", err)
	case len(entries) > 0:
		return fmt.Errorf("the folder %s is not empty: name another with --to, or remove it", folder)
	}
	if err := os.MkdirAll(filepath.Join(folder, speedsFolder), 0o750); err != nil {
		return fmt.Errorf("%w: name another folder with --to", err)
	}
	for model, table := range t.Speeds {
		if err := writeTable(filepath.Join(folder, speedsFolder, model+".csv"), table); err != nil {
			return err
		}
	}
	if len(queues) > 0 {
		if err := queuefile.Write(filepath.Join(folder, queuesFile), queues); err != nil {
			return err
		}
	}
	return writeTable(filepath.Join(folder, jobsFile), t.Jobs)
}

func writeTable(path string, table [][]string) error {
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return unwritten(path, err)
	}
	w := csv.NewWriter(file)
	err = w.WriteAll(table)
	if err := errors.Join(err, file.Close()); err != nil {
		return unwritten(path, err)
	}
	return nil
}

func unwritten(path string, err error) error {
	return fmt.Errorf("%s cannot be written: %w. Name another folder with --to", path, err)
}
