package accuracy

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/takt-dev/takt/predictor"
)

const spreadOut = "_unconsolidated"

// gavelJob is a key of Gavel's tables: "('ResNet-18 (batch size 16)', 4)" or "('A3C', 1)".
var gavelJob = regexp.MustCompile(`^\('([^'()]+?)(?: \(batch size (\d+)\))?', (\d+)\)$`)

// readGavel reads throughputs by type of GPU, job and other job on the same GPU. Only what a job
// does alone counts here. The throughput is that of all workers together: each does its batch in
// workers/throughput seconds. In the tables of a type whose name ends in _unconsolidated every
// worker has a node for itself. There is one table for each type of GPU and model.
func readGavel(perNode int, r io.Reader) ([]Table, error) {
	var types map[string]map[string]map[string]json.RawMessage
	if err := json.NewDecoder(r).Decode(&types); err != nil {
		return nil, fmt.Errorf("the file is no table of throughputs by type of GPU: %w", err)
	}
	tables := map[string][]Setting{}
	for _, name := range sortedKeys(types) {
		gpu, apart := strings.CutSuffix(name, spreadOut)
		for _, key := range sortedKeys(types[name]) {
			parts := gavelJob.FindStringSubmatch(key)
			if parts == nil {
				return nil, fmt.Errorf("%s: %q names no job and number of GPUs", name, key)
			}
			var speed float64
			if err := json.Unmarshal(types[name][key]["null"], &speed); err != nil {
				return nil, fmt.Errorf("%s: what %s does alone is no number: %w", name, key, err)
			}
			workers, err := strconv.Atoi(parts[3])
			if err != nil || workers < 1 || workers > 1<<20 {
				return nil, fmt.Errorf("%s: %s is on no sensible number of GPUs", name, key)
			}
			// One worker is where it is; and zero means that it does not fit.
			if speed <= 0 || apart && workers == 1 {
				continue
			}
			batch, _ := strconv.ParseFloat(cmp.Or(parts[2], "1"), 64)
			nodes := (workers + perNode - 1) / perNode
			if apart {
				nodes = workers
			}
			app := gpu + "/" + parts[1]
			tables[app] = append(tables[app], Setting{
				Name:  fmt.Sprintf("%d/%d×%g", workers, nodes, batch),
				Shape: predictor.Shape{Workers: predictor.Workers(workers), Nodes: nodes, Batch: batch},
				Step:  predictor.Seconds(float64(workers) / speed),
			})
		}
	}
	var list []Table
	for _, app := range sortedKeys(tables) {
		list = append(list, Table{app, tables[app]})
	}
	return list, nil
}

func sortedKeys[K cmp.Ordered, V any](m map[K]V) []K { return slices.Sorted(maps.Keys(m)) }
