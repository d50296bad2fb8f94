package scale

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"
)

// out is where the benchmarks write their tables; make bench-operator gives it.
var out = flag.String("out", "", "the `file` to write the tables to")

var page bytes.Buffer

const preface = `# Benchmarks of the operator

Written by ` + "`make bench-operator`" + `, which measures on a real control plane
(localcluster: etcd, kube-apiserver, kube-controller-manager, kube-scheduler, training-operator) with
nodes that KWOK simulates, all on one machine. The process that is measured is bin/takt-operator.

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
	page.WriteString(text.String())
}

// remark adds a paragraph to the page.
func remark(text string) { page.WriteString("\n" + text + "\n") }

// publish writes the page, if there is anything to write. Sections of it that were not measured anew stay.
func publish() error {
	if *out == "" || page.Len() == 0 {
		return nil
	}
	before, err := os.ReadFile(*out)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return os.WriteFile(*out, []byte(merged(string(before), page.String())), 0o644)
}

// merged is the page with new sections in the places of those with the same headings.
func merged(before, measured string) string {
	const heading = "\n## "
	sections := map[string]string{}
	for _, text := range []string{before, measured} {
		for i, section := range strings.Split(text, heading) {
			if i > 0 {
				title, _, _ := strings.Cut(section, "\n")
				sections[title] = strings.TrimRight(section, "\n")
			}
		}
	}
	page := preface
	for _, title := range slices.Sorted(maps.Keys(sections)) {
		page += heading + sections[title] + "\n"
	}
	return page
}

func TestSectionsThatWereNotMeasuredAnewStay(t *testing.T) {
	before := merged("", "\n## A\n\none\n\n## B\n\ntwo\n")
	if got, want := merged(before, "\n## B\n\nthree\n"), preface+"\n## A\n\none\n\n## B\n\nthree\n"; got != want {
		t.Errorf("got:\n%s\nwant:\n%s", got, want)
	}
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
