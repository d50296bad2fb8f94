package localcluster

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// process is one component as the operating system sees it.
//
// Whether it runs is decided by a file lock, not by its process id: the lock is taken before the
// start and handed to the child as an open file, so it is held exactly as long as the child
// lives, however it ends. A process id can be reused by a stranger; a lock cannot.
type process struct {
	name    string
	lock    string
	logFile string
}

func (d dir) process(name string) process {
	return process{
		name:    name,
		lock:    d.path("run", name+".lock"),
		logFile: d.path("logs", name+".log"),
	}
}

// start runs a program in a session of its own, so that it outlives its parent and hears no
// Ctrl-C meant for it. How says where.
func (p process) start(program string, args, env []string, how func(*exec.Cmd) error) error {
	lock, err := os.OpenFile(p.lock, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return err
	}
	defer lock.Close()
	// Whoever asks whether it runs holds the lock for a moment, too.
	asking, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	if poll(asking, 10*time.Millisecond, func() error { return flock(lock, syscall.LOCK_EX) }) != nil {
		return fmt.Errorf("%s runs already", p.name)
	}
	if err := lock.Truncate(0); err != nil {
		return err
	}
	output, err := os.OpenFile(p.logFile, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o600)
	if err != nil {
		return err
	}
	defer output.Close()
	if _, err := fmt.Fprintf(output, "%s at %s\n", startMark, time.Now().Format(time.RFC3339)); err != nil {
		return err
	}

	cmd := &exec.Cmd{
		Path:        program,
		Args:        append([]string{p.name}, args...),
		Env:         env,
		Stdout:      output,
		Stderr:      output,
		ExtraFiles:  []*os.File{lock},
		SysProcAttr: &syscall.SysProcAttr{Setsid: true},
	}
	if err := how(cmd); err != nil {
		return fmt.Errorf("cannot start %s: %w", p.name, err)
	}
	go func() { _ = cmd.Wait() }() // only so that it does not stay a zombie of ours
	_, err = lock.WriteAt([]byte(strconv.Itoa(cmd.Process.Pid)), 0)
	return err
}

// runs says whether the process is there, and its id.
func (p process) runs() (pid int, running bool) {
	lock, err := os.Open(p.lock)
	if err != nil {
		return 0, false
	}
	defer lock.Close()
	if flock(lock, syscall.LOCK_SH) == nil {
		return 0, false
	}
	text, err := io.ReadAll(lock)
	if err != nil {
		return 0, true
	}
	pid, _ = strconv.Atoi(string(text))
	return pid, true
}

// stop asks the process to end, and kills it if it has not ended within ten seconds.
func (p process) stop() error {
	if err := p.signal(syscall.SIGTERM); err != nil {
		return err
	}
	if p.waitEnded() {
		return nil
	}
	return p.kill()
}

// kill ends the process at once.
func (p process) kill() error {
	if err := p.signal(syscall.SIGKILL); err != nil {
		return err
	}
	if !p.waitEnded() {
		return fmt.Errorf("%s does not end, even when killed", p.name)
	}
	return nil
}

func (p process) signal(signal syscall.Signal) error {
	pid, running := p.runs()
	if !running {
		return nil
	}
	if pid == 0 {
		return fmt.Errorf("%s runs, but whoever started it died before writing down its process id: find it with ps "+
			"and end it", p.name)
	}
	// The whole group: a component that was started by a script is its child.
	if err := syscall.Kill(-pid, signal); err != nil && !errors.Is(err, syscall.ESRCH) {
		return fmt.Errorf("cannot signal %s: %w", p.name, err)
	}
	return nil
}

func (p process) waitEnded() bool {
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	return poll(ctx, 20*time.Millisecond, func() error {
		if _, running := p.runs(); running {
			return errors.New("still runs")
		}
		return nil
	}) == nil
}

// startMark begins what a process prints in one life.
const startMark = "--- localcluster starts this component"

// logTail is the end of what the process has printed since its last start.
func (p process) logTail(lines int) string {
	text, err := os.ReadFile(p.logFile)
	if err != nil {
		return err.Error()
	}
	all := strings.Split(strings.TrimSpace(string(text)), "\n")
	for i, line := range slices.Backward(all) {
		if strings.HasPrefix(line, startMark) {
			all = all[i+1:]
			break
		}
	}
	return strings.Join(all[max(0, len(all)-lines):], "\n")
}

func flock(file *os.File, how int) error {
	return syscall.Flock(int(file.Fd()), how|syscall.LOCK_NB)
}

// poll calls check at intervals until it returns nil, and gives its last error once ctx is done.
func poll(ctx context.Context, interval time.Duration, check func() error) error {
	for {
		err := check()
		if err == nil {
			return nil
		}
		select {
		case <-ctx.Done():
			return err
		case <-time.After(interval):
		}
	}
}
