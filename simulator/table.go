package simulator

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

func (b BadRow) String() string { return fmt.Sprintf("line %d: %s", b.Line, b.Reason) }

// table reads a CSV file by the names in its header. Rows that cannot be read are left out and
// told of; only a file that is no such table at all is an error.
type table struct {
	rows *csv.Reader
	at   map[string]int
	bad  []BadRow
}

func newTable(r io.Reader) (*table, error) {
	rows := csv.NewReader(r)
	rows.FieldsPerRecord = -1
	header, err := rows.Read()
	if err != nil {
		return nil, fmt.Errorf("the file has no header line: %w", err)
	}
	t := &table{rows: rows, at: map[string]int{}}
	for i, name := range header {
		t.at[strings.TrimSpace(name)] = i
	}
	return t, nil
}

// each calls read for every row; what read complains of is a bad row.
func (t *table) each(read func(row) error) error {
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
		if err := read(row{fields, t.at}); err != nil {
			t.bad = append(t.bad, BadRow{line, err.Error()})
		}
	}
}
