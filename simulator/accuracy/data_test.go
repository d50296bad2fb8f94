package accuracy

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"testing"
)

// BenchmarkPrediction measures the predictor on published step times, which are in the folder
// that TAKT_DATA names.
func BenchmarkPrediction(b *testing.B) {
	if os.Getenv("TAKT_DATA") == "" {
		b.Skip("TAKT_DATA does not name a folder with measured step times")
	}
	for _, whole := range measured(b) {
		app := whole.App
		for name, table := range map[string]Table{
			"steps": whole.WithoutSync(), "steps+sync": whole, "shapes": whole.WithoutSync().ByShape(),
		} {
			for _, samples := range []int{5, 10, 20} {
				b.Run(fmt.Sprintf("%s/%s/samples=%d", app, name, samples), func(b *testing.B) { benchmark(b, table, samples) })
			}
		}
	}
}

// measured are the step times of all apps that were measured in many placements.
func measured(tb testing.TB) []Table {
	var all []Table
	for _, app := range []string{"bert", "cifar10", "imagenet"} {
		text, err := os.ReadFile(filepath.Join(os.Getenv("TAKT_DATA"), "adaptdl", app, "placements.csv"))
		if err != nil {
			tb.Fatal(err)
		}
		tables, bad, err := Read(app, 4, bytes.NewReader(text))
		if err != nil || len(bad) > 0 {
			tb.Fatal(err, bad)
		}
		all = append(all, tables...)
	}
	return all
}

func benchmark(b *testing.B, table Table, samples int) {
	var report Report
	for b.Loop() {
		var err error
		if report, err = Evaluate(table, samples, 15, 1); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(100*report.MAPEMedian, "%error")
	b.ReportMetric(100*report.MAPEP90, "%error-p90")
	b.ReportMetric(100*report.Coverage90, "%covered")
	b.ReportMetric(100*report.BaselineMAPEMedian, "%baseline")
	if report.RepeatMAPE != nil {
		b.ReportMetric(100**report.RepeatMAPE, "%repeat")
	}
}
