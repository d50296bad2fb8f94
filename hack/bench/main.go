// Command bench measures what docs/benchmarks.md tells, and writes it: each table with the command
// that it comes from, each target beside what was reached. It is run by make bench.
package main

import (
	"bytes"
	"context"
	_ "embed"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
)

//go:embed prose.md
var prose string

func main() {
	data := flag.String("data", "", "the folder with the published traces and tables")
	takt := flag.String("takt", "bin/takt", "the program to measure")
	out := flag.String("out", "docs/benchmarks.md", "the file to write")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	b := &bench{data: *data, takt: *takt}
	err := b.write(ctx, *out)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

// bench is one run of all benchmarks.
type bench struct {
	data, takt string
	page       bytes.Buffer
}

func (b *bench) write(ctx context.Context, out string) error {
	b.page.WriteString(prose)
	for _, section := range []func(context.Context) error{
		b.stock, b.published, b.learning, b.contention, b.noise, b.bystanders, b.prediction, b.speed,
	} {
		if err := section(ctx); err != nil {
			return err
		}
	}
	if err := os.MkdirAll(filepath.Dir(out), 0o755); err != nil {
		return err
	}
	before, err := os.ReadFile(out)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if _, scheduler, found := strings.Cut(string(before), schedulerHeading); found {
		b.page.WriteString("\n" + schedulerHeading + scheduler)
	}
	return os.WriteFile(out, b.page.Bytes(), 0o644)
}

// schedulerHeading begins what make bench-scheduler writes, which stays.
const schedulerHeading = "## The scheduler\n"

// say adds a paragraph to the page.
func (b *bench) say(format string, args ...any) { fmt.Fprintf(&b.page, "\n"+format+"\n", args...) }

// mark says whether a target was reached.
func mark(reached bool) string {
	if reached {
		return "reached"
	}
	return "**falls short**"
}
