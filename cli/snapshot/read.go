package snapshot

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"reflect"
	"strings"

	"github.com/takt-dev/takt/elastic/begin"
	"github.com/takt-dev/takt/version"
)

// Read reads a snapshot from a file, or from stdin where the path is -. What it returns can be planned for; an error
// says what is wrong with the file, line by line where that is known.
func Read(path string, stdin io.Reader) (begin.Scene, error) {
	var s begin.Scene
	input, name := stdin, "standard input"
	if path != "-" {
		file, err := os.Open(path)
		if err != nil {
			return s, fmt.Errorf("%w: name a JSON file with a snapshot, or - for standard input", err)
		}
		defer file.Close()
		input, name = file, path
	}
	text, err := io.ReadAll(input)
	if err != nil {
		return s, fmt.Errorf("%s cannot be read: %w. Name a JSON file with a snapshot, or - for standard input", name, err)
	}
	if s, err = Parse(string(text), name); err != nil {
		return s, explained(err, path)
	}
	return s, nil
}

// explained says where snapshots are as they have to be, and who understands one that a newer operator has written.
func explained(err error, path string) error {
	if path == "-" {
		path = "snapshot.json"
	}
	if _, unknown := errors.AsType[unknownFieldError](err); unknown {
		err = fmt.Errorf("%w\nthis takt is %s: a newer takt-operator may have written that field: take the takt in its "+
			"image, which knows it, as in kubectl -n takt-system exec -i deployment/takt-operator -- /takt plan --file - < %s",
			err, version.Of(), path)
	}
	return fmt.Errorf("%w\ntakt snapshot writes one as it has to be, and %s says what each field means", err,
		version.OfRelease().Page("examples/README.md"))
}

// unknownFieldError is that of a field, in quotes, which a snapshot does not have, as far as this program knows.
type unknownFieldError string

func (e unknownFieldError) Error() string { return "unknown field " + string(e) }

// Parse is Read of a text; name is how errors call it.
func Parse(text, name string) (begin.Scene, error) {
	var s begin.Scene
	if err := decode(text, &s); err != nil {
		return s, fmt.Errorf("%s is no snapshot: %w", name, err)
	}
	if err := s.Check(); err != nil {
		return s, fmt.Errorf("%s cannot be planned for:\n%s", name, bounded(err))
	}
	return s, nil
}

// decode refuses fields that a snapshot does not have: a deadline that is misspelt must not
// make a best-effort job.
func decode(text string, s *begin.Scene) error {
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
			lineOf(text, wrong.Offset), cmp.Or(strings.TrimPrefix(wrong.Field, "Snapshot."), "all of it"), jsonKind(wrong.Type),
			wrong.Value)
	}
	if errors.Is(err, io.ErrUnexpectedEOF) {
		return errors.New("it breaks off in the middle")
	}
	if errors.Is(err, io.EOF) {
		return errors.New("it is empty")
	}
	if _, field, unknown := strings.Cut(err.Error(), "json: unknown field "); unknown {
		return unknownFieldError(field)
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

// shown is how many complaints are told in full: a file that is wrong all over must not fill the screen.
const shown = 10
