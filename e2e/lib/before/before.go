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

// What keeps anybody from knowing how things were: sources without any history, as an archive has them, or with a part
// of it alone. Whoever tests less for that says so loudly.
var (
	ErrNoRepository = errors.New("these sources are no clone of the repository, so that there is no history of them")
	ErrShallow      = errors.New("this clone has a part of the history alone: git fetch --unshallow gets all of it")
)

// Write writes the files of a folder of the repository, as they were before the folder was last changed.
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
		return fmt.Errorf("nobody can tell how %s was before it was last changed: %w (%w)", folder, ErrShallow, err)
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
