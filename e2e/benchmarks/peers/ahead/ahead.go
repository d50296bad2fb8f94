package ahead

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// us is the column that the others are compared with.
const us = "Takt"

// Row is what a row of the table is worth.
type Row int

// What is told of a row.
const (
	Neither Row = iota // there is no better and no worse
	More               // the greater, the better
	Less               // the smaller, the better
)

var number = regexp.MustCompile(`^\d+(\.\d+)?`)

// Sentences has one for each figure in which somebody is ahead, from the table in a text. Each row of it has to be
// known.
func Sentences(text string, rows map[string]Row) (string, error) {
	var names []string
	var said strings.Builder
	for line := range strings.Lines(text) {
		if !strings.HasPrefix(line, "|") || strings.HasPrefix(line, "|--") {
			continue
		}
		cells := strings.Split(strings.Trim(strings.TrimSpace(line), "|"), "|")
		for i := range cells {
			cells[i] = strings.TrimSpace(cells[i])
		}
		if names == nil {
			names = cells
			continue
		}
		worth, known := rows[cells[0]]
		if !known || len(cells) != len(names) {
			return "", fmt.Errorf("nobody knows whether more is better of %q, or it lacks a figure", cells[0])
		}
		if worth == Neither {
			continue
		}
		sentence, err := one(names, cells, worth == More)
		if err != nil {
			return "", err
		}
		said.WriteString(sentence)
	}
	own := slices.Index(names, us)
	if own < 0 {
		return "", fmt.Errorf("the table has no column %s", us)
	}
	if said.Len() == 0 {
		return "No peer is ahead of Takt in any of these figures.\n", nil
	}
	return "Where a peer is ahead of Takt:\n\n" + said.String(), nil
}

// one is the sentence of a row, or none.
func one(names, cells []string, more bool) (string, error) {
	value := func(cell string) (float64, error) { return strconv.ParseFloat(number.FindString(cell), 64) }
	own := slices.Index(names, us)
	if own < 0 {
		return "", nil
	}
	ours, err := value(cells[own])
	if err != nil {
		return "", fmt.Errorf("of %q: %w", cells[0], err)
	}
	var better []string
	for i := 1; i < len(cells); i++ {
		theirs, err := value(cells[i])
		if err != nil {
			return "", fmt.Errorf("of %q: %w", cells[0], err)
		}
		if i != own && (more && theirs > ours || !more && theirs < ours) {
			better = append(better, names[i]+" has "+cells[i])
		}
	}
	if len(better) == 0 {
		return "", nil
	}
	return fmt.Sprintf("- %s: %s, and Takt %s.\n", cells[0], strings.Join(better, ", "), cells[own]), nil
}
