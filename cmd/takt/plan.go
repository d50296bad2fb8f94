package main

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"reflect"
	"strings"

	"github.com/spf13/cobra"

	"github.com/takt-dev/takt/elastic"
	"github.com/takt-dev/takt/elastic/begin"
)

func planCommand() *cobra.Command {
	var file string
	output := asTable
	cmd := &cobra.Command{
		Use:   "plan --file FILE",
		Short: "Show what the planner decides about a snapshot of a cluster, and why",
		Long: `Show what the planner decides about a snapshot of a cluster, and why: the number
of workers of each job, its verdict, and the resizes in the order in which to make
them. It is the very decision that the operator would make.

A snapshot is JSON. docs/examples/snapshot.json is one to begin with, and
docs/examples/README.md says what each field means.`,
		Example: `  takt plan --file docs/examples/snapshot.json
  takt plan --file - -o json < snapshot.json`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if file == "" {
				return misuse("--file is missing: give the JSON file with the snapshot, or - for standard input")
			}
			s, err := readSnapshot(file, cmd.InOrStdin())
			if err != nil {
				return err
			}
			d := elastic.Plan(s.Snapshot)
			if output == asJSON {
				return writeJSON(cmd.OutOrStdout(), plan{d, begin.Now(s, d)})
			}
			return writePlan(cmd.OutOrStdout(), s, d)
		},
	}
	cmd.Flags().SortFlags = false
	cmd.Flags().StringVarP(&file, "file", "f", "", "`file` with the snapshot; - is standard input")
	cmd.Flags().VarP(choice(&output, asTable, asJSON), "output", "o", "how to print the decision")
	return cmd
}

// plan is what is decided, and what of it may begin now.
type plan struct {
	elastic.Decision
	Now begin.Beginning `json:"now"`
}

func readSnapshot(path string, stdin io.Reader) (begin.Scene, error) {
	var s begin.Scene
	input, name := stdin, "standard input"
	if path != "-" {
		file, err := os.Open(path)
		if err != nil {
			return s, fmt.Errorf("%w: --file has to name the JSON file with the snapshot, or be - for standard input", err)
		}
		defer file.Close()
		input, name = file, path
	}
	text, err := io.ReadAll(input)
	if err != nil {
		return s, fmt.Errorf("reading %s: %w", name, err)
	}
	if err := decodeSnapshot(string(text), &s); err != nil {
		return s, fmt.Errorf("%s is no snapshot: %w", name, err)
	}
	if err := s.Check(); err != nil {
		return s, fmt.Errorf("%s cannot be planned for:\n%s", name, bounded(err))
	}
	return s, nil
}

// decodeSnapshot refuses fields that a snapshot does not have: a deadline that is misspelt must not
// make a best-effort job.
func decodeSnapshot(text string, s *begin.Scene) error {
	in := json.NewDecoder(strings.NewReader(text))
	in.DisallowUnknownFields()
	err := in.Decode(s)
	if err == nil {
		if _, err := in.Token(); !errors.Is(err, io.EOF) {
			return fmt.Errorf("line %d: there is more after the end of it", lineOf(text, in.InputOffset()))
		}
		return nil
	}
	if wrong, ok := errors.AsType[*json.SyntaxError](err); ok {
		return fmt.Errorf("line %d: %w", lineOf(text, wrong.Offset), err)
	}
	if wrong, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
		return fmt.Errorf("line %d: %s must be %s, and is of the kind %s",
			lineOf(text, wrong.Offset), cmp.Or(strings.TrimPrefix(wrong.Field, "Snapshot."), "all of it"), jsonKind(wrong.Type), wrong.Value)
	}
	if errors.Is(err, io.ErrUnexpectedEOF) {
		return errors.New("it breaks off in the middle")
	}
	if errors.Is(err, io.EOF) {
		return errors.New("it is empty")
	}
	return errors.New(strings.TrimPrefix(err.Error(), "json: "))
}

// jsonKind names a type of Go as people know it from JSON.
func jsonKind(t reflect.Type) string {
	switch t.Kind() {
	case reflect.Slice:
		return "a list"
	case reflect.Struct:
		return "an object"
	case reflect.String:
		return "a string"
	case reflect.Bool:
		return "true or false"
	case reflect.Int:
		return "a whole number"
	default:
		return "a number"
	}
}

func lineOf(text string, offset int64) int {
	return 1 + strings.Count(text[:min(int(offset), len(text))], "\n")
}

// bounded lists the first complaints of many.
func bounded(err error) string {
	lines := strings.Split(err.Error(), "\n")
	if more := len(lines) - shown; more > 0 {
		lines = append(lines[:shown], fmt.Sprintf("and %d more", more))
	}
	return "  " + strings.Join(lines, "\n  ")
}
