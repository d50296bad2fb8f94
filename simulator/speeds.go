package simulator

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/takt-dev/takt/simulator/table"
)

// Speeds are the measured speeds of one kind of training, in iterations per second by the number
// of GPUs. Numbers of GPUs that were not measured are absent.
type Speeds map[int]float64

// ReadSpeeds reads the measured speeds of one model by its global batch size: a row for each
// batch size, a column for each number of GPUs. An empty, zero or nan cell was not measured.
func ReadSpeeds(r io.Reader) (map[int]Speeds, []table.BadRow, error) {
	const batchColumn = "global_batch_size"
	t, err := table.New(r)
	if err != nil {
		return nil, nil, err
	}
	if _, ok := t.Columns()[batchColumn]; !ok {
		return nil, nil, errors.New("the header is of no table of speeds: it lacks " + batchColumn)
	}
	sizes := map[string]int{}
	for column := range t.Columns() {
		if column == batchColumn {
			continue
		}
		size, err := strconv.Atoi(column)
		if err != nil || size < 1 {
			return nil, nil, fmt.Errorf("the column %q of the header is no number of GPUs", column)
		}
		sizes[column] = size
	}
	batches := map[int]Speeds{}
	err = t.Each(func(r table.Row) error {
		batch, err := r.Number(batchColumn, 1)
		if err != nil {
			return err
		}
		speeds := Speeds{}
		for _, column := range slices.Sorted(maps.Keys(sizes)) {
			if text := r.Text(column); text == "" || strings.EqualFold(text, "nan") {
				continue
			}
			speed, err := r.Number(column, 0)
			if err != nil {
				return err
			}
			if speed > 0 {
				speeds[sizes[column]] = speed
			}
		}
		if len(speeds) == 0 {
			return errors.New("nothing was measured in this row")
		}
		if _, twice := batches[int(batch)]; twice {
			return fmt.Errorf("the batch size %g is there twice", batch)
		}
		batches[int(batch)] = speeds
		return nil
	})
	return batches, t.Bad(), err
}
