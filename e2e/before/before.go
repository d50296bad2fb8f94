package before

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// ErrNoRepository is that of sources without any history, as an archive has them.
var ErrNoRepository = errors.New("these sources are no clone of the repository, so that there is no history of them")

// Write writes the files of a folder of the repository, as they were before the folder was last changed. A clone that
// lacks that part of the history is no reason to test less: it fails.
func Write(ctx context.Context, repository, folder, to string) error {
	if _, err := git(ctx, repository, "rev-parse", "--git-dir"); err != nil {
		return ErrNoRepository
	}
	folder = strings.TrimSuffix(folder, "/") + "/"
	changed, err := git(ctx, repository, "log", "-1", "--format=%H", "--", folder)
	if err != nil {
		return err
	}
	was := strings.TrimSpace(changed) + "^"
	if _, err := git(ctx, repository, "rev-parse", "--verify", was); err != nil {
		return fmt.Errorf("this clone does not know how %s was before it was last changed: git fetch --unshallow gets all "+
			"of the history (%w)", folder, err)
	}
	files, err := git(ctx, repository, "ls-tree", "--name-only", was, folder)
	if err != nil {
		return err
	}
	for file := range strings.FieldsSeq(files) {
		text, err := git(ctx, repository, "show", was+":"+file)
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(to, filepath.Base(file)), []byte(text), 0o600); err != nil {
			return err
		}
	}
	return nil
}

func git(ctx context.Context, repository string, arguments ...string) (string, error) {
	command := exec.CommandContext(ctx, "git", arguments...)
	command.Dir = repository
	var complaint bytes.Buffer
	command.Stderr = &complaint
	said, err := command.Output()
	if err != nil {
		return "", fmt.Errorf("git %s: %w %s", strings.Join(arguments, " "), err, strings.TrimSpace(complaint.String()))
	}
	return string(said), nil
}
