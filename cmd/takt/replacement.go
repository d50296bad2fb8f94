package main

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"path/filepath"
)

// replacement is a file that takes the place of another, once it is complete: nobody ever sees
// half of it, and what was there before stays if something goes wrong. It is opened before the
// work begins whose result it is for, so that a folder that cannot be written is known at once.
type replacement struct {
	path string
	file *os.File
}

// newReplacement does nothing for an empty path.
func newReplacement(path string) (*replacement, error) {
	if path == "" {
		return &replacement{}, nil
	}
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s is there already, and is no file that can be replaced: name another with --html", path)
	}
	file, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+".*")
	if err != nil {
		return nil, undrawn(path, err)
	}
	return &replacement{path, file}, nil
}

func undrawn(path string, err error) error {
	return fmt.Errorf("%s cannot be drawn: %w. Name another file with --html", path, err)
}

// write fills the file, and puts it in its place.
func (r *replacement) write(fill func(io.Writer) error) error {
	out := bufio.NewWriter(r.file)
	if err := fill(out); err != nil {
		return err
	}
	if err := out.Flush(); err != nil {
		return err
	}
	const readable = 0o644 // by all, as files of people are: temporary files are not
	if err := r.file.Chmod(readable); err != nil {
		return err
	}
	if err := r.file.Close(); err != nil {
		return err
	}
	return os.Rename(r.file.Name(), r.path)
}

// discard removes what was not put in its place.
func (r *replacement) discard() {
	if r.file != nil {
		_ = r.file.Close()
		_ = os.Remove(r.file.Name())
	}
}
