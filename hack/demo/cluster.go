package main

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// patience is how long the operator may take to come to its end.
const patience = 10 * time.Second

// behind is the process backstage, which has the cluster and the operator.
type behind struct {
	folder string
	cmd    *exec.Cmd
	stdin  io.Closer
	page   string // where the operator serves its page, once all is ready
	// ended is done when the process has ended, and its cause is why.
	ended context.Context
}

// begin starts the process backstage. It is in a process group of its own, so that a Ctrl-C at the
// terminal comes to the process in front alone, which then ends both in order.
func begin(operator string, real bool) (*behind, <-chan struct{}, error) {
	folder, err := os.MkdirTemp("", "takt-demo-")
	if err != nil {
		return nil, nil, err
	}
	b, isReady, err := beginIn(folder, operator, real)
	if err != nil {
		return nil, nil, errors.Join(err, os.RemoveAll(folder))
	}
	return b, isReady, nil
}

func beginIn(folder, operator string, real bool) (*behind, <-chan struct{}, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, nil, err
	}
	cmd := exec.Command(self, "backstage", folder, operator, strconv.FormatBool(real)) //nolint:noctx // it must not be killed, but come to its end
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	var complaint bytes.Buffer
	cmd.Stderr = &complaint
	stdin, err := cmd.StdinPipe()
	if err != nil {
		return nil, nil, err
	}
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		return nil, nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, nil, fmt.Errorf("cannot start the process that has the cluster: %w", err)
	}
	ended, end := context.WithCancelCause(context.Background())
	b := &behind{folder: folder, cmd: cmd, stdin: stdin, ended: ended}
	isReady := make(chan struct{})
	go func() {
		for lines := bufio.NewScanner(stdout); lines.Scan(); {
			if page, is := strings.CutPrefix(lines.Text(), ready); is {
				b.page = page
				close(isReady)
			}
		}
		if err := cmd.Wait(); err != nil {
			end(errors.New(cmp.Or(strings.TrimSpace(complaint.String()), err.Error())))
			return
		}
		end(errors.New("the process that has the cluster has ended by itself"))
	}()
	return b, isReady, nil
}

func (b *behind) kubeconfig() string { return filepath.Join(b.folder, "kubeconfig") }

// stop takes everything down, and fails if something has remained.
func (b *behind) stop() error {
	_ = b.stdin.Close()
	<-b.ended.Done()
	if !b.cmd.ProcessState.Success() {
		return fmt.Errorf("not everything could be taken down: %w", context.Cause(b.ended))
	}
	if _, err := os.Stat(b.folder); !errors.Is(err, os.ErrNotExist) {
		return fmt.Errorf("the folder %s has remained", b.folder)
	}
	return nil
}
