package results

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"
	"sync"
	"time"
)

// Table is what one run has measured of a table.
type Table struct {
	heading string // of the section that it is in
	columns []string
	mu      sync.Mutex
	rows    []string
}

// NewTable is the first table of a section. Its first column says what a row is of. One more says when it was measured.
func NewTable(heading string, columns ...string) *Table {
	return &Table{heading: heading, columns: append(columns, "on")}
}

// Add adds a row, which begins with whom it is of.
func (t *Table) Add(cells ...string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.rows = append(t.rows, row(append(cells, time.Now().UTC().Format("2006-01-02"))))
}

func row(cells []string) string { return "| " + strings.Join(cells, " | ") + " |" }

// whom is what a row is of.
func whom(row string) string {
	name, _, _ := strings.Cut(strings.TrimPrefix(row, "| "), " | ")
	return name
}

// Publish writes what was measured into a page, in the place of what it says of the same. What is around the tables,
// and what was not measured, stays.
func Publish(file string, tables ...*Table) error {
	text, err := os.ReadFile(file)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	page := string(text)
	for _, t := range tables {
		page = t.into(page)
	}
	return os.WriteFile(file, []byte(page), 0o644)
}

// into is a page with the rows in it.
func (t *Table) into(page string) string {
	t.mu.Lock()
	defer t.mu.Unlock()
	if len(t.rows) == 0 {
		return page
	}
	heading := "## " + t.heading + "\n"
	head := row(t.columns) + "\n|" + strings.Repeat("---|", len(t.columns)) + "\n"
	at := strings.Index(page, heading)
	if at < 0 {
		return strings.TrimLeft(fmt.Sprintf("%s\n\n%s\n%s%s\n", strings.TrimRight(page, "\n"), heading, head,
			strings.Join(t.rows, "\n")), "\n")
	}
	start := strings.Index(page[at:], "\n| ") + at + 1
	if start <= at {
		start = len(page)
	}
	end := start
	var kept []string
	for line := range strings.Lines(page[start:]) {
		if !strings.HasPrefix(line, "|") {
			break
		}
		end += len(line)
		kept = append(kept, strings.TrimSuffix(line, "\n"))
	}
	kept = slices.DeleteFunc(kept[min(len(kept), 2):], func(old string) bool { // the first two are the head
		return slices.ContainsFunc(t.rows, func(r string) bool { return whom(r) == whom(old) })
	})
	return page[:start] + head + strings.Join(append(kept, t.rows...), "\n") + "\n" + page[end:]
}
