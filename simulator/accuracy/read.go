package accuracy

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
	"unicode"

	"github.com/takt-dev/takt/elastic"
	"github.com/takt-dev/takt/predictor"
	"github.com/takt-dev/takt/simulator"
	"github.com/takt-dev/takt/simulator/table"
)

// Read reads the measured step times of a file, whose format is known by how it begins. App names
// the job where the file does not. Where the file does not tell on how many nodes the workers
// ran, each node holds perNode of them. Rows that make no sense are left out and told of.
func Read(app string, perNode int, r io.Reader) ([]Table, []table.BadRow, error) {
	if perNode < 1 {
		return nil, nil, fmt.Errorf("a node holds %s: it must be 1 or more", elastic.CountOf(perNode, "worker"))
	}
	text := bufio.NewReader(r)
	first, err := firstLetter(text)
	if err != nil {
		return nil, nil, fmt.Errorf("the file holds nothing: %w", err)
	}
	if first == '{' {
		tables, err := readGavel(perNode, text)
		return tables, nil, err
	}
	var header strings.Builder
	lines := io.TeeReader(text, &header)
	t, err := table.New(lines)
	if err != nil {
		return nil, nil, err
	}
	has := func(columns ...string) bool {
		for _, column := range columns {
			if _, ok := t.Columns()[column]; !ok {
				return false
			}
		}
		return true
	}
	switch {
	case has("placement", "local_bsz", "step_time", "sync_time"):
		return readSteps(app, t, placed)
	case has("num_nodes", "num_replicas", "local_bsz", "step_time", "sync_time"):
		return readSteps(app, t, counted)
	case has("global_batch_size"):
		return readSpeeds(app, perNode, io.MultiReader(strings.NewReader(header.String()), text))
	default:
		return nil, nil, errors.New("the header is of no known table of step times: " +
			"it has neither placement nor num_replicas nor global_batch_size")
	}
}

// firstLetter looks past white space, and takes only that.
func firstLetter(r *bufio.Reader) (rune, error) {
	for {
		letter, _, err := r.ReadRune()
		if err != nil {
			return 0, err
		}
		if !unicode.IsSpace(letter) {
			return letter, r.UnreadRune()
		}
	}
}

// readSteps reads step times by batch per worker and by where the workers are, which where tells.
func readSteps(app string, t *table.Table, where func(table.Row) (string, predictor.Shape, error)) ([]Table,
	[]table.BadRow, error) {
	var settings []Setting
	seen := map[string]bool{}
	err := t.Each(func(r table.Row) error {
		name, shape, err := where(r)
		if err != nil {
			return err
		}
		batch, errBatch := r.Number("local_bsz", 1)
		step, errStep := r.Number("step_time", 0)
		sync, errSync := r.Number("sync_time", 0)
		if err := errors.Join(errBatch, errStep, errSync); err != nil {
			return err
		}
		if step == 0 || sync >= step {
			return fmt.Errorf("step_time is %g: it must be greater than sync_time, which is %g", step, sync)
		}
		shape.Batch = batch
		name += fmt.Sprintf("×%g", batch)
		if seen[name] {
			return fmt.Errorf("%s is there twice", name)
		}
		seen[name] = true
		settings = append(settings, Setting{name, shape, predictor.Seconds(step), predictor.Seconds(sync)})
		return nil
	})
	return []Table{{app, settings}}, t.Bad(), err
}

// placed reads a placement: a digit for each node, the number of its workers.
func placed(r table.Row) (string, predictor.Shape, error) {
	digits := r.Text("placement")
	shape := predictor.Shape{Nodes: len(digits)}
	for _, digit := range digits {
		if digit < '1' || digit > '9' {
			return "", shape, fmt.Errorf("placement is %q: it must be a digit from 1 to 9 for each node", digits)
		}
		shape.Workers += predictor.Workers(digit - '0')
	}
	if digits == "" {
		return "", shape, errors.New("placement is empty")
	}
	return digits, shape, nil
}

func counted(r table.Row) (string, predictor.Shape, error) {
	nodes, errNodes := strconv.Atoi(r.Text("num_nodes"))
	workers, errWorkers := strconv.Atoi(r.Text("num_replicas"))
	if errNodes != nil || errWorkers != nil || nodes < 1 || workers < nodes || workers > math.MaxInt32 {
		return "", predictor.Shape{}, fmt.Errorf("num_nodes is %q and num_replicas %q: they must be whole numbers, "+
			"with a replica on each node", r.Text("num_nodes"), r.Text("num_replicas"))
	}
	return fmt.Sprintf("%d/%d", workers, nodes), predictor.Shape{Workers: predictor.Workers(workers), Nodes: nodes}, nil
}

// readSpeeds reads steps per second by the batch over all workers and by their number.
func readSpeeds(app string, perNode int, r io.Reader) ([]Table, []table.BadRow, error) {
	batches, bad, err := simulator.ReadSpeeds(r)
	if err != nil {
		return nil, bad, err
	}
	var settings []Setting
	for _, batch := range sortedKeys(batches) {
		for _, workers := range sortedKeys(batches[batch]) {
			settings = append(settings, Setting{
				Name: fmt.Sprintf("%d×%d", workers, batch),
				Shape: predictor.Shape{
					Workers: predictor.Workers(workers),
					Nodes:   (workers + perNode - 1) / perNode,
					Batch:   float64(batch) / float64(workers),
				},
				Step: predictor.Seconds(1 / batches[batch][workers]),
			})
		}
	}
	return []Table{{app, settings}}, bad, nil
}
