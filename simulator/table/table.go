package table

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"strings"
)

// BadRow is a row of a file that was left out, and why.
type BadRow struct {
	Line   int
	Reason string
}

// Table is a CSV file whose header has been read.
type Table struct {
	rows *csv.Reader
	at   map[string]int
	bad  []BadRow
}

// New reads the header.
func New(r io.Reader) (*Table, error) {
	rows := csv.NewReader(r)
	rows.FieldsPerRecord = -1
	header, err := rows.Read()
	if err != nil {
		return nil, fmt.Errorf("the file has no header line: %w", err)
	}
	t := &Table{rows: rows, at: map[string]int{}}
	for i, name := range header {
		t.at[strings.TrimSpace(name)] = i
	}
	return t, nil
}

// Columns are the names in the header, each with its place. They are for reading only.
func (t *Table) Columns() map[string]int { return t.at }

// Bad are the rows that were left out so far.
func (t *Table) Bad() []BadRow { return t.bad }

// Each calls read for every row; what read complains of is a bad row.
func (t *Table) Each(read func(Row) error) error {
	for {
		fields, err := t.rows.Read()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if wrong, ok := errors.AsType[*csv.ParseError](err); ok {
			t.bad = append(t.bad, BadRow{wrong.StartLine, wrong.Err.Error()})
			continue
		}
		if err != nil {
			return err
		}
		line, _ := t.rows.FieldPos(0)
		if len(fields) != len(t.at) {
			t.bad = append(t.bad, BadRow{line, fmt.Sprintf("it has %d fields, and the header %d", len(fields), len(t.at))})
			continue
		}
		if err := read(Row{fields, t.at}); err != nil {
			t.bad = append(t.bad, BadRow{line, err.Error()})
		}
	}
}
