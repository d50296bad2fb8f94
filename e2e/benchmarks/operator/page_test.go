package operator

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/takt-dev/takt/e2e/lib/results"
)

// out is where the benchmarks write their tables; make bench-operator gives it.
var out = flag.String("out", "", "the `file` to write the tables to")

// measured are the sections of this run.
var measured bytes.Buffer

const preface = `# Benchmarks of the operator

Written by ` + "`make bench-operator`" + `, which measures on a real control plane
(localcluster: etcd, kube-apiserver, kube-controller-manager, kube-scheduler, training-operator) with
nodes that KWOK simulates, all on one machine. The process that is measured is bin/takt-operator,
unless a section says otherwise.

What falls short is marked as falling short, in the row where it does.
`

// table adds a section with a table to the page, under a heading.
func table(b *testing.B, heading string, columns []string, rows [][]string) {
	b.Helper()
	var text strings.Builder
	fmt.Fprintf(&text, "\n## %s\n\nMeasured on %s, %d processors %s, load average %s.\n\n", heading,
		time.Now().UTC().Format("2006-01-02 15:04 MST"), runtime.NumCPU(), processor(), load1())
	fmt.Fprintf(&text, "| %s |\n|%s\n", strings.Join(columns, " | "), strings.Repeat("---|", len(columns)))
	for _, row := range rows {
		fmt.Fprintf(&text, "| %s |\n", strings.Join(row, " | "))
	}
	b.Log(text.String())
	measured.WriteString(text.String())
}

// remark adds a paragraph to the page.
func remark(text string) { measured.WriteString("\n" + text + "\n") }

// publish writes the page, if there is anything to write. Sections of it that were not measured anew stay.
func publish() error {
	if *out == "" || measured.Len() == 0 {
		return nil
	}
	before, err := os.ReadFile(*out)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return os.WriteFile(*out, []byte(results.Merge(preface, string(before), measured.String())), 0o644)
}

func load1() string {
	text, err := os.ReadFile("/proc/loadavg")
	if err != nil {
		return "unknown"
	}
	return strings.Fields(string(text))[0]
}

func processor() string {
	text, err := os.ReadFile("/proc/cpuinfo")
	if err != nil {
		return runtime.GOARCH
	}
	for line := range strings.Lines(string(text)) {
		if name, found := strings.CutPrefix(line, "model name"); found {
			return "(" + strings.Trim(name, " \t:\n") + ")"
		}
	}
	return runtime.GOARCH
}
