package main

import (
	"fmt"
	"os"

	"sigs.k8s.io/yaml"
)

// board describes a dashboard.
type board struct {
	Title       string     `json:"title"`
	Description string     `json:"description"`
	Variables   []variable `json:"variables"`
	Rows        []row      `json:"rows"`
}

// variable is something to choose at the top: a label's value, or many.
type variable struct {
	Name   string `json:"name"`
	Label  string `json:"label"`
	Values string `json:"values"`
	Many   bool   `json:"many"`
}

// row has panels beside each other, all as wide, below a title if it has one.
type row struct {
	Title  string  `json:"title"`
	Height int     `json:"height"`
	Panels []panel `json:"panels"`
}

type panel struct {
	Title       string   `json:"title"`
	Description string   `json:"description"`
	Show        string   `json:"show"` // number, lines, steps, areas, bars or table
	Unit        string   `json:"unit"`
	Colors      [][]any  `json:"colors"`  // each with the value from which on a number has it; the first has none
	Columns     []string `json:"columns"` // of a table: which, in which order, and what each is called
	Opens       string   `json:"opens"`   // where a click on a row of a table leads
	Asks        []ask    `json:"asks"`
}

// ask is one question to Prometheus, and how its answer looks.
type ask struct {
	Expr   string `json:"expr"`
	As     string `json:"as"`
	Color  string `json:"color"`
	Dashed bool   `json:"dashed"`
	Faint  bool   `json:"faint"`  // no line of its own
	DownTo string `json:"downTo"` // filled down to the line of this name
}

func read(path string) (b board, err error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return b, err
	}
	if err := yaml.UnmarshalStrict(text, &b); err != nil {
		return b, fmt.Errorf("%s: %w", path, err)
	}
	for _, r := range b.Rows {
		for _, p := range r.Panels {
			if _, known := looks[p.Show]; !known && p.Show != number && p.Show != table {
				return b, fmt.Errorf("%s: %s is shown as %q, which is not known", path, p.Title, p.Show)
			}
		}
	}
	return b, nil
}
