package simulator

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// BenchmarkBound finds the bound for the published traces, which are in the folder that TAKT_DATA
// names. The ratio depends on the data alone, the time on the machine.
func BenchmarkBound(b *testing.B) {
	data := os.Getenv("TAKT_DATA")
	if data == "" {
		b.Skip("TAKT_DATA does not name a folder with traces")
	}
	for _, setting := range []struct {
		trace, speeds string
		gpus          int
	}{
		{"cluster01", "A100", 512}, {"cluster02", "A100", 512}, {"cluster05", "A100", 512}, {"cluster07", "A100", 1024},
		{"cluster10", "A100", 256}, {"t4-195", "T4", 64}, {"t4-195", "T4", 32}, {"cluster05", "A100", 64},
		{"cluster05", "A100", 32},
	} {
		jobs, speeds, err := readData(data, setting.trace, setting.speeds)
		if err != nil {
			b.Fatal(err)
		}
		for _, cost := range []Seconds{0, 30} {
			b.Run(fmt.Sprintf("%s/gpus=%d/resize=%vs", setting.trace, setting.gpus, cost), func(b *testing.B) {
				var bound Bound
				for b.Loop() {
					bound = NewBound(jobs, speeds, setting.gpus, cost)
				}
				b.ReportMetric(bound.Ratio(), "ratio")
				b.ReportMetric(float64(bound.Met()), "met")
			})
		}
	}
}

func readData(data, trace, gpu string) ([]Job, func(Job) Speeds, error) {
	file, err := os.Open(filepath.Join(data, "elasticflow", "traces", trace+".csv"))
	if err != nil {
		return nil, nil, err
	}
	defer file.Close()
	jobs, bad, err := ReadTrace(file)
	if err != nil || len(bad) > 0 {
		return nil, nil, errors.Join(err, fmt.Errorf("%s: %d bad rows: %v", trace, len(bad), bad))
	}
	paths, err := filepath.Glob(filepath.Join(data, "elasticflow", "throughputs", gpu, "*.csv"))
	if err != nil {
		return nil, nil, err
	}
	models := map[string]map[int]Speeds{}
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			return nil, nil, err
		}
		speeds, _, err := ReadSpeeds(strings.NewReader(string(text)))
		if err != nil {
			return nil, nil, fmt.Errorf("%s: %w", path, err)
		}
		models[strings.TrimSuffix(filepath.Base(path), ".csv")] = speeds
	}
	return jobs, func(job Job) Speeds { return models[job.Model][job.Batch] }, nil
}
