package agent

import (
	"fmt"
	"os"
	"syscall"
	"testing"
	"unsafe"
)

// onTerminal has an agent lead the session of a terminal, which it reads. What is typed there is told.
func (w *wrapped) onTerminal() *wrapped {
	w.t.Helper()
	typed, err := os.OpenFile("/dev/ptmx", os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		w.t.Fatal(err)
	}
	unlock, number := int32(0), int32(0)
	w.control(typed, syscall.TIOCSPTLCK, &unlock)
	w.control(typed, syscall.TIOCGPTN, &number)
	terminal, err := os.OpenFile(fmt.Sprintf("/dev/pts/%d", number), os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		w.t.Fatal(err)
	}
	w.t.Cleanup(func() { _ = terminal.Close() })
	w.in, w.agent.Stdin = typed, terminal
	w.agent.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	return w
}

func (w *wrapped) control(file *os.File, request uintptr, value *int32) {
	w.t.Helper()
	_, _, err := syscall.Syscall(syscall.SYS_IOCTL, file.Fd(), request, uintptr(unsafe.Pointer(value)))
	if err != 0 {
		w.t.Fatal(err)
	}
}

func TestAKeyInterruptsATrainingOnce(t *testing.T) {
	w := prepare(t, letIn).onTerminal().begin()
	w.tell("catch 2 12")
	w.hears("it catches")
	w.tell("\x03")
	w.hears("caught 2")
	w.signal(syscall.SIGUSR2) // what came to the agent before is forwarded before
	w.hears("caught 12")
	w.tell("exit 3")
	w.exits(3)
}

// Whoever has started the agent goes on with the terminal when it ends.
func TestTheTerminalIsGivenBack(t *testing.T) {
	script := self(t) + ` exec --annotations-file=/nowhere --port=0 -- sh -c 'echo it trains; read word'
		read word; exit $word`
	w := prepare(t, letIn).onTerminal()
	w.agent.Path, w.agent.Args = "/bin/sh", []string{"sh", "-c", script}
	w.begin()
	w.hears("it trains")
	w.tell("done")
	w.tell("7")
	w.exits(7)
}
