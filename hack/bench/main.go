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
	"regexp"
	"strings"
)

//go:embed prose.md
var prose string

func main() {
	data := flag.String("data", "", "the folder with the published traces and tables")
	takt := flag.String("takt", "bin/takt", "the program to measure")
	out := flag.String("out", "docs/benchmarks.md", "the file to write")
	only := flag.String("only", "", "measure the sections whose headings match this `regex`, and keep the others")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	b := &bench{data: *data, takt: *takt}
	which, err := regexp.Compile(*only)
	if err == nil {
		err = b.write(ctx, *out, which)
	}
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

func (b *bench) write(ctx context.Context, out string, only *regexp.Regexp) error {
	before, err := os.ReadFile(out)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	b.page.WriteString(prose)
	for _, section := range []struct {
		heading string
		measure func(context.Context) error
	}{
		{"Deadlines met: the published traces", b.stock},
		{"The elasticflow baseline against its published figures", b.published},
		{"Speeds that are learned", b.learning},
		{"Starts and trials", b.starts},
		{"Contention", b.contention},
		{"Speeds that are wrong", b.noise},
		{"Best-effort jobs, and nodes that fail", b.bystanders},
		{"Prediction", b.prediction},
		{"Speed", b.speed},
		{"The scheduler", nil}, // make bench-scheduler writes it
		{"The zoo", nil},       // make zoo writes it
		{"Starts and trials in the zoo", nil},
	} {
		heading := "\n## " + section.heading + "\n"
		_, rest, found := strings.Cut(string(before), heading)
		switch old, _, _ := strings.Cut(rest, "\n## "); {
		case section.measure != nil && only.MatchString(section.heading):
			b.page.WriteString(heading)
			if err := section.measure(ctx); err != nil {
				return err
			}
		case found:
			b.page.WriteString(heading + old)
		case section.measure != nil:
			return fmt.Errorf("%s has no section %q to keep: measure that as well", out, section.heading)
		}
		b.page.Truncate(len(bytes.TrimRight(b.page.Bytes(), "\n")))
		b.page.WriteByte('\n')
	}
	if err := os.MkdirAll(filepath.Dir(out), 0o755); err != nil {
		return err
	}
	return os.WriteFile(out, b.page.Bytes(), 0o644)
}

// say adds a paragraph to the page.
func (b *bench) say(format string, args ...any) {
	b.page.WriteString("\n" + strings.TrimRight(fmt.Sprintf(format, args...), "\n") + "\n")
}

// mark says whether a target was reached.
func mark(reached bool) string {
	if reached {
		return "reached"
	}
	return "**falls short**"
}
