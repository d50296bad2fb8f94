package trace

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"

	"github.com/takt-dev/takt/records"
	"github.com/takt-dev/takt/records/volume"
)

// Read reads the records of jobs that were kept elsewhere than in the cluster: the folder on a volume in which the
// operator keeps them, or what takt trace -o json has written, a file or - for the standard input. It says how many of
// them make no sense.
func Read(from string, in io.Reader, which Jobs) (all []records.Record, bad int, err error) {
	if from != "-" {
		is, err := os.Stat(from)
		switch {
		case err != nil:
			return nil, 0, fmt.Errorf("%w: name with --from the folder in which takt-operator keeps records, or a file that "+
				"takt trace -o json has written", err)
		case is.IsDir():
			return volume.Read(from, which.Since, which.Has)
		}
		file, err := os.Open(filepath.Clean(from))
		if err != nil {
			return nil, 0, fmt.Errorf("%w: name with --from a file that you may read", err)
		}
		defer file.Close()
		in = file
	}
	if err := json.NewDecoder(in).Decode(&all); err != nil {
		return nil, 0, fmt.Errorf("%s is not what takt trace -o json writes: %w. Have it written anew, or name another "+
			"file with --from", from, err)
	}
	return slices.DeleteFunc(all, func(r records.Record) bool { return !which.Has(r) }), 0, nil
}
