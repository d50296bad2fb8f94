package agent

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"strings"
	"syscall"
	"testing"

	"github.com/takt-dev/takt/agent/contract"
)

func TestExitIsPassedOn(t *testing.T) {
	const leaves = letIn + "takt.dev/draining=\"true\"\n"
	for name, test := range map[string]struct {
		annotations, order string
		want               int
	}{
		"done":                        {letIn, "exit 0", 0},
		"failed":                      {letIn, "exit 1", 1},
		"failed in its own way":       {letIn, "exit 255", 255},
		"killed":                      {letIn, "raise 9", 137},
		"told to end":                 {letIn, "raise 15", 143},
		"done, while it is to leave":  {leaves, "exit 0", 143},
		"failed while it is to leave": {leaves, "exit 7", 7},
		"ended while it is to leave":  {leaves, "raise 15", 143},
	} {
		t.Run(name, func(t *testing.T) {
			w := wrap(t, test.annotations)
			w.tell("%s", test.order)
			w.exits(test.want)
		})
	}
}

// Whoever looks at the file only from time to time would come too late.
func TestAMarkThatComesLastIsSeen(t *testing.T) {
	for range 10 {
		w := wrap(t, letIn)
		w.tell("say it trains")
		w.hears("it trains")
		w.annotate(letIn + "takt.dev/draining=\"true\"\n")
		w.tell("exit 0")
		w.exits(143)
	}
}

func TestAMarkThatWasTakenBackCountsNoMore(t *testing.T) {
	w := wrap(t, letIn+"takt.dev/draining=\"true\"\n")
	w.metric("takt_draining 1")
	w.annotate(letIn)
	w.metric("takt_draining 0")
	w.tell("exit 0")
	w.exits(0)
}

func TestOutputIsPassedOnByteForByte(t *testing.T) {
	const size = 3 << 20
	w := prepare(t, letIn)
	w.agent.Stderr = nil
	complaints, err := w.agent.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	var wrong bytes.Buffer
	read := make(chan struct{})
	w.begin()
	go func() {
		_, _ = io.Copy(&wrong, complaints)
		close(read)
	}()
	w.tell("bytes %d", size)
	w.tell("exit 0")
	out, err := io.ReadAll(w.out)
	if err != nil {
		t.Fatal(err)
	}
	<-read
	if !bytes.Equal(out, noise(1, size)) {
		t.Errorf("of %d bytes %d arrive, and not as they were written", size, len(out))
	}
	// The agent may say sentences of its own there, before or after.
	if !bytes.Contains(wrong.Bytes(), noise(2, size/2)) {
		t.Errorf("of %d bytes on standard error %d arrive, and not as they were written", size/2, wrong.Len())
	}
	w.exits(0)
}

func TestASentenceBeginsALine(t *testing.T) {
	w := prepare(t, letIn, "--save-signal=SIGUSR2").
		instead("sh", "-c", "printf ' 42%%|##' >&2; read code; exit $code").begin()
	w.says(" 42%|##")
	for request := 7; request < 9; request++ {
		w.annotate(asks(request))
		w.metric(fmt.Sprintf("takt_save_declined_request %d", request))
	}
	w.tell("3")
	w.exits(3)
	if said := w.log.String(); !strings.Contains(said, "##\n"+contract.Voice) || strings.Contains(said, "\n\n") {
		t.Errorf("it says %q", said)
	}
}

func TestOutputsOfATrainingWaitLikeThoseOfAnyOther(t *testing.T) {
	w := wrap(t, letIn)
	w.tell("flags")
	w.hears("1:blocks 2:blocks")
}

func TestATrainingOutlivesWhoeverReadsItsOutput(t *testing.T) {
	w := prepare(t, letIn)
	in, err := w.agent.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, theirs, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	w.agent.Stdout = theirs
	if err := w.agent.Start(); err != nil {
		t.Fatal(err)
	}
	_, _ = theirs.Close(), out.Close() // nobody reads
	go func() {
		_ = w.agent.Wait()
		close(w.ended)
	}()
	fmt.Fprintln(in, "say hello")
	fmt.Fprintln(in, "say done 5 of 7")
	w.says("cannot be passed on any more")
	w.metric(`takt_progress_done{unit="steps"} 5`)
	fmt.Fprintln(in, "exit 4")
	w.exits(4)
}

func TestEverySignalIsForwarded(t *testing.T) {
	w := wrap(t, letIn)
	all := []syscall.Signal{
		syscall.SIGHUP, syscall.SIGINT, syscall.SIGQUIT, syscall.SIGABRT, syscall.SIGUSR1, syscall.SIGUSR2, syscall.SIGALRM,
		syscall.SIGTERM, syscall.SIGCONT, syscall.SIGWINCH, syscall.SIGTSTP, syscall.SIGVTALRM, syscall.SIGXCPU,
		syscall.SIGSYS, 40, 64,
	}
	numbers := strings.Trim(strings.ReplaceAll(fmt.Sprintf("%d", all), "  ", " "), "[]")
	w.tell("catch %s", numbers)
	w.hears("it catches")
	for _, s := range all {
		w.signal(s)
		w.hears(fmt.Sprintf("caught %d", s))
	}
	w.tell("exit 5")
	w.exits(5)
}

// The kernel drops what process 1 has no handler for. A training that was process 1 before, and is so no longer, is
// not ended by it.
func TestWhatIsDroppedForProcess1IsNotForwarded(t *testing.T) {
	for name, test := range map[string]struct {
		signals []syscall.Signal
		want    int
	}{
		"what it has no handler for": {
			[]syscall.Signal{syscall.SIGHUP, syscall.SIGQUIT, syscall.SIGUSR1, syscall.SIGUSR2, syscall.SIGWINCH}, 3,
		},
		"told to end":  {[]syscall.Signal{syscall.SIGTERM}, 143},
		"a key, of it": {[]syscall.Signal{syscall.SIGINT}, 130},
	} {
		t.Run(name, func(t *testing.T) {
			w := prepare(t, letIn).instead("sh", "-c", "trap 'exit 3' WINCH; echo it trains; while :; do sleep .1; done")
			w.agent.Env = append(w.agent.Env, "AS_FIRST=true")
			w.begin()
			w.hears("it trains")
			for _, s := range test.signals {
				w.signal(s)
			}
			w.exits(test.want)
		})
	}
}

func TestOrphansAreTakenInAndHoldUpNothing(t *testing.T) {
	w := wrap(t, letIn)
	w.tell("orphan")
	var orphan int
	if _, err := fmt.Sscan(w.line(), &orphan); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = syscall.Kill(orphan, syscall.SIGKILL) }()
	parent := fmt.Sprintf("PPid:\t%d\n", w.agent.Process.Pid)
	status := fmt.Sprintf("/proc/%d/status", orphan)
	w.until("the agent is the parent of the orphan", func() bool {
		text, _ := os.ReadFile(status)
		return strings.Contains(string(text), parent)
	})
	if err := syscall.Kill(orphan, syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	w.until("the orphan is reaped", func() bool {
		_, err := os.Stat(status)
		return os.IsNotExist(err)
	})

	// Another one holds the outputs of the training when that ends.
	w.tell("orphan")
	var second int
	if _, err := fmt.Sscan(w.line(), &second); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = syscall.Kill(second, syscall.SIGKILL) }()
	w.tell("bytes 500000")
	w.tell("exit 6")
	rest, err := io.ReadAll(w.out)
	if err != nil || !bytes.Equal(rest, noise(1, 500000)) {
		t.Errorf("of the last 500000 bytes %d arrive (%v)", len(rest), err)
	}
	w.exits(6)
}

// Many a script ends by telling its group to, and means what it has started.
func TestATrainingThatTellsItsGroupToEndMeansItsOwn(t *testing.T) {
	w := prepare(t, letIn)
	w.agent.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} // the tests are in another group
	w.begin()
	w.tell("catch 15 28")
	w.hears("it catches")
	w.tell("group 15")
	w.hears("caught 15")
	w.signal(syscall.SIGWINCH) // what came to the agent before is forwarded before
	w.hears("caught 28")
	w.tell("exit 0")
	w.exits(0)
}
