package install

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"

	"github.com/takt-dev/takt/agent/contract"
)

// To copies the program at a path into a folder, whole or not at all: an init container may be started again
// after it was killed.
func To(folder, program string) error {
	from, err := os.Open(program)
	if err != nil {
		return fmt.Errorf("the agent cannot read itself: %w", err)
	}
	defer from.Close()
	into, err := os.CreateTemp(folder, ".agent-*")
	if err != nil {
		return sentence(folder, err)
	}
	if err := fill(into, from); err != nil {
		_ = os.Remove(into.Name())
		return sentence(folder, err)
	}
	if err := os.Rename(into.Name(), filepath.Join(folder, contract.Binary)); err != nil {
		_ = os.Remove(into.Name())
		return sentence(folder, err)
	}
	return nil
}

// fill writes a program that any user may execute, down to the disk: only then a full one is known of.
func fill(into *os.File, from io.Reader) error {
	if _, err := io.Copy(into, from); err != nil {
		_ = into.Close() // it goes anyway
		return err
	}
	return errors.Join(into.Chmod(0o755), into.Sync(), into.Close())
}

// sentence says what is wrong with a folder.
func sentence(folder string, err error) error {
	switch {
	case errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EDQUOT):
		return fmt.Errorf("the disk is full at %s: the agent takes less than 10 MB there: %w", folder, err)
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("there is no folder %s: mount an emptyDir there: %w", folder, err)
	case errors.Is(err, syscall.ENOTDIR):
		return fmt.Errorf("%s is no folder: mount an emptyDir there: %w", folder, err)
	case errors.Is(err, fs.ErrPermission), errors.Is(err, syscall.EROFS):
		return fmt.Errorf("nothing may be written to %s: mount an emptyDir there, without readOnly: %w", folder, err)
	}
	return fmt.Errorf("the agent cannot be installed into %s: %w", folder, err)
}
