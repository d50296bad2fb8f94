package save

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/takt-dev/takt/agent/contract"
	"github.com/takt-dev/takt/agent/process"
)

// Way is how the training is asked. The zero value is of a job that does not say.
type Way struct {
	Signal syscall.Signal // 0 for none
	File   string         // empty for none
}

// Told says whether the job says how.
func (w Way) Told() bool { return w.Signal != 0 || w.File != "" }

// Ask asks the training whose command is the process root.
func (w Way) Ask(request contract.Request, root int) error {
	var failed []error
	if w.Signal != 0 {
		pids, hidden := process.Catchers(root, w.Signal)
		failed = append(failed, signalTo(pids, hidden, w.Signal))
	}
	if w.File != "" {
		failed = append(failed, w.make(request))
	}
	return errors.Join(failed...)
}

// signalTo signals only those who do something about the signal: it would end anybody else. Hidden says that nobody can
// tell who does.
func signalTo(pids []int, hidden bool, s syscall.Signal) error {
	if len(pids) == 0 && hidden {
		return fmt.Errorf("the kernel of this sandbox does not tell which process does anything about %s (no SigCgt in "+
			"/proc/PID/status, as in gVisor), and it would end any other: name a file in takt.dev/save-file instead",
			nameOf(s))
	}
	if len(pids) == 0 {
		return fmt.Errorf("no process of the training does anything about %s: "+
			"it would be ended by it, and so was not sent it", nameOf(s))
	}
	var failed []error
	for _, pid := range pids {
		if err := syscall.Kill(pid, s); err != nil && !errors.Is(err, syscall.ESRCH) {
			failed = append(failed, fmt.Errorf("process %d cannot be sent %s: %w", pid, nameOf(s), err))
		}
	}
	if len(failed) == len(pids) {
		return errors.Join(failed...)
	}
	return nil
}

// make makes the file by which the training is asked. What is in it is the number of the request.
func (w Way) make(request contract.Request) error {
	if err := write(w.File, request.String()+"\n"); err != nil {
		return fmt.Errorf("the file by which the training is asked for a checkpoint cannot be made: %w", err)
	}
	return nil
}

// write writes a file that is there as a whole or not at all. Agents of other workers may write the same one on a
// volume that they share.
func write(path, text string) error {
	beside, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+".new*")
	if err != nil {
		return err
	}
	_, err = beside.WriteString(text)
	_ = beside.Chmod(0o644) // a volume that refuses it has modes of its own
	err = errors.Join(err, beside.Close())
	if err == nil {
		err = os.Rename(beside.Name(), path)
	}
	if err != nil {
		_ = os.Remove(beside.Name())
	}
	return err
}

// signals are those that programs are free to use as they like. Others, such as SIGHUP, end a launcher that catches
// them in order to end its workers.
var signals = map[string]syscall.Signal{"SIGUSR1": syscall.SIGUSR1, "SIGUSR2": syscall.SIGUSR2}

// nameOf is the name of one of the signals.
func nameOf(s syscall.Signal) string {
	for name, one := range signals {
		if one == s {
			return name
		}
	}
	return s.String()
}

// ParseSignal reads the name of a signal, with or without SIG.
func ParseSignal(text string) (syscall.Signal, error) {
	name := strings.ToUpper(strings.TrimSpace(text))
	if !strings.HasPrefix(name, "SIG") {
		name = "SIG" + name
	}
	if s, ok := signals[name]; ok {
		return s, nil
	}
	return 0, errors.New("a training can be asked by SIGUSR1 or SIGUSR2")
}
